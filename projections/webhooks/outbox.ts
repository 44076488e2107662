import type { PoolClient } from 'pg';
import { handling, ledgerProjection, type LedgerReadModel, type LoggedEvent } from '../../src/ledger/read-model.js';
import { EVENT_KINDS, messagesOf } from '../../src/ledger/published/outbox-messages.js';
import { Table, type RowOf } from '../../src/platform/postgres/binary/table.js';
import { unreachable } from '../../src/ledger/unreachable.js';

/** One narrow row per message. `kind` is an index of EVENT_KINDS. */
const messagesTable = new Table(
  'notices',
  {
    merchant_id: 'uuid not null',
    sequence: 'bigint not null',
    ordinal: 'bigint not null',
    event_id: 'uuid not null',
    occurred_on: 'timestamptz not null',
    line: 'integer not null',
    kind: 'smallint not null',
    record: 'text collate "C" not null',
    actor: 'text collate "C" not null',
  },
  ['primary key (merchant_id, sequence)'],
);
const sequencesTable = new Table('sequences', { merchant_id: 'uuid not null primary key', last: 'bigint not null' }, [], 'with (fillfactor = 50)');
const endpointsTable = new Table(
  'endpoints',
  {
    merchant_id: 'uuid not null primary key',
    web_hook_uri: 'text not null',
    events: 'json not null',
    sealed_key: 'text not null',
    former_keys: 'json not null',
    set_on: 'timestamptz not null',
    is_enabled: 'boolean not null',
    /** Messages up to this sequence were created before the endpoint, or while it was disabled. */
    starts_after: 'bigint not null',
    /** Ordinal of the newest event that concerns the endpoint: its setting, or a message. */
    changed_at: 'bigint not null',
  },
  [],
  'with (fillfactor = 50)',
);

/**
 * All messages to merchants, numbered 1, 2, 3 … per merchant, with or without a subscription; and the settings of endpoints. Nothing is sent from
 * here: a replay creates the same rows and no deliveries.
 */
export const outboxTables: LedgerReadModel = {
  name: 'outbox',
  version: 1,
  ddl: (schema) =>
    `${[messagesTable, sequencesTable, endpointsTable].map((table) => table.ddl(schema)).join('\n')}
create index endpoints_changed on ${schema}.endpoints (changed_at)`,
  indexes: (schema) => [`create index notices_by_kind on ${schema}.notices (merchant_id, kind, sequence)`],

  async apply(tx, schema, batch) {
    const merchants = concerned(batch);
    if (merchants.size === 0) return;
    const sequences = await load(tx, schema, merchants);
    const { messages, endpoints } = fold(batch, sequences);
    await Promise.all([
      messagesTable.add(tx, schema, messages),
      saveSequences(tx, schema, messages, sequences),
      saveEndpoints(tx, schema, endpoints).then(() => touch(tx, schema, messages)),
    ]);
  },
};

export const outbox = ledgerProjection({ name: 'outbox', readModels: [outboxTables], gatherMs: 160, isFrozen: true });

type MessageRow = RowOf<(typeof messagesTable)['definitions']>;
type EndpointRow = RowOf<(typeof endpointsTable)['definitions']>;

type EndpointChange =
  | { readonly kind: 'set'; readonly row: EndpointRow }
  | { readonly kind: 'deleted' | 'disabled'; readonly merchant_id: string; readonly ordinal: number };

/** Numbers of kinds in the database. */
export const KIND_NUMBERS = new Map<string, number>(EVENT_KINDS.map((kind, number) => [kind, number]));

/** outbox-messages.ts defines the messages of all other events. */
const isOfEndpoint = handling({ webhooks: 'all' });

function concerned(batch: readonly LoggedEvent[]): Set<string> {
  const merchants = new Set<string>();
  for (const event of batch) {
    const { merchant_id } = event.data;
    if (merchant_id !== null && (isOfEndpoint(event) || messagesOf(event).length > 0)) merchants.add(merchant_id);
  }
  return merchants;
}

/** Numbers the batch's messages after `sequences`, and advances these. */
function fold(batch: readonly LoggedEvent[], sequences: Map<string, number>): { messages: MessageRow[]; endpoints: EndpointChange[] } {
  const messages: MessageRow[] = [];
  const endpoints: EndpointChange[] = [];
  for (const event of batch) {
    const { id: event_id, ordinal } = event;
    if (isOfEndpoint(event)) {
      endpoints.push(endpointChange(event, sequences));
      continue;
    }
    const { occurred_on, actor } = event.metadata;
    for (const { kind, line, record } of messagesOf(event)) {
      const merchant_id = event.data.merchant_id!;
      const sequence = (sequences.get(merchant_id) ?? 0) + 1;
      sequences.set(merchant_id, sequence);
      messages.push({ merchant_id, sequence, ordinal, event_id, occurred_on, line, kind: KIND_NUMBERS.get(kind)!, record, actor });
    }
  }
  return { messages, endpoints };
}

