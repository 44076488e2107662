import { NOTHING_TO_DO, refuse, type Decider, type Decision } from '../../ledger/decider.js';
import { later, type Timestamp } from '../../ledger/time.js';
import type { CustomerCreated, CustomerDeleted, CustomerDetails, CustomerUpdated } from '../../ledger/events/customer.events.js';
import { unreachable } from '../../ledger/unreachable.js';

/** An event's data, decrypted. `details` is null when the key is destroyed. */
type Opened<Event> = Omit<Event, 'sealed'> & { readonly details: CustomerDetails | null };

/** Events of the stream in clear, on which the decider works. They are encrypted before they are stored. */
export type CustomerEventInClear =
  | { readonly type: 'CustomerCreated'; readonly data: Opened<CustomerCreated> }
  | { readonly type: 'CustomerUpdated'; readonly data: Opened<CustomerUpdated> }
  | { readonly type: 'CustomerDeleted'; readonly data: CustomerDeleted };

/** Absent (undefined): unchanged. null: cleared. Any other value replaces the field, a nested object as a whole. */
export type CustomerChange = {
  readonly [Field in Exclude<keyof CustomerDetails, 'name'>]?: CustomerDetails[Field] | null | undefined;
} & { readonly name?: string | undefined };

/** Versions of which one must be the current one; null: any. */
export type ExpectedVersions = readonly number[] | null;

export type CustomerCommand =
  | {
      readonly kind: 'create';
      readonly customer_id: string;
      readonly merchant_id: string;
      readonly details: CustomerDetails;
      readonly created_by: string;
      readonly now: Timestamp;
    }
  | {
      readonly kind: 'update';
      readonly merchant_id: string;
      readonly change: CustomerChange;
      readonly expected: ExpectedVersions;
      readonly updated_by: string;
      readonly now: Timestamp;
    }
  | {
      readonly kind: 'delete';
      readonly merchant_id: string;
      readonly expected: ExpectedVersions;
      readonly deleted_by: string;
      readonly now: Timestamp;
    };

export type CustomerRefusal =
  | 'customer-exists'
  /** Never existed, was deleted, or belongs to another merchant: the response does not distinguish these. */
  | 'customer-not-found'
  | 'customer-changed'
  | 'customer-updated-too-often';

export interface ExistingCustomer {
  readonly status: 'EXISTS';
  readonly customer_id: string;
  readonly merchant_id: string;
  /** null when the key is destroyed. */
  readonly details: CustomerDetails | null;
  /** 1 after the creation; increases by one with every update. */
  readonly version: number;
  readonly created_on: Timestamp;
  readonly updated_on: Timestamp;
}

export type CustomerState = { readonly status: 'NONE' } | { readonly status: 'DELETED' } | ExistingCustomer;

/** Maximum updates of one customer: far more than intended use needs, and few enough that a history can be paged through. */
const UPDATES_MAX = 10_000;

export const customer: Decider<CustomerState, CustomerCommand, CustomerEventInClear, CustomerRefusal> = {
  initial: { status: 'NONE' },

  evolve(state, event): CustomerState {
    switch (event.type) {
      case 'CustomerCreated': {
        const { customer_id, merchant_id, details, created_on } = event.data;
        return { status: 'EXISTS', customer_id, merchant_id, details, version: 1, created_on, updated_on: created_on };
      }
      case 'CustomerUpdated': {
        const { details, updated_on } = event.data;
        const existing = mustExist(state, event.type);
        return { ...existing, details, version: existing.version + 1, updated_on: later(existing.created_on, updated_on) };
      }
      case 'CustomerDeleted':
        mustExist(state, event.type);
        return { status: 'DELETED' };
      default:
        return unreachable(event);
    }
  },

  decide(state, command): Decision<CustomerEventInClear, CustomerRefusal> {
    if (command.kind === 'create') return decideCreate(state, command);
    if (state.status !== 'EXISTS' || state.merchant_id !== command.merchant_id) return refuse('customer-not-found', 'There is no such record.');
    if (command.expected !== null && !command.expected.includes(state.version)) {
      return refuse('customer-changed', 'The customer has another version than If-Match names.');
    }
    switch (command.kind) {
      case 'update':
        return decideUpdate(state, command);
      case 'delete': {
        const { deleted_by, now } = command;
        return { events: [{ type: 'CustomerDeleted', data: { ...of(state), deleted_by, deleted_on: now } }] };
      }
      default:
        return unreachable(command);
    }
  },
};

type CommandOf<Kind extends CustomerCommand['kind']> = Extract<CustomerCommand, { kind: Kind }>;

function decideCreate(state: CustomerState, command: CommandOf<'create'>): Decision<CustomerEventInClear, CustomerRefusal> {
  if (state.status !== 'NONE') return refuse('customer-exists', 'The customer exists already.');
  const { customer_id, merchant_id, details, created_by, now } = command;
  return { events: [{ type: 'CustomerCreated', data: { customer_id, merchant_id, details, created_by, created_on: now } }] };
}

/** A change that changes nothing records no event. */
function decideUpdate(state: ExistingCustomer, { change, updated_by, now }: CommandOf<'update'>): Decision<CustomerEventInClear, CustomerRefusal> {
  if (state.details === null) throw new Error(`customer ${state.customer_id} exists, but its key does not`);
  const details = changed(state.details, change);
  if (JSON.stringify(details) === JSON.stringify(state.details)) return NOTHING_TO_DO;
  if (state.version > UPDATES_MAX) return refuse('customer-updated-too-often', `A customer can be updated ${UPDATES_MAX} times.`);
  return { events: [{ type: 'CustomerUpdated', data: { ...of(state), details, updated_by, updated_on: now } }] };
}

/** Returns `details` after `change`. */
export function changed(details: CustomerDetails, change: CustomerChange): CustomerDetails {
  const pick = <T>(wanted: T | undefined, current: T): T => (wanted === undefined ? current : wanted);
  return {
    name: pick(change.name, details.name),
    description: pick(change.description, details.description),
    email: pick(change.email, details.email),
    phone: pick(change.phone, details.phone),
    address: pick(change.address, details.address),
    shipping: pick(change.shipping, details.shipping),
    tax: pick(change.tax, details.tax),
    metadata: pick(change.metadata, details.metadata) ?? {},
  };
}

function of({ customer_id, merchant_id }: ExistingCustomer): { customer_id: string; merchant_id: string } {
  return { customer_id, merchant_id };
}

function mustExist(state: CustomerState, event: string): ExistingCustomer {
  if (state.status !== 'EXISTS') throw new Error(`${event} on a customer that is ${state.status}`);
  return state;
}
