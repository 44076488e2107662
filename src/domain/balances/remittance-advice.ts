import { createHash } from 'node:crypto';
import { canonicalJson } from '../../ledger/ids/canonical-json.js';
import type { ClientBase } from 'pg';
import {
  findAdjustmentLine,
  findFundingLines,
  findFundings,
  type FundedFrom,
  type FundingLine,
  type PaidOut,
} from '../../../projections/balances/funding.js';

type Db = Pick<ClientBase, 'query'>;

/** Runs one read in the turn of the request's caller. */
export type ReadPage = <T>(work: (db: Db) => Promise<T>) => Promise<T>;

/** Rows per page. A page is built without a pause, and all other requests wait for these milliseconds. */
const LINES_OF_PAGE = 200;
const SETTLEMENTS_OF_PAGE = 50;

/** The contribution of one settlement or adjustment, with all of its lines. */
export interface AdvisedSettlement extends FundedFrom {
  readonly lines: AsyncIterable<readonly FundingLine[]>;
}

/** The settlements and adjustments that a payout was made of. It depends only on data that never changes, so each read returns the same. */
export interface RemittanceAdvice {
  readonly payout: PaidOut;
  readonly settlements: AsyncIterable<AdvisedSettlement>;
}

/** Reads the content while it is written out: a payout may consist of millions of lines. */
export function remittanceAdvice(payout: PaidOut, read: ReadPage): RemittanceAdvice {
  return { payout, settlements: settlementsOf(payout, read) };
}

async function* settlementsOf(payout: PaidOut, read: ReadPage): AsyncGenerator<AdvisedSettlement> {
  for (let after = 0n, length = SETTLEMENTS_OF_PAGE; length === SETTLEMENTS_OF_PAGE;) {
    const page = await read((db) => findFundings(db, payout, after, SETTLEMENTS_OF_PAGE));
    for (const each of page) {
      const { settlement_id, adjustment_id } = each;
      yield { ...each, lines: settlement_id === null ? lineOf(adjustment_id!, read) : linesOf(settlement_id, read) };
      after += each.used_here;
    }
    length = page.length;
  }
}

async function* lineOf(adjustmentId: string, read: ReadPage): AsyncGenerator<readonly FundingLine[]> {
  yield [await read((db) => findAdjustmentLine(db, adjustmentId))];
}

async function* linesOf(settlementId: string, read: ReadPage): AsyncGenerator<readonly FundingLine[]> {
  for (let after = 0, length = LINES_OF_PAGE; length === LINES_OF_PAGE;) {
    const page = await read((db) => findFundingLines(db, settlementId, after, LINES_OF_PAGE));
    if (page.length > 0) yield page;
    length = page.length;
    after = page.at(-1)?.line ?? after;
  }
}

/** Yields the document in the form of RFC 8785, in pieces. Its bytes are signed. */
export async function* canonicalAdvice({ payout, settlements }: RemittanceAdvice): AsyncGenerator<string> {
  const { before: _, not_covered, ...rest } = payout;
  const [start, end] = parted({ ...rest, not_covered: figure(not_covered) }, 'settlements');
  yield start;
  let isFirst = true;
  for await (const { lines, net_amount, used_before, used_here, left, ...settlement } of settlements) {
    const figures = { net_amount: figure(net_amount), used_before: figure(used_before), used_here: figure(used_here), left: figure(left) };
    const [opening, closing] = parted({ ...settlement, ...figures }, 'lines');
    yield isFirst ? opening : `,${opening}`;
    isFirst = false;
    let separator = '';
    for await (const page of lines) {
      yield separator + page.map(canonicalLine).join(',');
      separator = ',';
    }
    yield closing;
  }
  yield end;
}

function canonicalLine(line: FundingLine): string {
  const { line: _, gross_amount, fee_amount, net_amount, ...rest } = line;
  return canonicalJson({ ...rest, gross_amount: figure(gross_amount), fee_amount: figure(fee_amount), net_amount: figure(net_amount) });
}

/** Returns the canonical text of the record before and after the items of its list `name`. Quotation marks within a string are escaped. */
function parted(record: object, name: string): [string, string] {
  const opening = `"${name}":[`;
  const text = canonicalJson({ ...record, [name]: [] });
  const at = text.indexOf(opening) + opening.length;
  return [text.slice(0, at), text.slice(at)];
}

/** Writes an amount that is not a number of RFC 8785 as a string of its digits (RFC 7493, 2.2). */
function figure(amount: bigint): number | string {
  const number = Number(amount);
  return Number.isSafeInteger(number) ? number : amount.toString();
}

/** Returns the SHA-256 of the document, hex. */
export async function digestOf(text: AsyncIterable<string>): Promise<string> {
  const hash = createHash('sha256');
  for await (const piece of text) hash.update(piece);
  return hash.digest('hex');
}

/** Returns the bytes that the signature covers, in UTF-8. @param digest of the document, hex @param position of the payout's PayoutSucceeded */
export const signedAdvice = (digest: string, position: number): Buffer => Buffer.from(`chargebook remittance advice 1\n${digest}\n${position}\n`);
