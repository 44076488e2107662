import { randomBytes, randomUUID } from 'node:crypto';
import { asCreated } from '../ledger/create-record.js';
import { decideOnStream } from '../ledger/decide-on-stream.js';
import type { LedgerEvent } from '../ledger/catalogue.js';
import type { Decider } from '../ledger/decider.js';
import type { Fee } from '../ledger/money.js';
import { SYSTEM, systemContext } from '../ledger/new-event.js';
import { hashKey, makeKey } from '../platform/auth/api-key.js';
import type { EventStore } from '../platform/event-store/event-store.js';
import type { Clock, Timestamp } from '../ledger/time.js';
import { FINANCE_KEYS_STREAM } from '../ledger/events/finance-key.events.js';
import { OPERATORS_STREAM } from '../ledger/events/operator.events.js';
import { financeKeys } from './finance-keys.decider.js';
import { countryDefaultsOf } from './country-defaults.js';
import type { KeyCommand, KeyRing } from './key-ring.js';
import {
  merchant,
  type ChannelChange,
  type MerchantCommand,
  type MerchantRefusal,
  type RegisteredMerchant,
  type RouteChange,
} from './merchant.decider.js';
import { merchantStream, type MerchantFeeSet } from '../ledger/events/merchant.events.js';
import { operators, type OperatorRefusal } from './operators.decider.js';
import { ALL_SCOPES } from './scopes.js';

/**
 * What can be done with merchants and keys, for the command line and the service alike.
 * Each throws MerchantRefused when the rules say no, and StoreUnavailable or OutcomeUnknown as the store does.
 */
export interface MerchantShell {
  readonly store: EventStore;
  readonly clock: Clock;
  /** Who gives commands about operators, as the actor of their events; absent: nobody who can be named. */
  readonly by?: string;
}

/** Nothing was recorded. The message is for people. */
export class MerchantRefused extends Error {
  override readonly name = 'MerchantRefused';
  constructor(
    readonly refusal: MerchantRefusal | OperatorRefusal,
    detail: string,
  ) {
    super(detail);
  }
}

/** A key as it is shown this once: only its hash is stored. */
export interface IssuedKey {
  readonly key_id: string;
  readonly key: string;
  readonly expires_on: Timestamp | null;
}

export type KeyOwner =
  | { readonly kind: 'merchant'; readonly merchant_id: string }
  | { readonly kind: 'finance' }
  | { readonly kind: 'operator'; readonly person_id: string };

export interface NewMerchant {
  readonly name: string;
  readonly email: string | null;
  /** ISO 3166-1 alpha-2, upper case. */
  readonly country: string;
  readonly mode: 'test' | 'live';
}

const EVERYTHING: readonly string[] = [ALL_SCOPES];

/** Registers a merchant with its first key, which may do everything. `merchantId` is given only where it must be the same each time. */
export async function registerMerchant(
  shell: MerchantShell,
  details: NewMerchant,
  merchantId: string = randomUUID(),
): Promise<IssuedKey & { readonly merchant_id: string }> {
  const { name, email, country, mode } = details;
  const { key, ...first } = newKey(mode);
  const first_key = { ...first, name: 'First key', scopes: EVERYTHING, expires_on: null };
  const registered = { merchant_id: merchantId, name, email, country, mode, ...countryDefaultsOf(country) };
  await onMerchant(shell, merchantId, (now) => ({ kind: 'register', merchant: registered, first_key, now }));
  return { merchant_id: merchantId, key_id: first.key_id, key, expires_on: null };
}

/** `expires_on`: null for never, which no operator’s key may be. Keys of finance and of operators have no scopes, and an operator’s has the person’s name. */
export async function issueKey(
  shell: MerchantShell,
  owner: KeyOwner,
  details: { readonly name: string; readonly scopes?: readonly string[]; readonly expires_on: Timestamp | null },
): Promise<IssuedKey> {
  const { key, ...fresh } = newKey(await keyKind(shell, owner));
  const { name, scopes = EVERYTHING, expires_on } = details;
  await onKeys(shell, owner, (now) => ({ kind: 'issue-key', ...fresh, name, scopes, expires_on, now }));
  return { key_id: fresh.key_id, key, expires_on };
}

/** The key is refused everywhere within a second. A key that was revoked already keeps its moment. */
export async function revokeKey(
  shell: MerchantShell,
  owner: KeyOwner,
  keyId: string,
): Promise<{ readonly key_id: string; readonly revoked_on: Timestamp }> {
  const keys = await onKeys(shell, owner, (now) => ({ kind: 'revoke-key', key_id: keyId, now }));
  return { key_id: keyId, revoked_on: held(keys, keyId).revoked_on! };
}

