import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { createHash, randomBytes, randomUUID } from 'node:crypto';
import type pg from 'pg';
import { DisputeKeys } from '../../src/domain/charges/disputes/dispute-keys.js';
import { EvidenceStore } from '../../src/domain/charges/disputes/evidence-store.js';
import { EvidenceWorker } from '../../src/domain/charges/disputes/evidence.worker.js';
import { createPool } from '../../src/platform/postgres/pool.js';
import { decideOnCharge, openDispute } from '../support/disputes.js';
import { eventually } from '../support/eventually.js';
import { runCli, type Run } from '../support/run-cli.js';
import { callPatiently, CHARGE_ORDER, newIdempotencyKey, startTestService, type Answer, type TestService } from '../support/service.js';
import { DAY_MS } from '../../src/ledger/time.js';

const MIB = 1_048_576;
const NAME = 'Quittung von Zoë – "Kopi" 名前.pdf';
const pdf = (bytes = 1_000): Buffer => Buffer.concat([Buffer.from('%PDF-1.7\n'), randomBytes(bytes - 9)]);

describe('evidence of disputes', () => {
  let service: TestService;
  let pool: pg.Pool;
  let merchant: { readonly merchant_id: string; readonly key: string };
  let charge_id: string;
  let dispute: string;

  beforeAll(async () => {
    service = await startTestService({ SETTLEMENT_INTERVAL_SECONDS: '3600' });
    pool = createPool({ url: service.stores.databaseUrl, applicationName: 'test', maxConnections: 2 });
  });
  afterAll(async () => {
    await pool.end();
    await service.stop();
  });

  const paidCharge = async (key: string): Promise<string> => {
    const { body } = await service.call('POST', '/v1/charges', { key, headers: newIdempotencyKey(), body: CHARGE_ORDER });
    await service.call('POST', body.action.simulation_url as string, { body: { outcome: 'succeed' } });
    return body.id as string;
  };
  beforeEach(async () => {
    merchant = await service.newMerchant();
    charge_id = await paidCharge(merchant.key);
    dispute = await openDispute(service.stores.eventStore, charge_id);
  });

  interface Sent {
    readonly query?: Readonly<Record<string, string>>;
    readonly type?: string;
    readonly key?: string;
    readonly to?: string;
  }
  const send = (
    body: Buffer,
    { query = { Name: NAME, Category: 'receipt' }, type = 'application/pdf', key = merchant.key, to = dispute }: Sent = {},
  ) => {
    // A busy machine may not show the opened dispute yet.
    const url = `${service.url}/v1/disputes/${to}/evidence?${new URLSearchParams(query).toString()}`;
    return callPatiently('POST', url, { key, body, headers: { 'content-type': type } });
  };
  const sendNew = async (body: Buffer = pdf(), sent?: Sent): Promise<Answer> => {
    const answer = await send(body, sent);
    expect(answer.status).toBe(201);
    return answer;
  };
  const read = (id: string, method = 'GET', of = dispute): Promise<Response> =>
    fetch(`${service.url}/v1/disputes/${of}/evidence/${id}`, { method, headers: { authorization: `Bearer ${merchant.key}` } });
  const readShown = async (id: string): Promise<Response> => {
    await eventually(async () => (await read(id, 'HEAD')).status === 200);
    return read(id);
  };
  const refused = async (answer: Promise<Answer>): Promise<{ status: number; code: string; at?: string }> => {
    const { status, body } = await answer;
    const [error] = (body.errors ?? []) as { pointer?: string; parameter?: string }[];
    return { status, code: body.code as string, ...(error && { at: error.parameter ?? error.pointer! }) };
  };
  const kept = async (of = dispute): Promise<number> => (await pool.query('select from dispute_evidence where dispute_id = $1', [of])).rowCount ?? 0;
  const erase = (id: string): Promise<Run> =>
    runCli(['dispute', 'erase-evidence', id, '--json'], {
      DATABASE_URL: service.stores.databaseUrl,
      EVENTSTORE_URL: process.env['EVENTSTORE_URL'] ?? '',
      ENCRYPTION_KEY: Buffer.alloc(32, 1).toString('base64'),
    });

  it('a file is stored, and downloads byte for byte as a sandboxed attachment', async () => {
    const bytes = pdf(2 * MIB);
    const { body, headers } = await sendNew(bytes);
    const sha256 = createHash('sha256').update(bytes).digest('hex');
    expect(body).toEqual({
      id: expect.any(String),
      ...{ name: NAME, category: 'RECEIPT', media_type: 'application/pdf', size: bytes.length, sha256 },
      ...{ added_by: expect.stringMatching(/^key_/), added_on: expect.any(String), erased: false },
    });
    expect(headers.get('location')).toBe(`/v1/disputes/${dispute}/evidence/${body.id}`);

    const response = await readShown(body.id as string);
    expect(response.status).toBe(200);
    expect(Buffer.from(await response.arrayBuffer()).equals(bytes)).toBe(true);
    expect(Object.fromEntries(response.headers)).toMatchObject({
      'content-type': 'application/pdf',
      'content-length': String(bytes.length),
      'content-disposition': `attachment; filename="Quittung von Zo_ _ _Kopi_ __.pdf"; filename*=UTF-8''${encodeURIComponent(NAME)}`,
      'content-security-policy': expect.stringMatching(/default-src 'none';.*sandbox/),
      'x-content-type-options': 'nosniff',
      'cache-control': 'no-store',
    });
    const head = await read(body.id as string, 'HEAD');
    expect([head.status, await head.text()]).toEqual([200, '']);
    // The log has neither the name nor the bytes.
    const events = JSON.stringify((await service.stores.eventStore.read(`charge-${charge_id}`)).map(({ data, metadata }) => [data, metadata]));
    expect(events).toContain(sha256);
    expect(events).not.toContain('Quittung');
  });

  it('repeated bytes return the first response, also many times at once', async () => {
    const bytes = pdf();
    const answers = await Promise.all(Array.from({ length: 12 }, () => send(bytes)));
    expect(answers.map(({ status }) => status).sort()).toEqual([...Array.from({ length: 11 }, () => 200), 201]);
    expect(new Set(answers.map(({ text }) => text)).size).toBe(1);
    const again = await send(bytes, { query: { Name: 'another.pdf', Category: 'other' } });
    expect([again.status, again.text]).toEqual([200, answers[0]!.text]);
    await decideOnCharge(service.stores.eventStore, charge_id, (now) => ({
      kind: 'challenge-dispute',
      dispute_id: dispute,
      challenged_by: 'key',
      now,
    }));
    expect((await send(bytes)).status).toBe(200);
    expect(await kept()).toBe(1);
  });

  it.each([
    ['of no type', pdf(), { type: '' }, 415, 'unsupported-media-type'],
    ['of an unsupported type', pdf(), { type: 'text/html' }, 415, 'unsupported-media-type'],
    ['of type JSON', Buffer.from('{}'), { type: 'application/json' }, 415, 'unsupported-media-type'],
    ['of more than 5 MiB', pdf(5 * MIB + 1), {}, 413, 'body-too-large'],
    ['without bytes', Buffer.alloc(0), {}, 400, 'validation-failed'],
    ['with content of another type', pdf(), { type: 'image/png' }, 400, 'validation-failed'],
    ['declared as text', pdf(), { type: 'text/plain' }, 400, 'validation-failed'],
  ] as const)('rejects a file %s', async (_, bytes, sent, status, code) => {
    expect(await refused(send(bytes, sent))).toMatchObject({ status, code });
    expect(await kept()).toBe(0);
  });

  it.each([
    ['no name', { Category: 'OTHER' }, 'Name'],
    ['an empty name', { Name: '', Category: 'OTHER' }, 'Name'],
    ['a name of 101 characters', { Name: 'x'.repeat(101), Category: 'OTHER' }, 'Name'],
    ['a path in its name', { Name: '../../etc/passwd', Category: 'OTHER' }, 'Name'],
    ['a line break in its name', { Name: 'a\r\nSet-Cookie: x', Category: 'OTHER' }, 'Name'],
    ['a zero byte in its name', { Name: 'a\0.pdf', Category: 'OTHER' }, 'Name'],
    ['no category', { Name: 'a' }, 'Category'],
    ['an unknown category', { Name: 'a', Category: 'INVOICE' }, 'Category'],
    ['an unknown parameter', { Name: 'a', Category: 'OTHER', Path: '/' }, 'Path'],
  ])('rejects a file with %s', async (_, query, at) => {
    expect(await refused(send(pdf(), { query }))).toEqual({ status: 400, code: 'validation-failed', at });
    expect(await kept()).toBe(0);
  });

  it('a name has up to 100 characters of any script, and text may have a character set', async () => {
    const name = '名'.repeat(100);
    const { body } = await sendNew(Buffer.from('Left at the door.'), {
      query: { Name: name, Category: 'Shipping' },
      type: 'text/plain; charset=UTF-8',
    });
    expect(body).toMatchObject({ name, category: 'SHIPPING', media_type: 'text/plain' });
  });

  it('a dispute holds at most 10 files and 20 MiB', async () => {
    for (let n = 0; n < 10; n += 1) await sendNew();
    expect(await refused(send(pdf()))).toEqual({ status: 422, code: 'evidence-limit-reached' });
    expect(await kept()).toBe(10);
    const large = await openDispute(service.stores.eventStore, charge_id, 'INQUIRY', 'D-2');
    for (let n = 0; n < 4; n += 1) await sendNew(pdf(5 * MIB), { to: large });
    expect(await refused(send(pdf(MIB), { to: large }))).toEqual({ status: 422, code: 'evidence-limit-reached' });
    expect(await kept(large)).toBe(4);
  });

  it('a dispute holds at most 10 files also when 16 arrive at once', async () => {
    const answers = await Promise.all(Array.from({ length: 16 }, () => send(pdf())));
    expect(answers.map(({ status }) => status).sort()).toEqual([...Array.from({ length: 10 }, () => 201), ...Array.from({ length: 6 }, () => 422)]);
    expect(await kept()).toBe(10);
  });

  it('evidence belongs to one dispute of one merchant, and requires its scopes', async () => {
    const { body } = await sendNew();
    const other = await service.newMerchant();
    for (const to of [randomUUID(), 'no-id']) expect(await refused(send(pdf(), { to }))).toEqual({ status: 404, code: 'not-found' });
    expect(await refused(send(pdf(), { key: other.key }))).toEqual({ status: 404, code: 'not-found' });
    const get = (id: string, key: string, of = dispute) => refused(service.call('GET', `/v1/disputes/${of}/evidence/${id}`, { key }));
    expect(await get(body.id as string, other.key)).toEqual({ status: 404, code: 'not-found' });
    const second = await openDispute(service.stores.eventStore, charge_id, 'INQUIRY', 'D-2');
    await sendNew(pdf(), { to: second });
    expect(await get(body.id as string, merchant.key, second)).toEqual({ status: 404, code: 'not-found' });
    expect(await get(randomUUID(), merchant.key)).toEqual({ status: 404, code: 'not-found' });
    const reader = await service.newKey(merchant.merchant_id, ['disputes:read']);
    expect(await refused(send(pdf(), { key: reader }))).toEqual({ status: 403, code: 'insufficient-scope' });
    const writer = await service.newKey(merchant.merchant_id, ['disputes:write']);
    expect(await get(body.id as string, writer)).toEqual({ status: 403, code: 'insufficient-scope' });
  });

  it.each([
    ['under review', (now: string) => ({ kind: 'challenge-dispute' as const, dispute_id: dispute, challenged_by: 'key', now })],
    ['accepted', (now: string) => ({ kind: 'accept-dispute' as const, dispute_id: dispute, now })],
    ['won', (now: string) => ({ kind: 'win-dispute' as const, reference: 'D-1', stage: 'CHARGEBACK' as const, is_final: false, now })],
  ])('a dispute that is %s rejects new evidence with 409', async (_, command) => {
    await sendNew();
    await decideOnCharge(service.stores.eventStore, charge_id, (now) => command(now));
    expect(await refused(send(pdf()))).toEqual({ status: 409, code: 'state-conflict' });
    expect(await kept()).toBe(1);
  });

  it('erased evidence has no bytes, name or key, and the dispute rejects new evidence', async () => {
    const { body } = await sendNew();
    expect((await erase(randomUUID())).code).toBe(1);
    const done = await erase(dispute);
    expect([done.code, JSON.parse(done.stdout)]).toEqual([0, { dispute_id: dispute, charge_id, recorded: true }]);
    expect(JSON.parse((await erase(dispute)).stdout)).toMatchObject({ recorded: false });
    expect(await kept()).toBe(0);
    await eventually(async () => (await read(body.id as string)).status === 404);
    expect(await refused(send(pdf()))).toEqual({ status: 409, code: 'state-conflict' });
    const { rows } = await pool.query('select wrapped_key from dispute_keys where dispute_id = $1', [dispute]);
    expect(rows).toEqual([{ wrapped_key: null }]);
  });

  it('evidence is erased again when a backup restores its key and its bytes', async () => {
    const { body } = await sendNew();
    const tables = ['dispute_keys', 'dispute_evidence', 'dispute_evidence_parts'];
    for (const table of tables) await pool.query(`create table backup_of_${table} as select * from ${table}`);
    await erase(dispute);
    await pool.query(
      `update dispute_keys k set wrapped_key = b.wrapped_key, destroyed_on = null from backup_of_dispute_keys b
        where b.dispute_id = k.dispute_id and k.dispute_id = '${dispute}';
       insert into dispute_evidence select * from backup_of_dispute_evidence where dispute_id = '${dispute}';
       insert into dispute_evidence_parts select p.* from backup_of_dispute_evidence_parts p join dispute_evidence e using (evidence_id)
        where e.dispute_id = '${dispute}'`,
    );
    await eventually(async () => (await read(body.id as string)).status === 404);
    await eventually(async () => (await kept()) === 0);
    expect((await pool.query('select from dispute_keys where dispute_id = $1 and wrapped_key is not null', [dispute])).rowCount).toBe(0);
  });

  it('a file without an event is deleted after a day; a file with an event stays, also when the read model lacks it', async () => {
    const { body } = await sendNew();
    await readShown(body.id as string);
    const { eventStore: store, databaseUrl } = service.stores;
    const orphan = { evidence_id: randomUUID(), dispute_id: dispute, charge_id };
    const secret = Buffer.alloc(32, 7);
    // Uses a fixed key, so that no new key is created; nothing decrypts the file.
    const keys = new DisputeKeys(pool, secret, Date.now);
    keys.getOrCreate = () => Promise.resolve(Buffer.alloc(32, 9));
    await new EvidenceStore(pool, keys, Date.now).put(orphan, 'orphan', pdf(), new AbortController().signal);
    const pass = (nowMs: number): Promise<void> =>
      new EvidenceWorker({ databaseUrl, store, pool, clock: () => nowMs, onError: () => undefined }).pass(new AbortController().signal);
    await pass(Date.now() + DAY_MS - 60_000);
    expect(await kept()).toBe(2);
    await pool.query('create table hidden as select id, evidence from ledger.disputes where id = $1', [dispute]);
    await pool.query(`update ledger.disputes set evidence = '[]' where id = $1`, [dispute]);
    await pass(Date.now() + DAY_MS + 60_000);
    expect(await kept()).toBe(1);
    await pool.query('update ledger.disputes d set evidence = h.evidence from hidden h where h.id = d.id');
    expect((await readShown(body.id as string)).status).toBe(200);
  });
});
