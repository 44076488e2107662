import type { Projection } from '../platform/projector/projection.js';
import type { ReplaySession } from '../platform/projector/replay-session.js';
import type { Difference, MeantSum, TableComparison } from '../platform/projector/comparison.js';
import { redactedColumn } from '../ledger/published/redaction.js';
import type { EventSetAside } from '../ledger/events/set-aside.events.js';
import { quarantinedEvents, skippedBy } from '../ledger/streams/quarantine.js';
import type { EventStore } from '../platform/event-store/event-store.js';
import type { Cli } from './cli.js';
import { table } from './output.js';
import type { Progress } from './progress.js';
import { projectionsOf } from './projection-tables.js';

/** Maximum length of a value in a report, characters. */
const SHOWN_VALUE_MAX = 60;

/** `background`: uses only processor time that the service leaves, so that requests are hardly slower. */
type Urgency = 'urgent' | 'background';

/** Runs `work` in the only replay session, and shows the progress. `names`: the projections; empty for all. */
export async function replaying<T>(
  cli: Cli,
  names: readonly string[],
  urgency: Urgency,
  work: (session: ReplaySession, projections: readonly Projection[], asides: readonly EventSetAside[], store: EventStore) => Promise<T>,
): Promise<T> {
  const projections = await projectionsOf(names);
  const { ReplaySession: Session } = await import('../platform/projector/replay-session.js');
  let progress: Progress | undefined;
  const watch = {
    step(words: string, total?: number) {
      progress?.end();
      progress = cli.progress(words, total);
    },
    advance: (events: number) => progress?.advance(events),
  };
  return cli.withStores(async ({ databaseUrl, eventStore }) => {
    try {
      const background = urgency === 'background' ? await import('../platform/postgres/background-work.js') : undefined;
      background?.stepBack();
      const replay = {
        url: databaseUrl,
        store: eventStore,
        signal: cli.signal,
        watch,
        skipped: skippedBy(eventStore),
        ...(background && { onPool: background.stepBackBehind }),
      };
      const asides = await Promise.all(projections.map(({ name }) => quarantinedEvents(eventStore, name)));
      return await Session.run(replay, (session) => work(session, projections, asides.flat(), eventStore));
    } finally {
      progress?.end();
    }
  });
}

type ShownTable = Omit<TableComparison, 'found'> & { readonly found: readonly Omit<Difference, 'row'>[] };

/** Returns the tables of one projection for output: names with their schema, and confidential values sealed. */
export function shownTables(projection: string, tables: readonly TableComparison[] | null): ShownTable[] {
  return (tables ?? []).map(({ name, found, ...rest }) => ({ name: `${projection}.${name}`, ...rest, found: found.map(redactedDifference) }));
}

function redactedDifference({ columns, row: _, ...rest }: Difference): ShownTable['found'][number] {
  const shown = columns.map(({ column, live, rebuilt }) => ({
    column,
    live: redactedColumn(column, live),
    rebuilt: redactedColumn(column, rebuilt),
  }));
  return { ...rest, columns: shown };
}

/** Returns a line for each different value; empty without differences. */
export function differenceWords(tables: readonly ShownTable[]): string[] {
  const lines = tables.flatMap(({ name, found }) =>
    found.flatMap(({ key, kind, columns }) => {
      const row = Object.values(key).map(shortened).join(' ');
      if (kind !== 'changed') return [[name, row, '', ...(kind === 'missing' ? ['no row', 'a row'] : ['a row', 'no row'])]];
      return columns.map(({ column, live, rebuilt }) => [name, row, column, shortened(live ?? 'null'), shortened(rebuilt ?? 'null')]);
    }),
  );
  if (lines.length === 0) return [];
  const more = tables
    .filter(({ differences, found }) => differences > found.length)
    .map(({ name, differences, found }) => `${count(differences - found.length)} more rows of ${name} differ.`);
  return ['', table(['table', 'key', 'column', 'live', 'rebuilt'], lines), ...more];
}

/** Returns a line for each table with intended differences from the previous version; empty without any. */
export function meantWords(tables: readonly { readonly name: string; readonly meant?: MeantSum }[]): string[] {
  return tables.flatMap(({ name, meant }) =>
    meant && meant.rows > 0 ? [`${count(meant.rows)} rows of ${name} differ as intended: ${meant.words}, ${meant.sum} in all.`] : [],
  );
}

export const count = (value: number): string => value.toLocaleString('en');

function shortened(value: string): string {
  return value.length <= SHOWN_VALUE_MAX ? value : `${value.slice(0, SHOWN_VALUE_MAX - 1)}…`;
}

/** Returns a line for each event that a projection skips. */
export function setAsideWords(asides: readonly EventSetAside[]): string[] {
  if (asides.length === 0) return [];
  const rows = asides.map((each) => [
    each.projection,
    each.event_position,
    each.event_type,
    each.event_id,
    each.set_aside_by,
    each.set_aside_on,
    each.reason,
  ]);
  return ['', 'Set aside:', table(['projection', 'position', 'type', 'event', 'by', 'on', 'reason'], rows)];
}
