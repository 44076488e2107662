import type { FieldError } from '../../../platform/problem.js';
import type { FormField } from './proposal-form-fields.js';

/** Reasons of a refusal, by the place where the form shows them. */
export interface FormFaults {
  /** Faults by the path of the field. */
  readonly of: ReadonlyMap<string, readonly string[]>;
  /** Faults of the whole form. */
  readonly others: readonly string[];
}

export const NO_FAULTS: FormFaults = { of: new Map(), others: [] };

/** Fields of every form, beside those of the content. */
export const OTHER_FIELDS = ['reason', 'evidence'] as const;

/** Fields of refusals by the target's rules, by code. The pointer of such a refusal is the whole content. */
const ABOUT: Readonly<Record<string, readonly string[]>> = {
  'merchant-not-found': ['merchant_id'],
  'channel-unknown': ['of.channel_code', 'channel_code'],
  'currency-without-payouts': ['of.currency'],
  'currency-without-disputes': ['of.currency'],
  'fee-invalid': ['fee.value'],
  'bounds-invalid': ['min_amount'],
  'settlement-cycle-invalid': ['settlement_cycle'],
  'use-unknown': ['use'],
  'country-without-channels': ['country'],
  'year-out-of-range': ['year'],
  'too-many-holidays': ['days'],
  'holiday-invalid': ['days'],
  'rail-not-found': ['rail'],
  'rail-of-other-mode': ['rail'],
  'operator-not-found': ['person_id'],
  'item-not-found': ['item_id'],
  'item-of-another': ['item_id'],
  'item-not-of-kind': ['item_id'],
  'item-matched': ['item_id'],
  'item-too-young': ['item_id'],
  'item-resolved': ['item_id'],
  'item-written-off': ['item_id'],
  'item-amount-differs': ['amount'],
  'insufficient-balance': ['amount'],
  'opening-differs': ['amount'],
  'source-not-found': ['source'],
  'source-opened': ['source'],
  'month-ahead': ['relates_to'],
  'break-not-found': ['break_id'],
  'break-resolved': ['break_id'],
  'already-matched': ['break_id'],
  'no-difference': ['break_id'],
  'sides-not-open': ['break_id'],
  'currency-differs': ['break_id'],
  'sign-differs': ['break_id'],
  'until-no-day': ['until'],
  'until-past': ['until'],
  'file-not-found': ['statement_id'],
  'file-forgotten': ['statement_id'],
  'not-attempted': ['payout_id'],
  'not-held': ['payout_id'],
  'may-still-be-paid': ['outcome'],
  'not-stopped': ['event_id'],
  'already-set-aside': ['event_id'],
  'already-accepted': ['digest'],
  'nothing-booked': ['month'],
  'month-not-over': ['month'],
  'month-closed': ['month'],
  'month-out-of-order': ['month'],
  'days-open': ['month'],
};

/** Assigns each error to its field. */
export function placeFaults(fields: readonly FormField[], errors: readonly FieldError[]): FormFaults {
  const of = new Map<string, string[]>();
  const others: string[] = [];
  for (const error of errors) {
    const at = fieldOf(fields, error);
    const detail = detailOf(error, at);
    if (at === undefined) others.push(detail);
    else of.set(at, [...(of.get(at) ?? []), detail]);
  }
  return { of, others };
}

/** Returns the JSON pointer of a field in the body of a request. */
export const pointerTo = (at: string): string =>
  (OTHER_FIELDS as readonly string[]).includes(at) ? `/${at}` : `/content/${at.replaceAll('.', '/')}`;

function fieldOf(fields: readonly FormField[], error: FieldError): string | undefined {
  const ways = [...fields.map(({ at }) => at), ...OTHER_FIELDS];
  const pointer = pointerOf(error);
  if (pointer === '/content') return ABOUT[error.code]?.find((at) => ways.includes(at));
  return ways.find((at) => pointer === pointerTo(at) || pointer.startsWith(`${pointerTo(at)}/`));
}

const pointerOf = (error: FieldError): string => ('pointer' in error ? error.pointer : '');

/** Prefixes the fault of a field with several lines with its line and member: `Line 2, approvals: Must be from 1 to 2.` */
function detailOf(error: FieldError, at: string | undefined): string {
  const pointer = pointerOf(error);
  if (at === undefined) return pointer === '/content' || pointer === '' ? error.detail : `${pointer.slice(1)}: ${error.detail}`;
  const within = pointer === '/content' ? '' : pointer.slice(pointerTo(at).length + 1);
  if (within === '') return error.detail;
  const parts = within.split('/').map((part) => (/^\d+$/.test(part) ? `line ${Number(part) + 1}` : part));
  const place = parts.join(', ');
  return `${place[0]!.toUpperCase()}${place.slice(1)}: ${error.detail}`;
}
