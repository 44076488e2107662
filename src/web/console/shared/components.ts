import { formatAmount, formatClock } from '../../../platform/text/format.js';
import { foreign, html, plain, trusted, type Html } from '../../../platform/html/html.js';
import { toneOf, type State, type Tone } from './tones.js';

/** `2026-01-31 08:15:30` in UTC, followed by the local time in `zone` (an IANA name). The attribute has the exact moment. */
export function time(moment: string | null, zone?: string): Html | string {
  if (moment === null) return '–';
  return html`<time datetime="${moment}">${moment.slice(0, 10)} ${moment.slice(11, 19)}</time>${
      zone !== undefined && html` <span class="local">${formatClock(moment, zone)}</span>`
    }`;
}

const WEEKDAY = new Intl.DateTimeFormat('en-GB', { timeZone: 'UTC', weekday: 'long' });
const DAY_AND_MONTH = new Intl.DateTimeFormat('en-GB', { timeZone: 'UTC', day: 'numeric', month: 'long' });

/** `Monday`. @param day `YYYY-MM-DD` */
export const weekday = (day: string): string => WEEKDAY.format(Date.parse(day));

/** `Monday, 30 November`. @param day `YYYY-MM-DD` */
export const dayInWords = (day: string): string => `${weekday(day)}, ${DAY_AND_MONTH.format(Date.parse(day))}`;

/** `3 days`: the largest unit of which there are two or more, rounded down. */
export function duration(seconds: number): string {
  const [unit, size] = unitOf(seconds);
  return `${Math.max(0, Math.floor(seconds / size))} ${unit}`;
}

/** Time until a deadline. `ms`: milliseconds. */
export const timeUntil = (ms: number): string => (ms <= 0 ? 'over' : duration(ms / 1_000));

/** An upper bound: rounded up, and two seconds at least. */
export function durationUp(seconds: number): string {
  const [unit, size] = unitOf(seconds);
  return `${Math.max(2, Math.ceil(seconds / size))} ${unit}`;
}

const unitOf = (seconds: number): readonly [string, number] => UNITS.find(([, each]) => seconds >= 2 * each) ?? ['seconds', 1];

const UNITS: readonly (readonly [string, number])[] = [
  ['days', 86_400],
  ['hours', 3_600],
  ['minutes', 60],
];

/** An amount in the currency's format; its value has the exact minor units. `isOwed`: a negative amount is a debt and is highlighted. */
export function money(minorUnits: number | bigint, currency: string, isOwed = false): Html {
  const kind = minorUnits < 0 && isOwed ? 'money owed' : 'money';
  return html`<data class="${kind}" value="${minorUnits.toString()}" title="${minorUnits.toString()} minor units"
    >${formatAmount(minorUnits, currency)}</data
  >`;
}

/** An amount of the journal; empty for 0. */
export function moneyOrNothing(minorUnits: number | bigint, currency: string): Html | string {
  return minorUnits === 0 || minorUnits === 0n ? '' : money(minorUnits, currency);
}

