import { afterEach, describe, expect, it } from '@jest/globals';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import fc from 'fast-check';
import { eventually } from '../support/eventually.js';
import { sized } from '../support/nightly.js';
import { createServiceDatabase } from '../support/service-database.js';
import { startServiceProcess } from '../support/service-process.js';
import { call, newIdempotencyKey, startTestService, type TestService } from '../support/service.js';

const PERSON = {
  name: 'Zebulon Quarterstaff',
  description: 'Collects marmalade spoons',
  email: 'zebulon@quarterstaff.example',
  phone: '+62 811-7777-0001',
  address: { line1: 'Kumquat Lane 77', line2: 'Attic of Owls', city: 'Wobbleford', state: 'Nether Gloaming', postal_code: 'ZQ-90210', country: 'ID' },
  shipping: { phone: '0811 6666 0002', receiver_name: 'Ermintrude Pomfret', address: { line1: 'Haberdasher Row 3' } },
  tax: { id_type: 'MARMALADE-ID', id_value: '99.887.766.5-443.221' },
  metadata: { favourite_colour: 'heliotrope' },
};
const UPDATE = { email: 'zeb@pomfret.example', tax: { id_type: 'SPOON-ID', id_value: '11.223.344' } };

/** Every text of the person except the country. */
const PERSONAL = [...texts(PERSON), ...texts(UPDATE)].filter((text) => text !== 'ID');

function texts(value: object): string[] {
  return Object.values(value).flatMap((member: unknown) => (typeof member === 'string' ? [member] : texts(member as object)));
}

/** Returns the person's texts that `dump` contains in plain text, in hex, or in base64 at any of its three alignments. */
function leaks(dump: string): string[] {
  const lower = dump.toLowerCase();
  return PERSONAL.filter((text) => {
    const bytes = Buffer.from(text);
    const encoded = [0, 1, 2].map((shift) =>
      Buffer.concat([Buffer.alloc(shift), bytes])
        .toString('base64')
        .slice(shift === 0 ? 0 : 4, -4),
    );
    return lower.includes(text.toLowerCase()) || lower.includes(bytes.toString('hex')) || encoded.some((part) => dump.includes(part));
  });
}

/** Returns every row of every table of the database as text. */
async function dumpOf(client: pg.Client): Promise<string> {
  const { rows: tables } = await client.query<{ name: string }>(
    `select format('%I.%I', schemaname, tablename) as name from pg_tables where schemaname not in ('pg_catalog', 'information_schema') order by 1`,
  );
  const parts: string[] = [];
  for (const { name } of tables) {
    const { rows } = await client.query<{ row: string }>(`select t::text as row from ${name} t`);
    parts.push(name, ...rows.map(({ row }) => row));
  }
  return parts.join('\n');
}

const closing: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});

const connect = async (url: string): Promise<pg.Client> => {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  closing.push(() => client.end());
  return client;
};
const startService = async (): Promise<TestService> => {
  const service = await startTestService();
  closing.push(() => service.stop());
  return service;
};

describe('stored data of a customer', () => {
  it('stored values are never in clear, and cannot be decrypted after the deletion', async () => {
    const service = await startService();
    const { key } = await service.newMerchant();
    const { body: customer } = await service.call('POST', '/v1/customers', { key, body: PERSON, headers: newIdempotencyKey() });
    await service.call('PUT', '/v1/customers', { key, body: { id: customer.id, ...UPDATE } });
    expect((await service.call('GET', `/v1/customers/${customer.id}`, { key })).body).toMatchObject(UPDATE);

    const client = await connect(service.stores.databaseUrl);
    const before = await dumpOf(client);
    expect(before).toContain(`customer-${customer.id}`);
    expect(leaks(before)).toEqual([]);
    expect(leaks(`x${JSON.stringify(PERSON)}`).length).toBeGreaterThan(10);

    const sealedBefore = await service.stores.eventStore.read(`customer-${customer.id}`);
    expect((await service.call('DELETE', `/v1/customers/${customer.id}`, { key })).status).toBe(204);
    expect(leaks(await dumpOf(client))).toEqual([]);
    const { rows } = await client.query('select wrapped_key, destroyed_on is not null as destroyed from customer_keys where customer_id = $1', [
      customer.id,
    ]);
    expect(rows).toEqual([{ wrapped_key: null, destroyed: true }]);
    // The events in the log are unchanged, so that their proofs stay valid.
    expect((await service.stores.eventStore.read(`customer-${customer.id}`)).slice(0, 2)).toEqual(sealedBefore);
  });
});

