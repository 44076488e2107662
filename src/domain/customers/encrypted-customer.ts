import { readEvent } from '../../ledger/catalogue.js';
import { decryptDetails, encryptDetails } from '../../ledger/crypto/customer-encryption.js';
import type { StreamDecider } from '../../ledger/streams/decide-on-stream.js';
import { newestOf, type LoadedStream } from '../../ledger/streams/fold-stream.js';
import { customer, type CustomerCommand, type CustomerEventInClear, type CustomerRefusal, type ExistingCustomer } from './customer.decider.js';
import type { CustomerEvent } from '../../ledger/events/customer.events.js';
import { later } from '../../ledger/time.js';
import { unreachable } from '../../ledger/unreachable.js';

/** Decrypts a stored event. `key` null: the key is destroyed, and the details are null. */
export function decryptEvent(key: Buffer | null, event: CustomerEvent): CustomerEventInClear {
  if (event.type === 'CustomerDeleted') return event;
  const { sealed, ...data } = event.data;
  const details = key && decryptDetails(key, data.customer_id, sealed);
  return { type: event.type, data: { ...data, details } } as CustomerEventInClear;
}

/** Encrypts an event for storage. */
export function encryptEvent(key: Buffer | null, event: CustomerEventInClear): CustomerEvent {
  if (event.type === 'CustomerDeleted') return event;
  const { details, ...data } = event.data;
  if (key === null || details === null) throw new Error(`the details of customer ${data.customer_id} cannot be encrypted without its key`);
  return { type: event.type, data: { ...data, sealed: encryptDetails(key, data.customer_id, details) } } as CustomerEvent;
}

/** A customer as stored. */
export type EncryptedCustomer =
  { readonly status: 'NONE' } | { readonly status: 'DELETED' } | (Omit<ExistingCustomer, 'details'> & { readonly sealed: string });

/** `key` null: nothing is decrypted, which a deletion does not need. */
export interface CommandWithKey {
  readonly key: Buffer | null;
  readonly command: CustomerCommand;
}

/** Decrypts a customer. @throws when it does not exist */
export function decryptCustomer(key: Buffer | null, state: EncryptedCustomer): ExistingCustomer {
  if (state.status !== 'EXISTS') throw new Error(`the customer is ${state.status} and has no details to decrypt`);
  const { sealed, ...existing } = state;
  return { ...existing, details: key && decryptDetails(key, existing.customer_id, sealed) };
}

/**
 * The decider of customers over stored events. Each event holds the whole customer, so that the first and the newest suffice,
 * regardless of the number of updates.
 */
export const encryptedCustomer: StreamDecider<EncryptedCustomer, CommandWithKey, CustomerEvent, CustomerRefusal> = {
  initial: { status: 'NONE' },

  evolve(state, { type, data }): EncryptedCustomer {
    switch (type) {
      case 'CustomerCreated': {
        const { customer_id, merchant_id, sealed, created_on } = data;
        return { status: 'EXISTS', customer_id, merchant_id, sealed, version: 1, created_on, updated_on: created_on };
      }
      case 'CustomerUpdated':
        if (state.status !== 'EXISTS') throw new Error(`${type} on a customer that is ${state.status}`);
        return { ...state, sealed: data.sealed, version: state.version + 1, updated_on: later(state.created_on, data.updated_on) };
      case 'CustomerDeleted':
        return { status: 'DELETED' };
      default:
        return unreachable(type);
    }
  },

  decide(state, { key, command }) {
    const decision = customer.decide(state.status === 'EXISTS' ? decryptCustomer(key, state) : state, command);
    return 'refusal' in decision ? decision : { events: decision.events.map((event) => encryptEvent(key, event)) };
  },

  async load(store, stream): Promise<LoadedStream<EncryptedCustomer>> {
    const [[first], [newest]] = await Promise.all([store.read(stream, { limit: 1 }), store.read(stream, { direction: 'backwards', limit: 1 })]);
    if (!first || !newest) return { state: encryptedCustomer.initial, newest: null };
    const created = encryptedCustomer.evolve(encryptedCustomer.initial, readEvent(first) as unknown as CustomerEvent);
    if (newest.revision === 0) return { state: created, newest: newestOf(newest) };
    const state = encryptedCustomer.evolve(created, readEvent(newest) as unknown as CustomerEvent);
    // The revision is the number of updates; the creation counts as one.
    return { state: state.status === 'EXISTS' ? { ...state, version: newest.revision + 1 } : state, newest: newestOf(newest) };
  },
};
