import type { Pool } from 'pg';
import { findMatches, type Match } from '../../../../projections/reconciliation/matches/match-reads.js';
import { findProposedBreaks, type ProposedBreak } from '../../../domain/reconciliation/breaks/proposed-breaks.js';
import { foreign, html, type Html } from '../../../platform/html/html.js';
import { idLink, money, table } from '../shared/components.js';
import type { ConsolePages } from '../shared/console-pages.js';
import { breakTable, lineLink, sourceLink } from '../shared/reconciliation-parts.js';

/** The part of the reconciliation that concerns a record. */
export interface RecordLines {
  /** Lines of statements and remittances that are matched with its items now. */
  readonly matches: readonly Match[];
  /** Breaks of its items, resolved ones too. */
  readonly breaks: readonly ProposedBreak[];
}

type OfRecord = { readonly charge_id: string } | { readonly payout_id: string };
/** Maximum number of lines, and of breaks. A record has one item for each event that moved its money outside. */
const LINES_MAX = 100;

/** @param now milliseconds since the epoch, for the age of breaks */
export async function findRecordLines(pool: Pool, of: OfRecord, now: number): Promise<RecordLines> {
  const query = { ...of, limit: LINES_MAX };
  const [matches, breaks] = await Promise.all([findMatches(pool, query), findProposedBreaks(pool, query, now)]);
  return { matches, breaks: breaks! };
}

/** The lines and breaks of only these events: a refund or dispute is one part of its charge. */
export function linesOfEvents({ matches, breaks }: RecordLines, events: readonly { readonly id: string }[]): RecordLines {
  const ids = new Set(events.map(({ id }) => id));
  const isOf = ({ item }: Pick<Match, 'item'>): boolean => item !== null && ids.has(item.event_id);
  return { matches: matches.filter(isOf), breaks: breaks.filter(isOf) };
}

/** The lines of statements and the breaks of a record; false when no file has named it. */
export function recordLines(pages: ConsolePages, { matches, breaks }: RecordLines): Html | false {
  if (matches.length === 0 && breaks.length === 0) return false;
  return html`<section aria-labelledby="lines">
    <h2 id="lines">In the statements</h2>
    ${matches.length > 0 && matchTable(pages, matches)} ${breaks.length > 0 && breakTable(pages, 'Its breaks, the oldest first', breaks)}
  </section>`;
}

function matchTable(pages: ConsolePages, matches: readonly Match[]): Html {
  return table(
    'Matched lines',
    [
      { title: 'Line' },
      { title: 'Source' },
      { title: 'Batch' },
      { title: 'Kind' },
      { title: 'Amount in the books', isFigure: true },
      { title: 'Difference', isFigure: true },
      { title: 'Event' },
    ],
    matches.flatMap(({ source, batch, item, difference, ...line }) =>
      item === null
        ? []
        : [
            [
              lineLink(pages, line),
              sourceLink(pages, source),
              batch === null ? '–' : foreign(batch),
              item.kind,
              money(item.amount, item.currency),
              difference === null ? '–' : money(difference, item.currency),
              idLink(item.event_id, pages.links.event(item.event_id)),
            ],
          ],
    ),
    '',
  );
}
