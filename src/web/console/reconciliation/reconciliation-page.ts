import type { BreakDay } from '../../../../projections/reconciliation/matches/break-days.js';
import type { SourceDay } from '../../../../projections/reconciliation/matches/day-reads.js';
import { BREAK_STATUSES } from '../../../../projections/reconciliation/matches/match-reads.js';
import { BREAK_KINDS } from '../../../../projections/reconciliation/days/tick.js';
import type { Source } from '../../../../projections/reconciliation/sources.js';
import { html, type Html } from '../../../platform/html/html.js';
import { addDays } from '../../../ledger/days.js';
import type { ProposedBreak } from '../../../domain/reconciliation/breaks/proposed-breaks.js';
import type { ReconDayDto } from '../../../domain/reconciliation/days/days.dto.js';
import type { KnownOperator } from '../../../domain/operators/known-operators.js';
import { chart } from '../shared/chart.js';
import { filters, pager, status, statusLink, table } from '../shared/components.js';
import type { ReconciliationQuery } from './reconciliation.dto.js';
import type { ConsolePages } from '../shared/console-pages.js';
import { dayPage, sourcePage, type Links } from '../shared/links.js';
import { pendingField } from '../approvals/pending-proposal.js';
import { breakName } from '../shared/break-words.js';
import { breakTable } from '../shared/reconciliation-parts.js';

export interface ReconciliationSources {
  readonly sources: readonly Source[];
  /** Days, newest first. */
  readonly days: readonly string[];
  readonly found: readonly SourceDay[];
  /** Closes of those days, finished or under way. */
  readonly closes: readonly ReconDayDto[];
  readonly breaks: readonly ProposedBreak[];
  /** The last days in their order. */
  readonly breakDays: readonly BreakDay[];
  /** The next page has the breaks after this id; undefined on the last page. */
  readonly next: string | undefined;
  readonly query: ReconciliationQuery;
  readonly operator: KnownOperator | undefined;
}

/** The files of each source by day, and the breaks. */
export function reconciliationPage(pages: ConsolePages, sources: ReconciliationSources): Html {
  return html`${matrix(pages, sources)} ${weeks(pages, sources)}
    <p><a href="${pages.links.to('recon/receivable')}">Amounts owed by processors, by age</a></p>
    ${breakList(pages, sources)} ${breaksChart(pages.links, sources.breakDays)}
    <p class="hint">
      Controllers set sources on the command line (<code>recon source</code>) or over REST (<code>POST /audit/recon/sources</code>).
    </p>`;
}

/** A table of sources by day: the close, the files and how much of them is matched, and the open breaks. */
function matrix({ links }: ConsolePages, { sources, days, found, closes }: ReconciliationSources): Html {
  const of = (source: string, day: string | null): SourceDay | undefined => found.find((each) => each.source === source && each.day === day);
  const closeOf = (source: string, day: string | null): Html | false => {
    const close = closes.find((each) => each.source === source && each.day === day);
    return close !== undefined && statusLink(close.status, links.to(dayPage(close.id)), CLOSE_WORDS[close.status]);
  };
  return table(
    'Sources by day',
    [{ title: 'Source' }, ...days.map((day) => ({ title: day.slice(5) })), { title: 'Earlier' }],
    sources.map(({ id, settings }) => [
      html`<a href="${links.to(sourcePage(id))}">${id}</a>`,
      ...[...days, null].map((day) => {
        const close = closeOf(id, day);
        const parts = partsOf(of(id, day), settings.kind === 'BANK' ? ['statement', 'statements'] : ['batch', 'batches'], links, id);
        if (!close && parts.length === 0) return '–';
        return html`${close && html`<div>${close}</div>`}${parts.map((part) => html`<div>${part}</div>`)}`;
      }),
    ]),
    'There is no source of this mode.',
  );
}

function partsOf(day: SourceDay | undefined, words: readonly [string, string], links: Links, source: string): Html[] {
  if (!day) return [];
  const { groups, lines, open_lines, breaks, is_missing } = day;
  return [
    ...(is_missing && groups === 0 ? [status('NO FILE')] : []),
    ...(groups > 0 ? [html`${groups} ${words[groups === 1 ? 0 : 1]}`] : []),
    ...(lines > 0 ? [matched(lines, open_lines)] : []),
    ...(breaks > 0 ? [html`<a href="${links.to('recon', { Source: source })}#breaks"><strong>${breaks} open</strong></a>`] : []),
  ];
}

