import { Command, Option } from 'commander';
import { shownEvent, type ShownEvent } from '../../ledger/shown-event.js';
import { csvRow } from '../../platform/csv.js';
import type { EventStore } from '../../platform/event-store/event-store.js';
import type { Cli } from '../cli.js';

/** How a list that never is in memory as a whole is written. */
interface Format {
  readonly opening: string;
  /** `isFirst`: no other event stands before it. */
  event(event: ShownEvent, isFirst: boolean): string;
  readonly closing: string;
}

const ndjson: Format = { opening: '', event: (event) => `${JSON.stringify(event)}\n`, closing: '' };
/** One JSON document. */
const json: Format = { opening: '[', event: (event, isFirst) => `${isFirst ? '\n' : ',\n'}${JSON.stringify(event)}`, closing: '\n]\n' };
const csv: Format = {
  opening: csvRow(['position', 'stream', 'revision', 'id', 'type', 'occurred_on', 'merchant_id', 'actor', 'correlation_id', 'causation_id', 'data']),
  event: ({ data, ...cells }) => csvRow([...Object.values(cells), JSON.stringify(data)]),
  closing: '',
};

export const eventsExport = (cli: Cli): Command =>
  new Command('export')
    .description('every fact in the order of the log, to standard output; keys’ hashes and personal data are sealed')
    .addOption(new Option('--format <format>', 'ndjson: one JSON document a line; csv: for spreadsheets').choices(['ndjson', 'csv']))
    .action(async ({ format }: { readonly format?: 'ndjson' | 'csv' }) => {
      const chosen = format === 'csv' ? csv : format === undefined && cli.json ? json : ndjson;
      await cli.withStores(({ eventStore }) => exportEvents(eventStore, chosen, cli));
    });

/** Up to the head as it is when it begins: an export of a busy service ends too. One batch is in memory at a time. */
async function exportEvents(store: EventStore, format: Format, cli: Cli): Promise<void> {
  const head = await store.head();
  await cli.out.write(format.opening);
  let ordinal = 0;
  if (head !== null) {
    for await (const { events, caughtUp } of store.subscribe(null, { signal: cli.signal })) {
      let text = '';
      for (const event of events) {
        if (event.position > head) break;
        ordinal += 1;
        text += format.event(shownEvent(event, ordinal), ordinal === 1);
      }
      await cli.out.write(text);
      const last = events.at(-1);
      if (caughtUp || (last !== undefined && last.position >= head)) break;
    }
    cli.signal.throwIfAborted();
  }
  await cli.out.write(format.closing);
}