type EndpointEvent = Extract<LoggedEvent, { readonly type: 'WebHookSet' | 'WebHookDeleted' | 'WebHookDisabled' }>;

function endpointChange(event: EndpointEvent, sequences: ReadonlyMap<string, number>): EndpointChange {
  const { ordinal } = event;
  switch (event.type) {
    case 'WebHookSet': {
      const { merchant_id, web_hook_uri, events, sealed_key, former_keys, set_on } = event.data;
      const row = {
        merchant_id,
        web_hook_uri,
        sealed_key,
        set_on,
        events: JSON.stringify(events),
        former_keys: JSON.stringify(former_keys),
        is_enabled: true,
        starts_after: sequences.get(merchant_id) ?? 0,
        changed_at: ordinal,
      };
      return { kind: 'set', row };
    }
    case 'WebHookDeleted':
      return { kind: 'deleted', merchant_id: event.data.merchant_id, ordinal };
    case 'WebHookDisabled':
      return { kind: 'disabled', merchant_id: event.data.merchant_id, ordinal };
    default:
      return unreachable(event);
  }
}

const sequenceColumns = sequencesTable.parameters(['merchant_id', 'last'], 'rows');
const touchColumns = endpointsTable.parameters(['merchant_id', 'changed_at'], 'n');

async function load(tx: PoolClient, schema: string, merchants: ReadonlySet<string>): Promise<Map<string, number>> {
  const { rows } = await tx.query<{ merchant_id: string; last: bigint }>({
    name: `${schema} outbox: load`,
    text: `select s.merchant_id, s.last from unnest($1::uuid[]) m join ${schema}.sequences s on s.merchant_id = m`,
    values: [[...merchants]],
  });
  return new Map(rows.map(({ merchant_id, last }) => [merchant_id, Number(last)]));
}

async function saveSequences(tx: PoolClient, schema: string, messages: readonly MessageRow[], sequences: ReadonlyMap<string, number>): Promise<void> {
  if (messages.length === 0) return;
  const merchants = new Set(messages.map(({ merchant_id }) => merchant_id));
  const moved = [...merchants].map((merchant_id) => ({ merchant_id, last: sequences.get(merchant_id)! }));
  await tx.query({
    name: `${schema} outbox: number`,
    text: `insert into ${schema}.sequences (${sequenceColumns.list}) select ${sequenceColumns.list} from ${sequenceColumns.rows}
           on conflict (merchant_id) do update set last = excluded.last`,
    values: sequenceColumns.values(moved),
  });
}

/** Settings are rare, so each gets a separate statement. */
async function saveEndpoints(tx: PoolClient, schema: string, changes: readonly EndpointChange[]): Promise<void> {
  for (const change of changes) {
    switch (change.kind) {
      case 'set': {
        const { merchant_id, web_hook_uri, events, sealed_key, former_keys, set_on, starts_after, changed_at } = change.row;
        await tx.query({
          name: `${schema} outbox: set endpoint`,
          text: `insert into ${schema}.endpoints as e
                   (merchant_id, web_hook_uri, events, sealed_key, former_keys, set_on, is_enabled, starts_after, changed_at)
                 values ($1, $2, $3, $4, $5, $6, true, $7, $8)
                 on conflict (merchant_id) do update set web_hook_uri = $2, events = $3, sealed_key = $4, former_keys = $5, set_on = $6,
                   is_enabled = true, starts_after = case when e.is_enabled then e.starts_after else $7 end, changed_at = $8`,
          values: [merchant_id, web_hook_uri, events, sealed_key, former_keys, set_on, starts_after, changed_at],
        });
        break;
      }
      case 'deleted':
        // The row is kept, so that unsent messages find a disabled endpoint. Its address and keys are erased.
        await tx.query(
          `update ${schema}.endpoints set is_enabled = false, web_hook_uri = '', sealed_key = '', former_keys = '[]', changed_at = $2 where merchant_id = $1`,
          [change.merchant_id, change.ordinal],
        );
        break;
      case 'disabled':
        await tx.query(`update ${schema}.endpoints set is_enabled = false, changed_at = $2 where merchant_id = $1`, [
          change.merchant_id,
          change.ordinal,
        ]);
        break;
      default:
        return unreachable(change);
    }
  }
}

/** Marks the endpoints with new messages, so that the sender need not check all of them. A merchant without an endpoint costs one index lookup. */
async function touch(tx: PoolClient, schema: string, messages: readonly MessageRow[]): Promise<void> {
  if (messages.length === 0) return;
  const newest = new Map(messages.map(({ merchant_id, ordinal }) => [merchant_id, ordinal]));
  await tx.query({
    name: `${schema} outbox: touch`,
    text: `update ${schema}.endpoints e set changed_at = greatest(e.changed_at, n.changed_at) from ${touchColumns.rows} where e.merchant_id = n.merchant_id`,
    values: touchColumns.values([...newest].map(([merchant_id, changed_at]) => ({ merchant_id, changed_at }))),
  });
}
