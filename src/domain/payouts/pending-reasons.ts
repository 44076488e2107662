import { Inject, Injectable } from '@nestjs/common';
import type { Payout } from '../../../projections/payouts/payouts.js';
import { COMMON_CLOCK } from '../../ledger/injection-tokens.js';
import type { Clock } from '../../ledger/time.js';
import { KnownMerchants } from '../merchants/known-merchants.js';
import { reasonOfRow } from './payout-answer.js';
import type { PendingReason } from './pending-reason.js';
import { BANK_ROUTES, type BankRoutes } from './transfer/remote-bank.js';

/** Why payouts of whatever merchant have not ended, by what this process knows just now. */
@Injectable()
export class PendingReasons {
  constructor(
    private readonly merchants: KnownMerchants,
    @Inject(BANK_ROUTES) private readonly routes: BankRoutes,
    @Inject(COMMON_CLOCK) private readonly clock: Clock,
  ) {}

  /** null where there is nothing to say of it. */
  of(payout: Payout): PendingReason | null {
    const mode = this.merchants.merchant(payout.merchant_id)?.mode;
    return mode === undefined ? null : reasonOfRow(payout, mode, this.routes, this.clock());
  }
}
