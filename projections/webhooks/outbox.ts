import type { ClientBase, PoolClient } from 'pg';
import { readFact } from '../../src/ledger/catalogue.js';
import type { FormerWebHookKey } from '../../src/ledger/events/merchant.events.js';
import type { OrdinalEvent, Projection, ReadModel } from '../../src/platform/projector/projection.js';
import type { Timestamp } from '../../src/ledger/time.js';
import { EVENT_KINDS, noticesOf, type EventKind } from '../../src/ledger/outbox-messages.js';
import { Columns } from '../../src/platform/postgres/binary/columns.js';
import { NewRows } from '../../src/platform/postgres/binary/new-rows.js';

/**
 * Everything that merchants are told, numbered 1, 2, 3 … for each merchant, whether anybody is subscribed or not; and the
 * endpoints as they are set. Nothing is sent from here: a replay makes the same rows, and no deliveries.
 */
export const outboxTables: ReadModel = {
  name: 'outbox',
  version: 1,
  // One narrow row for each thing told. `kind` is a place in EVENT_KINDS.
  ddl: (schema) => `
create table ${schema}.notices (
  merchant_id uuid not null,
  sequence bigint not null,
  ordinal bigint not null,
  event_id uuid not null,
  occurred_on timestamptz not null,
  line integer not null,
  kind smallint not null,
  record text collate "C" not null,
  actor text collate "C" not null,
  primary key (merchant_id, sequence)
);
create table ${schema}.sequences (
  merchant_id uuid not null primary key,
  last bigint not null
) with (fillfactor = 50);
create table ${schema}.endpoints (
  merchant_id uuid not null primary key,
  web_hook_uri text not null,
  events json not null,
  sealed_key text not null,
  former_keys json not null,
  set_on timestamptz not null,
  is_enabled boolean not null,
  -- what was told up to here was told before the endpoint was there, or while it was disabled
  starts_after bigint not null,
  -- of the newest fact that concerns the endpoint: its setting, or something told
  changed_at bigint not null
) with (fillfactor = 50);
create index endpoints_changed on ${schema}.endpoints (changed_at)`,
  indexes: (schema) => [`create index notices_by_kind on ${schema}.notices (merchant_id, kind, sequence)`],

  async apply(tx, schema, batch) {
    const merchants = concerned(batch);
    if (merchants.size === 0) return;
    const sequences = await load(tx, schema, merchants);
    const { notices, endpoints } = fold(batch, sequences);
    await Promise.all([
      newNotices.add(tx, `${schema}.notices`, notices),
      saveSequences(tx, schema, notices, sequences),
      saveEndpoints(tx, schema, endpoints).then(() => touch(tx, schema, notices)),
    ]);
  },
};

export const outbox: Projection = { name: 'outbox', readModels: [outboxTables], gatherMs: 40, isFrozen: true };

interface NoticeRow {
  readonly merchant_id: string;
  readonly sequence: number;
  readonly ordinal: number;
  readonly event_id: string;
  readonly occurred_on: Timestamp;
  readonly line: number;
  readonly kind: number;
  readonly record: string;
  readonly actor: string;
}

type EndpointChange =
  | { readonly kind: 'set'; readonly row: EndpointRow }
  | { readonly kind: 'deleted' | 'disabled'; readonly merchant_id: string; readonly ordinal: number };

interface EndpointRow {
  readonly merchant_id: string;
  readonly web_hook_uri: string;
  readonly events: string;
  readonly sealed_key: string;
  readonly former_keys: string;
  readonly set_on: Timestamp;
  readonly starts_after: number;
  readonly changed_at: number;
}

/** Numbers of kinds as they are stored. */
const KIND_NUMBERS = new Map<string, number>(EVENT_KINDS.map((kind, number) => [kind, number]));

function concerned(batch: readonly OrdinalEvent[]): Set<string> {
  const merchants = new Set<string>();
  for (const event of batch) {
    const fact = readFact(event);
    if (fact.data.merchant_id !== null && (noticesOf(fact).length > 0 || concernsEndpoint(fact.type))) merchants.add(fact.data.merchant_id);
  }
  return merchants;
}

function concernsEndpoint(type: string): boolean {
  return type === 'WebHookSet' || type === 'WebHookDeleted' || type === 'WebHookDisabled';
}

