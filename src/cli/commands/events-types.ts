import { Command } from 'commander';
import { isKnownType, SCHEMA_VERSIONS } from '../../ledger/catalogue.js';
import type { EventStore } from '../../platform/event-store/event-store.js';
import type { Cli } from '../cli.js';
import { table } from '../output.js';

/** Events of one type in one schema version. */
interface TypeCount {
  readonly type: string;
  /** Schema version of the stored events. */
  readonly version: number;
  /** Schema version in which new events of the type are written; null when this build does not know the type. */
  readonly version_today: number | null;
  readonly events: number;
}

export const eventsTypes = (cli: Cli): Command =>
  new Command('types').description('count the stored events by type and schema version').action(async () => {
    const types = await cli.withStores(({ eventStore }) => countTypes(eventStore, cli));
    const events = types.reduce((sum, each) => sum + each.events, 0);
    await cli.answer({ events, types }, () =>
      table(
        ['type', 'version', 'version today', 'events'],
        types.map((each) => [each.type, each.version, each.version_today, each.events]),
      ),
    );
  });

/** Reads the log up to the head at the start. Returns counts by type, then version. */
async function countTypes(store: EventStore, cli: Cli): Promise<TypeCount[]> {
  const head = await store.head();
  const counts = new Map<string, number>();
  if (head !== null) {
    for await (const { events, caughtUp } of store.subscribe(null, { signal: cli.signal })) {
      for (const { position, type, metadata } of events) {
        if (position > head) break;
        const key = `${type} ${metadata.schema_version}`;
        counts.set(key, (counts.get(key) ?? 0) + 1);
      }
      if (caughtUp || (events.at(-1)?.position ?? -1n) >= head) break;
    }
    cli.signal.throwIfAborted();
  }
  return [...counts]
    .map(([key, events]): TypeCount => {
      const [type = '', version] = key.split(' ');
      return { type, version: Number(version), version_today: isKnownType(type) ? SCHEMA_VERSIONS[type] : null, events };
    })
    .sort((a, b) => (a.type === b.type ? a.version - b.version : a.type < b.type ? -1 : 1));
}
