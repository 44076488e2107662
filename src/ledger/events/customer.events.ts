/**
 * Events in `customer-<id>`. They hold the customer's personal data as ciphertext under the customer's own key: when that key is destroyed, the
 * events stay as they are and no longer identify a person.
 */
export const customerStream = (customerId: string): string => `customer-${customerId}`;

export interface Address {
  readonly line1: string | null;
  readonly line2: string | null;
  readonly city: string | null;
  readonly state: string | null;
  readonly postal_code: string | null;
  /** ISO 3166-1 alpha-2. */
  readonly country: string | null;
}

export interface Shipping {
  readonly phone: string | null;
  readonly receiver_name: string | null;
  readonly address: Address | null;
}

export interface Tax {
  readonly id_type: string | null;
  readonly id_value: string | null;
}

/** All personal data, including metadata: a merchant may write anything there. */
export interface CustomerDetails {
  readonly name: string;
  readonly description: string | null;
  readonly email: string | null;
  readonly phone: string | null;
  readonly address: Address | null;
  readonly shipping: Shipping | null;
  readonly tax: Tax | null;
  readonly metadata: Readonly<Record<string, string>>;
}

interface OfCustomer {
  readonly customer_id: string;
  readonly merchant_id: string;
}

export interface CustomerCreated extends OfCustomer {
  /** Base64: CustomerDetails, sealed with the customer's key. */
  readonly sealed: string;
  readonly created_by: string;
  readonly created_on: string;
}

/** The whole customer from then on, so that applying the event needs no decryption. */
export interface CustomerUpdated extends OfCustomer {
  /** Base64: CustomerDetails, sealed with the customer's key. */
  readonly sealed: string;
  readonly updated_by: string;
  readonly updated_on: string;
}

/** The end: the key is destroyed after this event, never before it. */
export interface CustomerDeleted extends OfCustomer {
  readonly deleted_by: string;
  readonly deleted_on: string;
}

export type CustomerEvent =
  | { readonly type: 'CustomerCreated'; readonly data: CustomerCreated }
  | { readonly type: 'CustomerUpdated'; readonly data: CustomerUpdated }
  | { readonly type: 'CustomerDeleted'; readonly data: CustomerDeleted };
