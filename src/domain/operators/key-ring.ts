import { DAY_MS, milliseconds, timestamp, type Timestamp } from '../../ledger/time.js';
import { unreachable } from '../../ledger/unreachable.js';
import { refuse, type Refused } from '../../ledger/decider.js';

/** The keys of one owner, by id. Keys of merchants, operators and finance share these rules. Pure. */
export type KeyRing = ReadonlyMap<string, HeldKey>;

interface HeldKey {
  readonly name: string;
  readonly scopes: readonly string[];
  readonly issued_on: Timestamp;
  readonly expires_on: Timestamp | null;
  /** The earliest revocation that was decided; in the future during a rotation's overlap. */
  readonly revoked_on: Timestamp | null;
  /** Refused regardless of the dates. */
  readonly is_revoked: boolean;
}

/** A key about to be issued. `key_hash`: SHA-256 of the key, hex. */
export interface NewKey {
  readonly key_id: string;
  readonly key_hash: string;
  readonly name: string;
  readonly scopes: readonly string[];
  readonly expires_on: Timestamp | null;
}

export type KeyCommand =
  | ({ readonly kind: 'issue-key'; readonly now: Timestamp } & NewKey)
  | { readonly kind: 'revoke-key'; readonly key_id: string; readonly now: Timestamp }
  /** Issues a key with the name, the scopes and the lifetime of the old one, which keeps working for `overlap_ms`. */
  | {
      readonly kind: 'rotate-key';
      readonly key_id: string;
      readonly new_key_id: string;
      readonly new_key_hash: string;
      readonly overlap_ms: number;
      readonly now: Timestamp;
    };

export type KeyRefusal = 'key-not-found' | 'key-not-usable' | 'expiry-in-the-past' | 'too-many-keys' | 'overlap-out-of-range';

/** A change of the ring. The owner's decider turns each into an event of its stream, in this order. */
export type KeyChange =
  | ({ readonly kind: 'issued'; readonly issued_on: Timestamp } & NewKey)
  /** `at_once`: as soon as it is known, regardless of the date; else from that date on, the end of a rotation's overlap. */
  | ({ readonly kind: 'revoked' } & Revocation);

interface Revocation {
  readonly key_id: string;
  readonly revoked_on: Timestamp;
  readonly at_once: boolean;
}

export type KeyDecision = { readonly changes: readonly KeyChange[] } | Refused<KeyRefusal>;

/** Maximum usable keys of one owner at a time. */
export const USABLE_KEYS_MAX = 100;
/** Maximum time that the old key keeps working after a rotation. */
export const OVERLAP_MS_MAX = 30 * DAY_MS;

export function decideOnKeys(keys: KeyRing, command: KeyCommand): KeyDecision {
  switch (command.kind) {
    case 'issue-key':
      return decideIssue(keys, command);
    case 'revoke-key':
      return decideRevoke(keys, command.key_id, command.now);
    case 'rotate-key':
      return decideRotate(keys, command);
    default:
      return unreachable(command);
  }
}

export function withIssued(keys: KeyRing, key: NewKey & { readonly issued_on: Timestamp }): KeyRing {
  const { name, scopes, issued_on, expires_on } = key;
  return new Map(keys).set(key.key_id, { name, scopes, issued_on, expires_on, revoked_on: null, is_revoked: false });
}

/** @throws when the ring never held the key: the stream is damaged. */
export function withRevoked(keys: KeyRing, { key_id, revoked_on, at_once }: Revocation): KeyRing {
  const key = keys.get(key_id);
  if (!key) throw new Error(`cannot revoke a key that was never issued: ${key_id}`);
  return key.is_revoked ? keys : new Map(keys).set(key_id, { ...key, revoked_on, is_revoked: at_once });
}

function isUsable(key: HeldKey, now: Timestamp): boolean {
  return !key.is_revoked && !isPast(key.revoked_on, now) && !isPast(key.expires_on, now);
}

function decideIssue(keys: KeyRing, command: Extract<KeyCommand, { kind: 'issue-key' }>): KeyDecision {
  const { key_id, key_hash, name, scopes, expires_on, now } = command;
  if (isPast(expires_on, now)) return refuse('expiry-in-the-past', `The key would have expired already, on ${expires_on}.`);
  if (countUsable(keys, now) >= USABLE_KEYS_MAX) return tooMany();
  return { changes: [{ kind: 'issued', key_id, key_hash, name, scopes, expires_on, issued_on: now }] };
}

function decideRevoke(keys: KeyRing, key_id: string, now: Timestamp): KeyDecision {
  const key = keys.get(key_id);
  if (!key) return notFound(key_id);
  if (key.is_revoked) return { changes: [] };
  // An overlap that has ended by this clock may not have ended by another clock, so it is ended for all.
  const revoked_on = isPast(key.revoked_on, now) ? key.revoked_on! : now;
  return { changes: [{ kind: 'revoked', key_id, revoked_on, at_once: true }] };
}

function decideRotate(keys: KeyRing, command: Extract<KeyCommand, { kind: 'rotate-key' }>): KeyDecision {
  const { key_id, new_key_id, new_key_hash, overlap_ms, now } = command;
  const key = keys.get(key_id);
  if (!key) return notFound(key_id);
  if (!isUsable(key, now)) return refuse('key-not-usable', 'The key is revoked or has expired: issue a new one instead.');
  if (!Number.isSafeInteger(overlap_ms) || overlap_ms < 0 || overlap_ms > OVERLAP_MS_MAX) {
    return refuse('overlap-out-of-range', `The overlap must be from 0 to ${OVERLAP_MS_MAX / DAY_MS} days.`);
  }
  const usableAfterwards = countUsable(keys, now) + (overlap_ms === 0 ? 0 : 1);
  if (usableAfterwards > USABLE_KEYS_MAX) return tooMany();
  const at = milliseconds(now);
  const expires_on = key.expires_on === null ? null : timestamp(at + milliseconds(key.expires_on) - milliseconds(key.issued_on));
  const { name, scopes } = key;
  const issued: KeyChange = { kind: 'issued', key_id: new_key_id, key_hash: new_key_hash, name, scopes, expires_on, issued_on: now };
  const end = timestamp(at + overlap_ms);
  // Another rotation does not prolong the life of a key in an earlier rotation's overlap.
  if (isPast(key.revoked_on, end)) return { changes: [issued] };
  return { changes: [issued, { kind: 'revoked', key_id, revoked_on: end, at_once: overlap_ms === 0 }] };
}

function countUsable(keys: KeyRing, now: Timestamp): number {
  let usable = 0;
  for (const key of keys.values()) if (isUsable(key, now)) usable += 1;
  return usable;
}

/** The moment itself counts as past: a key revoked now is refused now. */
function isPast(moment: Timestamp | null, now: Timestamp): boolean {
  return moment !== null && milliseconds(moment) <= milliseconds(now);
}

function notFound(key_id: string): KeyDecision {
  return refuse('key-not-found', `There is no key ${key_id}.`);
}

function tooMany(): KeyDecision {
  return refuse('too-many-keys', `There are ${USABLE_KEYS_MAX} usable keys already: revoke one first.`);
}
