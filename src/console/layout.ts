import { styleOnBase } from '../html/assets.js';
import { documentPage, type Page } from '../html/document.js';
import { foreign, html, trusted, type Html } from '../html/html.js';
import type { Links } from './links.js';

export const STYLE = styleOnBase(new URL('./assets/console.css', import.meta.url));

export const SECTIONS = {
  overview: 'Overview',
  exceptions: 'Exceptions',
  merchants: 'Merchants',
  charges: 'Charges',
  refunds: 'Refunds',
  disputes: 'Disputes',
  payouts: 'Payouts',
  settlements: 'Settlements',
  customers: 'Customers',
  journal: 'Journal',
  events: 'Events',
  webhooks: 'Webhooks',
  rails: 'Rails',
  people: 'People',
  chain: 'Chain',
} as const;
export type Section = keyof typeof SECTIONS;

export interface ConsolePageOptions {
  readonly links: Links;
  readonly title: string;
  /** In the navigation. */
  readonly section?: Section;
  /** Beside the heading: what can be had of the page. */
  readonly actions?: Html;
  readonly content: Html;
  /** Into the search field. */
  readonly searched?: string;
  /** Of the key that the session was opened with; undefined outside of a session. */
  readonly keyName: string | undefined;
}

export function consolePage({ links, title, section, actions, content, searched, keyName }: ConsolePageOptions): Page {
  return documentPage({
    title: `${title} – Chargebook console`,
    style: STYLE,
    root: links.service,
    frameable: false,
    referrerPolicy: 'same-origin',
    content: html`<a class="skip" href="#main">Skip to the content</a>
      ${
        keyName !== undefined &&
        html`<header class="bar">
          <a class="brand" href="${links.to('')}">Chargebook <span>console</span></a>
          ${navigation(links, section, 'wide')}
          <details class="menu">
            <summary>Menu</summary>
            ${navigation(links, section, 'small')}
          </details>
          <form class="search" role="search" action="${links.to('search')}">
            <label class="heard" for="text">Code, reference or id</label>
            <input
              id="text"
              name="Text"
              type="search"
              maxlength="200"
              autocomplete="off"
              spellcheck="false"
              placeholder="Code, reference or id"
              value="${searched ?? ''}"
            />
            <button>Search</button>
          </form>
          <form class="leave" method="post" action="${links.to('logout')}">
            <span title="The key that this session was opened with">${keyName}</span>
            <button>Sign out</button>
          </form>
        </header>`
      }
      <main id="main" tabindex="-1" class="${keyName === undefined && 'alone'}">
        <div class="head">
          <h1>${foreign(title)}</h1>
          ${actions && html`<p class="actions">${actions}</p>`}
        </div>
        ${content}
      </main>`,
  });
}

/** Stands twice, for wide windows and behind a menu for small ones: the style sheet shows one of them. */
function navigation(links: Links, section: Section | undefined, size: 'wide' | 'small'): Html {
  return html`<nav class="${size}" aria-label="Console">
    <ul>
      ${Object.entries(SECTIONS).map(
        ([name, label]) =>
          html`<li><a href="${links.to(name === 'overview' ? '' : name)}" ${name === section && trusted(' aria-current="page"')}>${label}</a></li> `,
      )}
    </ul>
  </nav>`;
}
