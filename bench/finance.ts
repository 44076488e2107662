import type { Pool } from 'pg';
import { PROJECTIONS } from '../src/app/projections.js';
import { addDays } from '../src/ledger/days.js';
import { issueKey } from '../src/domain/merchants/merchant.commands.js';
import type { EventStore } from '../src/platform/event-store/event-store.js';
import { createPool } from '../src/platform/postgres/pool.js';
import { readCheckpoint } from '../src/platform/projector/checkpoint.js';
import type { Stores } from '../src/app/stores.js';
import { runCommand } from './command.js';
import type { Service } from './money.js';

/** Promised maximum for any page of the console. */
const PAGE_BOUND_MS = 200;
const REPEATS = 20;
const LOOK_EVERY_MS = 250;

export interface PageRow {
  readonly page: string;
  /** Time of the first request for this page after the start of the process. */
  readonly first_ms: number;
  readonly p50_ms: number;
  readonly worst_ms: number;
  /** Promised maximum, for a download until its first byte; null without a promise. */
  readonly bound_ms: number | null;
}

export interface Verified {
  readonly events: number;
  readonly seconds: number;
  /** CPU of the command's process, without Postgres. */
  readonly cpu_seconds: number;
  readonly rss_mib: number;
}

/** Waits until every projection has its indexes and has read the whole log, and the chain has sealed it. */
export async function caughtUp(pool: Pool, store: EventStore): Promise<void> {
  for (;;) {
    const head = await store.head();
    const checkpoints = await Promise.all(PROJECTIONS.map(({ name }) => readCheckpoint(pool, name)));
    const { rows } = await pool.query<{ position: bigint }>('select position from chain.head');
    const isThere = (position: bigint | null | undefined): boolean => position !== null && position !== undefined && position >= (head ?? 0n);
    if (checkpoints.every((checkpoint) => checkpoint?.indexed === true && isThere(checkpoint.position)) && isThere(rows[0]?.position)) return;
    await new Promise((resolve) => setTimeout(resolve, LOOK_EVERY_MS));
  }
}

/**
 * Measures every page of the console, every list of /audit, and balances and statements of the largest merchant, on a settled log.
 * @param roots paths below which each is requested in turn: that of the service is empty
 * @param isLeftOut selects pages by their names
 * @returns the rows of each root
 */
export async function measurePages(
  stores: Stores,
  service: Service,
  roots: readonly string[] = [''],
  isLeftOut: (page: string) => boolean = () => false,
): Promise<PageRow[][]> {
  const pool = createPool({ url: stores.databaseUrl, applicationName: 'bench', statementTimeoutMs: 0, maxConnections: 2 });
  try {
    const deps = { store: stores.eventStore, clock: Date.now };
    const known = await sampled(pool);
    const [finance, merchant] = await Promise.all([
      issueKey(deps, { kind: 'finance' }, { name: 'Bench', expires_on: null }),
      issueKey(deps, { kind: 'merchant', merchant_id: known.merchant }, { name: 'Bench', expires_on: null, scopes: ['balances:read'] }),
    ]);
    const callers: Record<Caller, Record<string, string>> = {
      session: { cookie: await signIn(service.url, finance.key) },
      finance: { authorization: `Bearer ${finance.key}` },
      merchant: { authorization: `Bearer ${merchant.key}` },
    };
    const rows = roots.map((): PageRow[] => []);
    for (const { page, caller, path, accept, bound_ms } of pages(known).filter((each) => !isLeftOut(each.page))) {
      const times = roots.map((): number[] => []);
      for (let n = 0; n <= REPEATS; n += 1) {
        const headers = { ...callers[caller], ...(accept !== undefined && { accept }) };
        for (const [place, root] of roots.entries()) times[place]!.push(await timed(service.url + root + path(n), headers));
      }
      for (const [place, of] of times.entries()) {
        const [first_ms, ...others] = of as [number, ...number[]];
        others.sort((a, b) => a - b);
        rows[place]!.push({ page, first_ms, p50_ms: others[REPEATS / 2]!, worst_ms: others.at(-1)!, bound_ms });
      }
    }
    return rows;
  } finally {
    await pool.end();
  }
}

export async function signIn(url: string, key: string): Promise<string> {
  const headers = { 'content-type': 'application/x-www-form-urlencoded', origin: new URL(url).origin };
  for (;;) {
    const answer = await fetch(`${url}/console/login`, { method: 'POST', body: new URLSearchParams({ key }), headers, redirect: 'manual' });
    await answer.arrayBuffer();
    const cookie = answer.headers.get('set-cookie')?.split(';')[0];
    if (cookie !== undefined) return cookie;
  }
}

