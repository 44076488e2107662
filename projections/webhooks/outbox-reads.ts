import type { ClientBase } from 'pg';
import type { WebHookSet } from '../../src/ledger/events/merchant.events.js';
import { EVENT_KINDS, type EventKind } from '../../src/ledger/published/outbox-messages.js';
import type { Timestamp } from '../../src/ledger/time.js';
import { KIND_NUMBERS } from './outbox.js';

type Db = Pick<ClientBase, 'query'>;

/** A message to a merchant. */
export interface StoredMessage {
  readonly merchant_id: string;
  readonly sequence: number;
  /** Ordinal of the event that the message is about. */
  readonly ordinal: number;
  readonly event_id: string;
  readonly kind: EventKind;
  readonly line: number;
  /** Id of the charge, payout or customer; the currency for a balance. */
  readonly record: string;
  /** Actor of the event. */
  readonly actor: string;
  readonly occurred_on: Timestamp;
}

type MessageColumns = Omit<StoredMessage, 'sequence' | 'ordinal' | 'kind'> & {
  readonly sequence: bigint;
  readonly ordinal: bigint;
  readonly kind: number;
};

const MESSAGE_COLUMNS = 'n.merchant_id, n.sequence, n.ordinal, n.event_id, n.kind, n.line, n.record, n.actor, n.occurred_on';

function stored(row: MessageColumns): StoredMessage {
  return { ...row, sequence: Number(row.sequence), ordinal: Number(row.ordinal), kind: EVENT_KINDS[row.kind]! };
}

/** The last event that every read model behind a body has applied. Later events cannot be rendered yet. */
const RENDERABLE = 'least((select ordinal from ledger.checkpoint), (select ordinal from customers.checkpoint))';

/** Returns RENDERABLE, limited to the outbox's own position; 0 before the outbox has a position. */
export async function findRenderable(db: Db): Promise<number> {
  const { rows } = await db.query<{ ordinal: bigint }>({
    name: 'outbox: renderable',
    text: `select least(ordinal, ${RENDERABLE}) as ordinal from outbox.checkpoint`,
  });
  return Number(rows[0]?.ordinal ?? 0);
}

/** Returns the merchant's messages after `after` that can be rendered, by sequence, at most `limit`. */
export async function findMessages(db: Db, merchantId: string, after: number, kind: EventKind | undefined, limit: number): Promise<StoredMessage[]> {
  const ofKind = kind === undefined ? '' : 'and n.kind = $4';
  const { rows } = await db.query<MessageColumns>({
    name: `outbox: notices ${ofKind}`,
    text: `select ${MESSAGE_COLUMNS} from outbox.notices n
            where n.merchant_id = $1 and n.sequence > $2 ${ofKind} and n.ordinal <= ${RENDERABLE} order by n.sequence limit $3`,
    values: [merchantId, after, limit, ...(kind === undefined ? [] : [KIND_NUMBERS.get(kind)])],
  });
  return rows.map(stored);
}

/** Returns messages by merchant and sequence. */
export async function findMessagesBySequence(
  db: Db,
  wanted: readonly { readonly merchant_id: string; readonly sequence: number }[],
): Promise<StoredMessage[]> {
  const { rows } = await db.query<MessageColumns>({
    name: 'outbox: notices by sequence',
    text: `select ${MESSAGE_COLUMNS} from unnest($1::uuid[], $2::bigint[]) w (merchant_id, sequence) join outbox.notices n using (merchant_id, sequence)`,
    values: [wanted.map(({ merchant_id }) => merchant_id), wanted.map(({ sequence }) => sequence)],
  });
  return rows.map(stored);
}

/** Returns the merchant's last message of an event that occurred before a time, by sequence. */
export async function findLastMessageBefore(db: Db, merchantId: string, before: Timestamp): Promise<StoredMessage | undefined> {
  const { rows } = await db.query<MessageColumns>(
    `select ${MESSAGE_COLUMNS} from outbox.notices n where n.merchant_id = $1 and n.occurred_on < $2 order by n.sequence desc limit 1`,
    [merchantId, before],
  );
  return rows.map(stored)[0];
}

/** Returns the messages of each merchant after its `after`, up to the event `until`, by sequence; at most `limit` per merchant. */
export async function findUnsent(
  db: Db,
  behind: readonly { readonly merchant_id: string; readonly after: number }[],
  until: number,
  limit: number,
): Promise<StoredMessage[]> {
  const { rows } = await db.query<MessageColumns>({
    name: 'outbox: unsent',
    text: `select n.* from unnest($1::uuid[], $2::bigint[]) b (merchant_id, after),
             lateral (select ${MESSAGE_COLUMNS} from outbox.notices n
                       where n.merchant_id = b.merchant_id and n.sequence > b.after and n.ordinal <= $3 order by n.sequence limit $4) n`,
    values: [behind.map(({ merchant_id }) => merchant_id), behind.map(({ after }) => after), until, limit],
  });
  return rows.map(stored);
}

/** Returns the last sequence before `before` with one of `kinds`; null when there is none. */
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

/** Current settings of a merchant's endpoint. */
export interface Endpoint extends Pick<WebHookSet, 'merchant_id' | 'web_hook_uri' | 'sealed_key' | 'former_keys'> {
  /** Empty means all. */
  readonly events: readonly EventKind[];
  readonly set_on: Timestamp;
  /** False after it was disabled or deleted. */
  readonly is_enabled: boolean;
  readonly starts_after: number;
  readonly changed_at: number;
}

type EndpointColumns = Omit<Endpoint, 'starts_after' | 'changed_at'> & { readonly starts_after: bigint; readonly changed_at: bigint };

/** Returns endpoints with messages or settings after the event `after`, in the order of the newest such event. */
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
