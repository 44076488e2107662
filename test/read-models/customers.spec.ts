import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import fc from 'fast-check';
import type { Pool } from 'pg';
import { customers, findCustomer, findCustomers, findUnfinishedErasures } from '../../projections/customers/customers.js';
import type { CustomerDetails, CustomerEvent } from '../../src/ledger/events/customer.events.js';
import { CustomerKeys } from '../../src/domain/customers/customer-keys.js';
import { DestroyedKeyScrubber } from '../../src/ledger/crypto/destroyed-key-scrubber.js';
import { decryptDetails, encryptDetails } from '../../src/ledger/crypto/customer-encryption.js';
import { KeyWrapping } from '../../src/ledger/crypto/key-wrapping.js';
import { newEvent } from '../../src/ledger/streams/new-event.js';
import { derivedId } from '../../src/ledger/ids/idempotency.js';
import { DecryptionFailed } from '../../src/ledger/crypto/encryption.js';
import { MIGRATIONS } from '../../src/app/migrations.js';
import { recordedErasures } from '../../src/app/workers/erasures.js';
import { createPool, inTransaction } from '../../src/platform/postgres/pool.js';
import type { OrdinalEvent } from '../../src/platform/projector/projection.js';
import { ErasureWorker } from '../../src/ledger/crypto/erasure.worker.js';
import { later, milliseconds, timestamp } from '../../src/ledger/time.js';
import { eventually } from '../support/eventually.js';
import { explainStatements, onPlans, type Plan } from '../support/explained.js';
import { createTestDatabase, type TestDatabase } from '../support/postgres.js';
import { contents, project } from '../support/projected.js';

let database: TestDatabase;
let pool: Pool;
let keys: CustomerKeys;
const wrapping = new KeyWrapping(Buffer.alloc(32, 7), 'customer');
const START = Date.parse('2026-01-31T08:15:30.123Z');

beforeAll(async () => {
  database = await createTestDatabase(MIGRATIONS);
  pool = createPool({ url: database.url, applicationName: 'test' });
  keys = new CustomerKeys(pool, wrapping, () => START);
});
beforeEach(() => pool.query('truncate customer_keys'));
afterAll(async () => {
  await pool.end();
  await database.drop();
});

const detailsOf = (name: string): CustomerDetails => ({
  name,
  description: null,
  email: null,
  phone: null,
  address: null,
  shipping: null,
  tax: null,
  metadata: {},
});

interface Expected {
  readonly id: string;
  readonly name: string;
  readonly version: number;
  readonly created_on: string;
  readonly updated_on: string;
}

/** Customers of two merchants that are created, changed and deleted, and the rows that must remain. */
class Town {
  readonly events: OrdinalEvent[] = [];
  readonly merchants = ['0b0f2d6e-3f0e-4c55-9d3b-2a4f0a1c7e11', '0b0f2d6e-3f0e-4c55-9d3b-2a4f0a1c7e12'] as const;
  readonly people = new Map<string, Expected & { readonly merchant_id: string }>();
  readonly deleted: string[] = [];

  async step(kind: number, which: number): Promise<void> {
    const present = [...this.people.values()];
    const operator = present[which % Math.max(1, present.length)];
    const now = timestamp(START + Math.floor(this.events.length / 3));
    if (kind < 4 || !operator) {
      const id = derivedId(this.merchants[0], `customer ${this.events.length}`);
      const merchant_id = this.merchants[which % 2]!;
      const name = `Name ${this.events.length}`;
      this.people.set(id, { id, merchant_id, name, version: 1, created_on: now, updated_on: now });
      const sealed = await this.#encrypt(id, name);
      this.#add(id, 0, { type: 'CustomerCreated', data: { customer_id: id, merchant_id, sealed, created_by: 'key', created_on: now } });
      return;
    }
    const { id, merchant_id, version, created_on } = operator;
    if (kind < 8) {
      const name = `Name ${this.events.length}`;
      // The clock of the writing process may be behind.
      const updated_on = which % 4 === 0 ? timestamp(milliseconds(now) - 5_000) : now;
      this.people.set(id, { ...operator, name, version: version + 1, updated_on: later(created_on, updated_on) });
      const sealed = await this.#encrypt(id, name);
      this.#add(id, version, { type: 'CustomerUpdated', data: { customer_id: id, merchant_id, sealed, updated_by: 'key', updated_on } });
    } else {
      this.people.delete(id);
      this.deleted.push(id);
      this.#add(id, version, { type: 'CustomerDeleted', data: { customer_id: id, merchant_id, deleted_by: 'key', deleted_on: now } });
    }
  }

  /** The customers of a merchant in the order of its list. */
  expected(merchantId: string): Expected[] {
    return [...this.people.values()]
      .filter(({ merchant_id }) => merchant_id === merchantId)
      .sort((a, b) => (a.created_on + a.id < b.created_on + b.id ? -1 : 1))
      .map(({ merchant_id: _, ...operator }) => operator);
  }

