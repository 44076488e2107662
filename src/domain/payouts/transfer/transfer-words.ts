import type { PayoutDecided } from '../../../ledger/events/transfer.events.js';
import type { PayoutRegistered } from '../../../ledger/events/payout.events.js';
import type { BankVerdict } from '../payout-outcomes.js';
import type { Beneficiary, TransferAttempt } from './remote-bank.js';
import type { OpenAttempt } from './not-found.js';
import { unreachable } from '../../../ledger/unreachable.js';

export const RETURNED = 'The bank has returned the transfer.';

/** Returns the reason as merchants read it. */
export function reasonOf({ by, code }: Pick<PayoutDecided, 'by' | 'code'>): string {
  switch (by) {
    case 'inquiry':
      return 'The bank reports that the transfer failed.';
    case 'refusal':
      return `The bank refused the transfer (${code}).`;
    case 'name-check':
      return `The bank knows no such account (${code}).`;
    case 'person':
      return 'The bank did not make the transfer.';
    default:
      return unreachable(by);
  }
}

export function wordOf(status: 'paid' | 'failed' | 'returned'): BankVerdict {
  switch (status) {
    case 'paid':
      return { kind: 'paid' };
    case 'failed':
      return { kind: 'rejected', reason: 'The bank reports that the transfer failed.' };
    case 'returned':
      return { kind: 'returned', reason: RETURNED };
    default:
      return unreachable(status);
  }
}

/** SNAP: 404, two digits of the service, 11. */
export const isNoSuchAccount = (code: string): boolean => /^404\d\d11$/.test(code);

export function beneficiaryOf({ currency, bank_account_number, bank_account_name }: PayoutRegistered, bank_code: string): Beneficiary {
  return { currency, bank_code, bank_account_number, bank_account_name };
}

export function attemptOf(registered: PayoutRegistered, { attempt, partner_reference, external_id, bank_code, at }: OpenAttempt): TransferAttempt {
  const { payout_id, net_amount } = registered;
  return { ...beneficiaryOf(registered, bank_code), payout_id, attempt, partner_reference, external_id, net_amount, at };
}
