import type { Payout, PayoutStatus } from '../../../projections/payouts/payouts.js';
import type { PayoutRequested } from '../../ledger/events/account.events.js';
import type { PayoutRegistered } from '../../ledger/events/payout.events.js';
import { later } from '../../ledger/time.js';
import type { PayoutDto } from './payouts.dto.js';
import { pendingReason, type PendingReason } from './pending-reason.js';
import type { BankRoutes } from './transfer/remote-bank.js';

/** Fields of a payout that never change, as its first event and its row have them. */
type Unchanging = Omit<PayoutDto, 'id' | 'payout_status' | 'updated_on' | 'bank_code' | 'pending_reason' | 'beneficiary' | 'approval'> &
  Pick<Payout, 'approvals_required' | 'approve_by'> & { readonly bank_code?: string | null };
/** Fields of a payout that events change. `approvals_given`: number of valid approvals. */
type Changing = Pick<Payout, 'id' | 'payout_status' | 'updated_on' | 'approvals_given'>;

/**
 * Returns the payout of its first event with its current status: the same bytes on every repeat. `given`: number of approvals. The
 * requesting process may have had a later clock than the one that changed the payout, so `updated_on` is never before `created_on`.
 */
export function toPayout(registered: PayoutRegistered, payout_status: PayoutStatus, updated_on: string, given = 0): PayoutDto {
  const { payout_id: id, created_on } = registered;
  return answerOf(registered, { id, payout_status, updated_on: later(created_on, updated_on), approvals_given: given });
}

/** Returns a payout of the read model without the fields that change without an event. */
export const payoutOfRow = (row: Payout): PayoutDto => answerOf(row, row);

function answerOf(payout: Unchanging, { id, payout_status, updated_on, approvals_given }: Changing): PayoutDto {
  const { merchant_id, fee, amount, fee_amount, net_amount, currency, bank_account_name, bank_account_number, bank_name } = payout;
  const { description, created_on, bank_code = null, approvals_required } = payout;
  return {
    id,
    merchant_id,
    fee,
    amount,
    fee_amount,
    net_amount,
    currency,
    bank_account_name,
    bank_account_number,
    bank_name,
    payout_status,
    description,
    created_on,
    updated_on,
    bank_code,
    pending_reason: reasonRecorded(payout_status, approvals_required, approvals_given),
    beneficiary: null,
    ...approvalOf(payout, approvals_given),
  };
}

/** Returns the only reason that events decide. All others change without an event, and a repeated response could not be the same. */
function reasonRecorded(payout_status: PayoutStatus, required: number, given: number): PendingReason | null {
  return payout_status === 'PENDING' && given < required ? 'approval' : null;
}

/** Returns the approval of a payout that requires one. */
export function approvalOf(
  { approvals_required: required, approve_by }: Pick<Payout, 'approvals_required' | 'approve_by'>,
  given: number,
): Pick<PayoutDto, 'approval'> {
  return approve_by === null ? {} : { approval: { required, given, approve_by } };
}

/** Returns why a payout of the read model has not ended. `now`: milliseconds since the epoch. */
export function reasonOfRow(row: Payout, mode: 'test' | 'live', routes: BankRoutes, now: number): PendingReason | null {
  return pendingReason({ ...row, is_held: row.held_reason !== null }, mode, routes, now);
}

/** Returns why a payout that was just requested would not be submitted at once. `now`: milliseconds since the epoch. */
export function reasonOfNew(requested: PayoutRequested, mode: 'test' | 'live', routes: BankRoutes, now: number): PendingReason | null {
  const unsent = { rail: null, is_held: false, open_attempts: 0, attempted_on: null, beneficiary_match: null, is_name_accepted: false };
  const { bank_code = null } = requested;
  return pendingReason({ ...requested, ...unsent, bank_code, payout_status: 'PENDING', approvals_given: 0 }, mode, routes, now);
}

/** Returns a payout as its merchant reads it. `now`: milliseconds since the epoch. */
export function payoutAsRead(row: Payout, mode: 'test' | 'live', routes: BankRoutes, now: number): PayoutDto {
  const { beneficiary_match: match, beneficiary_name: name_masked } = row;
  const pending_reason = reasonOfRow(row, mode, routes, now);
  return { ...payoutOfRow(row), pending_reason, beneficiary: match && { match, name_masked } };
}
