import { styleOnBase } from '../../../platform/html/assets.js';
import { documentPage, type Page } from '../../../platform/html/document.js';
import type { Mode } from '../../../ledger/mode.js';
import { foreign, html, type Html } from '../../../platform/html/html.js';
import type { ChainHead } from '../../../transparency-log/chain-keys.js';
import type { PastOptions } from '../../../platform/http/http-options.js';
import { asOf, momentBar, momentInWords, type SuggestedMoment, type Today } from './as-of.js';
import type { Links } from './links.js';

export const STYLE = styleOnBase(new URL('../assets/console.css', import.meta.url));

/** Groups of the menu, by the operator's task. Each page of the console is in one group. */
const GROUPS = {
  Money: {
    charges: 'Charges',
    refunds: 'Refunds',
    disputes: 'Disputes',
    payouts: 'Payouts',
    settlements: 'Settlements',
    'cash-forecast': 'Cash forecast',
    'trial-balance': 'Trial balance',
    journal: 'Journal',
  },
  Records: {
    merchants: 'Merchants',
    customers: 'Customers',
    events: 'Events',
    webhooks: 'Webhooks',
  },
  Controls: {
    exceptions: 'Exceptions',
    desk: 'Desk',
    recon: 'Reconciliation',
    suspense: 'Suspense',
    months: 'Months',
  },
  System: {
    rails: 'Rails',
    calendar: 'Calendar',
    chain: 'Chain',
    people: 'People',
    moments: 'Moments',
  },
} as const;

export const SECTIONS = { overview: 'Overview', ...GROUPS.Money, ...GROUPS.Records, ...GROUPS.Controls, ...GROUPS.System } as const;
export type Section = keyof typeof SECTIONS;

/** Sections that do not follow from the events alone: they have no past. */
const WITHOUT_PAST: readonly string[] = ['webhooks', 'rails', 'chain', 'moments'] satisfies readonly Section[];

/** A page above the shown one. */
export type Ancestor = readonly [name: string, address: string];

export interface ConsolePageOptions {
  readonly links: Links;
  readonly title: string;
  /** Entry of the navigation that the page belongs to. */
  readonly section?: Section;
  /** Pages between that of the section and this one. */
  readonly above?: readonly Ancestor[];
  /** Actions beside the heading. */
  readonly actions?: Html;
  readonly content: Html;
  /** Text in the search field. */
  readonly searched?: string;
  /** Past moments that the page leads to. */
  readonly suggested?: readonly SuggestedMoment[];
  /** Seconds after which a browser loads the page again. */
  readonly reloadsAfter?: number;
  /** Session of the visitor; undefined on pages without one. */
  readonly session: ShownSession | undefined;
}

interface ShownSession extends Today {
  /** Name of the key that opened the session. */
  readonly keyName: string;
  /** Mode of the page; undefined for a page that shows both. */
  readonly mode: Mode | undefined;
  /** False: a record has a mode. True: the session's mode selects the content. */
  readonly isFilteredByMode: boolean;
  /** When the page was made, RFC 3339 in UTC. */
  readonly madeOn: string;
  /** Newest signed head of the log; undefined before the first event is sealed. In the past: the root up to the moment, once it is sealed. */
  readonly head: Pick<ChainHead, 'events' | 'hash'> | undefined;
  /** Path and query of the page, below the console. */
  readonly path: string;
  readonly moment: PastOptions | undefined;
}

export function consolePage(options: ConsolePageOptions): Page {
  const { links, title, section, above = [], actions, content, searched, suggested = [], reloadsAfter, session } = options;
  const moment = session?.moment;
  const place = { links, section, title, moment };
  return documentPage({
    title: `${title}${moment ? ` as of ${momentInWords(moment.time, session.timeZone)}${moment.scenario ? `, what if: ${moment.scenario.name}` : ''}` : ''} – Chargebook console`,
    ...(reloadsAfter !== undefined && { reloadsAfter }),
    style: STYLE,
    root: links.service,
    frameable: false,
    referrerPolicy: 'same-origin',
    content: html`<a class="skip" href="#main">Skip to the content</a>
      ${
        session &&
        html`<header class="bar">
          <a class="brand" href="${links.to('')}">Chargebook <span>console</span></a>
          ${wideNavigation(place)}
          <button type="button" class="opens menu" popovertarget="menu">Menu</button>
          ${smallNavigation(place)}
          <form class="search" role="search" action="${links.to('search')}">
            <label class="heard" for="text">Code, reference, amount or id</label>
            <input
              id="text"
              name="Text"
              type="search"
              maxlength="200"
              autocomplete="off"
              spellcheck="false"
              placeholder="Code, reference, amount or id"
              value="${searched ?? ''}"
            />
            <button>Search</button>
          </form>
          <form class="leave" method="post" action="${links.now('logout')}">
            <span title="The key that this session was opened with">${session.keyName}</span>
            <button>Sign out</button>
          </form>
        </header>`
      }
      ${session && moment && momentBar(links, moment, session)}
      <main id="main" tabindex="-1" class="${!session && 'alone'}">
        <div class="head">
          ${section !== undefined && breadcrumbs(links, section, title, above)}
          <h1>${foreign(title)}</h1>
          ${session && modeOfPage(links, session, section)} ${session && section !== 'moments' && asOf({ ...session, links, suggested })}
          ${actions && html`<p class="actions">${actions}</p>`}
        </div>
        ${session && printedBy(session)} ${content}
      </main>`,
  });
}