/** Rounded down, so that only a file without an open line is matched whole. */
function matched(lines: number, open: number): Html {
  if (open === 0) return status('OK', { words: 'MATCHED' });
  return status('OK', { words: `${Math.floor((100 * (lines - open)) / lines)} % MATCHED`, tone: 'warn' });
}

/** Links to earlier days and to the newest. */
function weeks({ links }: ConsolePages, { days, query: { Until } }: ReconciliationSources): Html {
  return pager(
    { first: Until === undefined ? undefined : links.to('recon'), next: links.to('recon', { Until: addDays(days.at(-1)!, -1) }) },
    { first: 'Newest days', next: 'Earlier days' },
  );
}

const CLOSE_WORDS: Readonly<Record<ReconDayDto['status'], string>> = { COMPLETE: 'CLOSED', INCOMPLETE: 'INCOMPLETE', OPEN: 'CLOSING' };

function breakList(pages: ConsolePages, { sources, breaks, next, query, operator }: ReconciliationSources): Html {
  const { links } = pages;
  const choice = (words: readonly string[], all: string) => [['', all] as const, ...words.map((word) => [word, word] as const)];
  return html`<section aria-labelledby="breaks">
    <h2 id="breaks">Breaks</h2>
    ${filters(links.to('recon'), [
      {
        name: 'Source',
        label: 'Source',
        value: query.Source,
        options: choice(
          sources.map(({ id }) => id),
          'All sources',
        ),
      },
      {
        name: 'Kind',
        label: 'Kind',
        value: query.Kind,
        options: [['', 'All kinds'], ...BREAK_KINDS.map((kind) => [kind, breakName(kind)] as const)],
      },
      { name: 'Status', label: 'Status', value: query.Status, options: BREAK_STATUSES.map((word) => [word, word]) },
      ...(operator
        ? [{ name: 'Owner', label: 'Whose', value: query.Owner, options: [['', 'Everybody’s'] as const, ['mine', 'Mine'] as const] }]
        : []),
      pendingField(query.Proposal),
    ])}
    ${breakTable(pages, `Breaks that are ${query.Status}, the oldest first`, breaks)}
    ${pager(
      {
        first: query.After === undefined ? undefined : links.to('recon', { ...query, After: undefined }),
        next: next === undefined ? undefined : links.to('recon', { ...query, After: next }),
      },
      { first: 'The oldest', next: 'Later ones' },
    )}
  </section>`;
}

/** Opened breaks above the line, resolved ones below it. */
function breaksChart(links: Links, days: readonly BreakDay[]): Html {
  const sum = (of: 'opened_count' | 'resolved_count'): number => days.reduce((total, day) => total + day[of], 0);
  return html`<section aria-labelledby="breaks-by-day">
    <h2 id="breaks-by-day">Breaks by day <small>UTC, ${days.at(-1)?.open_count} open now</small></h2>
    ${chart({
      id: 'breaks-chart',
      title: 'Breaks that were opened and resolved',
      summary: `${sum('opened_count')} opened, ${sum('resolved_count')} resolved.`,
      kind: 'bars',
      moments: days.map(({ day }) => day),
      series: [
        { name: 'opened', values: days.map((day) => day.opened_count), figure: String(sum('opened_count')) },
        { name: 'resolved', values: days.map((day) => -day.resolved_count), figure: String(sum('resolved_count')) },
      ],
      written: (value) => String(Math.abs(value)),
      figures: table(
        'Breaks by day',
        [{ title: 'Day (UTC)' }, ...['Opened', 'Resolved', 'Open at its end'].map((title) => ({ title, isFigure: true }))],
        days.map(({ day, opened_count, resolved_count, open_count }) => [day, opened_count, resolved_count, open_count]),
        '',
      ),
    })}
    <p><a href="${links.to('recon/break-days.csv')}" download>These figures as CSV</a></p>
  </section>`;
}
