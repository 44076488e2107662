import type { BankRail } from './bank-rail.js';
import type { OpenPayoutRow, PayoutRail } from './payout.worker.js';
import type { BankRoutes } from './transfer/remote-bank.js';

export interface PayoutRailOptions {
  readonly simulated: BankRail;
  readonly routes: BankRoutes;
  /** undefined while the merchant is not known. */
  readonly modeOf: (merchantId: string) => 'test' | 'live' | undefined;
  /**
   * Whether this process has read what people had set before it began. Until then a test merchant with a rail of its own looks like one
   * without, and the simulated bank would say of its payouts that they were paid.
   */
  readonly isKnown: () => boolean;
}

/** Who pays a payout; undefined: not known yet. */
export function payoutRailOf(
  { simulated, routes, modeOf, isKnown }: PayoutRailOptions,
  { merchant_id, currency, payout_status, rail }: OpenPayoutRow,
): PayoutRail | undefined {
  const mode = isKnown() ? modeOf(merchant_id) : undefined;
  if (mode === undefined) return undefined;
  const isRouted = rail !== null || (payout_status === 'PENDING' && routes.route(merchant_id, 'test', currency) !== undefined);
  return mode === 'live' || isRouted ? { remote: mode } : { simulated };
}
