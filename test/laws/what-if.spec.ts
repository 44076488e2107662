import { beforeAll, describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { claimedLine } from '../../src/domain/charges/charge-lines.js';
import { evolveCharge, goneBackOf, NO_CHARGE, restOf, type ChargeState, type ExistingCharge } from '../../src/domain/charges/charge-state.js';
import { settlementTotals, type SettlementLine } from '../../src/ledger/events/account.events.js';
import type { ChargeEvent } from '../../src/ledger/events/charge.events.js';
import { feeOnRoundedHalfUp, refundedFeeRoundedHalfUp, type Fee } from '../../src/ledger/money.js';
import { readEvent } from '../../src/ledger/catalogue.js';
import type { LoggedEvent } from '../../src/ledger/read-model.js';
import { WhatIfAnswer, type AnswerRow } from '../../src/point-in-time/what-if/answer.js';
import { Repricing } from '../../src/point-in-time/what-if/repricing.js';
import { ANY, FeeRules, NO_RULES, type Scenario } from '../../src/point-in-time/what-if/scenario.js';
import { PostedSums, type MovingEvent } from '../support/ledger-oracle.js';
import { sized } from '../support/nightly.js';
import { World } from '../simulation/world.js';
import { attemptsWithDisputes, play, type Attempt } from './history.js';

/** LAWS_SEED repeats a run; a failure names the seed and the path to the shortest history that shows it. */
const SEED = Number(process.env.LAWS_SEED ?? 20_261_129);
const RUNS = Number(process.env.LAWS_RUNS ?? 1_000);
const WORLDS = sized(40, 400);
const OWNER = { merchant_id: 'm1', currency: 'IDR' };
const ALWAYS = { fromMs: -Infinity, toMs: Infinity };
const NO_SCENARIO: Scenario = { name: 'empty', charges: NO_RULES, payouts: NO_RULES, disputes: NO_RULES };
/** The charges of every other number are of the other channel. */
const CHANNELS = ['QR_QRIS', 'WALLET_OVO'] as const;

const fee: fc.Arbitrary<Fee> = fc.oneof(
  fc.record({ type: fc.constant('PERCENTAGE' as const), value: fc.constantFrom(0, 0.6, 2.9, 50, 99.99, 100) }),
  fc.record({ type: fc.constant('FIXED' as const), value: fc.constantFrom(0, 1, 7, 300_000) }),
);
const rule = (subject: string, of: Fee): FeeRules => new FeeRules([{ merchant: ANY, subject, fee: of }]);
const scenario: fc.Arbitrary<Scenario> = fc.record({
  name: fc.constant('other fees'),
  charges: fc.option(
    fee.map((of) => rule(ANY, of)),
    { nil: NO_RULES },
  ),
  payouts: fc.option(
    fee.map((of) => rule('IDR', of)),
    { nil: NO_RULES },
  ),
  disputes: fc.option(
    fc.constantFrom(0, 7, 500).map((value) => rule('IDR', { type: 'FIXED', value })),
    { nil: NO_RULES },
  ),
});

const MERCHANT = { type: 'MerchantRegistered', data: { merchant_id: OWNER.merchant_id, name: 'Kopi', mode: 'test' } };

/** The events of a history as a log has them, after the registration of their merchant. */
const logged = (events: readonly MovingEvent[]): LoggedEvent[] =>
  [MERCHANT, ...events].map((event, index) => ({ ...event, ordinal: index + 1 }) as unknown as LoggedEvent);

function withChannels(events: readonly MovingEvent[]): readonly MovingEvent[] {
  return events.map((event) => {
    if (event.type !== 'ChargeCreated') return event;
    const channel_code = CHANNELS[Number(event.data.charge_id.slice(1)) % CHANNELS.length]!;
    return { type: event.type, data: { ...event.data, channel_code } };
  });
}

function repriced(events: readonly MovingEvent[], of: Scenario): MovingEvent[] {
  const repricing = new Repricing(of, ALWAYS);
  return logged(events)
    .map((event) => repricing.reprice(event))
    .slice(1)
    .map(({ type, data }) => ({ type, data }) as MovingEvent);
}

function answer(events: readonly MovingEvent[], of: Scenario): WhatIfAnswer {
  const answered = new WhatIfAnswer(of, ALWAYS, 'UTC');
  for (const event of logged(events)) answered.take(event);
  return answered;
}

const assertLaw = (holds: (tries: readonly Attempt[], of: Scenario) => void): void =>
  fc.assert(fc.property(attemptsWithDisputes, scenario, holds), { seed: SEED, numRuns: RUNS });

describe(`scenarios (${RUNS} histories, seed ${SEED})`, () => {
  it('a scenario without rules changes no event, and leaves no payout or refund uncovered', () => {
    assertLaw((tries) => {
      const { events } = play(OWNER, tries);
      const repricing = new Repricing(NO_SCENARIO, ALWAYS);
      for (const event of logged(events)) expect(repricing.reprice(event)).toBe(event);
      const answered = answer(events, NO_SCENARIO);
      expect([answered.uncovered(), answered.totals().filter(({ fees_difference }) => fees_difference !== 0n)]).toEqual([[], []]);
    });
  });

  it('only fees and net amounts change, and each is that of the functions in force', () => {
    assertLaw((tries, of) => {
      const { events } = play(OWNER, tries);
      const oracle = new Oracle(of);
      for (const [index, event] of repriced(events, of).entries()) {
        expect(withoutFigures(event.data)).toEqual(withoutFigures(events[index]!.data));
        oracle.take(event);
      }
    });
  });

  it('prices are those of a ledger that had these fees from the start, as far as the same happens there', () => {
    let compared = 0;
    assertLaw((tries, of) => {
      const agreed = of.charges.find(OWNER.merchant_id, 'QR_QRIS');
      const paid = tries.filter(({ kind }) => kind !== 'request' && kind !== 'adjust');
      const other = paid.map((attempt) => (attempt.kind === 'pay' && agreed ? { ...attempt, fee: agreed } : attempt));
      const [events, expected] = [play(OWNER, paid).events, play(OWNER, other).events];
      if (JSON.stringify(events.map(({ type }) => type)) !== JSON.stringify(expected.map(({ type }) => type))) return;
      compared += 1;
      expect(repriced(events, { ...of, disputes: NO_RULES })).toEqual(expected.map(({ type, data }) => ({ type, data })));
    });
    expect(compared).toBeGreaterThan(RUNS / 2);
  });

  it('records, rows and totals are one sum: the difference of the account fees in the books', () => {
    assertLaw((tries, all) => {
      const of = { ...all, disputes: NO_RULES };
      const { events } = play(OWNER, tries);
      const answered = answer(withChannels(events), of);
      const [rows, totals] = [answered.rows(), answered.totals()];
      for (const kind of ['CHARGE', 'PAYOUT', 'DISPUTE'] as const) {
        const records = [...answered.records(kind)];
        const [ofRows, ofTotals] = [rows, totals].map((each) => each.filter((row) => row.kind === kind));
        for (const each of [ofRows!, ofTotals!]) {
          expect(each.reduce((sum, { count }) => sum + count, 0)).toBe(records.length);
          for (const member of ['gross', 'fees_was', 'fees_would_be', 'net_was', 'net_would_be'] as const)
            expect(sumOf(each, member)).toBe(sumOf(records, member));
        }
        for (const row of [...records, ...rows, ...totals]) {
          expect([row.net_was, row.net_would_be]).toEqual([row.gross - row.fees_was, row.gross - row.fees_would_be]);
          expect([row.fees_difference, row.net_difference]).toEqual([row.fees_would_be - row.fees_was, row.net_would_be - row.net_was]);
        }
      }
      expect(sumOf(totals, 'fees_difference')).toBe(feesOf(repriced(events, of)) - feesOf(events));
    });
  });

  it('scenarios of different channels add up', () => {
    fc.assert(
      fc.property(attemptsWithDisputes, fee, fee, (tries, first, second) => {
        const events = withChannels(play(OWNER, tries).events);
        const charges = [rule(CHANNELS[0], first), rule(CHANNELS[1], second)] as const;
        const both = new FeeRules(charges.flatMap(({ rules }) => rules));
        const differences = (of: FeeRules): bigint => sumOf(answer(events, { ...NO_SCENARIO, charges: of }).totals(), 'fees_difference');
        expect(differences(both)).toBe(differences(charges[0]) + differences(charges[1]));
      }),
      { seed: SEED, numRuns: RUNS },
    );
  });

  it('records that are created outside of the period stay as they are, and the rest of the period changes as always', () => {
    assertLaw((tries, of) => {
      const { events } = play(OWNER, tries);
      const middle = Date.UTC(2026, 0, 30) + Math.floor(events.length / 2) * 1_000;
      const parts = [
        { fromMs: -Infinity, toMs: middle },
        { fromMs: middle, toMs: Infinity },
      ].map((period) => {
        const answered = new WhatIfAnswer(of, period, 'UTC');
        for (const event of logged(events)) answered.take(event);
        return answered.rows();
      });
      const whole = answer(events, of).rows();
      for (const member of ['count', 'gross', 'fees_was', 'fees_would_be'] as const) {
        const sum = (rows: readonly AnswerRow[]): bigint => rows.reduce((total, row) => total + BigInt(row[member]), 0n);
        expect(sum(parts[0]!) + sum(parts[1]!)).toBe(sum(whole));
      }
    });
  });
});

describe(`scenarios over histories of several processes, with crashes and lost events (${WORLDS} runs)`, () => {
  const logs: LoggedEvent[][] = [];
  beforeAll(async () => {
    for (let seed = 1; seed <= WORLDS; seed += 1) {
      const world = new World(seed, { approvals: seed % 2 === 0 });
      await world.play();
      logs.push(world.engine.all().map((event, index) => readEvent({ ...event, ordinal: index + 1 })));
    }
  }, 120_000);

  it('every recorded amount is reproduced', () => {
    for (const log of logs) {
      const repricing = new Repricing(NO_SCENARIO, ALWAYS);
      for (const event of log) expect(repricing.reprice(event)).toBe(event);
    }
  });

  it('no settlement and no refund exceeds its charge at any fee', () => {
    for (const charges of [33, 99.99, 100].map((value) => rule(ANY, { type: 'PERCENTAGE', value }))) {
      for (const log of logs) {
        const repricing = new Repricing({ ...NO_SCENARIO, charges }, ALWAYS);
        for (const { type, data } of log.map((event) => repricing.reprice(event)))
          for (const figures of [data, ...('lines' in data && type !== 'StatementLines' ? (data.lines as readonly object[]) : [])]) {
            const { net_amount = 0, fee_amount = 0 } = figures as { readonly net_amount?: number | null; readonly fee_amount?: number | null };
            expect([type, (net_amount ?? 0) >= 0, (fee_amount ?? 0) >= 0]).toEqual([type, true, true]);
          }
      }
    }
  });
});

type Sums = Pick<AnswerRow, 'gross' | 'fees_was' | 'fees_would_be' | 'fees_difference' | 'net_was' | 'net_would_be'>;
const sumOf = (rows: readonly Sums[], member: keyof Sums): bigint => rows.reduce((sum, row) => sum + row[member], 0n);

function feesOf(events: readonly MovingEvent[]): bigint {
  const sums = new PostedSums();
  for (const event of events) sums.add(event);
  return sums.sums().fees;
}

const FIGURES = new Set(['fee', 'fee_amount', 'net_amount', 'dispute_fee_amount', 'totals']);

function withoutFigures(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutFigures);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .filter(([name]) => !FIGURES.has(name))
      .map(([name, member]) => [name, withoutFigures(member)]),
  );
}

