import type { BalanceSnapshot } from '../../projections/books/statement.js';
import { style } from '../html/assets.js';
import { DOCUMENT_END, documentStart, plainPagePolicy } from '../html/document.js';
import { foreign, html, type Html } from '../html/html.js';
import { csvRow } from '../platform/csv.js';
import type { MovementDto } from './statements.dto.js';

/** A statement as it is written out: pages of movements one after the other, never all of them in memory. */
export interface Statement {
  readonly merchant_id: string;
  readonly merchant_name: string;
  readonly currency: string;
  readonly from: string | null;
  readonly to: string;
  readonly opening_balance: BalanceSnapshot;
  readonly closing_balance: BalanceSnapshot;
  readonly movements: AsyncIterable<readonly MovementDto[]>;
}

const COLUMNS = [
  'position',
  'event_id',
  'kind',
  'booked_on',
  'charge_id',
  'payout_id',
  'settlement_id',
  'settlement_number',
  'code',
  'reference_id',
  'pending_change',
  'available_change',
  'reserved_change',
  'fee_change',
  'pending_amount',
  'available_amount',
  'reserved_amount',
  'total_amount',
  'fee_amount',
] as const satisfies readonly (keyof MovementDto)[];

/** The balances stand in rows of their own, first and last. */
export async function* statementCsv({ from, to, opening_balance, closing_balance, movements }: Statement): AsyncGenerator<string> {
  const balanceRow = (kind: string, booked_on: string | null, balance: BalanceSnapshot): string => {
    const row: Partial<MovementDto> = { kind, ...(booked_on === null ? {} : { booked_on }), ...balance };
    return csvRow(COLUMNS.map((column) => row[column] ?? null));
  };
  yield csvRow(COLUMNS) + balanceRow('OPENING_BALANCE', from, opening_balance);
  for await (const page of movements) yield page.map((movement) => csvRow(COLUMNS.map((column) => movement[column]))).join('');
  yield balanceRow('CLOSING_BALANCE', to, closing_balance);
}

const STYLE = style(`
:root { color-scheme: light; font: 14px/1.4 system-ui, sans-serif; color: #111; background: #fff; }
body { margin: 2rem auto; max-width: 72rem; padding: 0 1rem; }
h1 { font-size: 1.4rem; margin: 0 0 .25rem; }
p { margin: 0 0 1rem; }
table { border-collapse: collapse; width: 100%; }
caption { text-align: left; padding: 0 0 .5rem; }
th, td { padding: .25rem .5rem; border-bottom: 1px solid #ccc; text-align: left; vertical-align: top; }
.n { text-align: right; font-variant-numeric: tabular-nums; white-space: nowrap; }
.balance th, .balance td { font-weight: 600; background: #f2f2f2; }
@page { size: A4 landscape; margin: 12mm; }
@media print { body { margin: 0; max-width: none; } thead { display: table-header-group; } tr { break-inside: avoid; } }
`);

export const STATEMENT_PAGE_HEADERS = {
  'content-security-policy': plainPagePolicy(STYLE),
  'permissions-policy': 'camera=(), geolocation=(), microphone=(), payment=()',
} as const;

const HEADINGS = ['Booked', 'What', 'Reference', 'Pending', 'Available', 'Reserved', 'Fee', 'Available after', 'Total after'] as const;
const FIRST_FIGURE = 3;

/** For people, and for paper. Browsers show a table while it arrives. */
export async function* statementPage(statement: Statement): AsyncGenerator<string> {
  const { merchant_id, merchant_name, currency, from, to, opening_balance, closing_balance, movements } = statement;
  const title = `Statement ${currency}, ${merchant_name}`;
  const period = from === null ? `until ${to}` : `from ${from} to ${to}`;
  const headings = HEADINGS.map((heading, index) => html`<th scope="col" class="${index < FIRST_FIGURE ? 't' : 'n'}">${heading}</th>`);
  yield html`${documentStart(title, STYLE)}
    <h1>Statement of account, ${currency}</h1>
    <p>${foreign(merchant_name)} (${merchant_id}), ${period}, by the time of booking. Amounts in ${currency}.</p>`.toString();
  yield `<table><caption>Movements</caption><thead>${html`<tr>
    ${headings}
  </tr>`.toString()}</thead><tbody>${balanceLine('Opening balance', from ?? '', opening_balance).toString()}`;
  for await (const page of movements) yield page.map((movement) => movementLine(movement).toString()).join('');
  yield `${balanceLine('Closing balance', to, closing_balance).toString()}</tbody></table>${DOCUMENT_END.toString()}`;
}

function balanceLine(words: string, moment: string, balance: BalanceSnapshot): Html {
  const { pending_amount, available_amount, reserved_amount, fee_amount, total_amount } = balance;
  const figures = [pending_amount, available_amount, reserved_amount, fee_amount, available_amount, total_amount];
  return html`<tr class="balance">
    <td>${moment}</td>
    <th scope="row" colspan="2">${words}</th>
    ${figures.map(figure)}
  </tr>`;
}

function movementLine(movement: MovementDto): Html {
  const { booked_on, kind, reference_id, code, settlement_number, pending_change, available_change, reserved_change, fee_change } = movement;
  const words = kind.charAt(0) + kind.slice(1).toLowerCase().replace('_', ' ');
  const figures = [pending_change, available_change, reserved_change, fee_change, movement.available_amount, movement.total_amount];
  return html`<tr>
    <td>${booked_on}</td>
    <td>${words}${settlement_number !== null && ` ${settlement_number}`}</td>
    <td>${reference_id !== null && foreign(reference_id)} ${code}</td>
    ${figures.map(figure)}
  </tr>`;
}

const figure = (amount: bigint): Html => html`<td class="n">${decimal(amount)}</td>`;

/** `-1,234.56`: every currency here has two decimals. */
function decimal(minorUnits: bigint): string {
  const digits = (minorUnits < 0n ? -minorUnits : minorUnits).toString().padStart(3, '0');
  const whole = digits.slice(0, -2).replace(/\B(?=(?:\d{3})+$)/g, ',');
  return `${minorUnits < 0n ? '-' : ''}${whole}.${digits.slice(-2)}`;
}
