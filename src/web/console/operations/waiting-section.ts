import type { Waiting } from '../../finance-api/approvals/waiting.js';
import { milliseconds } from '../../../ledger/time.js';
import { html, type Html } from '../../../platform/html/html.js';
import { cards, duration, money, status, timeUntil } from '../shared/components.js';
import type { Links } from '../shared/links.js';

type Words = readonly [one: string, many: string];
const WORDS: Readonly<Record<Waiting['kind'], Words>> = {
  APPROVALS: ['request to decide', 'requests to decide'],
  BREAKS: ['open break', 'open breaks'],
  FILES: ['file that is missing', 'files that are missing'],
  DAYS: ['day to close', 'days to close'],
  DISPUTES: ['dispute to answer', 'disputes to answer'],
};

/** After every deadline: the list shows all disputes that can still be answered. */
const ANY_TIME = '9999-12-31';

function addressOf(links: Links, kind: Waiting['kind']): string {
  switch (kind) {
    case 'APPROVALS':
      return links.to('desk');
    case 'BREAKS':
      return `${links.to('recon')}#breaks`;
    case 'FILES':
      return `${links.to('recon', { Kind: 'FILE_MISSING' })}#breaks`;
    case 'DAYS':
      return links.to('recon');
    case 'DISPUTES':
      return links.to('disputes', { DueBefore: ANY_TIME });
  }
}

/** The work that waits for people, the most urgent first. `now`: milliseconds since the epoch. */
export function waitingSection(links: Links, waiting: readonly Waiting[], now: number): Html {
  const some = waiting.filter(({ count }) => count > 0).sort((a, b) => urgency(a) - urgency(b));
  return html`<section aria-labelledby="waiting">
    <h2 id="waiting">Waits for you</h2>
    ${cards(
      'The most urgent first',
      [
        { title: 'Task' },
        { title: 'Amounts', isFigure: true },
        { title: 'The oldest', isFigure: true, isSpare: true },
        { title: 'Time left', isFigure: true },
      ],
      some.map(({ kind, count, has_more, amounts, since, due_by, day }) => [
        html`<a href="${addressOf(links, kind)}"><strong>${count}${has_more && ' or more'}</strong> ${WORDS[kind][count === 1 ? 0 : 1]}</a
          >${day !== null && `, from ${day} on`}`,
        html`${amounts.map(({ currency, amount }) => html`<div>${money(amount, currency)}</div>`)}`,
        since === null ? '–' : duration((now - milliseconds(since)) / 1_000),
        due_by === null ? '–' : left(milliseconds(due_by) - now),
      ]),
      'Nothing waits.',
    )}
  </section>`;
}

const left = (ms: number): Html | string => (ms <= 0 ? status('OVERDUE', { words: timeUntil(ms) }) : timeUntil(ms));

/** Milliseconds since the epoch: the deadline; without one, after all deadlines. */
const urgency = ({ due_by }: Waiting): number => (due_by === null ? Infinity : milliseconds(due_by));
