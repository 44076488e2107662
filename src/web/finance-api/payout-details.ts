import { Inject, Injectable } from '@nestjs/common';
import type { Pool } from 'pg';
import { findFundings, findPaidOut, type FundedFrom } from '../../../projections/balances/funding.js';
import { findOrdinals } from '../../../projections/audit/event-index.js';
import { findPayoutsById, type Payout } from '../../../projections/payouts/payouts.js';
import { findUsualSeconds } from '../../../projections/payouts/payouts-at-bank.js';
import { COMMON_CLOCK, FINANCE_POOL, SECRET } from '../../ledger/ports/injection-tokens.js';
import type { Clock } from '../../ledger/time.js';
import { ActingOperators, hasRole } from '../../domain/operators/acting-operator.js';
import { KnownMerchants } from '../../domain/merchants/known-merchants.js';
import { approvalOf } from '../../domain/payouts/payout-answer.js';
import { payoutHistory, type OwnedPayout } from '../../domain/payouts/payout-history.js';
import { payoutDigest } from '../../domain/payouts/payout-digest.js';
import { PendingReasons } from '../../domain/payouts/pending-reasons.js';
import { shownEvent, type ShownEvent } from '../../ledger/published/shown-event.js';
import { EVENT_STORE, type EventStore } from '../../platform/event-store/event-store.js';
import { mustExist } from '../../platform/http/record-id.js';
import { exactNumber, type PagedList } from '../../platform/http/answer-list.js';
import { payoutFundingCsv } from './audit-csv.js';
import type { AuditPayoutDetailDto, PayoutFundingDto } from './audit-payouts.dto.js';
import { toAuditPayout } from './lists.js';

/** Reads single payouts of any merchant: complete for operators who may approve them, and with the digest of exactly the data shown. */
@Injectable()
export class PayoutDetails {
  constructor(
    @Inject(FINANCE_POOL) private readonly pool: Pool,
    @Inject(EVENT_STORE) private readonly store: EventStore,
    private readonly merchants: KnownMerchants,
    private readonly reasons: PendingReasons,
    private readonly readers: ActingOperators,
    @Inject(SECRET) private readonly secret: Buffer,
    @Inject(COMMON_CLOCK) private readonly clock: Clock,
  ) {}

  /** @param keyId of the reader @throws Problem not-found */
  async find(id: string, keyId: string | null): Promise<AuditPayoutDetailDto> {
    const payout = await this.require(id);
    const pending_reason = this.reasons.of(payout);
    const usual_seconds = await this.#usualSeconds(payout);
    const isShownWhole = hasRole(this.readers.known, keyId, 'approver');
    const { bank_account_name, bank_account_number, bank_code, beneficiary_match: match, beneficiary_name: name_masked, cancel_cause } = payout;
    return {
      ...toAuditPayout(payout, pending_reason, this.clock()),
      bank_account_name: isShownWhole ? bank_account_name : null,
      bank_account_number: isShownWhole ? bank_account_number : null,
      bank_code,
      description: payout.description,
      beneficiary: match && { match, name_masked },
      approval: approvalOf(payout, payout.approvals_given).approval ?? null,
      approvals: payout.approvals.map(({ person_id, ...given }) => ({ person_id, name: this.#nameOf(person_id), ...given })),
      usual_seconds,
      arrives_by: usual_seconds === null ? null : this.reasons.arrivesBy(payout, pending_reason, usual_seconds),
      cancel_cause,
      digest: isShownWhole && payout.approve_by !== null ? this.#digestOf(payout) : null,
    };
  }

  /**
   * Returns all events about a payout that the index of events has, in the order of the log, with the names and numbers of bank accounts sealed.
   * @throws StoreUnavailable
   */
  async history(payout: OwnedPayout): Promise<(ShownEvent & { readonly position: number })[]> {
    const events = await payoutHistory(this.store, this.pool, payout);
    const ordinals = await findOrdinals(
      this.pool,
      events.map(({ position }) => position),
    );
    return events.flatMap((event) => {
      const position = ordinals.get(event.position);
      return position === undefined ? [] : [{ ...shownEvent(event, position), position }];
    });
  }

  /**
   * Lists the settlements and adjustments that paid for a payout, oldest first; none before it is paid. The cursor is the sum of the parts, in minor
   * units. `used_amount` of all adds up to the payout's amount, less the part that nothing had covered when it was paid.
   */
  async funding(id: string): Promise<PagedList<PayoutFundingDto, number>> {
    const paid = await findPaidOut(this.pool, id);
    return {
      name: 'funding',
      csv: payoutFundingCsv,
      page: async (after = 0, limit) => {
        const found = paid ? await findFundings(this.pool, paid, BigInt(after), limit + 1) : [];
        const parts = found.slice(0, limit);
        const upto = parts.reduce((sum, { used_here }) => sum + Number(used_here), after);
        return { items: parts.map(toFunding), next_after: found.length > limit ? upto : null };
      },
    };
  }

  /** @throws Problem not-found */
  async require(id: string): Promise<Payout> {
    return mustExist((await findPayoutsById(this.pool, [id]))[0]);
  }

  async #usualSeconds(payout: Payout): Promise<number | null> {
    const rail = this.reasons.railOf(payout);
    return rail === undefined ? null : findUsualSeconds(this.pool, rail);
  }

  #nameOf(operatorId: string): string {
    return this.merchants.operators.operator(operatorId)?.name ?? operatorId;
  }

  #digestOf({ id: payout_id, approvals_required, ...payout }: Payout): string {
    return payoutDigest(this.secret, { ...payout, payout_id, approvals_required: approvals_required as 1 | 2 });
  }
}

function toFunding({ settlement_id, settlement_number, adjustment_id, settled_on, net_amount, used_here }: FundedFrom): PayoutFundingDto {
  const amounts = { net_amount: exactNumber(net_amount), used_amount: exactNumber(used_here) };
  return { settlement_id, settlement_number, adjustment_id: adjustment_id ?? null, settled_on, ...amounts };
}
