import { setTimeout as delay } from 'node:timers/promises';
import type { Pool } from 'pg';
import { findBreaks, type Break } from '../../projections/reconciliation/matches/match-reads.js';
import { findNextDay } from '../../projections/reconciliation/days/next-day.js';
import { sealedLog } from '../../src/transparency-log/sealed-log.js';
import { findNextPeriod } from '../../src/web/finance-api/period-reads.js';
import { suspenseList } from '../../src/web/finance-api/approvals/suspense-lists.js';
import type { Config } from '../../src/app/config.js';
import type { Stores } from '../../src/app/stores.js';
import { addDays, daysIn } from '../../src/ledger/days.js';
import { milliseconds } from '../../src/ledger/time.js';
import { createPool } from '../../src/platform/postgres/pool.js';
import { readCheckpoint } from '../../src/platform/projector/checkpoint.js';
import { TIME_ZONE } from '../simulated-files/terms.js';
import { ActOnBreak, type BreakAct } from '../../src/domain/reconciliation/breaks/act-on-break.js';
import { ActOnBreakHandler } from '../../src/domain/reconciliation/breaks/break.handlers.js';
import { openDay } from '../../src/domain/reconciliation/days/day-closer.js';
import { dayCloser } from '../../src/domain/reconciliation/reconciliation-services.js';
import { loadServiceSecret } from '../../src/app/service-secret.js';
import { loadEncryptionKey } from '../../src/app/encryption-key.js';
import { SeedApprovals } from './approvals.js';
import type { SeedPeople } from './people.js';
import { idsOfAct } from './seeder.js';
import { actOf, SOURCES } from './statements.js';

/** Read models that this code needs: the service builds them, and also seals the log. */
const PROJECTIONS = ['ledger', 'recon'] as const;
const MODE = 'test';
const PAUSE_MS = 50;
/** Longest wait of a close for the service's part of it, ms. */
const CLOSES_WITHIN_MS = 30_000;
/** Number of days that are left open, so that an operator may try to close them. */
const DAYS_LEFT_OPEN = 2;
const ACCEPTED_DAYS = 7;
const ALL = 100;

interface Closing {
  readonly stores: Stores;
  readonly pool: Pool;
  readonly people: SeedPeople;
  readonly approvals: SeedApprovals;
  readonly timeZone: string;
  readonly signal: AbortSignal;
}

/**
 * Simulates the work of people while the service runs: closes days of the bank and the previous month, works on breaks, and resolves items in
 * suspense; some of it is proposed and waits. Uses the service's own handlers and the present time. @throws the signal's reason
 */
export async function closeBooks(config: Config, stores: Stores, people: SeedPeople, signal: AbortSignal): Promise<void> {
  const { databaseUrl, eventStore: store, clockGuard } = stores;
  const pool = createPool({ url: databaseUrl, applicationName: 'chargebook-demo', maxConnections: 2 });
  try {
    const secret = await loadServiceSecret(databaseUrl, await loadEncryptionKey(config, databaseUrl));
    const timeZone = config.booksTimeZone;
    const approvals = new SeedApprovals({ store, pool, secret, timeZone }, 'demo-closing', clockGuard.common);
    const closing = { stores, pool, people, approvals, timeZone, signal };
    await untilShown(closing);
    await resolveItems(closing);
    await closeDays(closing);
    await closeMonth(closing);
    await workOnBreaks(closing);
  } finally {
    await pool.end();
  }
}

/** Waits until everything recorded so far can be read. */
async function untilShown({ stores, pool, signal }: Pick<Closing, 'stores' | 'pool' | 'signal'>): Promise<void> {
  const head = (await stores.eventStore.head()) ?? 0n;
  const isShown = async (name: string): Promise<boolean> => ((await readCheckpoint(pool, name))?.position ?? -1n) >= head;
  while (!(await Promise.all(PROJECTIONS.map(isShown))).every(Boolean)) await delay(PAUSE_MS, undefined, { signal });
}

