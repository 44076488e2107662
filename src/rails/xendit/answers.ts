import { z } from 'zod';
import { minorUnits } from '../../platform/text/amounts.js';
import { parsedByDigits } from '../calls/exact-json.js';

/** The provider's id of an object: used in addresses, events and logs. */
const reference = z.string().regex(/^[!-~]{1,100}$/);
const text = z.string().max(4_000);
/** Digits, as `parsedByDigits` returns them. */
const amount = z.string();
const currency = z.string().regex(/^[A-Z]{3}$/);
const code = z.string().regex(/^[A-Z][A-Z0-9_]{0,63}$/);

/** A payment request; other fields are ignored. */
export const PAYMENT_REQUEST = z.object({
  payment_request_id: reference,
  reference_id: text,
  status: code,
  currency: currency.optional(),
  request_amount: amount.optional(),
  latest_payment_id: reference.nullish(),
  failure_code: code.nullish().catch(null),
  actions: z.array(z.object({ descriptor: z.string().catch(''), value: z.string().catch('') })).nullish(),
});
export type PaymentRequest = z.infer<typeof PAYMENT_REQUEST>;

export const REFUND = z.object({ reference_id: text, status: code, currency, amount, failure_code: code.nullish().catch(null) });

export const TRANSACTIONS = z.object({
  has_more: z.boolean(),
  data: z.array(
    z.object({ id: reference, product_id: reference, type: code, status: code, reference_id: text.nullish(), currency: currency.nullish(), amount }),
  ),
});
export type Transaction = z.infer<typeof TRANSACTIONS>['data'][number];

export const BALANCE = z.object({ balance: amount });

const ERROR = z.object({ error_code: code });

/** @throws for an answer with an unexpected form; the error may quote the answer */
export function readAnswer<T>(schema: z.ZodType<T>, body: Buffer): T {
  return schema.parse(parsedByDigits(body));
}

/** undefined: the answer has no code. */
export function errorCode(body: Buffer): string | undefined {
  try {
    return readAnswer(ERROR, body).error_code;
  } catch {
    return undefined;
  }
}

const CURRENCIES: ReadonlySet<string | null | undefined> = new Set(['IDR', 'MYR', 'SGD']);

/** Minor units; undefined for an invalid amount, or one in a currency that we do not use. Rupiah must be whole. */
export function moneyOf(of: { readonly amount?: string | undefined; readonly currency?: string | null | undefined }): number | undefined {
  const minor = minorUnits(of.amount);
  if (minor === undefined || !CURRENCIES.has(of.currency)) return undefined;
  return of.currency === 'IDR' && minor % 100 !== 0 ? undefined : minor;
}
