import type { Mode } from '../../../ledger/mode.js';
import { foreign, html, type Html } from '../../../platform/html/html.js';
import type { PastOptions } from '../../../platform/http/http-options.js';
import { clockNameOf, formatMinute } from '../../../platform/text/format.js';
import { WHAT_IF_PAGE, type Links } from './links.js';

/** A moment that a page leads to by itself, and the page that is shown as of then. */
export type SuggestedMoment = { readonly words: string; readonly page: string } & (
  { readonly position: number } | { readonly month: string; readonly mode: Mode }
);

/** The zone of the books, and its present day. */
export interface Today {
  /** `YYYY-MM-DD`. */
  readonly today: string;
  readonly timeZone: string;
}

/** Values of the form; empty ones are shown as such. */
export interface MomentFields {
  readonly day: string;
  readonly time: string;
}

export interface AsOfOptions extends Today {
  readonly links: Links;
  /** Path and query of the shown page, below the console. */
  readonly path: string;
  readonly suggested: readonly SuggestedMoment[];
}

/** The button of every page that opens the form for a past moment. */
export function asOf({ links, path, suggested, ...today }: AsOfOptions): Html {
  return html`<div class="as-of">
    <button type="button" class="opens" popovertarget="as-of">As of …</button>
    <div popover id="as-of">
      ${momentForm(links, { ...today, name: 'as-of', page: path })}
      ${
        suggested.length > 0 &&
        html`<ul>
          ${suggested.map((moment) => html`<li>${momentButton(links, moment)}</li>`)}
        </ul>`
      }
      <p><a href="${links.now('moments')}">Open moments</a></p>
    </div>
  </div>`;
}

export interface MomentFormOptions extends Today {
  /** Distinguishes the fields from others of the page. */
  readonly name: string;
  /** The page that is shown as of the moment. */
  readonly page: string;
  readonly fields?: MomentFields;
}

/** Opens the moment at a day and time in the zone of the books. */
export function momentForm(links: Links, { name, page, today, timeZone, fields }: MomentFormOptions): Html {
  return html`<form class="moment-form" method="post" action="${links.now('moments')}" aria-label="Show this page as of a past moment">
    <input type="hidden" name="Page" value="${page}" />
    <label for="${name}-day">Day</label>
    <input id="${name}-day" name="Day" type="date" required max="${today}" value="${fields?.day ?? ''}" />
    <label for="${name}-time">Time (${clockNameOf(timeZone)})</label>
    <input id="${name}-time" name="Time" type="time" value="${fields?.time ?? ''}" aria-describedby="${name}-hint" />
    <p class="hint" id="${name}-hint">Without a time: at the end of the day.</p>
    <button class="primary">Show</button>
  </form>`;
}

/** A button that opens a certain moment. */
export function momentButton(links: Links, moment: SuggestedMoment, isPrimary = false): Html {
  return html`<form method="post" action="${links.now('moments')}">
    <input type="hidden" name="Page" value="${moment.page}" />
    ${
      'position' in moment
        ? html`<input type="hidden" name="Position" value="${moment.position}" />`
        : html`<input type="hidden" name="Month" value="${moment.month}" /> <input type="hidden" name="Mode" value="${moment.mode}" />`
    }
    ${isPrimary ? html`<button class="primary">${moment.words}</button>` : html`<button>${moment.words}</button>`}
  </form>`;
}

/** `31 Oct 2026 17:00 WIB`. */
export const momentInWords = (time: string, timeZone: string): string => `${formatMinute(time, timeZone)} ${clockNameOf(timeZone)}`;

/** On every page as of a past moment: the moment, and the way back. */
export function momentBar(
  links: Links,
  { position, time, scenario, root }: PastOptions,
  { path, timeZone }: { readonly path: string } & Pick<Today, 'timeZone'>,
): Html {
  const seal = scenario ? 'other fees' : root() === undefined ? 'not sealed yet' : 'sealed';
  return html`<section class="moment" aria-label="Past moment">
    <p>
      ${scenario && html`What if: <a href="${links.to(WHAT_IF_PAGE)}"><strong>${foreign(scenario.name)}</strong></a> · `}As of
      <strong><time datetime="${time}">${momentInWords(time, timeZone)}</time></strong> ·
      <a href="${links.event(position)}">event ${position.toLocaleString('en')}</a> · ${seal} · read only
    </p>
    <a class="now" href="${links.now(path.startsWith(WHAT_IF_PAGE) ? '' : path)}">Now</a>
  </section>`;
}
