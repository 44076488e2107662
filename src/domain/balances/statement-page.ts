import type { BalanceSnapshot } from '../../../projections/balances/statement.js';
import { documentOf } from '../../platform/html/document.js';
import { aroundStreamed, foreign, html, STREAMED, trusted, type Html } from '../../platform/html/html.js';
import { LANGUAGES, type Language } from '../../platform/http/language.js';
import { figure, formatMoment, referenceCell, SHEET_STYLE } from './sheet.js';
import type { Statement } from './statement.js';
import { STATEMENT_WORDS, type StatementWords } from './statement-words.js';
import type { MovementDto } from './statements.dto.js';

/** Lines of an A4 sheet: with the heading and the balances brought and carried forward, the sheet is full. */
const SHEET_LINES = 42;
/** Characters of a code and a reference that certainly fit in one printed line. */
const LINE_CHARACTERS = 40;

const FIRST_FIGURE = 3;

export interface StatementPageOptions {
  readonly language: Language;
  /** The address of the page accepts `Lang`. */
  readonly isSwitchable?: boolean;
}

/**
 * Yields a page for reading and printing: one row per movement, in sheets with their page number and balances. Browsers show the sheets while they
 * arrive.
 */
export async function* statementPage(statement: Statement, { language, isSwitchable = false }: StatementPageOptions): AsyncGenerator<string> {
  const { merchant_name, currency, opening_balance, closing_balance } = statement;
  const words = STATEMENT_WORDS[language];
  const title = `${words.title} ${currency}, ${merchant_name}`;
  const content = html`${isSwitchable && languages(words, language)}
    <main>${STREAMED}</main>`;
  const [start, end] = aroundStreamed(documentOf(title, SHEET_STYLE, content, html`<meta name="robots" content="noindex, nofollow" />`, language));
  yield start;
  let number = 1;
  let first = balanceLine(words.openingBalance, opening_balance, currency);
  let waiting = { rows: [] as MovementDto[], lines: 0 };
  const written = (): Html[] => [first, ...waiting.rows.map((row) => movementLine(row, statement, words))];
  for await (const page of statement.movements) {
    for (const movement of page) {
      const lines = linesOf(movement);
      const carried = waiting.rows.at(-1);
      if (carried && waiting.lines + lines > SHEET_LINES) {
        yield sheet(statement, words, number, words.page(number), [...written(), balanceLine(words.carriedForward, carried, currency)]);
        first = balanceLine(words.broughtForward, carried, currency);
        waiting = { rows: [], lines: 0 };
        number += 1;
      }
      waiting.rows.push(movement);
      waiting.lines += lines;
    }
  }
  yield sheet(statement, words, number, words.lastPage(number), [...written(), balanceLine(words.closingBalance, closing_balance, currency)]);
  yield end;
}

/** A reference that does not fit beside its code begins on a new line. */
function linesOf({ code, reference_id }: MovementDto): number {
  const reference = widthOf(reference_id ?? '');
  return (code?.length ?? 0) + reference < LINE_CHARACTERS ? 1 : 1 + Math.ceil(reference / LINE_CHARACTERS);
}

/** Characters beyond ASCII may be twice as wide. */
const widthOf = (text: string): number => text.length + text.replaceAll(/[ -~]/g, '').length;

function languages({ language }: StatementWords, current: Language): Html {
  return html`<nav class="languages" aria-label="${language}">
    ${Object.entries(LANGUAGES).map(
      ([code, name]) =>
        html`<a href="?Lang=${code}" lang="${code}" hreflang="${code}" ${code === current && trusted('aria-current="true"')}>${name}</a> `,
    )}
  </nav>`;
}

function sheet(
  { merchant_id, merchant_name, currency, from, to, timezone }: Statement,
  words: StatementWords,
  number: number,
  page: string,
  rows: readonly Html[],
): string {
  const until = formatMoment(to, timezone);
  const period = from === null ? words.until(until) : words.between(formatMoment(from, timezone), until);
  const title = html`${words.title}, ${currency}`;
  const headings = words.headings.map((heading, index) => html`<th scope="col" ${index >= FIRST_FIGURE && trusted('class="n"')}>${heading}</th>`);
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
        ${words.caption(currency)}
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

function balanceLine(words: string, balance: BalanceSnapshot, currency: string): Html {
  const { pending_amount, available_amount, reserved_amount, fee_amount, total_amount } = balance;
  const figures = [pending_amount, available_amount, reserved_amount, fee_amount, available_amount, total_amount];
  return html`<tr class="balance">
    <th scope="row" colspan="3">${words}</th>
    ${figures.map((amount) => figure(amount, currency))}
  </tr>`;
}

function movementLine(movement: MovementDto, { currency, timezone }: Statement, { kinds }: StatementWords): Html {
  const { booked_on, kind, reference_id, code, settlement_number, pending_change, available_change, reserved_change, fee_change } = movement;
  const changes = [pending_change, available_change, reserved_change, fee_change];
  return html`<tr>
    <td><time datetime="${booked_on}">${formatMoment(booked_on, timezone).slice(0, 19)}</time></td>
    <td>${kinds[kind]}${settlement_number !== null && ` ${settlement_number}`}</td>
    ${referenceCell(code, reference_id)} ${changes.map((change) => (change === 0n ? html`<td></td>` : figure(change, currency)))}
    ${figure(movement.available_amount, currency)} ${figure(movement.total_amount, currency)}
  </tr>`;
}
