import { html, type Html } from '../../../platform/html/html.js';
import { RAILS_STREAM } from '../../../ledger/events/rail.events.js';
import { wordsOf } from '../../../rails/settings/rail-kinds.js';
import type { RailView } from '../../../rails/registry/rail-view.js';
import type { ConsolePages } from '../shared/console-pages.js';
import { code, status, table, time } from '../shared/components.js';

/** The rails to providers and banks: their states, the merchants with own routes, and the operators' permissions. */
export function railsPage(pages: ConsolePages, rails: readonly RailView[]): Html {
  return html`${table(
    'Rails',
    [{ title: 'Rail' }, { title: 'Is' }, { title: 'State' }, { title: 'Why' }, { title: 'Default for' }, { title: 'Credentials', isSpare: true }],
    rails.map((rail) => [
      code(rail.rail),
      wordsOf(rail),
      status(rail.state.toUpperCase() as Uppercase<RailView['state']>),
      rail.reasons.join('; ') || '–',
      rail.default_for.join(', ') || '–',
      credentialsOf(rail),
    ]),
    'There is no rail: test merchants are simulated, and live ones have to wait.',
  )}
  ${ownRoutes(pages)} ${allowances(rails)} ${rails.length > 0 && html`<p><a href="${pages.links.history(RAILS_STREAM)}">History of the rails</a></p>`}`;
}

function credentialsOf({ credentials, previous_credentials }: RailView): string {
  return `version ${credentials.version}${previous_credentials ? `, and ${previous_credentials.version} until it is retired` : ''}`;
}

/** Maximum number of shown routes. The merchants' pages show all. */
const OWN_ROUTES_MAX = 200;

function ownRoutes(pages: ConsolePages): Html | false {
  const own = pages.ownRails();
  if (own.length === 0) return false;
  return html`<section aria-labelledby="own-routes">
    <h2 id="own-routes">Merchants with separate rails</h2>
    ${own.length > OWN_ROUTES_MAX && html`<p class="hint">The first ${OWN_ROUTES_MAX} of ${own.length}; the page of each merchant has its own.</p>`}
    ${table(
      'Routes of merchants, which override the defaults',
      [{ title: 'Merchant' }, { title: 'For' }, { title: 'Rail' }, { title: 'Its id there' }],
      own
        .slice(0, OWN_ROUTES_MAX)
        .map(({ merchant_id, use, rail, merchant_name_id }) => [pages.merchant(merchant_id), use, code(rail), merchant_name_id ?? '–']),
      '',
    )}
  </section>`;
}

function allowances(rails: readonly RailView[]): Html | false {
  const all = rails.flatMap(({ rail, allowed }) => allowed.map((allowance) => ({ rail, ...allowance })));
  if (all.length === 0) return false;
  return html`<section aria-labelledby="allowed">
    <h2 id="allowed">Permissions</h2>
    ${table(
      'Allowances',
      [{ title: 'Rail' }, { title: 'What' }, { title: 'Until (UTC)' }, { title: 'By' }, { title: 'On (UTC)' }, { title: 'Evidence' }],
      all.map(({ rail, what, until, allowed_by, allowed_on, evidence }) => [code(rail), what, time(until), allowed_by, time(allowed_on), evidence]),
      '',
    )}
  </section>`;
}