interface Amounts {
  readonly amount: number;
  readonly fee_amount: number;
  readonly net_amount: number;
}

/** Expects of each event the amounts that the ledger's own states give. */
class Oracle {
  readonly #charges = new Map<string, ChargeState>();
  /** Fees of reservations and payouts. */
  readonly #fees = new Map<string, number>();

  constructor(private readonly of: Scenario) {}

  take(event: MovingEvent): void {
    const { type, data } = event;
    const { amount, fee_amount, net_amount } = data as Partial<Amounts>;
    if (amount !== undefined && fee_amount !== undefined && type !== 'AccountAdjusted')
      expect([type, fee_amount >= 0 && fee_amount <= amount, net_amount]).toEqual([type, true, amount - fee_amount]);
    if (type === 'FundsSettled' || type === 'SettlementClosed') {
      expect(data.totals).toEqual(settlementTotals(data.lines));
      for (const line of data.lines) expect(line).toEqual(this.#claimed(line));
    } else if ('reservation_id' in data && typeof data.reservation_id === 'string') this.#same(data.reservation_id, fee_amount!);
    else if (type === 'PayoutRequested') {
      expect(data.fee).toEqual(this.of.payouts.find(data.merchant_id, data.currency) ?? data.fee);
      expect(data.fee_amount).toBe(feeOnRoundedHalfUp(data.amount, data.fee));
      this.#same(data.payout_id, data.fee_amount);
    } else if ('payout_id' in data && fee_amount !== undefined) this.#same(data.payout_id, fee_amount);
    if (type.startsWith('Charge')) this.#ofCharge(event as ChargeEvent);
  }

  #same(id: string, fee_amount: number): void {
    expect([id, fee_amount]).toEqual([id, this.#fees.get(id) ?? fee_amount]);
    this.#fees.set(id, fee_amount);
  }

  #ofCharge(event: ChargeEvent): void {
    // A charge keeps no line of nothing, and a settlement that was recorded with more has one.
    if (event.type === 'ChargeLineClaimed' && event.data.net_amount === 0) return;
    const id = event.data.charge_id!;
    const before = this.#charges.get(id) ?? NO_CHARGE;
    const after = evolveCharge(before, event);
    this.#charges.set(id, after);
    if (event.type === 'ChargeCreated') {
      const { merchant_id, channel_code, amount } = event.data;
      expect(event.data.fee).toEqual(this.of.charges.find(merchant_id, channel_code) ?? event.data.fee);
      expect(event.data.fee_amount).toBe(feeOnRoundedHalfUp(amount, event.data.fee));
      return;
    }
    const expected = feeBefore(before as ExistingCharge, event, this.of);
    if (expected !== undefined) expect([event.type, (event.data as Amounts).fee_amount]).toEqual([event.type, expected]);
    const { fee_amount, amount } = restOf(after as ExistingCharge);
    expect([event.type, fee_amount >= 0, fee_amount <= amount]).toEqual([event.type, true, true]);
  }

  #claimed(line: SettlementLine): SettlementLine {
    if (line.kind === 'return') return { ...line, fee_amount: this.#fees.get(line.record_id)! };
    return line.net_amount === 0 ? line : claimedLine(this.#charges.get(line.charge_id ?? line.record_id)!, line);
  }
}

/** Returns the fee that an event of a charge in this state has. */
function feeBefore(state: ExistingCharge, event: ChargeEvent, { disputes }: Scenario): number | undefined {
  const goesBack = ({ amount }: { readonly amount: number }): number => refundedFeeRoundedHalfUp(state.created, goneBackOf(state), amount);
  switch (event.type) {
    case 'ChargePaid':
      return state.created.fee_amount;
    case 'ChargeSettlementClaimed':
    case 'ChargeReversed':
      return restOf(state).fee_amount;
    case 'ChargeDisputeHeld':
      return goesBack(event.data);
    case 'ChargeRefundClaimed':
      return event.data.source === 'PENDING' ? goesBack(event.data) : undefined;
    case 'ChargeRefundSubmitted':
    case 'ChargeRefundSucceeded':
    case 'ChargeRefundFailed':
    case 'ChargeRefundCancelled':
    case 'ChargeRefundBounced':
      return state.refunds.get(event.data.refund_id)!.claimed.fee_amount;
    case 'ChargeDisputeOpened': {
      const { merchant_id, currency, dispute_fee_amount } = event.data;
      expect(dispute_fee_amount).toBe(disputes.find(merchant_id, currency)?.value ?? dispute_fee_amount);
      return undefined;
    }
    case 'ChargeDisputeLost': {
      const { hasBeenLost, opened, held } = state.disputes.get(event.data.dispute_id)!;
      expect(event.data.dispute_fee_amount).toBe(hasBeenLost || event.data.stage === 'INQUIRY' ? 0 : opened.dispute_fee_amount);
      return held.fee_amount;
    }
    case 'ChargeDisputeWon':
      return state.disputes.get(event.data.dispute_id)!.held.fee_amount;
    default:
      return undefined;
  }
}
