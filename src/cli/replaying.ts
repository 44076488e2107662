import type { Projection } from '../platform/projector/projection.js';
import type { ReplaySession } from '../platform/projector/replay-session.js';
import type { Difference, TableComparison } from '../platform/projector/comparison.js';
import { redactedColumn } from '../ledger/redaction.js';
import type { Cli } from './cli.js';
import { CommandFailed } from './failures.js';
import { table } from './output.js';
import type { Progress } from './progress.js';

/** Longest value in a report, characters. */
const SHOWN_VALUE_MAX = 60;

/** Runs `work` with the only session of replays there is, showing how far it has come, and the projections of these names (all: none given). */
export async function replaying<T>(
  cli: Cli,
  names: readonly string[],
  work: (session: ReplaySession, projections: readonly Projection[]) => Promise<T>,
): Promise<T> {
  const [{ PROJECTIONS }, { ReplaySession: Session }] = await Promise.all([
    import('../../projections/all.js'),
    import('../platform/projector/replay-session.js'),
  ]);
  const known = PROJECTIONS.map(({ name }) => name);
  const unknown = names.find((name) => !known.includes(name));
  if (unknown !== undefined) throw new CommandFailed(`there is no projection ${unknown}; there are ${known.join(', ')}`);
  const projections = names.length === 0 ? PROJECTIONS : PROJECTIONS.filter(({ name }) => names.includes(name));
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
      const replay = { url: databaseUrl, store: eventStore, signal: cli.signal, watch };
      return await Session.run(replay, (session) => work(session, projections));
    } finally {
      progress?.end();
    }
  });
}

/** Of one projection's tables, as they are answered: names with their schema, values that may not be shown sealed. */
export function shownTables(projection: string, tables: readonly TableComparison[] | null): TableComparison[] {
  return (tables ?? []).map(({ name, found, ...rest }) => ({ name: `${projection}.${name}`, ...rest, found: found.map(redactedDifference) }));
}

function redactedDifference({ columns, ...rest }: Difference): Difference {
  const shown = columns.map(({ column, live, rebuilt }) => ({
    column,
    live: redactedColumn(column, live),
    rebuilt: redactedColumn(column, rebuilt),
  }));
  return { ...rest, columns: shown };
}

/** A line for each value that differs; empty without any. */
export function differenceWords(tables: readonly TableComparison[]): string[] {
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

export const count = (value: number): string => value.toLocaleString('en');

function shortened(value: string): string {
  return value.length <= SHOWN_VALUE_MAX ? value : `${value.slice(0, SHOWN_VALUE_MAX - 1)}…`;
}