/** Assigns the oldest payment that no charge could take to its merchant; proposes the same for the next one. */
async function resolveItems({ pool, stores, people, approvals, signal }: Closing): Promise<void> {
  const now = stores.clockGuard.common();
  const { items } = await suspenseList(pool, { mode: MODE, is_open: true }, now).page(undefined, ALL, signal);
  const [first, second] = items.filter(({ charge_id, merchant_id }) => charge_id !== null && merchant_id !== null);
  if (!first || !second) return;
  const content = ({ id, merchant_id, currency, amount }: typeof first) => ({
    kind: 'UNMATCHED_TO_MERCHANT',
    merchant_id,
    currency,
    amount,
    item_id: id,
  });
  const reason = 'the customer has ordered twice';
  const given = await approvals.propose(now, { by: people.preparer, kind: 'ADJUSTMENT', content: content(first), reason });
  await approvals.approve(now, people.controller, given, 'the merchant has sent both');
  await approvals.propose(now, {
    by: people.preparer,
    kind: 'ADJUSTMENT',
    content: content(second),
    reason: 'the customer wants it kept for the next order',
  });
}

/** Closes days from the first one with statements of the bank. */
async function closeDays({ stores, pool, people, signal }: Closing): Promise<void> {
  const deps = { store: stores.eventStore, clock: stores.clockGuard.common };
  const closer = dayCloser({ ...deps, pool, sealed: sealedLog(pool) });
  const act = actOf(people.preparer);
  const last = addDays(daysIn(TIME_ZONE)(deps.clock()), -1 - DAYS_LEFT_OPEN);
  for (;;) {
    const next = await findNextDay(pool, SOURCES.bank);
    if (!next?.has_statements || next.day > last) return;
    await openDay(deps, SOURCES.bank, next.day, 'all of the day is in', act);
    if ((await closer.runWithin(CLOSES_WITHIN_MS, SOURCES.bank, act.context, signal)) === undefined) return;
    await untilShown({ stores, pool, signal });
  }
}

/** Closes the previous month, when it is in the books and its days are closed. */
async function closeMonth({ stores, pool, people, approvals, timeZone }: Closing): Promise<void> {
  const now = stores.clockGuard.common();
  const next = await findNextPeriod(pool, timeZone, MODE, []);
  const day = await findNextDay(pool, SOURCES.bank);
  if (!next || milliseconds(next.closes_from) > now || !day || day.day.slice(0, 7) === next.month) return;
  const content = { mode: MODE, month: next.month };
  const id = await approvals.propose(now, { by: people.preparer, kind: 'MONTH_CLOSE', content, reason: 'all of its days are closed' });
  await approvals.approve(now, people.controller, id, 'looked at its days');
}

/** Assigns one break to an operator, proposes to accept one until a day, and to book the difference of one; the others stay unassigned. */
async function workOnBreaks({ stores, pool, people, approvals }: Closing): Promise<void> {
  const clock = stores.clockGuard.common;
  const now = clock();
  const open = (await findBreaks(pool, { mode: MODE, status: 'OPEN', limit: ALL }, now)) ?? [];
  const of = (...kinds: readonly Break['kind'][]): Break | undefined => open.find(({ kind }) => kinds.includes(kind));
  const handler = new ActOnBreakHandler({ store: stores.eventStore, clock }, approvals.operators, pool);
  const act = (id: string, what: BreakAct, reason: string) => handler.execute(new ActOnBreak(id, what, reason, people.preparer.key_id, idsOfAct()));
  const [asked, left, differs] = [of('BANK_UNKNOWN', 'PROCESSOR_ONLY'), of('FEE', 'LEDGER_ONLY'), of('AMOUNT', 'REMITTANCE_SHORT')];
  if (asked) {
    await act(asked.id, { kind: 'assign', owner: people.preparer.person_id }, 'I look into it');
    await act(asked.id, { kind: 'note' }, 'asked the bank who has sent it');
  }
  const until = addDays(daysIn(TIME_ZONE)(now), ACCEPTED_DAYS);
  if (left) {
    const content = { break_id: left.id, until };
    await approvals.propose(now, { by: people.preparer, kind: 'BREAK_ACCEPT', content, reason: 'they mend it with the file of next week' });
  }
  if (differs) {
    const content = { break_id: differs.id, account: 'costs' };
    await approvals.propose(now, { by: people.controller, kind: 'MATCH_DIFFERENCE', content, reason: 'the bank keeps a charge' });
  }
}
