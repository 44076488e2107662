import { MT940_LINE_END, mt940Lines } from '../../domain/reconciliation/formats/mt940-writer.js';
import type { DayStatement } from './day-statement.js';
import { DAY_MS } from '../../ledger/time.js';

/** Writes statements of SNAP as a file of MT940, a message for each day. */
export const snapMt940 = (account: string, statements: readonly DayStatement[]): string =>
  statements
    .flatMap(({ day, opening, closing, lines }) =>
      mt940Lines({
        ...{ reference: `SNAP${day.replaceAll('-', '')}`, account, number: `${numberOf(day)}/1`, currency: 'IDR', day, opening, closing },
        entries: lines.map(({ amount, partner_reference, reference, text }) => ({
          // SNAP does not mark the bank's own charges.
          ...{ amount, isCharge: false, reference: partner_reference, bankReference: reference, text },
        })),
      }),
    )
    .map(({ text }) => text + MT940_LINE_END)
    .join('');

/** Five digits as in the standard: the year, and the day of the year. */
function numberOf(day: string): string {
  const year = day.slice(0, 4);
  const nth = (Date.parse(`${day}T00:00:00Z`) - Date.parse(`${year}-01-01T00:00:00Z`)) / DAY_MS + 1;
  return `${year.slice(2)}${String(nth).padStart(3, '0')}`;
}
