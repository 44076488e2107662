import { Command } from 'commander';
import type { EventStore } from '../../platform/event-store/event-store.js';
import type { Cli } from '../cli.js';
import { CommandFailed } from '../failures.js';

export const eventsCopy = (cli: Cli): Command =>
  new Command('copy')
    .description('copy every event into another event store, in order and byte for byte; a repeated command resumes an interrupted copy')
    .option('--from <url>', "postgres://… (the embedded engine in that database) or esdb://…; default: this service's own store")
    .requiredOption('--to <url>', 'the same; an empty store or one with an earlier copy')
    .action(async ({ from, to }: { readonly from?: string; readonly to: string }) => {
      if (from === to) throw new CommandFailed('--from and --to are the same store');
      const { openEventStoreAt } = await import('../../app/event-store-at.js');
      const log = (message: string): void => void cli.note(message);
      if (from === undefined) return cli.withStores(({ unguarded }) => copyInto(to, unguarded, cli));
      const source = await openEventStoreAt(from, 'read', log);
      try {
        await copyInto(to, source, cli);
      } finally {
        await source.close();
      }
    });

async function copyInto(url: string, source: EventStore, cli: Cli): Promise<void> {
  const { openEventStoreAt } = await import('../../app/event-store-at.js');
  const { copyLog } = await import('../../platform/event-store/log-copy.js');
  const { EmbeddedEventStore } = await import('../../platform/event-store/embedded/embedded-event-store.js');
  const target = await openEventStoreAt(url, 'write', (message) => void cli.note(message));
  // The embedded engine numbers its events without gaps; another engine does not report their number.
  const total = source instanceof EmbeddedEventStore ? Number((await source.head()) ?? 0) : 0;
  const progress = total > 0 ? cli.progress('events', total) : undefined;
  try {
    const report = await copyLog(source, target, { signal: cli.signal, onCopied: (events) => progress?.advance(events) });
    progress?.end();
    await cli.answer(
      report,
      () => `${report.events} events are the same in both, byte for byte; ${report.copied} of them were copied now.\nSHA-256  ${report.digest}`,
    );
  } finally {
    progress?.end();
    await target.close();
  }
}
