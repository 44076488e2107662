/** Permissions of a merchant's key. Source: the authentication rules of the interface. */
export const SCOPES: readonly string[] = [
  'charges:read',
  'charges:write',
  'refunds:read',
  'refunds:write',
  'disputes:read',
  'disputes:write',
  'customers:read',
  'customers:write',
  'payouts:read',
  'payouts:write',
  /** Includes settlements. */
  'balances:read',
  'merchant:read',
  /** The webhook's settings and deliveries. */
  'merchant:write',
  'events:read',
];

/** Stands for all scopes, including those of later versions. */
export const ALL_SCOPES = '*';