/** Where the page is: the group of its section, the section's first page unless this is it, and the pages above it. */
function breadcrumbs(links: Links, section: Section, title: string, above: readonly Ancestor[]): Html | false {
  if (title === SECTIONS[section]) return false;
  const group = groupOf(section);
  return html`<nav class="crumbs" aria-label="Breadcrumbs">
    <ol>
      ${group !== undefined && html`<li>${group}</li>`}
      <li><a href="${links.section(section)}">${SECTIONS[section]}</a></li>
      ${above.map(([name, address]) => html`<li><a href="${address}">${foreign(name)}</a></li> `)}
    </ol>
  </nav>`;
}

/** Only on paper: the maker of the page, its time, and the state of the log, by which an auditor finds the same figures again. */
function printedBy({ keyName, mode, madeOn, head }: ShownSession): Html {
  return html`<p class="printed">
    ${mode && `${MODE_WORDS[mode]}. `}Made on ${madeOn.slice(0, 10)} ${madeOn.slice(11, 19)} UTC for ${foreign(keyName)}.
    ${head && html`Head of the log: ${head.events} events, <code>${head.hash}</code>.`}
  </p>`;
}

/** Shows the mode. A page of a mode has a button that opens its section in the other mode; a record has one mode. */
function modeOfPage(links: Links, { mode, isFilteredByMode, moment }: ShownSession, section: Section | undefined): Html | undefined {
  if (mode === undefined) return undefined;
  if (!isFilteredByMode) return html`<p class="mode ${mode}"><strong>${MODE_WORDS[mode]}</strong></p>`;
  const other = mode === 'live' ? 'test' : 'live';
  return html`<form class="mode ${mode}" method="post" action="${links.now('mode')}">
    <strong>${MODE_WORDS[mode]}</strong>
    ${moment && html`<input type="hidden" name="At" value="${moment.id}" />`}
    <input type="hidden" name="Section" value="${section ?? 'overview'}" />
    <button name="Mode" value="${other}">Show ${MODE_WORDS[other].toLowerCase()}</button>
  </form>`;
}

const MODE_WORDS: Readonly<Record<Mode, string>> = { live: 'Live money', test: 'Test money' };

type Entries = readonly (readonly [string, string])[];

const MENU: readonly (readonly [group: string, Entries])[] = Object.entries(GROUPS).map(([group, entries]) => [group, Object.entries(entries)]);

const groupOf = (section: Section | undefined): string | undefined => MENU.find(([, entries]) => entries.some(([name]) => name === section))?.[0];

/** The shown page. */
interface Place extends Pick<ConsolePageOptions, 'links' | 'title'> {
  readonly section: Section | undefined;
  readonly moment: PastOptions | undefined;
}

/**
 * Navigation of wide windows: a line of groups that open below their names. A popover closes with Escape, with a click elsewhere, and when another
 * one opens. The style sheet shows one of the two navigations.
 */
function wideNavigation(shown: Place): Html {
  return html`<nav class="wide" aria-label="Console">
    <ul>
      <li>${entry(shown, ['overview', SECTIONS.overview])}</li>
      ${MENU.map(
        ([group, entries]) =>
          html`<li>
            <button type="button" class="opens ${group === groupOf(shown.section) && 'here'}" popovertarget="menu-${group}">${group}</button>
            <div popover id="menu-${group}">${list(shown, entries)}</div>
          </li> `,
      )}
    </ul>
  </nav>`;
}

/** Navigation of small windows: all entries at once, below a single word. */
function smallNavigation(shown: Place): Html {
  return html`<nav class="small" aria-label="Console" popover id="menu">
    ${list(shown, [['overview', SECTIONS.overview]])}
    ${MENU.map(
      ([group, entries]) =>
        html`<div>
          <p>${group}</p>
          ${list(shown, entries)}
        </div> `,
    )}
  </nav>`;
}

function list(shown: Place, entries: Entries): Html {
  return html`<ul>
    ${entries.filter(([name]) => !shown.moment || !WITHOUT_PAST.includes(name)).map((each) => html`<li>${entry(shown, each)}</li> `)}
  </ul>`;
}

/** The entry of the shown page, or of the section that it is below, is marked. */
function entry({ links, section, title }: Place, [name, label]: Entries[number]): Html {
  const current = name === section && html` aria-current="${title === label ? 'page' : 'true'}"`;
  return html`<a href="${links.section(name)}" ${current}>${label}</a>`;
}
