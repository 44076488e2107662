import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import {
  changed,
  customer,
  type CustomerChange,
  type CustomerCommand,
  type CustomerEventInClear,
} from '../../src/domain/customers/customer.decider.js';
import { decryptCustomer, encryptedCustomer, encryptEvent } from '../../src/domain/customers/encrypted-customer.js';
import type { Address, CustomerDetails } from '../../src/ledger/events/customer.events.js';
import { given } from '../support/given.js';

const NOW = '2026-01-31T08:15:30.123+00:00';
const LATER = '2026-01-31T09:00:00.000+00:00';
const ids = { customer_id: '0198c0de-7a5e-5c3a-9d2f-3f6f4a1b2c3d', merchant_id: '0198c0de-0000-5c3a-9d2f-3f6f4a1b2c3d' };
const address: Address = { line1: 'Jalan Melati 5', line2: null, city: 'Bandung', state: null, postal_code: '40115', country: 'ID' };
const details: CustomerDetails = {
  name: 'Sari Dewi',
  description: null,
  email: 'sari@example.com',
  phone: null,
  address,
  shipping: null,
  tax: { id_type: 'NPWP', id_value: '09.254' },
  metadata: { tier: 'gold' },
};

const created: CustomerEventInClear = { type: 'CustomerCreated', data: { ...ids, details, created_by: 'key_1', created_on: NOW } };
const updatedTo = (now: CustomerDetails): CustomerEventInClear => ({
  type: 'CustomerUpdated',
  data: { ...ids, details: now, updated_by: 'key_2', updated_on: LATER },
});
const deleted: CustomerEventInClear = { type: 'CustomerDeleted', data: { ...ids, deleted_by: 'key_2', deleted_on: LATER } };

const update = (change: CustomerChange, expected: readonly number[] | null = null, merchant_id = ids.merchant_id): CustomerCommand => ({
  kind: 'update',
  merchant_id,
  change,
  expected,
  updated_by: 'key_2',
  now: LATER,
});
const remove = (expected: readonly number[] | null = null, merchant_id = ids.merchant_id): CustomerCommand => ({
  kind: 'delete',
  merchant_id,
  expected,
  deleted_by: 'key_2',
  now: LATER,
});
const create: CustomerCommand = { kind: 'create', ...ids, details, created_by: 'key_1', now: NOW };
const given_ = given(customer);

describe('a stored customer', () => {
  it.each([NOW, LATER, '2026-01-31T08:00:00.000+00:00'])('folds to the same state as the decider when its update is of %s', (updated_on) => {
    const key = Buffer.alloc(32, 7);
    const updated: CustomerEventInClear = {
      type: 'CustomerUpdated',
      data: { ...ids, details: { ...details, name: 'Dewi' }, updated_by: 'key_2', updated_on },
    };
    const inClear = [created, updated].reduce(customer.evolve, customer.initial);
    const stored = [created, updated].map((event) => encryptEvent(key, event)).reduce(encryptedCustomer.evolve, encryptedCustomer.initial);
    expect(decryptCustomer(key, stored)).toEqual(inClear);
  });
});