/** Numbers what the batch tells, beginning behind `sequences`, which it moves on. */
function fold(batch: readonly OrdinalEvent[], sequences: Map<string, number>): { notices: NoticeRow[]; endpoints: EndpointChange[] } {
  const notices: NoticeRow[] = [];
  const endpoints: EndpointChange[] = [];
  for (const event of batch) {
    const fact = readFact(event);
    const { id: event_id, ordinal } = event;
    const { occurred_on, actor } = event.metadata;
    switch (fact.type) {
      case 'WebHookSet': {
        const { merchant_id, web_hook_uri, events, sealed_key, former_keys, set_on } = fact.data;
        const row = {
          merchant_id,
          web_hook_uri,
          sealed_key,
          set_on,
          events: JSON.stringify(events),
          former_keys: JSON.stringify(former_keys),
          starts_after: sequences.get(merchant_id) ?? 0,
          changed_at: ordinal,
        };
        endpoints.push({ kind: 'set', row });
        break;
      }
      case 'WebHookDeleted':
        endpoints.push({ kind: 'deleted', merchant_id: fact.data.merchant_id, ordinal });
        break;
      case 'WebHookDisabled':
        endpoints.push({ kind: 'disabled', merchant_id: fact.data.merchant_id, ordinal });
        break;
      default:
        for (const { kind, line, record } of noticesOf(fact)) {
          const merchant_id = fact.data.merchant_id!;
          const sequence = (sequences.get(merchant_id) ?? 0) + 1;
          sequences.set(merchant_id, sequence);
          notices.push({ merchant_id, sequence, ordinal, event_id, occurred_on, line, kind: KIND_NUMBERS.get(kind)!, record, actor });
        }
    }
  }
  return { notices, endpoints };
}

const newNotices = new NewRows<NoticeRow>({
  merchant_id: 'uuid',
  sequence: 'bigint',
  ordinal: 'bigint',
  event_id: 'uuid',
  occurred_on: 'timestamptz',
  line: 'integer',
  kind: 'smallint',
  record: 'text',
  actor: 'text',
});
const sequenceColumns = new Columns<{ merchant_id: string; last: number }>({ merchant_id: 'uuid', last: 'bigint' });
const touchColumns = new Columns<{ merchant_id: string; changed_at: number }>({ merchant_id: 'uuid', changed_at: 'bigint' }, 'n');

async function load(tx: PoolClient, schema: string, merchants: ReadonlySet<string>): Promise<Map<string, number>> {
  const { rows } = await tx.query<{ merchant_id: string; last: bigint }>({
    name: `${schema} outbox: load`,
    text: `select s.merchant_id, s.last from unnest($1::uuid[]) m join ${schema}.sequences s on s.merchant_id = m`,
    values: [[...merchants]],
  });
  return new Map(rows.map(({ merchant_id, last }) => [merchant_id, Number(last)]));
}

async function saveSequences(tx: PoolClient, schema: string, notices: readonly NoticeRow[], sequences: ReadonlyMap<string, number>): Promise<void> {
  if (notices.length === 0) return;
  const moved = [...new Set(notices.map(({ merchant_id }) => merchant_id))].map((merchant_id) => ({
    merchant_id,
    last: sequences.get(merchant_id)!,
  }));
  await tx.query({
    name: `${schema} outbox: number`,
    text: `insert into ${schema}.sequences (${sequenceColumns.list}) select ${sequenceColumns.list} from ${sequenceColumns.rows}
           on conflict (merchant_id) do update set last = excluded.last`,
    values: sequenceColumns.values(moved),
  });
}

/** Settings are rare: one statement for each. */
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
        // Kept, so that what waits to be sent is found to have no receiver any more; where it was and its keys go.
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
        throw new Error(`an endpoint knows no ${(change satisfies never as { kind: string }).kind}`);
    }
  }
}

/** Tells the sender which endpoints have news, without looking at all of them. Merchants without one cost a look into an index. */
async function touch(tx: PoolClient, schema: string, notices: readonly NoticeRow[]): Promise<void> {
  if (notices.length === 0) return;
  const newest = new Map(notices.map(({ merchant_id, ordinal }) => [merchant_id, ordinal]));
  await tx.query({
    name: `${schema} outbox: touch`,
    text: `update ${schema}.endpoints e set changed_at = greatest(e.changed_at, n.changed_at) from ${touchColumns.rows} where e.merchant_id = n.merchant_id`,
    values: touchColumns.values([...newest].map(([merchant_id, changed_at]) => ({ merchant_id, changed_at }))),
  });
}

// --- reading ----------------------------------------------------------------------------------------------------------

type Db = Pick<ClientBase, 'query'>;

/** Something that a merchant was told. */
export interface StoredMessage {
  readonly merchant_id: string;
  readonly sequence: number;
  /** Of the event that it tells of. */
  readonly ordinal: number;
  readonly event_id: string;
  readonly kind: EventKind;
  readonly line: number;
  /** Id of the charge, payout or customer; of a balance its currency. */
  readonly record: string;
  /** Who acted. */
  readonly actor: string;
  readonly occurred_on: Timestamp;
}

type NoticeColumns = Omit<StoredMessage, 'sequence' | 'ordinal' | 'kind'> & {
  readonly sequence: bigint;
  readonly ordinal: bigint;
  readonly kind: number;
};

const NOTICE_COLUMNS = 'n.merchant_id, n.sequence, n.ordinal, n.event_id, n.kind, n.line, n.record, n.actor, n.occurred_on';

function stored(row: NoticeColumns): StoredMessage {
  return { ...row, sequence: Number(row.sequence), ordinal: Number(row.ordinal), kind: EVENT_KINDS[row.kind]! };
}

/** The last event that all have come to that a body is made of: what happened later cannot be told yet. */
const RENDERABLE = 'least((select ordinal from ledger.checkpoint), (select ordinal from customers.checkpoint))';

