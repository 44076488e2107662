import type { Payout, PayoutStatus } from '../../../projections/payouts/payouts.js';
import type { PayoutRegistered } from '../../ledger/events/payout.events.js';
import { later } from '../../ledger/time.js';
import type { PayoutDto } from './payouts.dto.js';
import { pendingReason, type PendingReason } from './pending-reason.js';
import type { BankRoutes } from './transfer/remote-bank.js';

/**
 * A payout as its first event holds it, at the status it has: the same bytes whenever it is asked for. `given`: approvals. The requesting process may have
 * had a later clock than the one that changed it: `updated_on` is never before `created_on`.
 */
export function toPayout(registered: PayoutRegistered, payout_status: PayoutStatus, updated_on: string, given = 0): PayoutDto {
  return {
    id: registered.payout_id,
    merchant_id: registered.merchant_id,
    fee: registered.fee,
    amount: registered.amount,
    fee_amount: registered.fee_amount,
    net_amount: registered.net_amount,
    currency: registered.currency,
    bank_account_name: registered.bank_account_name,
    bank_account_number: registered.bank_account_number,
    bank_name: registered.bank_name,
    payout_status,
    description: registered.description,
    created_on: registered.created_on,
    updated_on: later(registered.created_on, updated_on),
    bank_code: registered.bank_code ?? null,
    pending_reason: reasonRecorded(payout_status, registered.approvals_required, given),
    beneficiary: null,
    ...approvalOf(registered, given),
  };
}

/** Answers a payout of a read model without the fields that change while no event is recorded for it. */
export function payoutOfRow(row: Payout): PayoutDto {
  return {
    id: row.id,
    merchant_id: row.merchant_id,
    fee: row.fee,
    amount: row.amount,
    fee_amount: row.fee_amount,
    net_amount: row.net_amount,
    currency: row.currency,
    bank_account_name: row.bank_account_name,
    bank_account_number: row.bank_account_number,
    bank_name: row.bank_name,
    payout_status: row.payout_status,
    description: row.description,
    created_on: row.created_on,
    updated_on: row.updated_on,
    bank_code: row.bank_code,
    pending_reason: reasonRecorded(row.payout_status, row.approvals_required, row.approvals_given),
    beneficiary: null,
    ...approvalOf(row, row.approvals_given),
  };
}

/** The one reason that events decide. Every other one changes without an event, and a repeated answer could not say the same. */
function reasonRecorded(payout_status: PayoutStatus, required: number, given: number): PendingReason | null {
  return payout_status === 'PENDING' && given < required ? 'approval' : null;
}

/** Where somebody has to approve it. */
export function approvalOf(
  { approvals_required: required, approve_by }: Pick<Payout, 'approvals_required' | 'approve_by'>,
  given: number,
): Pick<PayoutDto, 'approval'> {
  return approve_by === null ? {} : { approval: { required, given, approve_by } };
}

/** Why a payout of a read model has not ended. `now`: milliseconds since the epoch. */
export function reasonOfRow(row: Payout, mode: 'test' | 'live', routes: BankRoutes, now: number): PendingReason | null {
  return pendingReason({ ...row, is_held: row.held_reason !== null }, mode, routes, now);
}

/** As it is read by its merchant. `now`: milliseconds since the epoch. */
export function payoutAsRead(row: Payout, mode: 'test' | 'live', routes: BankRoutes, now: number): PayoutDto {
  const { beneficiary_match: match, beneficiary_name: name_masked } = row;
  const pending_reason = reasonOfRow(row, mode, routes, now);
  return { ...payoutOfRow(row), pending_reason, beneficiary: match && { match, name_masked } };
}
