import { describe, expect, it } from '@jest/globals';
import type { Pool } from 'pg';
import { findMovements } from '../../projections/balances/statement.js';
import { ledger } from '../../src/app/ledger.projection.js';
import { explain } from '../../src/domain/balances/explain.js';
import { toDispute } from '../../src/domain/charges/disputes/dispute-answer.js';
import { findDispute } from '../../projections/disputes/dispute-reads.js';
import { disputeId } from '../../src/domain/charges/disputes/charge-disputes.js';
import { findChargesById } from '../../projections/charges/charge-reads.js';
import type { StoredMessage } from '../../projections/webhooks/outbox-reads.js';
import { toChargeDetail } from '../../src/domain/charges/charge-detail.js';
import { render } from '../../src/domain/webhooks/rendering.js';
import { storedMessagesOf } from '../support/stored-messages.js';
import { claimedLine, linesToSettle } from '../../src/domain/charges/charge-lines.js';
import { charge, type ChargeCommand } from '../../src/domain/charges/charge.decider.js';
import type { ChargeState } from '../../src/domain/charges/charge-state.js';
import { settlementTotals } from '../../src/ledger/events/account.events.js';
import { createCharge, termsOf } from '../support/create-charge.js';
import { Log } from '../support/histories.js';
import { project } from '../support/projected.js';
import { suiteDatabase } from '../support/suite-database.js';

const FEE = 500;

/** Charges of one merchant, the course of their disputes, and the settlements that follow. */
class Story {
  readonly log = new Log();
  readonly account = { merchant_id: this.log.id('merchant'), currency: 'IDR' };
  readonly #states = new Map<string, ChargeState>();
  #settlements = 0;

  constructor() {
    this.log.register(this.account.merchant_id);
  }

  pay(name: string): string {
    const charge_id = this.log.id(name);
    const ids = { charge_id, merchant_id: this.account.merchant_id };
    this.do(charge_id, (now) => createCharge(ids, termsOf('QR_QRIS'), { amount: 10_000, action_flow: 'PAYLOAD' }, now));
    this.do(charge_id, (now) => ({ kind: 'pay', amount: 10_000, payment_reference: name, now, holidays: new Map() }));
    return charge_id;
  }

  open(charge_id: string, amount: number, stage: 'INQUIRY' | 'CHARGEBACK' | 'PRE_ARBITRATION' = 'CHARGEBACK'): void {
    const claim = { reference: 'D-1', stage, amount, reason_code: '13.1', reason: 'Not received', due_by: '2026-03-01T00:00:00.000+00:00' };
    this.do(charge_id, (now) => ({ kind: 'open-dispute', claim, dispute_fee_amount: FEE, now }));
  }

  end(charge_id: string, kind: 'win-dispute' | 'lose-dispute'): void {
    this.do(charge_id, (now) => ({ kind, reference: 'D-1', stage: 'CHARGEBACK', is_final: false, now }));
  }

  do(charge_id: string, command: (now: string) => ChargeCommand): void {
    this.log.clockMs += 1_000;
    let state = this.#states.get(charge_id) ?? charge.initial;
    const decision = charge.decide(state, command(this.log.now));
    if ('refusal' in decision) throw new Error(decision.detail);
    for (const event of decision.events) {
      this.log.add(event, `charge-${charge_id}`, 'System');
      state = charge.evolve(state, event);
    }
    this.#states.set(charge_id, state);
  }

