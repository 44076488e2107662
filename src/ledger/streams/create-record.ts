import { StoreUnavailable, type EventRef, type EventStore, type Position, type RecordedEvent } from '../../platform/event-store/event-store.js';
import { readEvent, type LedgerEvent, type LedgerEventType } from '../catalogue.js';
import type { Decision, Refused } from '../decider.js';
import { newEvent, type CommandContext } from './new-event.js';

/** Operators may have refused a settlement line of a record before the record existed. */
const BEFORE: LedgerEventType = 'SettlementLineRefused';

interface Beginning {
  /** The event that created the record; undefined when there is none. */
  readonly first: RecordedEvent | undefined;
  /** The newest event before that one, which an append that creates the record must name. */
  readonly behind: RecordedEvent | 'no-stream';
}

type DataOf = { readonly [Event in LedgerEvent as Event['type']]: Event['data'] };

/** A record with the data of its first event. */
export interface CreatedRecord<Type extends LedgerEventType> {
  readonly data: DataOf[Type];
  readonly position: Position;
  readonly place: EventRef;
  /** Fingerprint of the request that created it. */
  readonly fingerprint: string | undefined;
  /** True for a replay: an earlier request created the record. */
  readonly replayed: boolean;
}

/**
 * Creates a record at most once. Appends with "no stream" as the expected revision, so no read is needed.
 * Returns a record that exists, whatever the decision is: the data behind a decision can change between a request and its repeat.
 * `dependsOn`: events of other streams that the decision was made from.
 * @throws StoreUnavailable, OutcomeUnknown; UnknownEvent when this build cannot read the record
 */
export async function createRecord<Type extends LedgerEventType, Refusal extends string>(
  store: EventStore,
  stream: string,
  type: Type,
  decision: Decision<LedgerEvent, Refusal>,
  { dependsOn = [], ...context }: CommandContext & { readonly dependsOn?: readonly EventRef[] },
  fingerprint: string,
): Promise<CreatedRecord<Type> | Refused<Refusal>> {
  if ('refusal' in decision) {
    const { first } = await beginningOf(store, stream);
    return first ? asCreated(first, type) : decision;
  }
  const events = decision.events.map((event) => newEvent(event, context, fingerprint));
  for (let behind: Beginning['behind'] = 'no-stream'; ;) {
    const result = await store.append(stream, behind, events, dependsOn);
    if (result.ok)
      return {
        ...asCreated({ ...events[0]!, stream, revision: result.revision - events.length + 1, position: result.position }, type),
        replayed: false,
      };
    const found = await beginningOf(store, stream);
    if (found.first) return asCreated(found.first, type);
    if (found.behind === 'no-stream' || (behind !== 'no-stream' && found.behind.id === behind.id))
      throw new StoreUnavailable(`${stream} exists, but could not be read`);
    behind = found.behind;
  }
}

/** Returns the event that created the record of `stream`. @throws StoreUnavailable */
export async function firstEventOf(store: Pick<EventStore, 'read'>, stream: string): Promise<RecordedEvent | undefined> {
  return (await beginningOf(store, stream)).first;
}

/** @throws Error when the record begins with another event */
export function asCreated<Type extends LedgerEventType>(recorded: RecordedEvent, type: Type): CreatedRecord<Type> {
  const event = readEvent(recorded);
  const { id, revision, stream, position, metadata } = recorded;
  if (event.type !== type) throw new Error(`${stream} begins with ${recorded.type}`);
  const { data } = event as unknown as { readonly data: DataOf[Type] };
  return { data, position, place: { stream, revision, id }, fingerprint: metadata.fingerprint, replayed: true };
}

async function beginningOf(store: Pick<EventStore, 'read'>, stream: string): Promise<Beginning> {
  for (let behind: Beginning['behind'] = 'no-stream'; ;) {
    const [first]: RecordedEvent[] = await store.read(stream, { from: behind === 'no-stream' ? 0 : behind.revision + 1, limit: 1 });
    if (first?.type !== BEFORE) return { first, behind };
    behind = first;
  }
}