/** Returns the time until the last byte of a page, or until the first byte of a download, ms. */
export async function timed(url: string, headers: Record<string, string>): Promise<number> {
  const begun = performance.now();
  const ended = new AbortController();
  const answer = await fetch(url, { headers, redirect: 'manual', signal: ended.signal });
  if (answer.status >= 400) throw new Error(`${url} answers ${answer.status}: ${await answer.text()}`);
  if (answer.headers.has('content-disposition')) {
    await answer.body!.getReader().read();
    const ms = performance.now() - begun;
    ended.abort();
    return ms;
  }
  await answer.arrayBuffer();
  return performance.now() - begun;
}

type Caller = 'session' | 'finance' | 'merchant';

/** Sampled records, spread over the whole log. */
interface Known {
  /** The merchant with the most charges, and the first of its currencies by code. */
  readonly merchant: string;
  readonly currency: string;
  readonly merchants: readonly string[];
  readonly charges: readonly { readonly id: string; readonly code: string; readonly reference_id: string }[];
  readonly payouts: readonly { readonly id: string; readonly reference_id: string }[];
  readonly settlements: readonly string[];
  readonly lines: readonly { readonly ordinal: bigint; readonly event_id: string; readonly booked_on: string }[];
  readonly events: number;
}

async function sampled(pool: Pool): Promise<Known> {
  const spread = async <Row extends object>(columns: string, table: string, by = 'id'): Promise<Row[]> => {
    const { rows } = await pool.query<Row>(
      `select * from (select ${columns}, row_number() over (order by ${by}) as n, count(*) over () as of from ${table}) r
        where n % greatest(of / ${REPEATS}, 1) = 0`,
    );
    return rows;
  };
  const { rows } = await pool.query<{ merchant_id: string; currency: string }>(
    `select merchant_id, min(currency) as currency from ledger.charges group by merchant_id order by count(*) desc`,
  );
  const { rows: last } = await pool.query<{ ordinal: bigint }>('select ordinal from event_index.checkpoint');
  return {
    merchant: rows[0]!.merchant_id,
    currency: rows[0]!.currency,
    merchants: rows.map(({ merchant_id }) => merchant_id),
    charges: await spread('id, code, reference_id', 'ledger.charges'),
    payouts: await spread('id, reference_id', 'ledger.payouts'),
    settlements: (await spread<{ id: string }>('id', 'ledger.settlements')).map(({ id }) => id),
    lines: await spread('ordinal, event_id, booked_on', 'ledger.journal', 'ordinal'),
    events: Number(last[0]!.ordinal),
  };
}

interface Page {
  readonly page: string;
  readonly caller: Caller;
  /** Returns the path of the nth request; each n selects other records. */
  readonly path: (n: number) => string;
  readonly accept?: string;
  readonly bound_ms: number | null;
}