/** Returns `Charge paid` for `ChargePaid`. */
export function inWords(type: string): string {
  const words = type.replace(/(?<=[a-z])[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
  return words.replace(/\bweb hook\b/i, 'Web-hook').replace(/\bapi\b/i, 'API');
}

/** `words` replaces the state's name; `tone` replaces the state's tone when more than the state decides it. */
export function status(state: State, { words = state, tone = toneOf(state) }: { readonly words?: string; readonly tone?: Tone } = {}): Html {
  return html`<span class="status ${tone}">${words}</span>`;
}

/** A state with a link to its cause. */
export function statusLink(state: State, address: string, words: string = state): Html {
  return html`<a class="status ${toneOf(state)}" href="${address}">${words}</a>`;
}

/** A label without a tone. */
export function tag(word: string): Html {
  return html`<span class="status">${word}</span>`;
}

export function code(text: string | number): Html {
  return html`<code>${text}</code>`;
}

/** Length of the shown beginning of a UUID. Among a million ids, some hundred share it with another one. */
export const SHORT_ID = 8;

/** The first characters of an id. The attribute has the whole id, and the search finds both. */
export function shortId(id: string): Html {
  return html`<code class="id" title="${id}">${id.slice(0, SHORT_ID)}</code>`;
}

export function idLink(id: string, address: string): Html {
  return html`<a href="${address}" title="${id}">${shortId(id)}</a>`;
}

/** A user's text on one line. The style sheet cuts off its end without room; the attribute has the whole text. */
export function oneLine(text: string | null): Html | string {
  return text === null || text === '' ? '–' : html`<span class="name" title="${plain(text)}">${foreign(text)}</span>`;
}

export interface Column {
  readonly title: string;
  /** The column has figures and is aligned to the right. */
  readonly isFigure?: boolean;
  /** Hidden in small windows. */
  readonly isSpare?: boolean;
  /** The list can be in the order of this column. */
  readonly sort?: Sort | undefined;
}

export interface Sort {
  /** The list in that order; if it is in it, in the opposite one. */
  readonly address: string;
  /** undefined: the list has another order. */
  readonly is: 'ascending' | 'descending' | undefined;
}

type Rows = readonly (readonly (Html | string | number)[])[];

/** A table in which the first cell of each row is its header. `empty` replaces a table without rows. */
export function table(caption: string, columns: readonly Column[], rows: Rows, empty: string): Html {
  return tableOf(caption, columns, rows, empty, false);
}

/**
 * The same for a list that people work through on a phone: in small windows each row is a card, and each cell has the title of its column beside it.
 * Such cells are no table for a style sheet, so their roles are written out for assistive technology.
 */
export function cards(caption: string, columns: readonly Column[], rows: Rows, empty: string): Html {
  return tableOf(caption, columns, rows, empty, true);
}

function tableOf(caption: string, columns: readonly Column[], rows: Rows, empty: string, isCards: boolean): Html {
  if (rows.length === 0) return html`<p class="empty">${empty}</p>`;
  const kinds = columns.map(({ isFigure, isSpare }) => [...(isFigure ? ['figure'] : []), ...(isSpare ? ['spare'] : [])].join(' '));
  const kind = (index: number): Html | false => kinds[index] !== '' && html` class="${kinds[index]}"`;
  const role = (name: string): Html | false => isCards && html` role="${name}"`;
  const titled = (index: number): Html | false => isCards && html` role="cell" data-title="${columns[index]!.title}"`;
  return html`<div class="scroll ${isCards && 'of-cards'}" role="region" aria-label="${caption}" tabindex="0">
    <table${isCards && html` class="cards" role="table"`}>
      <caption>
        ${caption}
      </caption>
      <thead${role('rowgroup')}>
        <tr${role('row')}>
          ${columns.map(
            ({ title, sort }, index) =>
              html`<th scope="col" ${kind(index)}${role('columnheader')}${sort?.is !== undefined && html` aria-sort="${sort.is}"`}>
                ${sort ? html`<a href="${sort.address}">${title}</a>` : title}
              </th>`,
          )}
        </tr>
      </thead>
      <tbody${role('rowgroup')}>
        ${rows.map(
          (cells) =>
            html`<tr${role('row')}>
              ${cells.map((cell, index) =>
                index === 0
                  ? html`<th scope="row" ${kind(index)}${role('rowheader')}>${cell}</th>`
                  : html`<td${kind(index)}${titled(index)}>${cell}</td>`,
              )}
            </tr> `,
        )}
      </tbody>
    </table>
  </div>`;
}

/** A list of terms and values. */
export function details(rows: readonly (readonly [Html | string, Html | string | number | null])[]): Html {
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

/** The form with the page's filters. */
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

/** Addresses of other pages of a list; undefined ones are left out. Only numbered pages have a previous and a last one. */
export type Pager = Readonly<Partial<Record<'first' | 'previous' | 'next' | 'last', string | undefined>>>;

/** Links to the other pages of a list. */
export function pager(
  { first, previous, next, last }: Pager,
  words: { readonly first: string; readonly next: string } = { first: 'First page', next: 'Next page' },
): Html {
  if (first === undefined && next === undefined) return html``;
  return html`<nav class="pager" aria-label="Pages">
    ${first !== undefined && html`<a href="${first}">${words.first}</a>`}
    ${previous !== undefined && html`<a rel="prev" href="${previous}">Previous page</a>`}
    ${next !== undefined && html`<a rel="next" href="${next}">${words.next}</a>`} ${last !== undefined && html`<a href="${last}">Last page</a>`}
  </nav>`;
}

/** A link that is one of several choices. */
export function choice(label: string, address: string, isChosen: boolean): Html {
  return isChosen ? html`<a href="${address}" aria-current="true">${label}</a> ` : html`<a href="${address}">${label}</a> `;
}

export interface Tile {
  readonly title: string;
  readonly figure: Html | number;
  /** The course of the figure. */
  readonly picture?: Html;
  readonly note?: Html | string;
  readonly tone?: 'good' | 'bad';
}

/** Large figures in a row. */
export function tiles(all: readonly Tile[]): Html {
  return html`<dl class="tiles">
    ${all.map(
      ({ title, figure, picture, note, tone }) =>
        html`<div${tone !== undefined && html` class="${tone}"`}>
          <dt>${title}</dt>
          <dd>${figure}${picture}</dd>
          ${note !== undefined && html`<dd class="note">${note}</dd>`}
        </div> `,
    )}
  </dl>`;
}

export interface LifeStep {
  readonly name: string;
  /** When it happened; undefined for a step that is still expected. */
  readonly on?: Html | string | undefined;
  readonly note?: Html | string | false | undefined;
  /** `bad`: the record failed with this step. */
  readonly tone?: 'bad';
}

/** The steps of a record's life in their order. Steps that are still expected are hollow, and marked “not yet”. */
export function lifeLine(steps: readonly LifeStep[]): Html {
  return html`<ol class="life" aria-label="Steps">
    ${steps.map(
      ({ name, on, note, tone = 'done' }) =>
        html`<li class="${on === undefined ? 'expected' : tone}">
          <strong>${name}</strong>
          <span>${on ?? 'not yet'}</span>
          ${note && html`<span>${note}</span>`}
        </li> `,
    )}
  </ol>`;
}

/** A station of money: its name, the amount in minor units, and where the amount stands. */
export type Station = readonly [name: string, amount: number, note?: string];

/** The way of a record's money, from one to the next. */
export function moneyFlow(currency: string, stations: readonly Station[]): Html {
  return html`<ol class="flow" aria-label="Flow of its money">
    ${stations.map(
      ([name, amount, note]) =>
        html`<li>
          <span>${name}</span>
          <strong>${money(amount, currency)}</strong>
          ${note !== undefined && html`<span>${note}</span>`}
        </li> `,
    )}
  </ol>`;
}

/** The data that the merchant attached to a record; false when it attached none. */
export function merchantsData(metaData: Readonly<Record<string, string>>): Html | false {
  const entries = Object.entries(metaData);
  if (entries.length === 0) return false;
  return html`<section aria-labelledby="meta-data">
    <h2 id="meta-data">Data of the merchant</h2>
    ${details(entries.map(([name, value]) => [foreign(name), userText(value)] as const))}
  </section>`;
}
