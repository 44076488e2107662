import type { CustomerDetails } from '../../ledger/events/customer.events.js';

// A separate file: the process that renders webhooks serves no requests and does not load the framework of a DTO.

export type AnsweredDetails = Omit<CustomerDetails, 'metadata'>;

/** Returns the response for a customer: the same bytes on every repeat, with fields in this order and without metadata. */
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
