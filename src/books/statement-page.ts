import type { BalanceSnapshot } from '../../projections/books/statement.js';
import { DOCUMENT_END, documentStart } from '../html/document.js';
import { foreign, html, trusted, type Html } from '../html/html.js';
import { figure, formatMoment, SHEET_STYLE } from './sheet.js';
import type { Statement } from './statement.js';
import type { MovementDto } from './statements.dto.js';

/** Movements of a sheet of A4: with its heading, what was brought forward and what is carried on it is full. */
const SHEET_LINES = 42;

const HEADINGS = ['Booked', 'What', 'Reference', 'Pending', 'Available', 'Reserved', 'Fee', 'Available after', 'Total after'] as const;
const FIRST_FIGURE = 3;

/** For people, and for paper: one line a movement, in sheets that each say where they stand. Browsers show them while they arrive. */
export async function* statementPage(statement: Statement): AsyncGenerator<string> {
  const { merchant_name, currency, opening_balance, closing_balance, timezone, movements } = statement;
  yield documentStart(`Statement ${currency}, ${merchant_name}`, SHEET_STYLE, html`<meta name="robots" content="noindex, nofollow" />`).toString();
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