function pages({ merchant, currency, merchants, charges, payouts, settlements, lines, events }: Known): Page[] {
  const one = <Item>(items: readonly Item[], n: number): Item => items[n % items.length]!;
  const position = (n: number): number => Math.max(1, Math.floor((events * (n + 1)) / (REPEATS + 2)));
  const day = (n: number): string => one(lines, n).booked_on.slice(0, 10);
  const yearBefore = (last: string): string => addDays(last, -365);
  const moment = (n: number): string => encodeURIComponent(one(lines, n).booked_on);
  const of =
    (caller: Caller, bound_ms: number | null, accept?: string) =>
    (page: string, path: (n: number) => string): Page => ({ page, caller, path, bound_ms, ...(accept !== undefined && { accept }) });
  const [console, audit, owner] = [of('session', PAGE_BOUND_MS), of('finance', PAGE_BOUND_MS), of('merchant', PAGE_BOUND_MS)];
  const text = (value: string): string => `/console/search?Text=${encodeURIComponent(value)}`;
  const csv = of('finance', PAGE_BOUND_MS, 'text/csv');
  return [
    console('console: overview', () => '/console'),
    console('console: overview of a currency', (n) => `/console?Currency=${one(['IDR', 'MYR', 'SGD'], n)}`),
    console('console: trial balance as of a day', (n) => `/console/trial-balance?AsOf=${day(n)}`),
    console('console: trial balance, CSV', () => '/console/trial-balance.csv'),
    console('console: journal', () => '/console/journal'),
    console('console: journal, deep', (n) => `/console/journal?After=${one(lines, n).ordinal}-1`),
    console('console: journal, oldest first', () => '/console/journal?Order=oldest'),
    console('console: journal of a merchant', (n) => `/console/journal?MerchantId=${one(merchants, n)}`),
    console('console: journal of a currency', (n) => `/console/journal?Currency=${one(['IDR', 'MYR', 'SGD'], n)}`),
    console('console: journal of a day', (n) => `/console/journal?DateFrom=${day(n)}&DateTo=${day(n)}`),
    console('console: journal of a merchant and a day', (n) => `/console/journal?MerchantId=${merchant}&DateFrom=${day(n)}&DateTo=${day(n)}`),
    console('console: journal of a currency and a day', (n) => `/console/journal?Currency=${currency}&DateFrom=${day(n)}&DateTo=${day(n)}`),
    console('console: journal of an event', (n) => `/console/journal?EventId=${one(lines, n).event_id}`),
    console('console: journal, CSV', () => '/console/journal.csv'),
    console('console: merchants', () => '/console/merchants'),
    console('console: merchants, CSV', () => '/console/merchants.csv'),
    console('console: the largest merchant', () => `/console/merchants/${merchant}`),
    console('console: the largest merchant, 365 days', () => `/console/merchants/${merchant}?Days=365`),
    console('console: other merchants, 10 years', (n) => `/console/merchants/${one(merchants, n + 1)}?Days=3650`),
    console('console: cash forecast', () => '/console/cash-forecast'),
    console('console: debts of processors', () => '/console/recon/receivable'),
    console('console: exceptions', () => '/console/exceptions'),
    console('console: late and unmatched payments', () => '/console/payments'),
    console('console: events', () => '/console/events'),
    console('console: events, deep', (n) => `/console/events?Before=${position(n)}`),
    console('console: events of a type', (n) => `/console/events?Type=${one(['ChargePaid', 'PayoutFailed', 'FundsSettled'], n)}`),
    console('console: webhooks', () => '/console/webhooks'),
    console('console: deliveries', () => '/console/deliveries'),
    console('console: people', () => '/console/people'),
    console('console: rails', () => '/console/rails'),
    ...['charges', 'refunds', 'disputes', 'payouts', 'settlements', 'customers'].flatMap((list) => [
      console(`console: ${list}`, () => `/console/${list}`),
      console(`console: ${list}, deep`, (n) => `/console/${list}?Before=${position(n)}`),
      console(`console: ${list} of the largest merchant`, (n) => `/console/${list}?MerchantId=${merchant}&PageNumber=${1 + n}`),
      console(`console: ${list}, CSV`, () => `/console/${list}.csv`),
    ]),
    ...['charges', 'refunds', 'disputes', 'payouts'].flatMap((list) => [
      console(`console: ${list} of a currency and a day`, (n) => `/console/${list}?Currency=${currency}&DateFrom=${day(n)}&DateTo=${day(n)}`),
      console(
        `console: ${list} of a state`,
        (n) => `/console/${list}?Status=${one(list === 'disputes' ? ['WON', 'LOST'] : ['SUCCEEDED', 'FAILED'], n)}`,
      ),
    ]),
    console('console: charges of a channel', (n) => `/console/charges?ChannelCode=${one(['qr_qris', 'wallet_tng', 'qr_paynow'], n)}`),
    console('console: charges by a text', (n) => `/console/charges?SearchText=${one(charges, n).code}`),
    console('console: charges of a merchant by a text', (n) => `/console/charges?MerchantId=${merchant}&SearchText=${one(charges, n).reference_id}`),
    console('console: charges of a merchant by amount', (n) => `/console/charges?MerchantId=${merchant}&OrderBy=AMOUNT&PageNumber=${1 + n}`),
    console('console: settlements of a currency', (n) => `/console/settlements?Currency=${one(['IDR', 'MYR', 'SGD'], n)}`),
    console('console: a settlement', (n) => `/console/settlements/${one(settlements, n)}`),
    console('console: history of a charge', (n) => `/console/history/charge-${one(charges, n).id}`),
    console('console: history of a payout', (n) => `/console/history/payout-${one(payouts, n).id}`),
    console('console: history of the largest account', () => `/console/history/account-${merchant}-${currency}`),
    console('console: the same, its payouts', () => `/console/history/account-${merchant}-${currency}?Type=PayoutFailed`),
    console('console: an event', (n) => `/console/events/${position(n)}`),
    console('console: an event by its id', (n) => `/console/events/${one(lines, n).event_id}`),
    console('console: chain', () => '/console/chain'),
    console('search: an id', (n) => text(one(charges, n).id)),
    console('search: a code', (n) => text(one(charges, n).code)),
    console('search: the beginning of a code', (n) => text(one(charges, n).code.slice(0, 10))),
    console('search: a reference', (n) => text(one(charges, n).reference_id)),
    console('search: the beginning of many references', (n) => text(one(charges, n).reference_id.slice(0, 4))),
    console('search: a payout’s reference', (n) => text(one(payouts, n).reference_id)),
    console('search: the beginning of an id', (n) => text(one(payouts, n).id.slice(0, 8))),
    console('search: nothing is called so', (n) => text(`nothing like ${n}`)),
    console('search: inside the texts of the largest merchant', (n) => `${text(one(charges, n).reference_id.slice(4))}&MerchantId=${merchant}`),
    audit('audit: trial balance', () => '/audit/trial-balance'),
    audit('audit: trial balance as of', (n) => `/audit/trial-balance?AsOf=${moment(n)}`),
    ...['journal', 'charges'].flatMap((list) => [
      audit(`audit: ${list} by day`, () => `/audit/${list}/days`),
      audit(`audit: ${list} by day, a year`, (n) => `/audit/${list}/days?From=${yearBefore(day(n))}&To=${day(n)}`),
    ]),
    audit('audit: charges of a merchant by day', (n) => `/audit/charges/days?MerchantId=${one(merchants, n)}&To=${day(n)}`),
    audit('audit: trial balance of a merchant', (n) => `/audit/trial-balance?MerchantId=${one(merchants, n)}`),
    audit('audit: journal', () => '/audit/journal'),
    audit('audit: journal of a currency, deep', (n) => `/audit/journal?Currency=SGD&After=${one(lines, n).ordinal}`),
    audit('audit: journal of an event', (n) => `/audit/journal?EventId=${one(lines, n).event_id}`),
    csv('audit: journal, CSV', () => '/audit/journal'),
    audit('audit: events', (n) => `/audit/events?After=${position(n)}`),
    audit('audit: events of a type', (n) => `/audit/events?Type=PayoutFailed&After=${position(n)}`),
    audit('audit: events of a merchant', (n) => `/audit/events?MerchantId=${one(merchants, n)}&After=${position(n)}`),
    audit('audit: settlements', () => '/audit/settlements'),
    audit('audit: a settlement', (n) => `/audit/settlements/${one(settlements, n)}`),
    ...['refunds', 'disputes', 'payouts'].flatMap((list) => [
      audit(`audit: ${list}`, () => `/audit/${list}`),
      audit(`audit: ${list} of a merchant`, (n) => `/audit/${list}?MerchantId=${one(merchants, n)}`),
    ]),
    audit('audit: what waits', () => '/audit/desk/queue'),
    audit('audit: merchants', () => '/audit/merchants'),
    audit('audit: chain head', () => '/audit/chain/head'),
    audit('audit: proof', (n) => `/audit/chain/proof?EventId=${one(lines, n).event_id}`),
    audit('audit: explain the largest account', () => `/audit/balances/${merchant}/${currency}/explain`),
    ...['PENDING', 'AVAILABLE', 'RESERVED', 'PAYOUTS', 'FEES'].map((bucket) =>
      audit(`audit: explain its ${bucket}`, () => `/audit/balances/${merchant}/${currency}/explain?Bucket=${bucket}`),
    ),
    owner('statement of the largest account', () => `/v1/statements/${currency}`),
    owner('statement from a day on', (n) => `/v1/statements/${currency}?From=${moment(n)}`),
    of('merchant', PAGE_BOUND_MS, 'text/csv')('statement, CSV', () => `/v1/statements/${currency}`),
    owner('balance as of', (n) => `/v1/balances/${currency}?AsOf=${moment(n)}`),
  ];
}

/** Runs `audit verify` as an operator does. */
export async function measureVerify(env: NodeJS.ProcessEnv): Promise<Verified> {
  const { answer, seconds, cpu_seconds, peak_mib } = await runCommand<{ events: number }>(env, ['audit', 'verify']);
  return { events: answer.events, seconds, cpu_seconds, rss_mib: peak_mib };
}
