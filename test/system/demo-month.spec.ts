import { describe, expect, it } from '@jest/globals';
import { randomBytes } from 'node:crypto';
import pg from 'pg';
import { account } from '../../src/domain/accounts/account.decider.js';
import { readConfig } from '../../src/app/config.js';
import { MIGRATIONS } from '../../src/app/migrations.js';
import { demoShopId, fillMonth } from '../../tools/seed/month.js';
import { accountStream, type AccountEvent, type PayoutRequested } from '../../src/ledger/events/account.events.js';
import { readEvent, type LedgerEvent } from '../../src/ledger/catalogue.js';
import { moneyMove, movesMoney } from '../../src/ledger/postings.js';
import { ANY, FeeRules, NO_RULES, type Scenario } from '../../src/point-in-time/what-if/scenario.js';
import { answerWhatIf } from '../../src/point-in-time/what-if/what-if.js';
import type { DeedKind } from '../../src/rails/simulator/deeds.js';
import { readDeeds } from '../../src/rails/simulator/simulator-journal.js';
import { InMemoryEventStore } from '../support/in-memory-event-store.js';
import { sized } from '../support/nightly.js';
import { createTestDatabase } from '../support/postgres.js';

const OVERDRAWN = accountStream(demoShopId(7), 'SGD');

/** A refund in every state, of settled charges and of others. */
const REFUNDED = ['Claimed', 'Submitted', 'Succeeded', 'Failed', 'Cancelled', 'Bounced']
  .map((what) => `ChargeRefund${what}`)
  .concat('ChargeLineClaimed');
/** Disputes in every state. */
const DISPUTED = ['Opened', 'Held', 'EvidenceAdded', 'Challenged', 'Won', 'Lost'].map((what) => `ChargeDispute${what}`);

const AT: Readonly<Record<DeedKind, string>> = {
  ...({ PAYMENT: 'processor', REVERSAL: 'processor', REFUND: 'processor', DISPUTE: 'processor' } as const),
  ...({ PAYOUT: 'bank', RETURN: 'bank', REJECTED: 'nowhere' } as const),
};

function sums(amounts: readonly (readonly [string, number])[]): Record<string, number> {
  const all: Record<string, number> = {};
  for (const [name, amount] of amounts) all[name] = (all[name] ?? 0) + amount;
  return all;
}

/** Increase of the money at processor and bank by an event, by currency. */
function movedOutside(event: LedgerEvent): [string, number][] {
  if (!movesMoney(event)) return [];
  const { currency, postings } = moneyMove(event);
  return postings.flatMap(({ from, to, amount }): [string, number][] => [
    ...(from === 'processor' || from === 'bank' ? [[`${currency} ${from}`, Number(amount)] as [string, number]] : []),
    ...(to === 'processor' || to === 'bank' ? [[`${currency} ${to}`, -Number(amount)] as [string, number]] : []),
  ]);
}

/** Near the hour of settlement of its countries, and one at which little is available. */
const MOMENTS = ['2026-11-16T15:59:59.000Z', '2026-11-22T17:00:01.000Z', '2026-11-30T13:49:00.000Z'];
const MORE_MOMENTS = ['2026-11-17T16:00:01.000Z', '2026-11-18T16:19:00.000Z'];

const NO_OTHER_FEES: Scenario = { name: 'as recorded', charges: NO_RULES, payouts: NO_RULES, disputes: NO_RULES };
const WHAT_IF = {
  period: { fromMs: -Infinity, toMs: Infinity },
  timeZone: 'Asia/Jakarta',
  signal: new AbortController().signal,
  onProgress: () => undefined,
};

