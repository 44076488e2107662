import type { BankRail } from './bank-rail.js';
import type { OpenPayoutRow, PayoutRail } from './payout.worker.js';
import type { BankRoutes } from './transfer/remote-bank.js';

export interface PayoutRailOptions {
  readonly simulated: BankRail;
  readonly routes: BankRoutes;
  /** Returns undefined while the merchant is not known. */
  readonly modeOf: (merchantId: string) => 'test' | 'live' | undefined;
  /**
   * Returns whether this process has read the settings that existed before it started. Until then a test merchant with its own rail
   * looks like one without, and the simulated bank would report its payouts as paid.
   */
  readonly isKnown: () => boolean;
}

/** Returns the rail that pays a payout; undefined: not known yet. */
export function payoutRailOf(
  { simulated, routes, modeOf, isKnown }: PayoutRailOptions,
  { merchant_id, currency, payout_status, rail }: OpenPayoutRow,
): PayoutRail | undefined {
  const mode = isKnown() ? modeOf(merchant_id) : undefined;
  if (mode === undefined) return undefined;
  const isRouted = rail !== null || (payout_status === 'PENDING' && routes.route(merchant_id, 'test', currency) !== undefined);
  return mode === 'live' || isRouted ? { remote: mode } : { simulated };
}
