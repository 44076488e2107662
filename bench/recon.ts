import { open, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { Pool } from 'pg';
import { findBreaks, type BreaksQuery } from '../projections/reconciliation/matches/match-reads.js';
import { recon } from '../projections/reconciliation/reconciliation.projection.js';
import { copyIn } from '../src/platform/postgres/binary/copy-in.js';
import { BinaryRows } from '../src/platform/postgres/binary/binary-rows.js';
import type { EventStore } from '../src/platform/event-store/event-store.js';
import { readCheckpoint } from '../src/platform/projector/checkpoint.js';
import { runCommand, usageOf, type Usage } from './command.js';
import { signIn, timed } from './finance.js';

/** Promised maximum for a million lines. */
const SECONDS_BOUND = 120;
const MIB_BOUND = 400;
/** Promised maximum for any page of the console with 100,000 breaks. */
const PAGE_BOUND_MS = 200;

export interface PageTimes {
  readonly p50_ms: number;
  readonly p99_ms: number;
}

/** Cost of a file with very many lines. */
export interface FileFigures {
  /** Time from the command's start until the file is imported, and until its lines are matched. */
  readonly import_seconds: number;
  readonly matched_seconds: number;
  readonly command: Usage;
  /** Usage of the processes that serve, seal and project, with their peak memory since their start; null without /proc. */
  readonly service: Usage | null;
}

/** Cost of a day with very many lines. */
export interface ReconFigures {
  readonly lines: number;
  /** Copies rows with a unique key into a table and joins each with its item: the minimum that any program needs. */
  readonly yardstick_seconds: number;
  /** `csv` is a processor's remittance, `mt940` a bank's statement of payouts. */
  readonly csv: FileFigures;
  readonly mt940: FileFigures;
  readonly breaks: number;
  readonly pages: Readonly<Record<string, PageTimes>>;
}

export interface ReconBench {
  readonly pool: Pool;
  readonly store: Pick<EventStore, 'head'>;
  /** Environment of the service and the CLI. */
  readonly env: NodeJS.ProcessEnv;
  readonly start: () => Promise<{ readonly url: string; readonly pid: number; stop(): Promise<void> }>;
  /** Folder for the files to import. */
  readonly dir: string;
  readonly print: (line: string) => void;
}

const SETTINGS = {
  kind: 'PROCESSOR',
  currencies: ['IDR'],
  format: 'csv',
  profile: {
    ...{
      delimiter: ',',
      encoding: 'utf-8',
      decimal: '.',
      grouping: '',
      unit: 'major',
      dates: 'YYYY-MM-DD',
      signs: 'written',
      kinds: {},
      ignored: [],
    },
    columns: { booking_date: 'Date', batch: 'Batch', reference: 'Reference', gross: 'Gross', fee: 'Fee', amount: 'Net', currency: 'Currency' },
  },
  time_zone: 'Asia/Jakarta',
  processor: 'SIMULATOR',
  due_days: 2,
  costs: { QR_QRIS: { type: 'PERCENTAGE', value: 0.5 } },
};
const BANK_SETTINGS = { kind: 'BANK', currencies: ['IDR'], account: '1234567890', format: 'mt940', time_zone: 'Asia/Jakarta', due_days: 2 };
const SOURCE = 'test-bench';
export const BANK_SOURCE = 'test-bench-bank';
const ROWS_AT_ONCE = 1_000;
const READS = 100;
const LOOK_EVERY_MS = 50;
/** Date of the files: yesterday, in UTC. */
const DAY = new Date(Date.now() - 86_400_000).toISOString().slice(0, 10);

/** @param lines number of lines of a file, each for a known payment @param unknown number of lines of another file that match no item */
export async function measureRecon(bench: ReconBench, lines: number, unknown: number): Promise<ReconFigures> {
  const { pool, print } = bench;
  const service = await bench.start();
  try {
    await untilProjected(bench);
    const { key, env } = await preparer(bench);
    await untilProjected(bench);
    // The last `unknown` payments stay open: they are candidates both while the known lines and while the unknown lines are matched.
    await payments(pool, lines + unknown);
    const yardstick_seconds = await yardstick(pool, lines);
    print(`${lines} lines: yardstick ${yardstick_seconds.toFixed(1)} s`);
    const csv = await measureFile({ ...bench, env }, service.pid, await remittance(bench, 'B1', lines, (n) => `R${n}`), SOURCE);
    await requireMatched(pool, lines);
    printFile(bench, 'CSV', lines, csv);
    await payouts(pool, lines);
    const mt940 = await measureFile(
      { ...bench, env },
      service.pid,
      await bankStatement(bench, { number: 1, day: DAY, from: 1, count: lines, closing: 0 }),
      BANK_SOURCE,
    );
    await requireMatched(pool, 2 * lines);
    printFile(bench, 'MT940', lines, mt940);
    await importFile(env, await remittance(bench, 'B2', unknown, (n) => `U${n}`), SOURCE);
    await untilProjected(bench);
    const pages = { ...(await measureQueries(pool)), ...(await measureConsole(pool, service.url, key)) };
    for (const [name, { p50_ms, p99_ms }] of Object.entries(pages))
      print(
        `${unknown} breaks: ${name.padEnd(44)} p50 ${p50_ms.toFixed(1).padStart(6)} ms, p99 ${p99_ms.toFixed(1).padStart(6)} ms, promised ${PAGE_BOUND_MS} ms`,
      );
    return { lines, yardstick_seconds, csv, mt940, breaks: unknown, pages };
  } finally {
    await service.stop();
  }
}

async function measureFile(bench: ReconBench, pid: number, path: string, source: string): Promise<FileFigures> {
  const before = await usageOf(pid);
  const begun = performance.now();
  const { seconds: import_seconds, cpu_seconds, peak_mib } = await importFile(bench.env, path, source);
  await untilProjected(bench);
  const matched_seconds = (performance.now() - begun) / 1_000;
  const after = await usageOf(pid);
  const service = before && after && { ...after, cpu_seconds: after.cpu_seconds - before.cpu_seconds };
  return { import_seconds, matched_seconds, command: { cpu_seconds, peak_mib }, service };
}

function printFile({ print }: ReconBench, format: string, lines: number, { import_seconds, matched_seconds, command, service }: FileFigures): void {
  const used = ({ cpu_seconds, peak_mib }: Usage): string => `${cpu_seconds.toFixed(1)} s of CPU, ${peak_mib} MiB`;
  const bounds = lines === 1_000_000 ? `, promised ${SECONDS_BOUND} s and ${MIB_BOUND} MiB` : '';
  print(
    `${lines} lines of ${format}: imported in ${import_seconds.toFixed(1)} s, matched ${matched_seconds.toFixed(1)} s after the command began; ` +
      `command ${used(command)}; service ${service ? used(service) : 'not known'}${bounds}`,
  );
}

/** Adds a source for each format and an operator who imports their files. @returns the operator's key, and the CLI's environment with it */
export async function preparer({ env, dir }: Pick<ReconBench, 'env' | 'dir'>): Promise<{ readonly key: string; readonly env: NodeJS.ProcessEnv }> {
  const operator = ['operator', 'add', '--name', 'Bench', '--email', 'bench@bank.example', '--roles', 'preparer,controller', '--reason', 'bench'];
  const { person_id } = (await runCommand<{ person_id: string }>(env, operator)).answer;
  const { operator_key: key } = (await runCommand<{ operator_key: string }>(env, ['operator', 'key', person_id])).answer;
  const acting = { ...env, CHARGEBOOK_OPERATOR_KEY: key };
  for (const [name, given] of Object.entries({ bench: SETTINGS, 'bench-bank': BANK_SETTINGS })) {
    const settings = join(dir, `${name}.json`);
    await writeFile(settings, JSON.stringify(given));
    await runCommand(acting, ['recon', 'source', name, '--mode', 'test', '--settings', settings, '--reason', 'bench']);
  }
  return { key, env: acting };
}

const amountOf = (n: number): number => 10_000 + n * 100;

/** Inserts payments directly into the read model: writing their events would take longer than the measurement. */
async function payments(pool: Pool, count: number): Promise<void> {
  await pool.query(
    `with states as (
       insert into recon.item_states (ordinal, charge_id, processor, mode, kind, occurred_on, is_held)
       select -n, gen_random_uuid(), 'SIMULATOR', 'test', 'PAYMENT', now(), false from generate_series(1, $1) n
     )
     insert into recon.item_details (ordinal, id, merchant_id, mode, channel, code, payment_reference, currency, amount)
     select -n, gen_random_uuid(), gen_random_uuid(), 'test', 'QR_QRIS', 'C' || n, 'R' || n, 'IDR', 10000 + n * 100 from generate_series(1, $1) n`,
    [count],
  );
  await pool.query(
    `insert into recon.payments (ordinal, reference, currency, amount) select ordinal, payment_reference, currency, amount from recon.items`,
  );
  await pool.query('vacuum analyze recon.item_details, recon.item_states, recon.payments');
}

/** The bank's reference of payout number `n`. */
const transferReference = (n: number): string => `P${String(n).padStart(15, '0')}`;

/** Inserts payouts that the bank has paid, `from` the first number, directly into the read model, as `payments` does. */
export async function payouts(pool: Pool, count: number, from = 1): Promise<void> {
  await pool.query(
    `with made as (select n, gen_random_uuid() as payout_id, 'P' || lpad(n::text, 15, '0') as reference from generate_series($2::int4, $2::int4 + $1 - 1) n), referred as (
       insert into recon.payout_references (reference, known_from, payout_id) select reference, -1, payout_id from made
     ), states as (
       insert into recon.item_states (ordinal, mode, kind, occurred_on, submitted_from, succeeded_from, is_held)
       select -10000000 - n, 'test', 'PAYOUT', now(), -1, -1, false from made
     )
     insert into recon.item_details (ordinal, id, merchant_id, mode, payout_id, code, currency, amount)
     select -10000000 - n, gen_random_uuid(), gen_random_uuid(), 'test', payout_id, reference, 'IDR', -(10000 + n * 100) from made`,
    [count, from],
  );
  await pool.query('vacuum analyze recon.item_details, recon.item_states, recon.payout_references');
}

async function yardstick(pool: Pool, count: number): Promise<number> {
  const client = await pool.connect();
  const begun = performance.now();
  try {
    await client.query('create table yardstick_lines (reference text primary key, amount bigint not null, item bigint)');
    for (let first = 1; first <= count; first += ROWS_AT_ONCE) {
      const rows = new BinaryRows(ROWS_AT_ONCE);
      for (let n = first; n < Math.min(first + ROWS_AT_ONCE, count + 1); n += 1) {
        rows.begin(2);
        rows.text(`R${n}`);
        rows.bigint(amountOf(n));
      }
      await copyIn(client, 'yardstick_lines', 'reference, amount', rows.end());
    }
    await client.query('analyze yardstick_lines');
    await client.query(
      `update yardstick_lines y set item = i.ordinal from recon.items i where i.payment_reference = y.reference and i.amount = y.amount`,
    );
    const seconds = (performance.now() - begun) / 1_000;
    await client.query('drop table yardstick_lines');
    return seconds;
  } finally {
    client.release();
  }
}

export async function importFile(env: NodeJS.ProcessEnv, path: string, source: string): Promise<Usage & { readonly seconds: number }> {
  const { seconds, cpu_seconds, peak_mib } = await runCommand(env, ['recon', 'import', path, '--source', source]);
  await rm(path);
  return { seconds, cpu_seconds, peak_mib };
}

/** @returns the path of the file */
function remittance({ dir }: ReconBench, batch: string, count: number, reference: (n: number) => string): Promise<string> {
  return written(join(dir, `${batch}.csv`), count, ['Date,Batch,Reference,Gross,Fee,Net,Currency\n', ''], (n) => {
    const gross = amountOf(n);
    const fee = Math.floor((gross * 5 + 500) / 1_000);
    return `${DAY},${batch},${reference(n)},${major(gross, '.')},${major(fee, '.')},${major(gross - fee, '.')},IDR\n`;
  });
}

export interface BankStatement {
  readonly number: number;
  /** YYYY-MM-DD. */
  readonly day: string;
  /** Number of its first payout, and of payouts. */
  readonly from: number;
  readonly count: number;
  /** Closing balance, minor units. */
  readonly closing: number;
}

export const sumOfPayouts = ({ from, count }: Pick<BankStatement, 'from' | 'count'>): number =>
  Array.from({ length: count }, (_, at) => amountOf(from + at)).reduce((sum, amount) => sum + amount, 0);

/** Writes one statement of payouts. @returns the path of the file */
export function bankStatement({ dir }: Pick<ReconBench, 'dir'>, statement: BankStatement): Promise<string> {
  const { number, from, count, closing } = statement;
  const day = statement.day.slice(2).replaceAll('-', '');
  const opening = closing + sumOfPayouts(statement);
  const head = [':20:BENCH', ':25:1234567890', `:28C:${number}/1`, `:60F:C${day}IDR${major(opening, ',')}`, ''].join('\n');
  return written(
    join(dir, `bank-${number}.sta`),
    count,
    [head, `:62F:C${day}IDR${major(closing, ',')}\n-\n`],
    (at) => `:61:${day}D${major(amountOf(from + at - 1), ',')}NTRF${transferReference(from + at - 1)}\n:86:PAYOUT ${at} TO SITI RAHMA\n`,
  );
}

async function written(path: string, count: number, [head, foot]: readonly [string, string], line: (n: number) => string): Promise<string> {
  const file = await open(path, 'w');
  await file.write(head);
  for (let first = 1; first <= count; first += ROWS_AT_ONCE) {
    const some = Array.from({ length: Math.min(ROWS_AT_ONCE, count - first + 1) }, (_, at) => line(first + at));
    await file.write(some.join(''));
  }
  await file.write(foot);
  await file.close();
  return path;
}

const major = (minorUnits: number, point: string): string => `${Math.floor(minorUnits / 100)}${point}${String(minorUnits % 100).padStart(2, '0')}`;

async function requireMatched(pool: Pool, lines: number): Promise<void> {
  const { rows } = await pool.query<{ matches: bigint; breaks: bigint }>(
    'select (select count(*) from recon.matches) as matches, (select count(*) from recon.breaks) as breaks',
  );
  const { matches, breaks } = rows[0]!;
  if (Number(matches) !== lines || Number(breaks) > 0) throw new Error(`${lines} lines have ${matches} matches and ${breaks} breaks`);
}

export async function untilProjected({ pool, store }: Pick<ReconBench, 'pool' | 'store'>): Promise<void> {
  for (;;) {
    const head = (await store.head()) ?? 0n;
    const checkpoint = await readCheckpoint(pool, recon.name);
    if (checkpoint?.indexed === true && (checkpoint.position ?? 0n) >= head) return;
    await delay(LOOK_EVERY_MS);
  }
}

async function repeated(read: () => Promise<unknown>): Promise<PageTimes> {
  const times: number[] = [];
  for (let n = 0; n < READS; n += 1) {
    const begun = performance.now();
    await read();
    times.push(performance.now() - begun);
  }
  times.sort((a, b) => a - b);
  return { p50_ms: times[READS / 2]!, p99_ms: times[Math.floor(READS * 0.99) - 1]! };
}

async function middleOf(pool: Pool): Promise<string> {
  const { rows } = await pool.query<{ id: string }>(
    'select id from recon.breaks order by opened_from, id offset (select count(*) / 2 from recon.breaks) limit 1',
  );
  return rows[0]!.id;
}

/** Measures the queries of a page of 100 breaks. */
async function measureQueries(pool: Pool): Promise<Record<string, PageTimes>> {
  const asked: Readonly<Record<string, Omit<BreaksQuery, 'limit'>>> = {
    'query: first': { status: 'OPEN' },
    'query: middle': { status: 'OPEN', after: await middleOf(pool) },
    'query: of a source and age': { source: SOURCE, age: '0-1', status: 'OPEN' },
    'query: of an age that none has': { source: SOURCE, age: 'over-30', status: 'OPEN' },
    'query: of a kind that is rare': { kind: 'AMOUNT' },
    'query: as of now': { as_of: Number.MAX_SAFE_INTEGER, status: 'OPEN' },
  };
  const found: Record<string, PageTimes> = {};
  for (const [name, query] of Object.entries(asked)) found[name] = await repeated(() => findBreaks(pool, { ...query, limit: 100 }, Date.now()));
  return found;
}

/** Measures the pages that operators read, over HTTP. */
async function measureConsole(pool: Pool, url: string, key: string): Promise<Record<string, PageTimes>> {
  const middle = await middleOf(pool);
  const session = { cookie: await inTestMode(url, await signIn(url, key)) };
  const bearer = { authorization: `Bearer ${key}` };
  const pages: readonly (readonly [string, string, Record<string, string>])[] = [
    ['console: overview', '/console', session],
    ['console: reconciliation', '/console/recon', session],
    ['console: reconciliation, middle', `/console/recon?After=${middle}`, session],
    ['console: of a kind and status', '/console/recon?Kind=PROCESSOR_ONLY&Status=OPEN', session],
    ['console: of its source', `/console/recon?Source=${SOURCE}`, session],
    ['console: of one owner', '/console/recon?Owner=mine', session],
    ['console: a source', `/console/recon/sources/${SOURCE}`, session],
    ['console: a break', `/console/recon/breaks/${middle}`, session],
    ['console: desk', '/console/desk', session],
    ['audit: breaks', '/audit/recon/breaks', bearer],
    ['audit: breaks of an age', '/audit/recon/breaks?Mode=test&Age=0-1', bearer],
    ['audit: sources', '/audit/recon/sources', bearer],
    ['audit: desk queue', '/audit/desk/queue', bearer],
    ['audit: desk alarms', '/audit/desk/alarms', bearer],
  ];
  const found: Record<string, PageTimes> = {};
  for (const [name, path, headers] of pages) found[name] = await repeated(() => timed(url + path, headers));
  return found;
}

/** Switches a session to test mode; a new session shows live mode. @returns the session's cookie */
async function inTestMode(url: string, cookie: string): Promise<string> {
  const headers = { 'content-type': 'application/x-www-form-urlencoded', origin: new URL(url).origin, cookie };
  const body = new URLSearchParams({ Mode: 'test', Section: 'recon' });
  const answer = await fetch(`${url}/console/mode`, { method: 'POST', body, headers, redirect: 'manual' });
  await answer.arrayBuffer();
  return answer.headers.get('set-cookie')!.split(';')[0]!;
}
