import { style } from '../../platform/html/assets.js';
import { plainPagePolicy } from '../../platform/html/document.js';
import { formatClock, formatFigure } from '../../platform/text/format.js';
import { foreign, html, type Html } from '../../platform/html/html.js';

/** Style of pages for reading and printing: sheets of A4. */
export const SHEET_STYLE = style(`
:root { color-scheme: light; font: 13px/1.35 system-ui, sans-serif; color: #111; background: #e9ebef; }
* { box-sizing: border-box; }
body { margin: 0; padding: 1rem; }
.sheet { background: #fff; max-width: 88rem; margin: 0 auto 1rem; padding: 1.5rem; overflow-x: auto; }
header { display: flex; justify-content: space-between; gap: 2rem; margin: 0 0 .5rem; }
h1, h2 { font-size: 1.15em; margin: 0; }
header p { margin: 0; }
table { border-collapse: collapse; width: 100%; }
caption { text-align: left; padding: 0 0 .25rem; }
th, td { padding: .15rem .5rem; border-bottom: 1px solid #ccc; text-align: left; white-space: nowrap; font-weight: 400; }
thead th, .balance th, .balance td { font-weight: 600; }
.ref { max-width: 24rem; white-space: normal; overflow-wrap: anywhere; }
.code { white-space: nowrap; }
.languages { text-align: right; margin: 0 auto .5rem; max-width: 88rem; }
.n { text-align: right; font-variant-numeric: tabular-nums; }
.balance th, .balance td { background: #f2f2f2; }
.page { text-align: right; white-space: nowrap; }
@page { size: A4 landscape; margin: 9mm 10mm; }
@media print {
  :root { background: #fff; font-size: 7.5pt; line-height: 1.2; }
  body { padding: 0; }
  .sheet { max-width: none; margin: 0; padding: 0; overflow: visible; break-after: page; break-inside: avoid; }
  .sheet:last-of-type { break-after: auto; }
  th, td { padding: .28mm 1.2mm; }
  .ref { max-width: 78mm; }
  .languages { display: none; }
}
`);

export const SHEET_HEADERS = {
  'content-security-policy': plainPagePolicy(SHEET_STYLE),
  'permissions-policy': 'camera=(), geolocation=(), microphone=(), payment=()',
} as const;

/** Returns `2026-01-31 15:15:30 WIB`. */
export function formatMoment(moment: string, timezone: string): string {
  const text = formatClock(moment, timezone);
  return /^\d{4}-/.test(text) ? text : `${moment.slice(0, 10)} ${text}`;
}

/** Formats amounts as the console does, without the currency, which the page names elsewhere. */
export const figure = (amount: bigint, currency: string): Html => html`<td class="n">${formatFigure(amount, currency)}</td>`;

/** The record of a line. No code or reference is cut off; a long reference takes more lines. */
export const referenceCell = (code: string | null, reference: string | null): Html =>
  html`<td class="ref">${code !== null && html`<span class="code">${code}</span>`} ${reference !== null && foreign(reference)}</td>`;
