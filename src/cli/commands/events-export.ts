import { Command, Option } from 'commander';
import type { Pool } from 'pg';
import { findHead, findLeafHashes } from '../../transparency-log/chain.js';
import { ChainKeys } from '../../transparency-log/chain-keys.js';
import { chainedEvent, type ExportedEvent } from '../../transparency-log/leaf.js';
import { loadEncryptionKey } from '../../app/encryption-key.js';
import { csvRow } from '../../platform/text/csv.js';
import type { EventStore } from '../../platform/event-store/event-store.js';
import * as argument from '../arguments.js';
import type { Cli } from '../cli.js';

/** Format of a list that is never completely in memory. */
interface Format {
  readonly opening: string;
  /** `isFirst`: no event precedes this one. */
  event(event: ExportedEvent, isFirst: boolean): string;
  readonly closing: string;
}

const ndjson: Format = { opening: '', event: (event) => `${JSON.stringify(event)}\n`, closing: '' };
/** One JSON document. */
const json: Format = { opening: '[', event: (event, isFirst) => `${isFirst ? '\n' : ',\n'}${JSON.stringify(event)}`, closing: '\n]\n' };
const csv: Format = {
  opening: csvRow(['position', 'stream', 'revision', 'id', 'type', 'occurred_on', 'merchant_id', 'actor', 'correlation_id', 'causation_id', 'data']),
  event: ({ data, stored: _, leaf_hash: __, ...cells }) => csvRow([...Object.values(cells), JSON.stringify(data)]),
  closing: '',
};

export const eventsExport = (cli: Cli): Command =>
  new Command('export')
    .description('write every event in the order of the log to standard output; hashes of keys and personal data are sealed')
    .addOption(argument.oneOf(new Option('--format <format>', 'ndjson: one JSON document per line; csv: for spreadsheets'), ['ndjson', 'csv']))
    .action(async ({ format }: { readonly format?: 'ndjson' | 'csv' }) => {
      const chosen = format === 'csv' ? csv : format === undefined && cli.json ? json : ndjson;
      const [{ loadServiceSecret }, { createPool }] = await Promise.all([
        import('../../app/service-secret.js'),
        import('../../platform/postgres/pool.js'),
      ]);
      await cli.withStores(async ({ config, databaseUrl, eventStore: store }) => {
        const { sealKey } = new ChainKeys(await loadServiceSecret(databaseUrl, await loadEncryptionKey(config, databaseUrl)));
        const pool = createPool({ url: databaseUrl, applicationName: 'chargebook-export', maxConnections: 1 });
        try {
          await exportEvents({ store, pool, sealKey }, chosen, cli);
        } finally {
          await pool.end();
        }
      });
    });

interface Sources {
  readonly store: EventStore;
  /** Pool for the tables of the hash chain. */
  readonly pool: Pool;
  readonly sealKey: Buffer;
}

/** Exports up to the head at the start, so that the export of a busy service ends. One batch is in memory at a time. */
async function exportEvents({ store, pool, sealKey }: Sources, format: Format, cli: Cli): Promise<void> {
  const end = await store.head();
  await cli.out.write(format.opening);
  let ordinal = 0;
  if (end !== null) {
    const sealed = (await findHead(pool))?.events ?? 0;
    for await (const { events, caughtUp } of store.subscribe(null, { signal: cli.signal, stored: true })) {
      const leaves = await findLeafHashes(pool, ordinal, Math.min(ordinal + events.length, sealed));
      let text = '';
      for (const [index, event] of events.entries()) {
        if (event.position > end) break;
        ordinal += 1;
        const exported = { ...chainedEvent(event, ordinal, sealKey), leaf_hash: leaves[index]?.toString('hex') ?? null };
        text += format.event(exported, ordinal === 1);
      }
      await cli.out.write(text);
      const last = events.at(-1);
      if (caughtUp || (last !== undefined && last.position >= end)) break;
    }
    cli.signal.throwIfAborted();
  }
  await cli.out.write(format.closing);
}