describe('an interrupted erasure', () => {
  it('a crash between event and key destruction: another process completes it, and no log line has personal data', async () => {
    const database = await createServiceDatabase();
    closing.push(() => database.drop());
    const dataDir = await mkdtemp(join(tmpdir(), 'chargebook-erasure-'));
    closing.push(() => rm(dataDir, { recursive: true, force: true }));
    const env = { DATA_DIR: dataDir, DATABASE_URL: database.url, LOG_LEVEL: 'trace' };

    const first = await startServiceProcess(env);
    closing.push(() => first.kill());
    const printed = (): string => first.lines.join('\n');
    await eventually(() => /sk_test_[0-9A-Za-z]{36}/.test(printed()));
    const key = /sk_test_[0-9A-Za-z]{36}/.exec(printed())![0];
    const headers = newIdempotencyKey();
    const { body: customer } = await call('POST', `${first.url}/v1/customers`, { key, body: PERSON, headers });

    const client = await connect(database.url);
    const stream = `customer-${customer.id}`;
    const isInLog = async (): Promise<boolean> =>
      (await client.query("select 1 from event_store.events where stream = $1 and type = 'CustomerDeleted'", [stream])).rowCount === 1;
    await client.query('begin; lock table customer_keys in exclusive mode');
    const answer = call('DELETE', `${first.url}/v1/customers/${customer.id}`, { key }).catch(() => 'no answer');
    await eventually(isInLog);
    await first.kill();
    expect(await answer).toBe('no answer');
    // Ends the sessions, so that no statement sent before the crash takes effect after it.
    await client.query('select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()');
    const wrapped = async (): Promise<unknown> =>
      (await client.query<{ wrapped_key: Buffer | null }>('select wrapped_key from customer_keys where customer_id = $1', [customer.id])).rows[0]!
        .wrapped_key;
    expect(await wrapped()).not.toBeNull();
    await client.query('rollback');

    const second = await startServiceProcess(env);
    closing.push(() => second.stop());
    await eventually(async () => (await wrapped()) === null);
    for (const gone of [
      await call('GET', `${second.url}/v1/customers/${customer.id}`, { key }),
      await call('POST', `${second.url}/v1/customers`, { key, body: PERSON, headers }),
      await call('DELETE', `${second.url}/v1/customers?Id=${customer.id}`, { key }),
    ]) {
      expect(gone.status).toBe(404);
    }
    expect(leaks(`${printed()}\n${second.lines.join('\n')}`)).toEqual([]);
  });

  it('shows no personal data when a backup restores the key', async () => {
    const service = await startService();
    const { key } = await service.newMerchant();
    const { body: customer } = await service.call('POST', '/v1/customers', { key, body: PERSON, headers: newIdempotencyKey() });
    const client = await connect(service.stores.databaseUrl);
    await client.query('create table backup as select * from customer_keys');
    await service.call('DELETE', `/v1/customers/${customer.id}`, { key });
    await client.query(
      'update customer_keys k set wrapped_key = b.wrapped_key, destroyed_on = null from backup b where b.customer_id = k.customer_id',
    );
    // The log decides: the customer is deleted, with or without its key.
    expect((await service.call('GET', `/v1/customers/${customer.id}`, { key })).status).toBe(404);
    const history = await service.call('GET', `/v1/customers/${customer.id}/events`, { key });
    expect(leaks(history.text)).toEqual([]);
  });
});

describe('updates of a customer', () => {
  it('random updates follow the rules of the contract', async () => {
    const service = await startService();
    const { key } = await service.newMerchant();
    const text = (maxLength: number) =>
      fc.oneof(
        fc.constant(null),
        fc.constant(undefined),
        fc.stringMatching(/^[ -~À-ɏ😀]*$/u).filter((value) => value.length <= maxLength),
      );
    const address = fc.record({
      line1: text(255),
      line2: text(255),
      city: text(255),
      state: text(255),
      postal_code: text(255),
      country: fc.constantFrom(null, undefined, 'ID', 'MY', 'SG'),
    });
    const nested = <T>(value: fc.Arbitrary<T>) => fc.oneof(fc.constant(null), fc.constant(undefined), value);
    const phone = fc.constantFrom(null, undefined, '12345', '+62 (0) 1.2-3');
    const changes = fc.record({
      name: fc.constantFrom(undefined, 'A', 'Sari Dewi', '名前'),
      description: text(500),
      email: fc.constantFrom(null, undefined, 'a@b.id', 'sari+x@mail.example.com'),
      phone,
      address: nested(address),
      shipping: nested(fc.record({ phone, receiver_name: text(255), address: nested(address) })),
      tax: nested(fc.record({ id_type: text(64), id_value: text(64) })),
      metadata: nested(fc.dictionary(fc.stringMatching(/^[a-z]{1,8}$/), fc.stringMatching(/^[ -~]{0,20}$/), { maxKeys: 3 })),
    });
    /** Sets absent members of a nested object to null. */
    const whole = (value: unknown, form: object): unknown =>
      value === null
        ? null
        : Object.fromEntries(
            Object.entries(form).map(([member, inner]) => {
              const given = (value as Record<string, unknown>)[member] ?? null;
              return [member, inner === null ? given : whole(given, inner as object)];
            }),
          );
    const ADDRESS = { line1: null, line2: null, city: null, state: null, postal_code: null, country: null };
    const FORMS = { address: ADDRESS, shipping: { phone: null, receiver_name: null, address: ADDRESS }, tax: { id_type: null, id_value: null } };
    const after = (record: Record<string, unknown>, change: Record<string, unknown>): Record<string, unknown> => {
      const next = { ...record };
      for (const field of ['name', 'description', 'email', 'phone', 'address', 'shipping', 'tax']) {
        if (change[field] === undefined) continue;
        next[field] = field in FORMS ? whole(change[field], FORMS[field as keyof typeof FORMS]) : change[field];
      }
      return next;
    };

    await fc.assert(
      fc.asyncProperty(fc.array(changes, { minLength: 1, maxLength: 6 }), async (history) => {
        const created = await service.call('POST', '/v1/customers', { key, body: PERSON, headers: newIdempotencyKey() });
        let expected = after(created.body, { shipping: PERSON.shipping });
        for (const change of history) {
          const answer = await service.call('PUT', '/v1/customers', { key, body: { id: created.body.id, ...change } });
          expected = { ...after(expected, change), updated_on: answer.body.updated_on };
          expect([answer.status, answer.body]).toEqual([200, expected]);
        }
        expect((await service.call('GET', `/v1/customers/${created.body.id}`, { key })).body).toEqual(expected);
      }),
      { seed: 20_260_131, numRuns: sized(8, 25), endOnFailure: true },
    );
  });
});