/** See RENDERABLE; 0 before there is one, and never beyond what is in the outbox. */
export async function findRenderable(db: Db): Promise<number> {
  const { rows } = await db.query<{ ordinal: bigint }>({
    name: 'outbox: renderable',
    text: `select least(ordinal, ${RENDERABLE}) as ordinal from outbox.checkpoint`,
  });
  return Number(rows[0]?.ordinal ?? 0);
}

/** What the merchant was told behind `after`, as far as it can be told, in sequence, at most `limit`. */
export async function findNotices(db: Db, merchantId: string, after: number, kind: EventKind | undefined, limit: number): Promise<StoredMessage[]> {
  const ofKind = kind === undefined ? '' : 'and n.kind = $4';
  const { rows } = await db.query<NoticeColumns>({
    name: `outbox: notices ${ofKind}`,
    text: `select ${NOTICE_COLUMNS} from outbox.notices n
            where n.merchant_id = $1 and n.sequence > $2 ${ofKind} and n.ordinal <= ${RENDERABLE} order by n.sequence limit $3`,
    values: [merchantId, after, limit, ...(kind === undefined ? [] : [KIND_NUMBERS.get(kind)])],
  });
  return rows.map(stored);
}

/** These, by merchant and sequence. */
export async function findMessagesBySequence(
  db: Db,
  wanted: readonly { readonly merchant_id: string; readonly sequence: number }[],
): Promise<StoredMessage[]> {
  const { rows } = await db.query<NoticeColumns>({
    name: 'outbox: notices by sequence',
    text: `select ${NOTICE_COLUMNS} from unnest($1::uuid[], $2::bigint[]) w (merchant_id, sequence) join outbox.notices n using (merchant_id, sequence)`,
    values: [wanted.map(({ merchant_id }) => merchant_id), wanted.map(({ sequence }) => sequence)],
  });
  return rows.map(stored);
}

/** What each of these was told behind its `after`, up to the event `until`, in sequence; at most `limit` for each. */
export async function findUnsent(
  db: Db,
  behind: readonly { readonly merchant_id: string; readonly after: number }[],
  until: number,
  limit: number,
): Promise<StoredMessage[]> {
  const { rows } = await db.query<NoticeColumns>({
    name: 'outbox: unsent',
    text: `select n.* from unnest($1::uuid[], $2::bigint[]) b (merchant_id, after),
             lateral (select ${NOTICE_COLUMNS} from outbox.notices n
                       where n.merchant_id = b.merchant_id and n.sequence > b.after and n.ordinal <= $3 order by n.sequence limit $4) n`,
    values: [behind.map(({ merchant_id }) => merchant_id), behind.map(({ after }) => after), until, limit],
  });
  return rows.map(stored);
}

/** The last sequence before `before` of one of `kinds`; null when there is none. */
export async function findPreviousSequence(db: Db, merchantId: string, before: number, kinds: readonly EventKind[]): Promise<number | null> {
  const { rows } = await db.query<{ sequence: bigint | null }>({
    name: 'outbox: previous',
    text: `select max(p.sequence) as sequence from unnest($3::int4[]) k,
             lateral (select n.sequence from outbox.notices n where n.merchant_id = $1 and n.kind = k and n.sequence < $2 order by n.sequence desc limit 1) p`,
    values: [merchantId, before, kinds.map((kind) => KIND_NUMBERS.get(kind))],
  });
  const sequence = rows[0]?.sequence ?? null;
  return sequence === null ? null : Number(sequence);
}

/** A merchant's endpoint as it is set. */
export interface Endpoint {
  readonly merchant_id: string;
  readonly web_hook_uri: string;
  /** Empty means all. */
  readonly events: readonly EventKind[];
  readonly sealed_key: string;
  readonly former_keys: readonly FormerWebHookKey[];
  readonly set_on: Timestamp;
  /** False when it was disabled or deleted. */
  readonly is_enabled: boolean;
  readonly starts_after: number;
  readonly changed_at: number;
}

type EndpointColumns = Omit<Endpoint, 'starts_after' | 'changed_at'> & { readonly starts_after: bigint; readonly changed_at: bigint };

/** Endpoints with news behind the event `after`, in the order of their news. */
export async function findChangedEndpoints(db: Db, after: number, limit: number): Promise<Endpoint[]> {
  const { rows } = await db.query<EndpointColumns>({
    name: 'outbox: changed endpoints',
    text: 'select * from outbox.endpoints where changed_at > $1 order by changed_at limit $2',
    values: [after, limit],
  });
  return rows.map(endpoint);
}

export async function findEndpoints(db: Db, merchantIds: readonly string[]): Promise<Endpoint[]> {
  const { rows } = await db.query<EndpointColumns>({
    name: 'outbox: endpoints',
    text: 'select * from outbox.endpoints where merchant_id = any($1)',
    values: [merchantIds],
  });
  return rows.map(endpoint);
}

function endpoint(row: EndpointColumns): Endpoint {
  return { ...row, starts_after: Number(row.starts_after), changed_at: Number(row.changed_at) };
}
