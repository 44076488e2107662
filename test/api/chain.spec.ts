import { verify } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import pg from 'pg';
import { ChainKeys } from '../../src/transparency-log/chain-keys.js';
import { leafOfTexts, misstatedField } from '../../src/transparency-log/leaf.js';
import { GrowingTree, isAppended, rootOfPath } from '../../src/transparency-log/merkle-tree.js';
import { readConfig } from '../../src/app/config.js';
import { loadEncryptionKey } from '../../src/app/encryption-key.js';
import { issueKey } from '../../src/domain/merchants/merchant.commands.js';
import { loadServiceSecret } from '../../src/app/service-secret.js';
import { ConsoleVisitor } from '../support/console.js';
import { collect } from '../support/events.js';
import { eventually, within } from '../support/eventually.js';
import { CHARGE_ORDER, newIdempotencyKey, startTestService, type TestMerchant, type TestService } from '../support/service.js';

const ENCRYPTION_KEY = Buffer.alloc(32, 3).toString('base64');
const PERSON = { name: 'Zebulon Quarterstaff', email: 'zebulon@quarterstaff.example' };

describe('/audit/chain', () => {
  let service: TestService;
  let merchant: TestMerchant;
  let finance: string;
  let keys: ChainKeys;

  const get = (path: string, key = finance) => service.call('GET', path, { key });
  const post = async (path: string, body: object, headers = newIdempotencyKey()): Promise<any> =>
    (await service.call('POST', path, { key: merchant.key, body, headers })).body;
  const log = () => collect(service.stores.eventStore, null, (_, caughtUp) => caughtUp, { stored: true });

  beforeAll(async () => {
    service = await startTestService({ ENCRYPTION_KEY });
    merchant = await service.newMerchant();
    finance = (await issueKey(service.deps, { kind: 'finance' }, { name: 'Auditor', expires_on: null })).key;
    const config = readConfig({ ENCRYPTION_KEY });
    keys = new ChainKeys(await loadServiceSecret(service.stores.databaseUrl, await loadEncryptionKey(config, service.stores.databaseUrl)));
    for (let n = 0; n < 5; n += 1) await post('/v1/charges', CHARGE_ORDER);
    await eventually(async () => (await get('/audit/chain/head')).status === 200);
  });
  afterAll(() => service.stop());

  /** Reads the event's proof, and checks it as an auditor without any other source. */
  async function proven(eventId: string): Promise<any> {
    const { status, body: proof, text } = await get(`/audit/chain/proof?EventId=${eventId}`);
    expect({ status, text }).toMatchObject({ status: 200 });
    const { event, leaf_index, audit_path, head } = proof;
    expect(misstatedField(event, leaf_index + 1)).toBeNull();
    const path = audit_path.map((hash: string) => Buffer.from(hash, 'hex'));
    expect(rootOfPath(leafOfTexts(event, event.stored), leaf_index, head.events, path)?.toString('hex')).toBe(head.hash);
    expect(keys.hasSigned(head)).toBe(true);
    return proof;
  }

  it('returns a signed head over every event within a second of the last event', async () => {
    await post('/v1/charges', CHARGE_ORDER);
    const events = await log();
    await within(1_000, () => eventually(async () => (await get('/audit/chain/head')).body.events === events.length));
    const { body: head } = await get('/audit/chain/head');
    expect(Object.keys(head)).toEqual(['position', 'events', 'hash', 'signature', 'sealed_on']);
    expect(head).toMatchObject({ position: events.length, sealed_on: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:]{8}\.\d{3}\+00:00$/) });

    const tree = new GrowingTree();
    for (const event of events) tree.append(leafOfTexts(event, event.type.endsWith('KeyIssued') ? await sealed(event.id) : event.stored!));
    expect(head.hash).toBe(tree.root().toString('hex'));
    const signed = `chargebook chain head 1\n${head.events}\n${head.hash}\n${head.sealed_on}\n`;
    expect(verify(null, Buffer.from(signed), keys.publicKey, Buffer.from(head.signature, 'base64'))).toBe(true);
    expect(keys.hasSigned({ ...head, events: head.events + 1 })).toBe(false);
  });

  const sealed = async (eventId: string) => (await proven(eventId)).event.stored;

  it('proves an event right after its append', async () => {
    const charge = await post('/v1/charges', CHARGE_ORDER);
    const [event] = (await get(`/v1/charges/${charge.id}/events`, merchant.key)).body;
    const proof = await proven(event.id);
    expect(proof.event).toMatchObject({ type: 'ChargeCreated', stream: `charge-${charge.id}`, data: { amount: 10_000 } });
    expect(JSON.parse(proof.event.stored.data)).toEqual(proof.event.data);
  });

  it('proves every event, and shows no key, no hash of a key and no account', async () => {
    for (const [index, event] of (await log()).entries()) {
      const proof = await proven(event.id);
      expect(proof.leaf_index).toBe(index);
      if (event.type === 'ApiKeyIssued') expect(JSON.stringify(proof)).not.toContain((event.data as { key_hash: string }).key_hash);
    }
  });

  it('the page of an event shows that it is sealed, offers its proof as a file, and names one that differs', async () => {
    const visitor = await ConsoleVisitor.signIn(service, finance);
    const charge = await post('/v1/charges', CHARGE_ORDER);
    const [{ id }] = (await get(`/v1/charges/${charge.id}/events`, merchant.key)).body;
    const { event } = await proven(id);
    const { text } = await visitor.page(`events/${event.position}`);
    expect(text).toContain('<strong>Sealed.</strong>');
    expect(text).toContain(leafOfTexts(event, event.stored).toString('hex'));
    const file = await visitor.page(/events\/\d+\/proof\.json/.exec(text)![0]);
    expect(file.headers.get('content-disposition')).toBe(`attachment; filename="proof-of-event-${event.position}.json"`);
    expect(file.headers.get('content-type')).toMatch(/^application\/json/);
    const { head, ...proof } = file.body;
    expect(proof).toMatchObject({ event, leaf_index: event.position - 1 });
    expect(
      rootOfPath(
        leafOfTexts(event, event.stored),
        proof.leaf_index,
        head.events,
        proof.audit_path.map((hash: string) => Buffer.from(hash, 'hex')),
      ),
    ).toEqual(Buffer.from(head.hash, 'hex'));
    expect(keys.hasSigned(head)).toBe(true);
    expect(text).toMatch(/chargebook audit verify --offline proof-of-event-\d+\.json --head [0-9a-f]{64}</);

    const admin = new pg.Client({ connectionString: service.stores.databaseUrl });
    await admin.connect();
    const change = async (from: string, to: string): Promise<void> => {
      await admin.query(`update event_store.events set data = replace(data::text, $1, $2)::json where id = $3`, [from, to, id]);
    };
    await admin.query('alter table event_store.events disable trigger all');
    await change('10000', '90000');
    const broken = await visitor.page(`events/${event.position}`);
    expect([broken.status, broken.text.includes('<strong>Sealed.</strong>')]).toEqual([200, false]);
    expect(broken.text).toContain('<strong>Not as it was sealed.</strong>');
    expect((await visitor.page(`events/${event.position}/proof.json`)).status).toBe(409);
    await change('90000', '10000');
    await admin.query('alter table event_store.events enable trigger all');
    await admin.end();
    expect((await visitor.page(`events/${event.position}`)).text).toContain('<strong>Sealed.</strong>');
    expect((await visitor.page('events/1000000/proof.json')).status).toBe(404);
  });

  it('an event of a customer keeps its proof after the erasure', async () => {
    const customer = await post('/v1/customers', PERSON);
    const events = (await get(`/v1/customers/${customer.id}/events`, merchant.key)).body as { id: string }[];
    const before = await proven(events[0]!.id);
    expect(JSON.stringify(before)).not.toContain('Zebulon');
    expect((await service.call('DELETE', `/v1/customers/${customer.id}`, { key: merchant.key })).status).toBe(204);
    const after = await proven(events[0]!.id);
    expect(after.event).toEqual(before.event);
  });

  it('consistency paths prove by RFC 9162 that every earlier head is the beginning of the newest', async () => {
    const { body: kept } = await get('/audit/chain/head');
    for (let n = 0; n < 4; n += 1) await post('/v1/charges', CHARGE_ORDER);
    await eventually(async () => (await get('/audit/chain/head')).body.events >= kept.events + 4);
    const tree = ({ events, hash }: { events: number; hash: string }) => ({ events, root: Buffer.from(hash, 'hex') });
    const { body: newest } = await get(`/audit/chain/consistency?First=${kept.events}`);
    expect(newest.first).toEqual({ events: kept.events, hash: kept.hash });
    expect(newest.second).toEqual({ events: newest.head.events, hash: newest.head.hash });
    expect(keys.hasSigned(newest.head)).toBe(true);
    for (let first = 1; first <= newest.head.events; first += 1) {
      const { status, body } = await get(`/audit/chain/consistency?First=${first}&Second=${newest.head.events}`);
      expect(status).toBe(200);
      const path = body.consistency_path.map((hash: string) => Buffer.from(hash, 'hex'));
      expect(isAppended(tree(body.first), tree(newest.head), path)).toBe(true);
      expect(isAppended({ ...tree(body.first), root: Buffer.alloc(32) }, tree(newest.head), path)).toBe(false);
    }
  });

  it('consistency: returns 404 for a size beyond the head, and 400 for malformed sizes', async () => {
    const { body: head } = await get('/audit/chain/head');
    const far = head.events + 1_000;
    for (const query of [`First=${far}`, `First=1&Second=${far}`]) {
      expect((await get(`/audit/chain/consistency?${query}`)).body).toMatchObject({ status: 404, code: 'not-found' });
    }
    for (const query of [
      '',
      'First=',
      'First=0',
      'First=-1',
      'First=1.5',
      'First=x',
      `First=${head.hash}`,
      'First=3&Second=2',
      'First=1&Second=0',
      'First=1&Third=2',
    ]) {
      expect((await get(`/audit/chain/consistency?${query}`)).body).toMatchObject({ status: 400, code: 'validation-failed' });
    }
  });

  it('health reports the sealed position and is ready', async () => {
    const events = (await log()).length;
    const health = async () => (await service.call('GET', '/health/ready')).body.checks.sealing;
    await eventually(async () => (await health()).position >= events);
    await eventually(async () => (await health()).unsealed_events === 0);
    expect(await health()).toMatchObject({ status: 'ok', oldest_unsealed_seconds: 0 });
  });

  it('rejects requests with a merchant’s key with 403, and without a key with 401', async () => {
    for (const path of ['/audit/chain/head', '/audit/chain/consistency?First=1', '/audit/chain/proof?EventId=7c1e4c0e-55a5-4c1b-9d1c-0d9f2f3b6a10']) {
      expect((await get(path, merchant.key)).status).toBe(403);
      expect((await service.call('GET', path)).status).toBe(401);
    }
  });

  it('proof: returns 404 for an unknown event, and 400 for a malformed id', async () => {
    expect((await get('/audit/chain/proof?EventId=7c1e4c0e-55a5-4c1b-9d1c-0d9f2f3b6a10')).status).toBe(404);
    for (const query of ['', '?EventId=1', '?EventId=', '?Event=7c1e4c0e-55a5-4c1b-9d1c-0d9f2f3b6a10']) {
      expect((await get(`/audit/chain/proof${query}`)).status).toBe(400);
    }
  });
});

