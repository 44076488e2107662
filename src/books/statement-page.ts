import type { BalanceSnapshot } from '../../projections/books/statement.js';
import { style } from '../html/assets.js';
import { DOCUMENT_END, documentStart, plainPagePolicy } from '../html/document.js';
import { formatClock } from '../html/format.js';
import { foreign, html, trusted, type Html } from '../html/html.js';
import type { Statement } from './statement.js';
import type { MovementDto } from './statements.dto.js';

/** Movements of a sheet of A4: with its heading, what was brought forward and what is carried on it is full. */
const SHEET_LINES = 42;

const STYLE = style(`
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
.ref { max-width: 15rem; overflow: hidden; text-overflow: ellipsis; }
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
  .ref { max-width: 48mm; }
}
`);

export const STATEMENT_PAGE_HEADERS = {
  'content-security-policy': plainPagePolicy(STYLE),
  'permissions-policy': 'camera=(), geolocation=(), microphone=(), payment=()',
} as const;

const HEADINGS = ['Booked', 'What', 'Reference', 'Pending', 'Available', 'Reserved', 'Fee', 'Available after', 'Total after'] as const;
const FIRST_FIGURE = 3;

/** For people, and for paper: one line a movement, in sheets that each say where they stand. Browsers show them while they arrive. */
export async function* statementPage(statement: Statement): AsyncGenerator<string> {
  const { merchant_name, currency, opening_balance, closing_balance, timezone, movements } = statement;
  yield documentStart(`Statement ${currency}, ${merchant_name}`, STYLE, html`<meta name="robots" content="noindex, nofollow" />`).toString();
  yield '<main>';
  let number = 1;
  let first = balanceLine('Opening balance', opening_balance);
  let lines: MovementDto[] = [];
  for await (const page of movements) {
    lines.push(...page);
    while (lines.length > SHEET_LINES) {
      const [full, carried] = [lines.slice(0, SHEET_LINES), lines[SHEET_LINES - 1]!];
      yield sheet(statement, number, `Page ${number}`, [
        first,
        ...full.map((line) => movementLine(line, timezone)),
        balanceLine('Carried forward', carried),
      ]);
      first = balanceLine('Brought forward', carried);
      lines = lines.slice(SHEET_LINES);
      number += 1;
    }
  }
  const rest = lines.map((line) => movementLine(line, timezone));
  yield sheet(statement, number, `Page ${number} of ${number}`, [first, ...rest, balanceLine('Closing balance', closing_balance)]);
  yield `</main>${DOCUMENT_END.toString()}`;
}

function sheet({ merchant_id, merchant_name, currency, from, to, timezone }: Statement, number: number, page: string, rows: readonly Html[]): string {
  const until = formatMoment(to, timezone);
  const period = from === null ? `Until ${until}` : `${formatMoment(from, timezone)} to ${until}`;
  const title = html`Statement of account, ${currency}`;
  const headings = HEADINGS.map((heading, index) => html`<th scope="col" ${index >= FIRST_FIGURE && trusted('class="n"')}>${heading}</th>`);
  return html`<section class="sheet" aria-label="${page}" tabindex="0">
    <header>
      <div>
        ${number === 1 ? html`<h1>${title}</h1>` : html`<h2>${title}</h2>`}
        <p>${foreign(merchant_name)} (${merchant_id})</p>
      </div>
      <div class="page">
        <p>${page}</p>
        <p>${period}</p>
      </div>
    </header>
    <table>
      <caption>
        Movements by the time of booking. Amounts in ${currency}.
      </caption>
      <thead>
        <tr>
          ${headings}
        </tr>
      </thead>
      <tbody>
        ${rows}
      </tbody>
    </table>
  </section> `.toString();
}

/** `2026-01-31 15:15:30 WIB` */
function formatMoment(moment: string, timezone: string): string {
  const text = formatClock(moment, timezone);
  return /^\d{4}-/.test(text) ? text : `${moment.slice(0, 10)} ${text}`;
}

function balanceLine(words: string, balance: BalanceSnapshot): Html {
  const { pending_amount, available_amount, reserved_amount, fee_amount, total_amount } = balance;
  const figures = [pending_amount, available_amount, reserved_amount, fee_amount, available_amount, total_amount];
  return html`<tr class="balance">
    <th scope="row" colspan="3">${words}</th>
    ${figures.map(figure)}
  </tr>`;
}

function movementLine(movement: MovementDto, timezone: string): Html {
  const { booked_on, kind, reference_id, code, settlement_number, pending_change, available_change, reserved_change, fee_change } = movement;
  const words = kind.charAt(0) + kind.slice(1).toLowerCase().replaceAll('_', ' ');
  const changes = [pending_change, available_change, reserved_change, fee_change];
  return html`<tr>
    <td><time datetime="${booked_on}">${formatMoment(booked_on, timezone).slice(0, 19)}</time></td>
    <td>${words}${settlement_number !== null && ` ${settlement_number}`}</td>
    <td class="ref">${reference_id !== null && foreign(reference_id)} ${code}</td>
    ${changes.map((change) => (change === 0n ? html`<td></td>` : figure(change)))} ${figure(movement.available_amount)}
    ${figure(movement.total_amount)}
  </tr>`;
}

const figure = (amount: bigint): Html => html`<td class="n">${decimal(amount)}</td>`;

/** `-1,234.56`: every currency here has two decimals. */
function decimal(minorUnits: bigint): string {
  const digits = (minorUnits < 0n ? -minorUnits : minorUnits).toString().padStart(3, '0');
  const whole = digits.slice(0, -2).replace(/\B(?=(?:\d{3})+$)/g, ',');
  return `${minorUnits < 0n ? '-' : ''}${whole}.${digits.slice(-2)}`;
}
