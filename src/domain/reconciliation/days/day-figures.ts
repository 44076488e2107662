import { createHash } from 'node:crypto';
import type { Pool } from 'pg';
import { findBookCash } from '../../../../projections/balances/bank-balance.js';
import { findBreakFigures } from '../../../../projections/reconciliation/break-figures.js';
import { findDayPart, type StoredDayClose } from '../../../../projections/reconciliation/days/day-close-reads.js';
import { breakFigure, safe } from '../../approvals/figures.js';
import { canonicalJson } from '../../../ledger/ids/canonical-json.js';
import type { BookedRow, DayClosed, DayFigures } from '../../../ledger/events/day-close.events.js';
import { readCheckpoint } from '../../../platform/projector/checkpoint.js';

/** The result of a close according to the read models, for the event that ends it and for its proof. */
export type DayResult = Pick<DayClosed, 'parts' | 'rows' | 'digest' | 'figures' | 'breaks'>;

/** undefined: the books have not reached the close yet. */
export async function reachedResultOf(pool: Pool, close: StoredDayClose): Promise<DayResult | undefined> {
  const checkpoint = await readCheckpoint(pool, 'ledger');
  return (checkpoint?.ordinal ?? 0) < close.ordinal ? undefined : resultOf(pool, close);
}

/** Requires that the books have reached the close. */
export async function resultOf(pool: Pool, close: StoredDayClose): Promise<DayResult> {
  const [figures, breaks, digest] = await Promise.all([
    figuresOf(pool, close),
    findBreakFigures(pool, { source: close.source }, close.ordinal),
    digestOfRows(pool, close),
  ]);
  return { parts: close.parts, rows: close.rows, digest, figures, breaks: breaks.map(breakFigure) };
}

/** Returns figures for currencies that have statements, or in which something was booked. */
async function figuresOf(pool: Pool, { mode, ordinal, figures }: StoredDayClose): Promise<DayFigures[]> {
  const cash = await findBookCash(
    pool,
    mode,
    figures.map(({ currency }) => currency),
    ordinal,
  );
  return figures.flatMap(({ currency, closing, booked, ...rest }): DayFigures[] => {
    const book_cash = safe((cash.get(currency) ?? 0n) + BigInt(booked));
    const { payouts, returns, under_way, differences } = rest;
    const expected = safe(BigInt(book_cash) + BigInt(payouts) - BigInt(returns) - BigInt(under_way));
    if (closing === null && [book_cash, payouts, returns, under_way, differences].every((amount) => amount === 0)) return [];
    const residual = closing === null ? null : safe(BigInt(closing) - BigInt(expected));
    return [{ currency, closing, book_cash, ...rest, residual }];
  });
}

/** Returns whether nothing is left unexplained. */
export const isComplete = ({ figures }: Pick<DayClosed, 'figures'>): boolean => figures.every(({ residual }) => residual === 0);

async function digestOfRows(pool: Pool, { source, n, parts }: StoredDayClose): Promise<string> {
  const digest = new RowsDigest();
  for (let part = 1; part <= parts; part += 1) digest.add((await findDayPart(pool, source, n, part))!.rows);
  return digest.hex();
}

/** SHA-256 over the canonical JSON of each row, followed by LF. */
export class RowsDigest {
  readonly #hash = createHash('sha256');

  add(rows: readonly BookedRow[]): void {
    for (const row of rows) this.#hash.update(`${canonicalJson(row)}\n`);
  }

  hex(): string {
    return this.#hash.digest('hex');
  }
}
