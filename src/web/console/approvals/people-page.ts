import { html, type Html } from '../../../platform/html/html.js';
import { readEvent } from '../../../ledger/catalogue.js';
import { OPERATORS_STREAM, type OperatorEvent } from '../../../ledger/events/operator.events.js';
import { keyState } from '../../../domain/operators/known-keys.js';
import type { KnownOperator, KnownOperators } from '../../../domain/operators/known-operators.js';
import type { RecordedEvent } from '../../../platform/event-store/event-store.js';
import { operatorAnchor } from '../shared/links.js';
import type { ConsolePages } from '../shared/console-pages.js';
import { code, inWords, status, table, time, userText } from '../shared/components.js';

export interface PeopleSources {
  readonly operators: KnownOperators;
  /** Acts on roles and keys, newest first. */
  readonly acts: readonly RecordedEvent[];
  /** Milliseconds since the epoch. */
  readonly now: number;
  /** A link to the form for an operator's roles; false for a visitor who may not propose. */
  readonly proposalFor: (operatorId: string) => Html | false;
}

/** The people with personal keys, and the changes of their roles and keys with their actors. */
export function peoplePage(pages: ConsolePages, { operators, acts, now, proposalFor }: PeopleSources): Html {
  return html`${table(
    'Operators',
    [
      { title: 'Name' },
      { title: 'State' },
      { title: 'Roles' },
      { title: 'Valid keys, and their expiry (UTC)' },
      { title: 'Added (UTC)', isSpare: true },
    ],
    operators
      .all()
      .map((operator) => [
        html`<span id="${operatorAnchor(operator.id)}">${userText(operator.name)}</span>`,
        stateOf(operator),
        html`${['viewer', ...operator.roles].join(', ')} ${proposalFor(operator.id)}`,
        workingKeys(operator, now),
        time(operator.added_on),
      ]),
    'No operator has a key: “operator add” on the command line adds an operator.',
  )}
  ${
    acts.length > 0 &&
    html`<section aria-labelledby="acts">
      <h2 id="acts">Latest actions</h2>
      ${table(
        'Acts, the newest first',
        [{ title: 'On (UTC)' }, { title: 'By' }, { title: 'What' }, { title: 'Person' }, { title: 'Reason' }],
        acts.map((recorded) => actRow(pages, recorded)),
        '',
      )}
      <p><a href="${pages.links.history(OPERATORS_STREAM)}">Full history</a></p>
    </section>`
  }`;
}

function stateOf({ is_suspended }: KnownOperator): Html {
  return status(is_suspended ? 'SUSPENDED' : 'ACTIVE');
}

function workingKeys({ keys, is_suspended }: KnownOperator, now: number): Html | string {
  const working = is_suspended ? [] : keys.filter((key) => keyState(key, now) === 'active');
  if (working.length === 0) return '–';
  return html`${working.map(({ key_id, expires_on, revoked_on }) => html`<div>${code(key_id)} ${time(revoked_on ?? expires_on)}</div>`)}`;
}

function actRow(pages: ConsolePages, recorded: RecordedEvent): readonly (Html | string)[] {
  const { type, data } = readEvent(recorded) as RecordedEvent & OperatorEvent;
  const { actor, occurred_on } = recorded.metadata;
  const id = 'person_id' in data ? data.person_id : null;
  const what = type === 'OperatorRolesSet' ? `${inWords(type)}: ${data.roles.join(', ') || 'none'}` : inWords(type);
  return [time(occurred_on), pages.actor(actor), what, id === null ? '–' : pages.operator(id), userText('reason' in data ? data.reason : null)];
}
