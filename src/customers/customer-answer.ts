import type { CustomerDetails } from '../ledger/events/customer.events.js';
import type { CustomerDto } from './customers.dto.js';

// By itself: what web-hooks tell is made where no requests are served, and the framework of a DTO is not loaded.

/** The same bytes whenever it is asked for: fields in this order, metadata left out. */
export function toCustomer(id: string, details: CustomerDetails, created_on: string, updated_on: string): CustomerDto {
  return { id, ...answeredDetails(details), created_on, updated_on };
}

export type AnsweredDetails = Omit<CustomerDetails, 'metadata'>;

export function answeredDetails({ name, description, email, phone, address, shipping, tax }: CustomerDetails): AnsweredDetails {
  return { name, description, email, phone, address, shipping, tax };
}
