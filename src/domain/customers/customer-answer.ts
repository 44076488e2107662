import type { CustomerDetails } from '../../ledger/events/customer.events.js';

// In a file of its own: webhooks are rendered where no requests are served, and the framework of a DTO is not loaded.

export type AnsweredDetails = Omit<CustomerDetails, 'metadata'>;

/** The same bytes whenever it is asked for: fields in this order, metadata left out. */
export function toCustomer(
  id: string,
  details: CustomerDetails,
  created_on: string,
  updated_on: string,
): AnsweredDetails & { readonly id: string; readonly created_on: string; readonly updated_on: string } {
  return { id, ...answeredDetails(details), created_on, updated_on };
}

export function answeredDetails({ name, description, email, phone, address, shipping, tax }: CustomerDetails): AnsweredDetails {
  return { name, description, email, phone, address, shipping, tax };
}
