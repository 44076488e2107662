import { Inject, Injectable } from '@nestjs/common';
import type { Pool } from 'pg';
import { findPayoutsById, type Payout } from '../../../projections/payouts/payouts.js';
import { COMMON_CLOCK, FINANCE_POOL, SECRET } from '../../ledger/ports/injection-tokens.js';
import type { Clock } from '../../ledger/time.js';
import { hasRole } from '../../domain/operators/acting-operator.js';
import { KnownMerchants } from '../../domain/merchants/known-merchants.js';
import { approvalOf } from '../../domain/payouts/payout-answer.js';
import { payoutDigest } from '../../domain/payouts/payout-digest.js';
import { PendingReasons } from '../../domain/payouts/pending-reasons.js';
import { mustExist } from '../../platform/http/record-id.js';
import type { AuditPayoutDetailDto } from './audit-payouts.dto.js';
import { toAuditPayout } from './lists.js';

/** Reads single payouts of any merchant: complete for operators who may approve them, and with the digest of exactly the data shown. */
@Injectable()
export class PayoutDetails {
  constructor(
    @Inject(FINANCE_POOL) private readonly pool: Pool,
    private readonly merchants: KnownMerchants,
    private readonly reasons: PendingReasons,
    @Inject(SECRET) private readonly secret: Buffer,
    @Inject(COMMON_CLOCK) private readonly clock: Clock,
  ) {}

  /** @param keyId of the reader @throws Problem not-found */
  async find(id: string, keyId: string | null): Promise<AuditPayoutDetailDto> {
    const payout = mustExist((await findPayoutsById(this.pool, [id]))[0]);
    const isShownWhole = hasRole(this.merchants.operators, keyId, 'approver');
    const { bank_account_name, bank_account_number, bank_code, beneficiary_match: match, beneficiary_name: name_masked, cancel_cause } = payout;
    return {
      ...toAuditPayout(payout, this.reasons.of(payout), this.clock()),
      bank_account_name: isShownWhole ? bank_account_name : null,
      bank_account_number: isShownWhole ? bank_account_number : null,
      bank_code,
      beneficiary: match && { match, name_masked },
      approval: approvalOf(payout, payout.approvals_given).approval ?? null,
      approvals: payout.approvals.map(({ person_id, ...given }) => ({ person_id, name: this.#nameOf(person_id), ...given })),
      cancel_cause,
      digest: isShownWhole && payout.approve_by !== null ? this.#digestOf(payout) : null,
    };
  }

  #nameOf(operatorId: string): string {
    return this.merchants.operators.operator(operatorId)?.name ?? operatorId;
  }

  #digestOf({ id: payout_id, approvals_required, ...payout }: Payout): string {
    return payoutDigest(this.secret, { ...payout, payout_id, approvals_required: approvals_required as 1 | 2 });
  }
}