  async #encrypt(id: string, name: string): Promise<string> {
    return encryptDetails((await keys.getOrCreate(id))!, id, detailsOf(name));
  }

  #add(id: string, revision: number, event: CustomerEvent): void {
    const context = { now: timestamp(START), actor: 'key', correlation_id: id, causation_id: id };
    const ordinal = this.events.length + 1;
    this.events.push({ ...newEvent(event, context), stream: `customer-${id}`, revision, position: BigInt(ordinal), ordinal });
  }
}

const histories = fc.array(fc.tuple(fc.nat(9), fc.nat(50)), { minLength: 30, maxLength: 80, size: 'max' });
const townOf = async (history: readonly (readonly [number, number])[]): Promise<Town> => {
  await pool.query('truncate customer_keys');
  const town = new Town();
  for (const [kind, which] of history) await town.step(kind, which);
  return town;
};

/** Rows that a statement read of the table. */
function rowsOf(table: string, plan: Plan): number {
  const own = plan['Relation Name'] === table ? plan['Actual Rows'] * plan['Actual Loops'] : 0;
  return (plan.Plans ?? []).reduce((sum, inner) => sum + rowsOf(table, inner), own);
}

describe('the projection of customers', () => {
  it('the customers projection lists existing customers in pages with exact totals, in any batch size', async () => {
    await fc.assert(
      fc.asyncProperty(histories, async (history) => {
        const town = await townOf(history);
        await project(pool, customers, town.events, 1);
        const oneByOne = await contents(pool, 'customers');
        for (const batchSize of [7, town.events.length]) {
          await project(pool, customers, town.events, batchSize);
          expect(await contents(pool, 'customers')).toEqual(oneByOne);
        }
        for (const merchant of town.merchants) {
          const expected = town.expected(merchant);
          const shown = [];
          for (let page_number = 1; shown.length < expected.length; page_number += 1) {
            const { total, items } = await findCustomers(pool, wrapping, merchant, { page_number, page_size: 4, is_descending: false });
            expect(total).toBe(expected.length);
            shown.push(...items.map(({ details, ...row }) => ({ ...row, name: details.name })));
          }
          expect(shown).toEqual(expected);
          const descending = await findCustomers(pool, wrapping, merchant, { page_number: 1, page_size: 100, is_descending: true });
          expect(descending.items.map(({ id }) => id)).toEqual(expected.map(({ id }) => id).reverse());
        }
      }),
      { seed: 20_260_131, numRuns: 8, endOnFailure: true },
    );
  });

  it('replaying the customers projection after an erasure gives the same rows', async () => {
    const town = await townOf([
      [0, 0],
      [0, 1],
      [5, 0],
      [9, 0],
    ]);
    await project(pool, customers, town.events, 10);
    const before = await contents(pool, 'customers');
    await keys.destroy(town.deleted);
    await project(pool, customers, town.events, 1);
    expect(await contents(pool, 'customers')).toEqual(before);
  });

  it('looks up the keys of the customers on a page, and no others', async () => {
    const explained = await createTestDatabase(MIGRATIONS);
    await explainStatements(explained.url);
    const reads = createPool({ url: explained.url, applicationName: 'test', maxConnections: 1 });
    let lookedUp = 0;
    onPlans(reads, (_, plan) => (lookedUp += rowsOf('customer_keys', plan)));
    try {
      const town = await townOf(Array.from({ length: 60 }, () => [0, 0]));
      await project(reads, customers, town.events, 60);
      const { rows } = await pool.query<{ customer_id: string; wrapped_key: Buffer }>('select customer_id, wrapped_key from customer_keys');
      for (const { customer_id, wrapped_key } of rows)
        await reads.query('insert into customer_keys (customer_id, wrapped_key) values ($1, $2)', [customer_id, wrapped_key]);
      for (const is_descending of [false, true]) {
        lookedUp = 0;
        const { total, items } = await findCustomers(reads, wrapping, town.merchants[0], { page_number: 12, page_size: 4, is_descending });
        expect({ total, items: items.length, lookedUp }).toEqual({ total: 60, items: 4, lookedUp: 4 });
      }
    } finally {
      await reads.end();
      await explained.drop();
    }
  });

  it('hides customers whose key was destroyed, and reports a key that was lost', async () => {
    const town = await townOf([[0, 0]]);
    const [operator] = town.expected(town.merchants[0]);
    await project(pool, customers, town.events, 10);
    expect(await findCustomer(pool, wrapping, town.merchants[0], operator!.id)).toMatchObject({ details: { name: operator!.name } });
    expect(await findCustomer(pool, wrapping, town.merchants[1], operator!.id)).toBeUndefined();
    await keys.destroy([operator!.id]);
    expect(await findCustomer(pool, wrapping, town.merchants[0], operator!.id)).toBeUndefined();
    // It is counted until the projection has removed it.
    const page = { page_number: 1, page_size: 10, is_descending: false };
    expect(await findCustomers(pool, wrapping, town.merchants[0], page)).toEqual({ total: 1, items: [] });
    await pool.query('truncate customer_keys');
    await expect(findCustomer(pool, wrapping, town.merchants[0], operator!.id)).rejects.toThrow('customer_keys was not restored');
  });

  it('the customers projection stops at a change of a customer that was never created', async () => {
    const town = await townOf([
      [0, 0],
      [5, 0],
      [9, 0],
    ]);
    const [, updated, deleted] = town.events;
    await expect(project(pool, customers, [updated!], 10)).rejects.toThrow('never created');
    await expect(project(pool, customers, [deleted!], 10)).rejects.toThrow('never created');
  });

  it('lists unfinished erasures in pages', async () => {
    const town = await townOf([0, 0, 0, 0, 0, 9, 9, 9, 9, 9].map((kind) => [kind, 0]));
    await project(pool, customers, town.events, 10);
    await keys.destroy([town.deleted[0]!, town.deleted[3]!]);
    const first = await findUnfinishedErasures(pool, 0n, 2);
    expect(first.ids).toEqual([town.deleted[1]]);
    const second = await findUnfinishedErasures(pool, first.looked_to, 10);
    expect(second.ids).toEqual([town.deleted[2], town.deleted[4]]);
    expect(await findUnfinishedErasures(pool, second.looked_to, 10)).toEqual({ ids: [], looked_to: second.looked_to });
  });
});

