import type { Decider } from '../decider.js';
import { openDetails, sealDetails } from '../ledger/customer-seal.js';
import { customer, type CustomerCommand, type CustomerFact, type CustomerRefusal, type CustomerState } from './customer.decider.js';
import type { CustomerEvent } from './customer.events.js';

/** What is stored, in clear. `key` null: it is gone, and so are the details. */
export function openFact(key: Buffer | null, event: CustomerEvent): CustomerFact {
  if (event.type === 'CustomerDeleted') return event;
  const { sealed, ...data } = event.data;
  const details = key && openDetails(key, data.customer_id, sealed);
  return { type: event.type, data: { ...data, details } } as CustomerFact;
}

/** A fact as it is stored. */
export function sealFact(key: Buffer | null, fact: CustomerFact): CustomerEvent {
  if (fact.type === 'CustomerDeleted') return fact;
  const { details, ...data } = fact.data;
  if (key === null || details === null) throw new Error(`the details of customer ${data.customer_id} cannot be sealed without its key`);
  return { type: fact.type, data: { ...data, sealed: sealDetails(key, data.customer_id, details) } } as CustomerEvent;
}

/** The decider of customers over facts as they are stored under `key`. */
export function sealedCustomer(key: Buffer | null): Decider<CustomerState, CustomerCommand, CustomerEvent, CustomerRefusal> {
  return {
    initial: customer.initial,
    evolve: (state, event) => customer.evolve(state, openFact(key, event)),
    decide(state, command) {
      const decision = customer.decide(state, command);
      return 'refusal' in decision ? decision : { events: decision.events.map((fact) => sealFact(key, fact)) };
    },
  };
}
