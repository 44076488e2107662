import { randomBytes } from 'node:crypto';
import type { LedgerEvent } from '../../ledger/catalogue.js';
import { decideOnStream } from '../../ledger/streams/decide-on-stream.js';
import type { Decider } from '../../ledger/decider.js';
import { SYSTEM, systemContext } from '../../ledger/streams/new-event.js';
import type { Clock, Timestamp } from '../../ledger/time.js';
import { hashKey, makeKey } from '../../platform/auth/api-key.js';
import type { EventStore } from '../../platform/event-store/event-store.js';

/** Dependencies of the commands on merchants, operators and their keys, which the command line and the service share. */
export interface DirectoryDeps {
  readonly store: EventStore;
  readonly clock: Clock;
  /** Author of commands about operators, the actor of their events; absent: the system. */
  readonly by?: string;
}

/** Nothing was recorded. The message is for people. */
export class DirectoryRefused extends Error {
  override readonly name = 'DirectoryRefused';
  constructor(
    readonly refusal: string,
    detail: string,
  ) {
    super(detail);
  }
}

/** A key as it is shown, only this once: only its hash is stored. */
export interface IssuedKey {
  readonly key_id: string;
  readonly key: string;
  readonly expires_on: Timestamp | null;
}

const PREFIXES = { test: 'sk_test_', live: 'sk_live_', finance: 'fk_', operator: 'ok_' } as const;
export type KeyKind = keyof typeof PREFIXES;

export function newKey(kind: KeyKind): { readonly key_id: string; readonly key: string; readonly key_hash: string } {
  const key = makeKey(PREFIXES[kind]);
  return { key_id: `key_${randomBytes(10).toString('hex')}`, key, key_hash: hashKey(key) };
}

/** Makes a key, records it with `issue`, and returns it. */
export async function withNewKey(
  kind: KeyKind,
  expires_on: Timestamp | null,
  issue: (fresh: { readonly key_id: string; readonly key_hash: string }) => Promise<unknown>,
): Promise<IssuedKey> {
  const { key, ...fresh } = newKey(kind);
  await issue(fresh);
  return { key_id: fresh.key_id, key, expires_on };
}

/** Returns the state after the decision. @throws DirectoryRefused */
export async function decided<State, Command, Event extends LedgerEvent, Refusal extends string>(
  { store, clock }: DirectoryDeps,
  stream: string,
  decider: Decider<State, Command, Event, Refusal>,
  command: (now: Timestamp) => Command,
  actor = SYSTEM,
): Promise<State> {
  const outcome = await decideOnStream(store, clock, stream, decider, command, { ...systemContext(), actor });
  if ('refusal' in outcome) throw new DirectoryRefused(outcome.refusal, outcome.detail);
  return outcome.state;
}
