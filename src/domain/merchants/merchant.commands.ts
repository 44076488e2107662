import { randomUUID } from 'node:crypto';
import { asCreated } from '../../ledger/streams/create-record.js';
import type { Fee } from '../../ledger/money.js';
import { SYSTEM } from '../../ledger/streams/new-event.js';
import type { Timestamp } from '../../ledger/time.js';
import { FINANCE_KEYS_STREAM } from '../../ledger/events/finance-key.events.js';
import { OPERATORS_STREAM } from '../../ledger/events/operator.events.js';
import { financeKeys } from '../operators/finance-keys.decider.js';
import type { KeyCommand, KeyRing } from '../operators/key-ring.js';
import { merchant, type ChannelChange, type MerchantCommand, type RegisteredMerchant, type RouteChange } from './merchant.decider.js';
import { merchantStream, type MerchantFeeSet } from '../../ledger/events/merchant.events.js';
import { decided, DirectoryRefused, newKey, withNewKey, type IssuedKey, type KeyKind, type DirectoryDeps } from '../operators/directory.js';
import { operators } from '../operators/operators.decider.js';
import { ALL_SCOPES } from './scopes.js';

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

/** Registers a merchant with its first key, which has all scopes. `merchantId` is given only where it must be the same each time. */
export async function registerMerchant(
  deps: DirectoryDeps,
  details: NewMerchant,
  merchantId: string = randomUUID(),
): Promise<IssuedKey & { readonly merchant_id: string }> {
  const { name, email, country, mode } = details;
  const registered = { merchant_id: merchantId, name, email, country, mode, ...countryDefaultsOf(country) };
  const issued = await withNewKey(mode, null, (fresh) => {
    const first_key = { ...fresh, name: 'First key', scopes: EVERYTHING, expires_on: null };
    return onMerchant(deps, merchantId, (now) => ({ kind: 'register', merchant: registered, first_key, now }));
  });
  return { merchant_id: merchantId, ...issued };
}

/**
 * Issues a key of a merchant or of finance; issueOperatorKey issues those of operators. `expires_on`: null for never. Finance keys have no scopes.
 */
export async function issueKey(
  deps: DirectoryDeps,
  owner: Exclude<KeyOwner, { readonly kind: 'operator' }>,
  details: { readonly name: string; readonly scopes?: readonly string[]; readonly expires_on: Timestamp | null },
): Promise<IssuedKey> {
  const { name, scopes = EVERYTHING, expires_on } = details;
  return withNewKey(await keyKind(deps, owner), expires_on, (fresh) =>
    onKeys(deps, owner, (now) => ({ kind: 'issue-key', ...fresh, name, scopes, expires_on, now })),
  );
}

/** Every process refuses the key within a second. A key that was revoked before keeps its time of revocation. */
export async function revokeKey(
  deps: DirectoryDeps,
  owner: KeyOwner,
  keyId: string,
): Promise<{ readonly key_id: string; readonly revoked_on: Timestamp }> {
  const keys = await onKeys(deps, owner, (now) => ({ kind: 'revoke-key', key_id: keyId, now }));
  return { key_id: keyId, revoked_on: held(keys, keyId).revoked_on! };
}

/** Issues a key that replaces `keyId`; the old key keeps working for `overlapMs`. */
export async function rotateKey(
  deps: DirectoryDeps,
  owner: KeyOwner,
  keyId: string,
  overlapMs: number,
): Promise<IssuedKey & { readonly replaced: { readonly key_id: string; readonly revoked_on: Timestamp } }> {
  const { key, key_id, key_hash } = newKey(await keyKind(deps, owner));
  const keys = await onKeys(deps, owner, (now) => ({
    kind: 'rotate-key',
    key_id: keyId,
    new_key_id: key_id,
    new_key_hash: key_hash,
    overlap_ms: overlapMs,
    now,
  }));
  return { key_id, key, expires_on: held(keys, key_id).expires_on, replaced: { key_id: keyId, revoked_on: held(keys, keyId).revoked_on! } };
}

/** Changes a channel for one merchant; fields that `change` leaves out stay. `channelCode` in upper case. */
export async function setChannel(deps: DirectoryDeps, merchantId: string, channelCode: string, change: ChannelChange): Promise<void> {
  await onMerchant(deps, merchantId, (now) => ({ kind: 'set-channel', channel_code: channelCode, change, set_by: SYSTEM, now }));
}

/** Sets the merchant's fee for a channel, or for payouts or disputes in a currency, from now on; existing records keep their fee. */
export async function setFee(deps: DirectoryDeps, merchantId: string, of: MerchantFeeSet['of'], fee: Fee): Promise<void> {
  await onMerchant(deps, merchantId, (now) => ({ kind: 'set-fee', of, fee, set_by: SYSTEM, now }));
}

/** Sets a route of this merchant, for records that are created from now on. `setBy`: author of the command. */
export async function setMerchantRail(deps: DirectoryDeps, merchantId: string, change: RouteChange, setBy: string): Promise<void> {
  await onMerchant(deps, merchantId, (now) => ({ kind: 'set-rail', ...change, set_by: setBy, now }));
}

/** A merchant's mode never changes, so it is read from the first event of the stream. */
async function keyKind(deps: DirectoryDeps, owner: KeyOwner): Promise<KeyKind> {
  if (owner.kind !== 'merchant') return owner.kind;
  const [first] = await deps.store.read(merchantStream(owner.merchant_id), { limit: 1 });
  if (!first) throw new DirectoryRefused('merchant-not-found', `There is no merchant ${owner.merchant_id}.`);
  return asCreated(first, 'MerchantRegistered').data.mode;
}

async function onKeys(deps: DirectoryDeps, owner: KeyOwner, command: (now: Timestamp) => KeyCommand): Promise<KeyRing> {
  if (owner.kind === 'merchant') return (await onMerchant(deps, owner.merchant_id, command)).keys;
  if (owner.kind === 'operator') {
    const { person_id } = owner;
    const changed = await decided(deps, OPERATORS_STREAM, operators, (now) => ({ ...command(now), person_id }), deps.by);
    return changed.get(person_id)!.keys;
  }
  return decided(deps, FINANCE_KEYS_STREAM, financeKeys, command);
}

async function onMerchant(deps: DirectoryDeps, merchantId: string, command: (now: Timestamp) => MerchantCommand): Promise<RegisteredMerchant> {
  const state = await decided(deps, merchantStream(merchantId), merchant, command);
  if (state === null) throw new Error(`merchant ${merchantId} does not exist after a command to it`);
  return state;
}

function held(keys: KeyRing, keyId: string) {
  const key = keys.get(keyId);
  if (!key) throw new Error(`key ${keyId} does not exist after a command to it`);
  return key;
}

/** Currency and time zone of a merchant by its country; other countries have the service's defaults. */
interface CountryDefaults {
  /** ISO 4217. */
  readonly default_currency: string;
  /** IANA. */
  readonly timezone: string;
}

const COUNTRY_DEFAULTS: Readonly<Record<string, CountryDefaults>> = {
  ID: { default_currency: 'IDR', timezone: 'Asia/Jakarta' },
  MY: { default_currency: 'MYR', timezone: 'Asia/Kuala_Lumpur' },
  SG: { default_currency: 'SGD', timezone: 'Asia/Singapore' },
};
const DEFAULTS_ELSEWHERE: CountryDefaults = { default_currency: 'SGD', timezone: 'UTC' };

function countryDefaultsOf(country: string): CountryDefaults {
  return COUNTRY_DEFAULTS[country] ?? DEFAULTS_ELSEWHERE;
}
