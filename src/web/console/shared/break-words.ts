import type { BreakKind } from '../../../../projections/reconciliation/days/tick.js';

/** The name of each kind of break, and its meaning. */
const WORDS: Readonly<Record<BreakKind, readonly [name: string, meaning: string]>> = {
  LEDGER_ONLY: ['Only in the books', 'The books have an item that is due, and no line names it.'],
  PROCESSOR_ONLY: ['Unknown line of the processor', 'A line that names no item of ours.'],
  AMOUNT: ['Another amount', 'A line whose reference is known, with another amount.'],
  CURRENCY: ['Another currency', 'A line whose reference is known, in another currency.'],
  DUPLICATE: ['Second line', 'A line for an item that another line has been matched with.'],
  STATUS: ['Remitted though reversed', 'It was remitted although it was reversed, written off, or part of the opening.'],
  FEE: ['Another fee', 'It is matched, but the source expects another fee.'],
  TAX: ['Another tax', 'It is matched, but the source expects another tax.'],
  REMITTANCE_SHORT: ['Batch paid short', 'Less than the batch was credited.'],
  REMITTANCE_MISSING: ['Batch not paid', 'A batch that is due, and nothing was credited for it.'],
  BANK_UNKNOWN: ['Unknown line of the bank', 'A line of the bank that names no item of ours.'],
  PAYOUT_NOT_PRESENTED: ['Payout not debited', 'A payout that is due to be debited, and is not.'],
  PAYOUT_TWICE: ['Payout debited twice', 'A payout that was debited before.'],
  PAYOUT_AMOUNT: ['Payout with another amount', 'A payout that was debited with another amount.'],
  PAYOUT_UNORDERED: ['Payout not ordered', 'A debit for a payout that was not at the bank, or had failed.'],
  PAYOUT_RETURNED: ['Payout came back', 'Money of a payout came back, but no return was reported.'],
  FILE_MISSING: ['File is missing', 'No statement of a banking day.'],
};

/** @param kind also of a closed day, whose event has it as a text */
const wordsOf = (kind: string): readonly [name: string, meaning: string] =>
  (WORDS as Record<string, (typeof WORDS)[BreakKind]>)[kind] ?? [kind, kind];

export const breakName = (kind: string): string => wordsOf(kind)[0];
export const breakMeaning = (kind: string): string => wordsOf(kind)[1];
