import { z } from 'zod';
import type { ProviderResult } from '../../ledger/ports/provider-result.js';
import { milliseconds } from '../../ledger/time.js';
import type { Beneficiary, TransferAttempt, TransferStatus } from '../../domain/payouts/transfer/remote-bank.js';
import { twoDecimals } from '../../platform/text/amounts.js';
import { agrees, optionalText, readAs, rupiah, text, type SnapAnswer } from './answer.js';
import { jakartaMidnight, jakartaTime } from './jakarta.js';
import { INQUIRY_VERDICTS, PAY_VERDICTS, STATUS_NOT_FOUND, TRANSFER_STATUSES, verdictOf, type Verdict } from './outcomes.js';
import type { SnapProfile } from './profiles.js';

/** Bodies and answers of services 15 to 18 and 36. */

export const isWithin = (profile: SnapProfile, { bank_code }: Pick<Beneficiary, 'bank_code'>): boolean => bank_code === profile.own_bank;

export function inquiryBody(profile: SnapProfile, to: Beneficiary, reference: string): object {
  const account = { partnerReferenceNo: reference, beneficiaryAccountNo: to.bank_account_number };
  if (isWithin(profile, to)) return account;
  return { beneficiaryBankCode: to.bank_code, ...account, ...(profile.interbank && { additionalInfo: profile.interbank.inquiry }) };
}

const holder = z.object({ beneficiaryaccountname: text, beneficiaryaccountno: optionalText, referenceno: optionalText });

export function readHolder(answer: SnapAnswer, to: Beneficiary): ProviderResult<{ readonly name: string; readonly reference?: string }> {
  if (answer.http !== 200 || answer.caseCode !== '00') {
    const verdict = verdictOf(INQUIRY_VERDICTS, answer.http, answer.caseCode);
    // An inquiry moves nothing: an answer without a holder leads to another inquiry.
    return verdict.is === 'rejected' ? refused(answer, verdict) : { is: 'retryable', code: answer.code };
  }
  return readAs(holder, answer, ({ beneficiaryaccountname, beneficiaryaccountno, referenceno }) =>
    agrees(beneficiaryaccountno, to.bank_account_number)
      ? { is: 'accepted', value: { name: beneficiaryaccountname, ...(referenceno !== undefined && { reference: referenceno }) } }
      : { is: 'unknown', code: 'another-account' },
  );
}

/** Returns the rejection of an attempt that SNAP cannot express, before anything is sent. */
export function refusedUnsent({ currency, net_amount }: TransferAttempt): ProviderResult<never> | undefined {
  if (currency !== 'IDR') return { is: 'rejected', code: 'currency-not-supported', detail: 'SNAP moves rupiah' };
  if (net_amount % 100 !== 0) return { is: 'rejected', code: 'amount-not-whole', detail: 'SNAP moves whole rupiah' };
  return undefined;
}

export function transferBody(profile: SnapProfile, sourceAccount: string, attempt: TransferAttempt): object {
  const common = {
    partnerReferenceNo: attempt.partner_reference,
    amount: { value: twoDecimals(attempt.net_amount), currency: attempt.currency },
    beneficiaryAccountNo: attempt.bank_account_number,
    sourceAccountNo: sourceAccount,
    transactionDate: jakartaTime(milliseconds(attempt.at)),
  };
  if (isWithin(profile, attempt)) return common;
  return {
    ...common,
    beneficiaryAccountName: attempt.bank_account_name,
    beneficiaryBankCode: attempt.bank_code,
    ...(profile.interbank && { additionalInfo: profile.interbank.transfer }),
  };
}

const taken = z.object({ referenceno: optionalText, partnerreferenceno: optionalText, amount: rupiah.nullish() });

export function readTaken(answer: SnapAnswer, attempt: TransferAttempt): ProviderResult<{ readonly reference: string | null }> {
  if (answer.http !== 200 || answer.caseCode !== '00') return refused(answer, verdictOf(PAY_VERDICTS, answer.http, answer.caseCode));
  return readAs(taken, answer, ({ referenceno, partnerreferenceno, amount }) =>
    agrees(partnerreferenceno, attempt.partner_reference) && (amount ?? attempt.net_amount) === attempt.net_amount
      ? { is: 'accepted', value: { reference: referenceno ?? null } }
      : { is: 'unknown', code: 'another-transfer' },
  );
}

/** Converts an answer by its verdict. The detail is ours: a provider's text may contain names and numbers. */
export function refused(answer: SnapAnswer, verdict: Verdict): ProviderResult<never> {
  if (verdict.is === 'rejected') return { is: 'rejected', code: answer.code, detail: verdict.means };
  return { is: verdict.is, code: answer.code };
}

export function statusBody(profile: SnapProfile, attempt: TransferAttempt): object {
  const at = milliseconds(attempt.at);
  return {
    originalPartnerReferenceNo: attempt.partner_reference,
    originalExternalId: attempt.external_id,
    serviceCode: isWithin(profile, attempt) ? '17' : '18',
    transactionDate: jakartaTime(profile.status_by_day ? jakartaMidnight(at) : at),
  };
}

const state = z.object({
  latesttransactionstatus: text,
  originalpartnerreferenceno: optionalText,
  beneficiaryaccountno: optionalText,
  amount: rupiah.nullish(),
});

/**
 * Only an answer that names this transfer and this amount ends it. "Not found" and "paying" decide nothing alone, so they only must not name another
 * transfer.
 */
export function readStatus(answer: SnapAnswer, attempt: TransferAttempt): ProviderResult<TransferStatus> {
  if (`${answer.http}:${answer.caseCode}` === STATUS_NOT_FOUND) return { is: 'accepted', value: 'not-found' };
  if (answer.http !== 200 || answer.caseCode !== '00') return { is: 'unknown', code: answer.code };
  return readAs(state, answer, (read) => {
    const status = TRANSFER_STATUSES[read.latesttransactionstatus];
    if (!status) return { is: 'unknown', code: 'another-status' };
    const reference = read.originalpartnerreferenceno;
    if (!agrees(reference, attempt.partner_reference)) return { is: 'unknown', code: 'another-transfer' };
    if (!agrees(read.beneficiaryaccountno, attempt.bank_account_number)) return { is: 'unknown', code: 'another-account' };
    if ((read.amount ?? attempt.net_amount) !== attempt.net_amount) return { is: 'unknown', code: 'another-amount' };
    const isOver = status === 'paid' || status === 'failed' || status === 'returned';
    return isOver && (reference === undefined || read.amount == null)
      ? { is: 'unknown', code: 'incomplete-answer' }
      : { is: 'accepted', value: status };
  });
}
