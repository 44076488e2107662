import { formatAmount, formatClock } from '../../platform/html/format.js';
import { foreign, html, plain, trusted, type Html } from '../../platform/html/html.js';
import { toneOf, type State, type Tone } from './tones.js';

/** `2026-01-31 08:15:30`, in UTC, and beside it the clock of `zone`, an IANA name; the exact moment is in the attribute. */
export function time(moment: string | null, zone?: string): Html | string {
  if (moment === null) return '–';
  return html`<time datetime="${moment}">${moment.slice(0, 10)} ${moment.slice(11, 19)}</time>${
      zone !== undefined && html` <span class="local">${formatClock(moment, zone)}</span>`
    }`;
}

/** `3 days`: whole units, two or more of them. */
export function duration(seconds: number): string {
  const [unit, size] = UNITS.find(([, each]) => seconds >= 2 * each) ?? ['seconds', 1];
  return `${Math.max(0, Math.floor(seconds / size))} ${unit}`;
}

const UNITS: readonly (readonly [string, number])[] = [
  ['days', 86_400],
  ['hours', 3_600],
  ['minutes', 60],
];

/** In the currency's form; the exact minor units are its value. `isOwed`: below zero it is a debt, and stands out. */
export function money(minorUnits: number | bigint, currency: string, isOwed = false): Html {
  const kind = minorUnits < 0 && isOwed ? 'money owed' : 'money';
  return html`<data class="${kind}" value="${minorUnits.toString()}" title="${minorUnits.toString()} minor units"
    >${formatAmount(minorUnits, currency)}</data
  >`;
}

/** A figure of a journal: empty where it is nothing. */
export function moneyOrNothing(minorUnits: number | bigint, currency: string): Html | string {
  return minorUnits === 0 || minorUnits === 0n ? '' : money(minorUnits, currency);
}

/** `words`: what is shown in place of the state. `tone`: where more than its state says how a record stands. */
export function status(state: State, { words = state, tone = toneOf(state) }: { readonly words?: string; readonly tone?: Tone } = {}): Html {
  return html`<span class="status ${tone}">${words}</span>`;
}

/** A state that leads to where it comes from. */
export function statusLink(state: State, address: string, words: string = state): Html {
  return html`<a class="status ${toneOf(state)}" href="${address}">${words}</a>`;
}

/** What something is: it has no tone. */
export function tag(word: string): Html {
  return html`<span class="status">${word}</span>`;
}

export function code(text: string | number): Html {
  return html`<code>${text}</code>`;
}

/** Characters of a UUID that stand for it: among a million ids, some hundred share them with another one. */
export const SHORT_ID = 8;

/** The first characters of an id; the whole id is in the attribute, and the search finds either. */
export function shortId(id: string): Html {
  return html`<code class="id" title="${id}">${id.slice(0, SHORT_ID)}</code>`;
}

export function idLink(id: string, address: string): Html {
  return html`<a href="${address}" title="${id}">${shortId(id)}</a>`;
}

/** What somebody else wrote, on one line: the style sheet cuts off its end where there is no room, and the attribute holds all of it. */
export function oneLine(text: string | null): Html | string {
  return text === null || text === '' ? '–' : html`<span class="name" title="${plain(text)}">${foreign(text)}</span>`;
}

export interface Column {
  readonly title: string;
  /** Figures, to the right. */
  readonly isFigure?: boolean;
  /** Left out where the window is small. */
  readonly isSpare?: boolean;
}

/** The first cell of each row names it. `empty` is said when there are no rows. */
export function table(caption: string, columns: readonly Column[], rows: readonly (readonly (Html | string | number)[])[], empty: string): Html {
  if (rows.length === 0) return html`<p class="empty">${empty}</p>`;
  const kinds = columns.map(({ isFigure, isSpare }) => [...(isFigure ? ['figure'] : []), ...(isSpare ? ['spare'] : [])].join(' '));
  const kind = (index: number): Html | false => kinds[index] !== '' && html` class="${kinds[index]}"`;
  return html`<div class="scroll" role="region" aria-label="${caption}" tabindex="0">
    <table>
      <caption>
        ${caption}
      </caption>
      <thead>
        <tr>
          ${columns.map(({ title }, index) => html`<th scope="col" ${kind(index)}>${title}</th>`)}
        </tr>
      </thead>
      <tbody>
        ${rows.map(
          (cells) =>
            html`<tr>
              ${cells.map((cell, index) => (index === 0 ? html`<th scope="row" ${kind(index)}>${cell}</th>` : html`<td${kind(index)}>${cell}</td>`))}
            </tr> `,
        )}
      </tbody>
    </table>
  </div>`;
}

/** Terms and what they are. */
export function facts(rows: readonly (readonly [Html | string, Html | string | number | null])[]): Html {
  return html`<dl class="facts">
    ${rows.map(
      ([term, value]) =>
        html`<div>
          <dt>${term}</dt>
          <dd>${value ?? '–'}</dd>
        </div> `,
    )}
  </dl>`;
}

export function userText(text: string | null): Html | string {
  return text === null || text === '' ? '–' : foreign(text);
}

export interface Field {
  readonly name: string;
  readonly label: string;
  readonly value: string | undefined;
  readonly type?: 'text' | 'date' | 'month';
  readonly options?: readonly (readonly [value: string, label: string])[];
  readonly placeholder?: string;
}

/** A form of the page's filters. */
export function filters(action: string, fields: readonly Field[]): Html {
  return html`<form class="filters" action="${action}" aria-label="Filters">
    ${fields.map(
      ({ name, label, value = '', type = 'text', options, placeholder }) =>
        html`<label>
          <span>${label}</span>
          ${
            options
              ? html`<select name="${name}">
                  ${options.map(([word, title]) => html`<option value="${word}" ${word === value && trusted(' selected')}>${title}</option>`)}
                </select>`
              : html`<input
                  name="${name}"
                  type="${type}"
                  value="${value}"
                  autocomplete="off"
                  spellcheck="false"
                  placeholder="${placeholder ?? ''}"
                />`
          }
        </label>`,
    )}
    <button>Show</button>
  </form>`;
}

/** Where a list goes on. */
export function pager(
  links: { readonly first?: string | undefined; readonly next?: string | undefined },
  words: { readonly first: string; readonly next: string },
): Html {
  const { first, next } = links;
  if (first === undefined && next === undefined) return html``;
  return html`<nav class="pager" aria-label="Pages">
    ${first !== undefined && html`<a href="${first}">${words.first}</a>`}
    ${next !== undefined && html`<a rel="next" href="${next}">${words.next}</a>`}
  </nav>`;
}
