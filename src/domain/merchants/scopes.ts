/** What a merchant's key may be allowed to do. Source: the interface's authentication rules. */
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
  /** Settlements too. */
  'balances:read',
  'merchant:read',
  /** The webhook's settings and deliveries. */
  'merchant:write',
  'events:read',
];

/** Stands for all of them, those of later versions too. */
export const ALL_SCOPES = '*';
