// npm run record:database: a database of this version, and the responses of its service, for test/system/earlier-database.spec.ts.
import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { promisify } from 'node:util';
import { brotliCompressSync, constants } from 'node:zlib';
import { INTERFACE } from '../../src/app/interface.js';
import { loadEncryptionKey } from '../../src/app/encryption-key.js';
import { PROJECTIONS } from '../../src/app/projections.js';
import { loadServiceSecret } from '../../src/app/service-secret.js';
import { issueKey } from '../../src/domain/merchants/merchant.commands.js';
import { createPool } from '../../src/platform/postgres/pool.js';
import { readCheckpoint } from '../../src/platform/projector/checkpoint.js';
import { ChainSigner } from '../../src/transparency-log/chain-keys.js';
import { startTransparencyLog } from '../../src/transparency-log/transparency-log.worker.js';
import { fillMonth } from '../../tools/seed/month.js';
import { idsIn } from './every-read.js';
import type { Document } from './openapi.js';
import { RECORDED_FILE, startWithoutWorker, type Recorded, type RecordedResponse, type RecordedService } from './recorded-database.js';
import { call } from './service.js';

/** End of the recorded month: in the past, so that no recorded event is ever in the future. */
const NOW = Date.parse('2026-01-31T08:15:30.000Z');
/** Merchants, by their places in the month: one with every kind of record, one with a webhook, and one with a balance below zero. */
const RECORDED = [0, 2, 7];
/** The fewest in which the month finds a charge for each of its refunds and disputes, in round numbers. */
const CHARGES = 150;
const IDS_OF_A_LIST = 4;
const LOOK_MS = 100;
/** Forecasts begin today. A break states its age in banking days; elsewhere ages have a name, and are not compared; tables with them are left out. */
const CHANGING: ReadonlySet<string> = new Set(['/audit/recon/breaks', '/audit/cash-forecast', '/v1/balances/{currency}/forecast']);

const databaseUrl = process.env.DATABASE_URL;
if (!databaseUrl)
  throw new Error('DATABASE_URL must name an empty database; pg_dump must be of the version of its server, which is the oldest supported');
const encryptionKey = randomBytes(32).toString('base64');
const keys: Record<string, string> = {};

const service = await startWithoutWorker(databaseUrl, encryptionKey, async (config, stores) => {
  const { merchants } = await fillMonth(config, stores, NOW, null, CHARGES);
  for (const place of RECORDED) keys[merchants[place]!.name] = merchants[place]!.key;
  const deps = { store: stores.eventStore, clock: () => NOW };
  keys.finance = (await issueKey(deps, { kind: 'finance' }, { name: 'test', scopes: [], expires_on: null })).key;
});
const transparencyLog = startTransparencyLog({
  ...{ databaseUrl, store: service.stores.eventStore, log: service.stores.eventStore, clock: () => NOW },
  signer: new ChainSigner(await loadServiceSecret(databaseUrl, await loadEncryptionKey(service.config, databaseUrl))),
  onError: (error) => console.error(error),
});
const projections = await caughtUp(service);
const responses: RecordedResponse[] = [];
for (const { file } of INTERFACE.documents) {
  const document = (await (await fetch(new URL(file, service.url))).json()) as Document;
  const isOfFinance = file.includes('audit');
  for (const key of Object.keys(keys).filter((name) => (name === 'finance') === isOfFinance)) await record(document, key);
}
await transparencyLog.stop();
await service.stop();
const recorded: Recorded = { dump: await dump(databaseUrl), encryption_key: encryptionKey, projections, keys, responses };
// Responses repeat the events of the dump: a window over both makes the file half as large.
const params = { [constants.BROTLI_PARAM_LGWIN]: constants.BROTLI_MAX_WINDOW_BITS };
writeFileSync(RECORDED_FILE, brotliCompressSync(JSON.stringify(recorded), { params }));

/** Waits until every event is projected and sealed. */
async function caughtUp({ stores: { eventStore }, config }: RecordedService): Promise<Recorded['projections']> {
  const pool = createPool({ url: config.databaseUrl!, applicationName: 'record', maxConnections: 1 });
  const head = Number(await eventStore.head());
  try {
    for (;;) {
      const checkpoints = await Promise.all(PROJECTIONS.map(({ name }) => readCheckpoint(pool, name)));
      const { rows } = await pool.query<{ events: bigint }>('select events from chain.head');
      if (Number(rows[0]?.events) === head && checkpoints.every((checkpoint) => checkpoint?.ordinal === head)) {
        return PROJECTIONS.map(({ name }, place) => ({ name, version: checkpoints[place]!.version, ordinal: head }));
      }
      await delay(LOOK_MS);
    }
  } finally {
    await pool.end();
  }
}

/** Records every response of a key that a GET request of the document receives, in each of its content types. */
async function record({ paths }: Document, key: string): Promise<void> {
  const ids = new Map<string, string[]>();
  for (const [path, { get }] of Object.entries(paths)) {
    const success = get?.responses['200'];
    if (!success || '$ref' in success || CHANGING.has(path)) continue;
    const [list, rest] = path.split(/\/\{[^}]+\}/, 2) as [string, string | undefined];
    const named = path.includes('{currency}') ? ['IDR'] : (ids.get(list) ?? []);
    // By default the period ends now, and the response states its end.
    const query = get.parameters?.some(({ name }) => name === 'To') ? `?To=${new Date(NOW).toISOString()}` : '';
    const targets = rest === undefined ? [path] : named.map((id) => `${list}/${id}${path.slice(path.indexOf('}') + 1)}`);
    for (const target of targets.filter((each) => !each.includes('{')).map((each) => each + query)) {
      for (const accept of Object.keys(success.content ?? {})) {
        const { status, text, body } = await call('GET', new URL(target, service.url), { key: keys[key]!, headers: { accept } });
        if (status !== 200 || (accept === 'text/csv' && text.includes('age_days'))) continue;
        responses.push({ key, path: target, accept, text });
        if (target === path && accept === 'application/json') ids.set(path, idsIn(body, IDS_OF_A_LIST));
      }
    }
  }
}

/** Returns the database as SQL that any client runs: psql's own commands are left out. */
async function dump(url: string): Promise<string> {
  const options = ['--inserts', '--rows-per-insert=1000', '--no-owner', '--no-privileges', '--no-comments'];
  const { stdout } = await promisify(execFile)('pg_dump', [...options, url], { maxBuffer: 2 ** 30 });
  return stdout.replace(/^\\.*\n/gm, '');
}