/** A new key in the place of `keyId`, which goes on working for `overlapMs`. */
export async function rotateKey(
  shell: MerchantShell,
  owner: KeyOwner,
  keyId: string,
  overlapMs: number,
): Promise<IssuedKey & { readonly replaced: { readonly key_id: string; readonly revoked_on: Timestamp } }> {
  const { key, key_id, key_hash } = newKey(await keyKind(shell, owner));
  const keys = await onKeys(shell, owner, (now) => ({
    kind: 'rotate-key',
    key_id: keyId,
    new_key_id: key_id,
    new_key_hash: key_hash,
    overlap_ms: overlapMs,
    now,
  }));
  return { key_id, key, expires_on: held(keys, key_id).expires_on, replaced: { key_id: keyId, revoked_on: held(keys, keyId).revoked_on! } };
}

/** Changes a channel for one merchant; what `change` leaves out stays. `channelCode` in upper case. */
export async function setChannel(shell: MerchantShell, merchantId: string, channelCode: string, change: ChannelChange): Promise<void> {
  await onMerchant(shell, merchantId, (now) => ({ kind: 'set-channel', channel_code: channelCode, change, set_by: SYSTEM, now }));
}

/** The merchant's fee for a channel or for payouts in a currency, from now on: what exists keeps the fee it was created with. */
export async function setFee(shell: MerchantShell, merchantId: string, of: MerchantFeeSet['of'], fee: Fee): Promise<void> {
  await onMerchant(shell, merchantId, (now) => ({ kind: 'set-fee', of, fee, set_by: SYSTEM, now }));
}

/** A route of the merchant's own, for what is created from now on. `setBy`: who gave the command. */
export async function setMerchantRail(shell: MerchantShell, merchantId: string, change: RouteChange, setBy: string): Promise<void> {
  await onMerchant(shell, merchantId, (now) => ({ kind: 'set-rail', ...change, set_by: setBy, now }));
}

const PREFIXES = { test: 'sk_test_', live: 'sk_live_', finance: 'fk_', operator: 'ok_' } as const;

function newKey(kind: keyof typeof PREFIXES): { readonly key_id: string; readonly key: string; readonly key_hash: string } {
  const key = makeKey(PREFIXES[kind]);
  return { key_id: `key_${randomBytes(10).toString('hex')}`, key, key_hash: hashKey(key) };
}

/** A merchant's mode never changes: it stands in the stream's first event. */
async function keyKind(shell: MerchantShell, owner: KeyOwner): Promise<keyof typeof PREFIXES> {
  if (owner.kind !== 'merchant') return owner.kind;
  const [first] = await shell.store.read(merchantStream(owner.merchant_id), { limit: 1 });
  if (!first) throw new MerchantRefused('merchant-not-found', `There is no merchant ${owner.merchant_id}.`);
  return asCreated(first, 'MerchantRegistered').data.mode;
}

async function onKeys(shell: MerchantShell, owner: KeyOwner, command: (now: Timestamp) => KeyCommand): Promise<KeyRing> {
  if (owner.kind === 'merchant') return (await onMerchant(shell, owner.merchant_id, command)).keys;
  if (owner.kind === 'operator') {
    const { person_id } = owner;
    const persons = await decided(shell, OPERATORS_STREAM, operators, (now) => ({ ...command(now), person_id }), shell.by);
    return persons.get(person_id)!.keys;
  }
  return decided(shell, FINANCE_KEYS_STREAM, financeKeys, command);
}

async function onMerchant(shell: MerchantShell, merchantId: string, command: (now: Timestamp) => MerchantCommand): Promise<RegisteredMerchant> {
  const state = await decided(shell, merchantStream(merchantId), merchant, command);
  if (state === null) throw new Error(`merchant ${merchantId} is not there after a decision about it`);
  return state;
}

/** @throws MerchantRefused */
export async function decided<State, Command, Event extends LedgerEvent, Refusal extends MerchantRefusal | OperatorRefusal>(
  { store, clock }: MerchantShell,
  stream: string,
  decider: Decider<State, Command, Event, Refusal>,
  command: (now: Timestamp) => Command,
  actor = SYSTEM,
): Promise<State> {
  const outcome = await decideOnStream(store, clock, stream, decider, command, { ...systemContext(), actor });
  if ('refusal' in outcome) throw new MerchantRefused(outcome.refusal, outcome.detail);
  return outcome.state;
}

function held(keys: KeyRing, keyId: string) {
  const key = keys.get(keyId);
  if (!key) throw new Error(`key ${keyId} is not there after a decision about it`);
  return key;
}