describe('the month of the demo', () => {
  it.each([...MOMENTS, ...sized([], MORE_MOMENTS)])(
    'the demo month made at %s has one balance below zero, and a payout that waits for a second approval',
    async (moment) => {
      const database = await createTestDatabase(MIGRATIONS);
      try {
        const store = new InMemoryEventStore();
        const config = readConfig({ DATABASE_URL: database.url, ENCRYPTION_KEY: randomBytes(32).toString('base64') });
        await fillMonth(config, { eventStore: store, databaseUrl: database.url }, Date.parse(moment), null);
        const events = await store.read(OVERDRAWN, { limit: 1_000 });
        const state = events.reduce((folded, event) => account.evolve(folded, event as unknown as AccountEvent), account.initial);
        expect(state.available).toBeLessThan(0n);
        // Charges that fall due while a service starts would fill it again.
        expect(events.at(-1)).toMatchObject({ type: 'FundsSettled', metadata: { occurred_on: moment.replace('Z', '+00:00') } });
        const recorded = store.all().map(({ type }) => type);
        expect([...REFUNDED, ...DISPUTED].filter((type) => !recorded.includes(type))).toEqual([]);
        expect(recorded.filter((type) => type === 'ChargeDisputeOpened')).toHaveLength(6);
        expect(recorded.filter((type) => type === 'RefundConfirmed')).toHaveLength(recorded.filter((type) => type === 'RefundReserved').length);
        // Persons have approved, rejected, withdrawn and proposed; the files of each day but the last are in.
        for (const type of ['DeskPolicySet', 'ProposalExecuted', 'ProposalRejected', 'ProposalWithdrawn', 'OperatorSuspended', 'RailPaused'])
          expect([type, recorded.includes(type)]).toEqual([type, true]);
        const byOperators = store
          .all()
          .filter(({ type }) => /^Proposal(Made|Approved|Rejected|Withdrawn)$|^PayoutApproved$|^Statement|^ReconSourceSet$/.test(type));
        expect(byOperators.filter(({ metadata }) => !metadata.actor.startsWith('key_'))).toEqual([]);
        const waiting = store.all().filter(({ type, data }) => type === 'PayoutRequested' && (data as PayoutRequested).approvals_required > 0);
        expect(waiting.length).toBeGreaterThanOrEqual(2);
        const lately = waiting.filter(({ metadata }) => Date.parse(metadata.occurred_on) > Date.parse(moment) - 3_600_000);
        expect(Math.max(...lately.map(({ data }) => (data as PayoutRequested).approvals_required))).toBe(2);
        expect(recorded.filter((type) => type === 'StatementAccepted').length).toBeGreaterThan(80);
        // A position of the log is a point in time.
        const times = store.all().map(({ metadata }) => metadata.occurred_on);
        expect(times).toEqual(times.toSorted());
        const late = store.all().filter(({ metadata }) => Date.parse(metadata.occurred_on) > Date.parse(moment));
        expect(late).toEqual([]);
        // Every amount is that of the functions in force, so that it can be priced anew.
        const whatIf = (charges: FeeRules) => answerWhatIf({ ...WHAT_IF, store, scenario: { ...NO_OTHER_FEES, charges } });
        const asRecorded = await whatIf(NO_RULES);
        expect([asRecorded.last!.ordinal, asRecorded.answer.uncovered()]).toEqual([recorded.length, []]);
        expect(asRecorded.answer.totals().filter(({ fees_difference }) => fees_difference !== 0n)).toEqual([]);
        const { answer } = await whatIf(new FeeRules([{ merchant: ANY, subject: ANY, fee: { type: 'PERCENTAGE', value: 60 } }]));
        expect(new Set(answer.uncovered().map(({ kind }) => kind))).toEqual(new Set(['PAYOUT', 'REFUND']));
        // The records of the simulated processor and bank agree with the books.
        const pool = new pg.Pool({ connectionString: database.url });
        let deeds;
        try {
          deeds = await readDeeds(pool);
        } finally {
          await pool.end();
        }
        expect(
          sums(deeds.filter(({ kind }) => kind !== 'REJECTED').map(({ currency, kind, amount }) => [`${currency} ${AT[kind]}`, amount])),
        ).toEqual(sums(store.all().map(readEvent).flatMap(movedOutside)));
      } finally {
        await database.drop();
      }
    },
  );
});
