import { styleOnBase } from '../../../platform/html/assets.js';
import { documentPage, type Page } from '../../../platform/html/document.js';
import type { Mode } from '../../../ledger/mode.js';
import { foreign, html, trusted, type Html } from '../../../platform/html/html.js';
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
    chain: 'Chain',
    people: 'People',
  },
} as const;

export const SECTIONS = { overview: 'Overview', ...GROUPS.Money, ...GROUPS.Records, ...GROUPS.Controls, ...GROUPS.System } as const;
export type Section = keyof typeof SECTIONS;

export interface ConsolePageOptions {
  readonly links: Links;
  readonly title: string;
  /** Current entry of the navigation. */
  readonly section?: Section;
  /** Actions beside the heading. */
  readonly actions?: Html;
  readonly content: Html;
  /** Text in the search field. */
  readonly searched?: string;
  /** Session of the visitor; undefined on pages without one. */
  readonly session: ShownSession | undefined;
}

interface ShownSession {
  /** Name of the key that opened the session. */
  readonly keyName: string;
  /** Mode of the page; undefined for a page that shows both. */
  readonly mode: Mode | undefined;
}

export function consolePage({ links, title, section, actions, content, searched, session }: ConsolePageOptions): Page {
  return documentPage({
    title: `${title} – Chargebook console`,
    style: STYLE,
    root: links.service,
    frameable: false,
    referrerPolicy: 'same-origin',
    content: html`<a class="skip" href="#main">Skip to the content</a>
      ${
        session &&
        html`<header class="bar">
          <a class="brand" href="${links.to('')}">Chargebook <span>console</span></a>
          ${wideNavigation(links, section)}
          <details class="menu">
            <summary>Menu</summary>
            ${smallNavigation(links, section)}
          </details>
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
          <form class="leave" method="post" action="${links.to('logout')}">
            <span title="The key that this session was opened with">${session.keyName}</span>
            <button>Sign out</button>
          </form>
        </header>`
      }
      <main id="main" tabindex="-1" class="${!session && 'alone'}">
        <div class="head">
          <h1>${foreign(title)}</h1>
          ${session?.mode && modeSwitch(links, session.mode, section)} ${actions && html`<p class="actions">${actions}</p>`}
        </div>
        ${content}
      </main>`,
  });
}

/** Shows the mode, with a button that opens the same section in the other mode. */
function modeSwitch(links: Links, mode: Mode, section: Section | undefined): Html {
  const other = mode === 'live' ? 'test' : 'live';
  return html`<form class="mode ${mode}" method="post" action="${links.to('mode')}">
    <strong>${MODE_WORDS[mode]}</strong>
    <input type="hidden" name="Section" value="${section ?? 'overview'}" />
    <button name="Mode" value="${other}">Show ${MODE_WORDS[other].toLowerCase()}</button>
  </form>`;
}

const MODE_WORDS: Readonly<Record<Mode, string>> = { live: 'Live money', test: 'Test money' };

type Entries = readonly (readonly [string, string])[];

const MENU: readonly (readonly [group: string, Entries])[] = Object.entries(GROUPS).map(([group, entries]) => [group, Object.entries(entries)]);

/** Navigation of wide windows: a line of groups that open below their names, one at a time. The style sheet shows one of the two navigations. */
function wideNavigation(links: Links, section: Section | undefined): Html {
  return html`<nav class="wide" aria-label="Console">
    <ul>
      <li>${entry(links, section, ['overview', SECTIONS.overview])}</li>
      ${MENU.map(
        ([group, entries]) =>
          html`<li>
            <details name="menu" class="${entries.some(([name]) => name === section) && 'here'}">
              <summary>${group}</summary>
              ${list(links, section, entries)}
            </details>
          </li> `,
      )}
    </ul>
  </nav>`;
}

/** Navigation of small windows: all entries at once, below a single word. */
function smallNavigation(links: Links, section: Section | undefined): Html {
  return html`<nav class="small" aria-label="Console">
    ${list(links, section, [['overview', SECTIONS.overview]])}
    ${MENU.map(
      ([group, entries]) =>
        html`<div>
          <p>${group}</p>
          ${list(links, section, entries)}
        </div> `,
    )}
  </nav>`;
}

function list(links: Links, section: Section | undefined, entries: Entries): Html {
  return html`<ul>
    ${entries.map((each) => html`<li>${entry(links, section, each)}</li> `)}
  </ul>`;
}

function entry(links: Links, section: Section | undefined, [name, label]: Entries[number]): Html {
  return html`<a href="${links.section(name)}" ${name === section && trusted(' aria-current="page"')}>${label}</a>`;
}