describe('a log without a sealing worker', () => {
  let service: TestService;
  beforeAll(async () => {
    service = await startTestService({ ROLES: 'api,projector', ENCRYPTION_KEY });
  });
  afterAll(() => service.stop());

  it('missing seals: health and metrics report them, the console warns, requests still succeed', async () => {
    // The first event of the log is an hour old.
    const deps = { ...service.deps, clock: () => Date.now() - 3_600_000 };
    const { key } = await issueKey(deps, { kind: 'finance' }, { name: 'Auditor', expires_on: null });
    const merchant = await service.newMerchant();
    const { url } = await service.another();
    const ready = await service.call('GET', `${url}/health/ready`);
    expect([ready.status, ready.body.checks.sealing]).toEqual([
      200,
      { status: 'ok', position: 0, unsealed_events: expect.any(Number), oldest_unsealed_seconds: expect.any(Number) },
    ]);
    expect(ready.body.checks.sealing.unsealed_events).toBeGreaterThanOrEqual(1);
    expect(ready.body.checks.sealing.oldest_unsealed_seconds).toBeGreaterThanOrEqual(3_599);

    const metrics = (await service.call('GET', `${url}/metrics`)).text;
    expect(metrics).toMatch(/^chain_sealed_position\b.* 0$/m);
    expect(metrics).toMatch(/^chain_unsealed_events\b.* [1-9]\d*$/m);
    expect(metrics).toMatch(/^chain_oldest_unsealed_seconds\b.* 3[56]\d\d(?:\.\d+)?$/m);

    const headers = { 'content-type': 'application/x-www-form-urlencoded', origin: url };
    const signedIn = await service.call('POST', `${url}/console/login`, { body: new URLSearchParams({ key }).toString(), headers });
    const cookie = signedIn.headers.get('set-cookie')!.split(';')[0]!;
    for (const path of ['/console', '/console/chain']) {
      expect((await service.call('GET', url + path, { headers: { cookie } })).text.replace(/\s+/g, ' ')).toMatch(
        /role="alert"> <strong>Sealing of the log has stopped\.<\/strong> \d+ events? (?:is|are) not sealed, the oldest for (?:59|60) minutes/,
      );
    }
    const charge = { key: merchant.key, body: CHARGE_ORDER, headers: newIdempotencyKey() };
    expect((await service.call('POST', `${url}/v1/charges`, charge)).status).toBe(200);
  });
});