describe('a customer', () => {
  it('creates a customer once', () => {
    given_().when(create).then(created);
    given_(created).when(create).isRefused('customer-exists');
    given_(created, deleted).when(create).isRefused('customer-exists');
  });

  it('an update keeps omitted fields, clears fields that are null and replaces nested objects whole', () => {
    const elsewhere: Address = { line1: null, line2: null, city: 'Medan', state: null, postal_code: null, country: null };
    given_(created)
      .when(update({ email: null, address: elsewhere }))
      .then(updatedTo({ ...details, email: null, address: elsewhere }));
    given_(created)
      .when(update({ metadata: null }))
      .then(updatedTo({ ...details, metadata: {} }));
  });

  it('an update without a change records no event', () => {
    given_(created).when(update({})).doesNothing();
    given_(created)
      .when(update({ ...details }))
      .doesNothing();
    given_(created)
      .when(update({ phone: null }))
      .doesNothing();
  });

  it('refuses updates beyond the maximum number, but still deletes the customer', () => {
    const often = Array.from({ length: 10_000 }, () => updatedTo(details));
    given_(created, ...often)
      .when(update({ name: 'S. Dewi' }))
      .isRefused('customer-updated-too-often');
    given_(created, ...often)
      .when(update({}))
      .doesNothing();
    given_(created, ...often.slice(1))
      .when(update({ name: 'S. Dewi' }))
      .then(updatedTo({ ...details, name: 'S. Dewi' }));
  });

  it('updates and deletes a customer at an expected version only', () => {
    given_(created)
      .when(update({ name: 'S. Dewi' }, [1]))
      .then(updatedTo({ ...details, name: 'S. Dewi' }));
    given_(created, updatedTo(details))
      .when(update({ name: 'S. Dewi' }, [1]))
      .isRefused('customer-changed');
    given_(created, updatedTo(details))
      .when(update({ name: 'S. Dewi' }, [7, 2]))
      .then(updatedTo({ ...details, name: 'S. Dewi' }));
    given_(created)
      .when(update({}, [2]))
      .isRefused('customer-changed');
    given_(created).when(remove([])).isRefused('customer-changed');
    given_(created)
      .when(remove([1]))
      .then(deleted);
  });

  it('returns customer-not-found before creation, after deletion and to another merchant', () => {
    for (const command of [update({ name: 'X' }), remove(), update({ name: 'X' }, [9]), remove([9])]) {
      given_().when(command).isRefused('customer-not-found');
      given_(created, deleted).when(command).isRefused('customer-not-found');
    }
    given_(created)
      .when(update({ name: 'X' }, null, 'somebody else'))
      .isRefused('customer-not-found');
    given_(created)
      .when(remove([9], 'somebody else'))
      .isRefused('customer-not-found');
  });

  it('deletes a customer whose details are unknown', () => {
    given_({ type: 'CustomerCreated', data: { ...created.data, details: null } })
      .when(remove())
      .then(deleted);
  });

  it('folding throws for an event after the deletion or before the creation', () => {
    const end = customer.evolve(customer.evolve(customer.initial, created), deleted);
    expect(() => customer.evolve(end, updatedTo(details))).toThrow();
    expect(() => customer.evolve(customer.initial, deleted)).toThrow();
  });

  it('after any updates, each field has the value of its last update', () => {
    const text = fc.option(fc.string({ maxLength: 20 }), { nil: null });
    const anAddress = fc.record({ line1: text, line2: text, city: text, state: text, postal_code: text, country: text });
    const changes = fc.record(
      {
        name: fc.string({ minLength: 1 }),
        description: text,
        email: text,
        phone: text,
        address: fc.option(anAddress, { nil: null }),
        shipping: fc.option(fc.record({ phone: text, receiver_name: text, address: fc.option(anAddress, { nil: null }) }), { nil: null }),
        tax: fc.option(fc.record({ id_type: text, id_value: text }), { nil: null }),
        metadata: fc.option(fc.dictionary(fc.string(), fc.string(), { maxKeys: 5 }), { nil: null }),
      },
      { requiredKeys: [] },
    );
    fc.assert(
      fc.property(fc.array(changes, { maxLength: 8 }), (history) => {
        let state = customer.evolve(customer.initial, created);
        for (const change of history) {
          const decision = customer.decide(state, update(change));
          if ('refusal' in decision) throw new Error(decision.refusal);
          for (const event of decision.events) state = customer.evolve(state, event);
        }
        const said = (field: keyof CustomerDetails): unknown => history.map((change) => change[field]).findLast((value) => value !== undefined);
        const expected = Object.fromEntries(
          Object.entries(details).map(([field, value]) => {
            const last = said(field as keyof CustomerDetails);
            return [field, last === undefined ? value : field === 'metadata' ? (last ?? {}) : last];
          }),
        );
        expect(state).toMatchObject({ status: 'EXISTS' });
        expect(state.status === 'EXISTS' && state.details).toEqual(expected);
      }),
      { seed: 20260131, numRuns: 1_000 },
    );
  });

  it('applying the same update twice equals applying it once', () => {
    expect(changed(changed(details, { tax: null }), { tax: null })).toEqual({ ...details, tax: null });
  });
});
