import { Inject, Injectable } from '@nestjs/common';
import type { Payout } from '../../../projections/payouts/payouts.js';
import { COMMON_CLOCK } from '../../ledger/ports/injection-tokens.js';
import { timestamp, type Clock, type Timestamp } from '../../ledger/time.js';
import { KnownMerchants } from '../merchants/known-merchants.js';
import { reasonOfRow } from './payout-answer.js';
import { arrivesBy, type PendingReason } from './pending-reason.js';
import { BANK_ROUTES, type BankRoutes } from './transfer/remote-bank.js';

/** Returns why payouts of any merchant have not ended, by the current knowledge of this process. */
@Injectable()
export class PendingReasons {
  constructor(
    private readonly merchants: KnownMerchants,
    @Inject(BANK_ROUTES) private readonly routes: BankRoutes,
    @Inject(COMMON_CLOCK) private readonly clock: Clock,
  ) {}

  /** Returns null when there is no reason to report. */
  of(payout: Payout): PendingReason | null {
    const mode = this.merchants.merchant(payout.merchant_id)?.mode;
    return mode === undefined ? null : reasonOfRow(payout, mode, this.routes, this.clock());
  }

  /** Returns the rail that pays an open payout, or will by the current routes; null: the simulated bank. undefined: it has ended or has no route. */
  railOf({ rail, payout_status, merchant_id, currency }: Payout): string | null | undefined {
    if (payout_status === 'PROCESSING') return rail;
    if (payout_status !== 'PENDING') return undefined;
    if (rail !== null) return rail;
    const mode = this.merchants.merchant(merchant_id)?.mode;
    if (mode === undefined) return undefined;
    return this.routes.route(merchant_id, mode, currency)?.bank.name ?? (mode === 'test' ? null : undefined);
  }

  /** Returns the time by which an open payout is usually paid, past for one that takes longer; null while that is open. */
  arrivesBy(payout: Payout, pending_reason: PendingReason | null, usual_seconds: number): Timestamp | null {
    const { payout_status, submitted_on } = payout;
    const rail = this.railOf(payout) ?? null;
    const quiet_hours = rail === null ? [] : (this.routes.named(rail)?.terms.quiet_hours ?? []);
    const by = arrivesBy({ payout_status, submitted_on, pending_reason, quiet_hours, usual_seconds }, this.clock());
    return by === undefined ? null : timestamp(by);
  }
}
