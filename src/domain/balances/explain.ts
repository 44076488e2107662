import type { Pool } from 'pg';
import { findBalances, type Balance } from '../../../projections/balances/balance-reads.js';
import { BUCKETS, findGroups, findParts, type AccountName, type Bucket, type Part } from '../../../projections/balances/explanation.js';
import { findLastBooked } from '../../../projections/balances/journal.js';
import type { MerchantTerms } from '../../ledger/ports/merchant-terms.js';
import type { ListPage } from '../../platform/http/answer-list.js';
import { mustExist } from '../../platform/http/record-id.js';
import { invalid } from '../../platform/http/validation/validation.js';
import type { Problem } from '../../platform/problem.js';
import { inSnapshot } from '../../platform/postgres/snapshot.js';
import type { ExplanationDto, ExplanationQuery } from './explanation.dto.js';

export type Db = Parameters<typeof findParts>[0];

/**
 * Returns a merchant's account in a currency of any case. @throws Problem not-found for an unknown merchant, and for a currency that it has neither
 * now nor had before
 */
export async function findAccount(db: Db, terms: MerchantTerms, merchant_id: string, currency: string): Promise<AccountName> {
  const created_on = mustExist(terms.merchantCreatedOn(merchant_id));
  const balances = await findBalances(db, { merchant_id, created_on }, terms.currencies(merchant_id));
  const { currency: found } = mustExist(balances.find((balance) => balance.currency === currency.toUpperCase()));
  return { merchant_id, currency: found };
}

/** Returns the balance of an account that `findAccount` has found; its time of creation is left empty. */
export async function balanceOf(db: Db, { merchant_id, currency }: AccountName): Promise<Balance> {
  const balances = await findBalances(db, { merchant_id, created_on: '' }, [currency]);
  return balances.find((balance) => balance.currency === currency)!;
}

/** Returns a page of the records of a bucket. @throws Problem validation-failed for an invalid cursor */
export async function partsPage(
  db: Db,
  bucket: Bucket,
  account: AccountName,
  after: string | undefined,
  limit: number,
): Promise<ListPage<Part, string>> {
  const parts = await findParts(db, bucket, account, after, limit + 1).catch((error: unknown) => {
    throw error instanceof RangeError ? noCursor('Is not an item of this Bucket.') : error;
  });
  const items = parts.slice(0, limit);
  return { items, next_after: parts.length > limit ? items.at(-1)!.cursor : null };
}

/** @param wanted buckets of an explanation that asks for no single one @throws Problem validation-failed for an invalid cursor */
export function explain(
  pool: Pool,
  account: AccountName,
  { Bucket: only, After: after, Limit: limit }: ExplanationQuery,
  wanted: readonly Bucket[] = BUCKETS,
): Promise<ExplanationDto> {
  if (after !== undefined && only === undefined) throw noCursor('Must be sent with its Bucket.');
  return inSnapshot(pool, async (tx) => {
    const balance = await balanceOf(tx, account);
    const { pending_amount, available_amount, reserved_amount, total_amount, fee_amount, pending_count, available_count } = balance;
    const figures = { fees: fee_amount, charges: pending_count + available_count };
    const buckets: ExplanationDto['buckets'][number][] = [];
    for (const bucket of only === undefined ? wanted : [only]) {
      const groups = await findGroups(tx, bucket, account, figures);
      const { items, next_after } = await partsPage(tx, bucket, account, after, limit);
      buckets.push({
        bucket,
        amount: amountOf(bucket, balance) ?? groups.reduce((sum, { amount }) => sum + amount, 0n),
        groups,
        items: items.map(({ cursor: _, ...item }) => item),
        next_after,
      });
    }
    return {
      ...account,
      position: await findLastBooked(tx),
      balance: { pending_amount, available_amount, reserved_amount, total_amount, fee_amount },
      buckets,
    };
  });
}

/** Returns undefined for buckets that are not a figure of the balance. */
function amountOf(bucket: Bucket, { pending_amount, available_amount, reserved_amount, fee_amount }: Balance): bigint | undefined {
  switch (bucket) {
    case 'PENDING':
      return pending_amount;
    case 'AVAILABLE':
      return available_amount;
    case 'RESERVED':
      return reserved_amount;
    case 'FEES':
      return fee_amount;
    case 'PAYOUTS':
    case 'REFUNDS':
    case 'ADJUSTMENTS':
      return undefined;
  }
}

function noCursor(detail: string): Problem {
  return invalid('query', [{ at: 'After', code: 'unknown-value', detail }]);
}
