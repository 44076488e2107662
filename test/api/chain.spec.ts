import { verify } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { ChainKeys } from '../../src/audit/chain-keys.js';
import { leafOfTexts, misstatedField } from '../../src/audit/leaf.js';
import { GrowingTree, rootOfPath } from '../../src/audit/merkle-tree.js';
import { readConfig } from '../../src/config.js';
import { loadEncryptionKey } from '../../src/encryption-key.js';
import { issueKey } from '../../src/merchants/merchant.handlers.js';
import { loadServiceSecret } from '../../src/service-secret.js';
import { collect } from '../support/events.js';
import { eventually } from '../support/eventually.js';
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
    finance = (await issueKey(service.shell, { kind: 'finance' }, { name: 'Auditor', expires_on: null })).key;
    const config = readConfig({ ENCRYPTION_KEY });
    keys = new ChainKeys(await loadServiceSecret(service.stores.databaseUrl, await loadEncryptionKey(config, service.stores.databaseUrl)));
    for (let n = 0; n < 5; n += 1) await post('/v1/charges', CHARGE_ORDER);
    await eventually(async () => (await get('/audit/chain/head')).status === 200);
  });
  afterAll(() => service.stop());

  /** The event's proof, checked as an auditor would who has nothing else. */
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

  it('answers a signed head over every event within a second of the last', async () => {
    await post('/v1/charges', CHARGE_ORDER);
    const events = await log();
    await eventually(async () => (await get('/audit/chain/head')).body.events === events.length, 1_000);
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

  it('proves an event that was appended a moment ago', async () => {
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

  it('still proves what is known of a customer who was erased', async () => {
    const customer = await post('/v1/customers', PERSON);
    const events = (await get(`/v1/customers/${customer.id}/events`, merchant.key)).body as { id: string }[];
    const before = await proven(events[0]!.id);
    expect(JSON.stringify(before)).not.toContain('Zebulon');
    expect((await service.call('DELETE', `/v1/customers/${customer.id}`, { key: merchant.key })).status).toBe(204);
    const after = await proven(events[0]!.id);
    expect(after.event).toEqual(before.event);
  });

  it('is for finance alone', async () => {
    for (const path of ['/audit/chain/head', '/audit/chain/proof?EventId=7c1e4c0e-55a5-4c1b-9d1c-0d9f2f3b6a10']) {
      expect((await get(path, merchant.key)).status).toBe(403);
      expect((await service.call('GET', path)).status).toBe(401);
    }
  });

  it('knows no event that is not there, and takes no id that is none', async () => {
    expect((await get('/audit/chain/proof?EventId=7c1e4c0e-55a5-4c1b-9d1c-0d9f2f3b6a10')).status).toBe(404);
    for (const query of ['', '?EventId=1', '?EventId=', '?Event=7c1e4c0e-55a5-4c1b-9d1c-0d9f2f3b6a10']) {
      expect((await get(`/audit/chain/proof${query}`)).status).toBe(400);
    }
  });
});