  settle(): void {
    const settlement_number = ++this.#settlements;
    const settlement_id = this.log.id(`settlement ${settlement_number}`);
    const of = { settlement_id, ...this.account, settlement_number };
    const stream = `settlement-${settlement_number}`;
    const listed = [...this.#states].flatMap(([id, state]) =>
      state.status === 'NONE' ? [] : linesToSettle(state).lines.map((line) => ({ id, line })),
    );
    const opened = listed.map(({ line }) => line);
    this.log.add({ type: 'SettlementOpened', data: { ...of, lines: opened, opened_on: this.log.now } }, stream, 'System');
    const lines = listed.map(({ id, line }) => {
      this.do(id, (now) => ({ kind: 'claim', listed: { settlement_id, ...this.account, settlement_number, line }, now }));
      return claimedLine(this.#states.get(id)!, line);
    });
    const totals = settlementTotals(lines);
    this.log.add({ type: 'SettlementClosed', data: { ...of, lines, totals, closed_on: this.log.now } }, stream, 'System');
    const settled = { ...this.account, settlement_number, lines, totals, settled_on: this.log.now };
    this.log.add({ type: 'FundsSettled', data: settled }, 'account-1', 'System');
  }
}

/** With everything that becomes of a dispute, and a charge that is reversed while it is disputed. */
function playedStory(): { readonly story: Story; readonly early: string; readonly late: string; readonly asked: string } {
  const story = new Story();
  const [early, late, asked] = [story.pay('early'), story.pay('late'), story.pay('asked')];
  story.open(early, 4_000);
  story.open(asked, 10_000, 'INQUIRY');
  story.settle();
  story.open(late, 12_000);
  story.settle();
  story.end(early, 'win-dispute');
  story.settle();
  story.end(late, 'lose-dispute');
  story.settle();
  story.open(asked, 1_000);
  story.settle();
  story.end(late, 'win-dispute');
  story.settle();
  return { story, early, late, asked };
}

describe('money in disputes', () => {
  let pool: Pool;
  suiteDatabase((opened) => (pool = opened), { statementTimeoutMs: 0 });

  it('the explanation of a balance is exact after every event: held, lost, fees and returned amounts', async () => {
    const { story, early, late, asked } = playedStory();
    const [disputed, again] = [disputeId(late, 'D-1'), disputeId(asked, 'D-1')];
    const held: unknown[] = [];
    await project(pool, ledger, story.log.events, 1, async ([event]) => {
      const { balance, buckets } = await explain(pool, story.account, { Limit: 100 });
      for (const { bucket, amount, groups, items } of buckets) {
        const sum = (of: readonly { readonly amount: bigint }[]): bigint => of.reduce((total, each) => total + each.amount, 0n);
        expect([event!.type, event!.ordinal, bucket, sum(groups), sum(items)]).toEqual([event!.type, event!.ordinal, bucket, amount, amount]);
      }
      const reserved = buckets.find(({ bucket }) => bucket === 'RESERVED')!;
      expect(reserved.items.filter(({ kind }) => kind === 'DISPUTE').every(({ funded_from }) => funded_from === null)).toBe(true);
      held.push(reserved.groups.map(({ kind, count, amount }) => `${kind} ${count} ${amount} of ${balance.reserved_amount}`).join());
    });
    // 3,972 are the merchant's of 4,000; of 12,000 in dispute, the charge has 10,000.
    expect(held.filter((each, at) => each !== held[at - 1])).toEqual([
      '',
      'DISPUTES 1 3972 of 3972',
      'DISPUTES 2 13902 of 13902',
      'DISPUTES 1 9930 of 9930',
      '',
      'DISPUTES 1 993 of 993',
    ]);
    const { buckets } = await explain(pool, story.account, { Limit: 100 });
    const fees = buckets.find(({ bucket }) => bucket === 'FEES')!;
    expect(fees.groups.find(({ kind }) => kind === 'DISPUTES')).toMatchObject({ count: 1, amount: BigInt(FEE) });
    expect(fees.items.filter(({ kind }) => kind === 'DISPUTE')).toMatchObject([{ id: disputed, amount: BigInt(FEE) }]);
    // Page by page, the same.
    const paged: string[] = [];
    for (let After: string | undefined; ;) {
      const page = (await explain(pool, story.account, { Bucket: 'FEES', Limit: 1, ...(After === undefined ? {} : { After }) })).buckets[0]!;
      paged.push(...page.items.map(({ id }) => id));
      if (page.next_after === null) break;
      After = page.next_after;
    }
    expect(paged).toEqual(fees.items.map(({ id }) => id));
    const movements = await findMovements(pool, story.account, { after: 0, until: story.log.events.length }, 100);
    const ofDisputes = movements.filter(({ dispute_id }) => dispute_id !== null);
    expect(ofDisputes.map(({ type, dispute_id, charge_id }) => [type, dispute_id, charge_id])).toEqual([
      ['ChargeDisputeHeld', disputeId(early, 'D-1'), early],
      ['ChargeDisputeHeld', disputed, late],
      ['ChargeDisputeWon', disputeId(early, 'D-1'), early],
      ['ChargeDisputeLost', disputed, late],
      ['ChargeDisputeHeld', again, asked],
      ['ChargeDisputeWon', disputed, late],
    ]);
  });

  it('each message about a charge or a dispute has the state after its event', async () => {
    const { story, early } = playedStory();
    story.open(early, 4_000, 'PRE_ARBITRATION');
    story.do(early, (now) => ({ kind: 'reverse', reason: 'dispute', now }));
    story.settle();
    const then: { readonly message: StoredMessage; readonly data: object }[] = [];
    const disputes: typeof then = [];
    await project(pool, ledger, story.log.events, 1, async ([event]) => {
      for (const message of storedMessagesOf(event!)) {
        if (message.kind.startsWith('charge.')) then.push({ message, data: toChargeDetail((await findChargesById(pool, [message.record]))[0]!) });
        if (message.kind.startsWith('dispute.')) {
          const found = await findDispute(pool, story.account.merchant_id, message.record);
          disputes.push({ message, data: toDispute(found!.dispute, new Map()) });
        }
      }
    });
    const sources = {
      pool,
      wrapping: null as never,
      evidence: { namesOf: async () => new Map() },
      merchantCreatedOn: () => '2030-01-01T00:00:00.000+00:00',
    };
    const rendered = await render(
      sources,
      then.map(({ message }) => message),
    );
    const figures = (data: object) => {
      const { disputed_amount, refundable_amount, settlement_status } = data as ReturnType<typeof toChargeDetail>;
      return { disputed_amount, refundable_amount, settlement_status };
    };
    for (const [i, { message, data }] of then.entries())
      expect([message.kind, message.ordinal, figures(rendered[i]!.data)]).toEqual([message.kind, message.ordinal, figures(data)]);
    const told = await render(
      sources,
      disputes.map(({ message }) => message),
    );
    expect(told.map(({ type, data }) => [type, data])).toEqual(disputes.map(({ message, data }) => [message.kind, data]));
    expect(told.map(({ type }) => type)).toEqual([
      'dispute.opened',
      'dispute.opened',
      'dispute.opened',
      'dispute.won',
      'dispute.lost',
      'dispute.reopened',
      'dispute.won',
      'dispute.reopened',
    ]);
    const ofKind = (kind: string) => then.filter(({ message }) => message.kind === kind).map(({ data }) => figures(data).disputed_amount);
    expect([ofKind('charge.settled'), ofKind('charge.reversed')]).toEqual([[4_000, 0, 0], [4_000]]);
  });
});