describe('the erasure process', () => {
  const erasure = (): ErasureWorker =>
    new ErasureWorker({
      databaseUrl: database.url,
      erasures: [recordedErasures({ pool, clock: () => START }).customers],
      traces: new DestroyedKeyScrubber({ pool, ownsLog: () => Promise.resolve(false), clock: () => START }),
      onError: (error) => {
        throw error;
      },
    });
  const isErased = async (id: string): Promise<boolean> => (await keys.find(id)) === null;

  it('the erasure worker destroys the keys of deleted customers, also of later deletions, and after a restart those that a backup restored', async () => {
    const town = await townOf([0, 0, 0, 9, 9].map((kind) => [kind, 0]));
    const [kept] = town.people.keys();
    await project(pool, customers, town.events.slice(0, 4), 10);
    await pool.query('drop table if exists backup; create table backup as select * from customer_keys');
    const first = erasure();
    first.start();
    await eventually(() => isErased(town.deleted[0]!));
    const isWithoutTrace = async (id: string): Promise<boolean> =>
      (await pool.query('select from customer_keys where customer_id = $1 and traces_removed_on is not null', [id])).rowCount === 1;
    await eventually(() => isWithoutTrace(town.deleted[0]!));
    expect(await isErased(town.deleted[1]!)).toBe(false);
    await inTransaction(pool, (tx) => customers.readModels[0]!.apply(tx, 'customers', town.events.slice(4).map(customers.decode)));
    await eventually(() => isErased(town.deleted[1]!));
    await first.stop();

    await pool.query('truncate customer_keys; insert into customer_keys select * from backup');
    const second = erasure();
    second.start();
    await eventually(async () => (await isErased(town.deleted[0]!)) && (await isErased(town.deleted[1]!)));
    await second.stop();
    expect(await isErased(kept!)).toBe(false);
  });
});

describe('the keys of customers', () => {
  it('concurrent requests for the key of a customer get the same key', async () => {
    const id = randomUUID();
    const found = await Promise.all(Array.from({ length: 20 }, () => keys.getOrCreate(id)));
    expect(new Set(found.map((key) => key?.toString('hex'))).size).toBe(1);
    expect(await keys.find(id)).toEqual(found[0]);
    expect(await keys.getOrCreate(randomUUID())).not.toEqual(found[0]);
  });

  it('a destroyed customer key stays destroyed, also when it never existed', async () => {
    const [id, never] = [randomUUID(), randomUUID()];
    await keys.getOrCreate(id);
    await keys.destroy([id, never]);
    await keys.destroy([id]);
    for (const gone of [id, never]) expect([await keys.getOrCreate(gone), await keys.find(gone)]).toEqual([null, null]);
    const { rows } = await pool.query<{ gone: boolean }>('select wrapped_key is null and destroyed_on is not null as gone from customer_keys');
    expect(rows).toEqual([{ gone: true }, { gone: true }]);
  });

  it('a customer key opens only with its secret and for its customer', () => {
    const { key, wrapped } = wrapping.newKey('a');
    expect(wrapping.unwrap('a', wrapped)).toEqual(key);
    expect(() => wrapping.unwrap('b', wrapped)).toThrow(DecryptionFailed);
    expect(() => new KeyWrapping(Buffer.alloc(32, 8), 'customer').unwrap('a', wrapped)).toThrow(DecryptionFailed);
    const sealed = encryptDetails(key, 'a', detailsOf('Sari'));
    expect(decryptDetails(key, 'a', sealed)).toEqual(detailsOf('Sari'));
    expect(() => decryptDetails(key, 'b', sealed)).toThrow(DecryptionFailed);
    expect(() => decryptDetails(key, 'a', `${sealed.slice(0, -8)}AAAAAAA=`)).toThrow(DecryptionFailed);
    expect(() => decryptDetails(key, 'a', '')).toThrow(DecryptionFailed);
    expect(encryptDetails(key, 'a', detailsOf('Sari'))).not.toBe(sealed);
  });
});
