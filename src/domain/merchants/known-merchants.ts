import { CHANNELS, CURRENCIES, currenciesOf, PAYOUT_FEES } from '../../ledger/channels.js';
import { readEvent } from '../../ledger/catalogue.js';
import type { Fee } from '../../ledger/money.js';
import type { RecordedEvent } from '../../platform/event-store/event-store.js';
import type { ChannelTerms, MerchantTerms } from '../../ledger/ports/merchant-terms.js';
import type { Mode } from '../../ledger/mode.js';
import { later, type Timestamp } from '../../ledger/time.js';
import { payoutRulesOf, type ApprovalPolicyEvent, type DeskPolicySet, type PayoutRules } from '../../ledger/events/approval-policy.events.js';
import type { FinanceKeyEvent } from '../../ledger/events/finance-key.events.js';
import type { OperatorEvent } from '../../ledger/events/operator.events.js';
import { approvalPolicies } from '../operators/approval-policy.decider.js';
import { KnownKeys, type KnownKey } from '../operators/known-keys.js';
import { KnownOperators } from '../operators/known-operators.js';
import { feeSubject } from './merchant.decider.js';
import { type KeyOwner } from './merchant.commands.js';
import { DirectoryRefused } from '../operators/directory.js';
import { StringInterner } from './string-interner.js';
import type {
  MerchantChannelSet,
  MerchantEvent,
  MerchantRailSet,
  MerchantRegistered,
  WebHookDisabled,
  WebHookSet,
} from '../../ledger/events/merchant.events.js';
import { unreachable } from '../../ledger/unreachable.js';

/** Prefix of the streams of merchants, finance keys, operators and approval policies. */
export const MERCHANT_STREAMS = 'merchant-';

/** A merchant in the form of its record. */
export interface Merchant extends Omit<MerchantRegistered, 'merchant_id' | 'created_on'> {
  readonly id: string;
  readonly web_hook: KnownWebhook | null;
  readonly created_on: Timestamp;
  readonly updated_on: Timestamp;
}

/** A webhook as its merchant sees it: never the key. */
export interface KnownWebhook extends Pick<WebHookSet, 'web_hook_uri' | 'events' | 'key_hint'> {
  /** null while messages are sent to it. */
  readonly disabled: Pick<WebHookDisabled, 'reason' | 'disabled_on'> | null;
}

/** A channel on the merchant's terms, with the author and time of its last change; `System` and the registration while it is as shipped. */
export interface MerchantChannel extends ChannelTerms {
  readonly last_modified_by: string;
  readonly last_modified_on: Timestamp;
}

/** A route that was set for this merchant. */
export type MerchantRail = Pick<MerchantRailSet, 'use' | 'merchant_name_id'> & { readonly rail: string };
export type OwnedRail = MerchantRail & { readonly merchant_id: string };

interface Entry {
  readonly registered: MerchantRegistered;
  updated_on: Timestamp;
  /** null while all channels are as shipped, which is usual and takes no memory. */
  channels: Map<string, MerchantChannelSet> | null;
  fees: Map<string, Fee> | null;
  /** Routes by use. */
  rails: Map<string, MerchantRail> | null;
  web_hook: KnownWebhook | null;
}

const AS_SHIPPED: ReadonlyMap<string, ChannelTerms> = new Map(CHANNELS.map((channel) => [channel.code, { ...channel, enabled: true }]));

/**
 * The state of all merchants, finance keys, operators and approval policies, in memory: about 0.7 KB for a merchant with one key. Events are added in
 * log order.
 */
export class KnownMerchants implements MerchantTerms {
  private entries = new Map<string, Entry>();
  private issued = new KnownKeys();
  private knownOperators = new KnownOperators();
  private policies = approvalPolicies.initial;
  private readonly words = new StringInterner();

  /** @throws UnknownEvent when this build does not know the event, and so not its effect */
  add(recorded: RecordedEvent): void {
    const event = readEvent(recorded) as MerchantEvent | FinanceKeyEvent | OperatorEvent | ApprovalPolicyEvent;
    switch (event.type) {
      case 'MerchantRegistered':
        return this.register(event.data);
      case 'ApiKeyIssued': {
        const { merchant_id, scopes } = event.data;
        return this.addKey({ ...event.data, kind: 'merchant', mode: this.entry(merchant_id).registered.mode, scopes: this.words.sharedList(scopes) });
      }
      case 'FinanceKeyIssued':
        return this.addKey({ ...event.data, kind: 'finance', mode: 'live', scopes: [] });
      case 'ApiKeyRevoked':
      case 'FinanceKeyRevoked':
        return this.issued.revoke(event.data);
      case 'OperatorAdded':
      case 'OperatorRolesSet':
      case 'OperatorSuspended':
      case 'OperatorRestored':
      case 'OperatorKeyIssued':
      case 'OperatorKeyRevoked':
        return this.knownOperators.add(event);
      case 'ProposalRefused':
        return;
      case 'DeskPolicySet':
        return void (this.policies = approvalPolicies.evolve(this.policies, event));
      case 'MerchantChannelSet': {
        const entry = this.entry(event.data.merchant_id);
        (entry.channels ??= new Map()).set(event.data.channel_code, event.data);
        changedOn(entry, event.data.set_on);
        return;
      }
      case 'MerchantFeeSet': {
        const entry = this.entry(event.data.merchant_id);
        (entry.fees ??= new Map()).set(feeSubject(event.data.of), event.data.fee);
        changedOn(entry, event.data.set_on);
        return;
      }
      case 'MerchantRailSet': {
        const entry = this.entry(event.data.merchant_id);
        entry.rails = withRoute(entry.rails, event.data);
        changedOn(entry, event.data.set_on);
        return;
      }
      case 'WebHookSet':
      case 'WebHookDeleted':
      case 'WebHookDisabled':
        return this.setWebHook(event);
      default:
        return unreachable(event);
    }
  }

  private setWebHook({ type, data }: Extract<MerchantEvent, { readonly type: `WebHook${string}` }>): void {
    const entry = this.entry(data.merchant_id);
    switch (type) {
      case 'WebHookSet': {
        const { web_hook_uri, events, key_hint, set_on } = data;
        entry.web_hook = { web_hook_uri, events, key_hint, disabled: null };
        return changedOn(entry, set_on);
      }
      case 'WebHookDeleted':
        entry.web_hook = null;
        return changedOn(entry, data.deleted_on);
      case 'WebHookDisabled': {
        const { reason, disabled_on } = data;
        if (entry.web_hook) entry.web_hook = { ...entry.web_hook, disabled: { reason, disabled_on } };
        return changedOn(entry, disabled_on);
      }
      default:
        return unreachable(type);
    }
  }

  /** Replaces all state by that of `other`, which must not be used any more. */
  takeOver(other: KnownMerchants): void {
    this.entries = other.entries;
    this.issued = other.issued;
    this.knownOperators = other.knownOperators;
    this.policies = other.policies;
  }

  /** All operators. */
  get operators(): KnownOperators {
    return this.knownOperators;
  }

  /** Returns the approval policy of a mode; null: nothing needs approval. */
  approvalPolicy(mode: Merchant['mode']): DeskPolicySet | null {
    return this.policies[mode];
  }

  /** `hash`: SHA-256 of a key, hex. */
  keyByHash(hash: string): KnownKey | undefined {
    return this.issued.byHash(hash) ?? this.knownOperators.keyByHash(hash);
  }

  keyById(keyId: string): KnownKey | undefined {
    return this.issued.byId(keyId) ?? this.knownOperators.keyById(keyId);
  }

  /** @throws DirectoryRefused when there is no such key */
  ownerOf(keyId: string): KeyOwner {
    const key = this.keyById(keyId);
    if (!key) throw new DirectoryRefused('key-not-found', `There is no key ${keyId}.`);
    const person_id = this.knownOperators.ownerOf(keyId);
    if (person_id !== undefined) return { kind: 'operator', person_id };
    return key.merchant_id === null ? { kind: 'finance' } : { kind: 'merchant', merchant_id: key.merchant_id };
  }

  merchant(merchantId: string): Merchant | undefined {
    const entry = this.entries.get(merchantId);
    return entry && toMerchant(entry);
  }

  /** Yields merchants in the order of their registration. */
  *merchants(): Iterable<Merchant> {
    for (const entry of this.entries.values()) yield toMerchant(entry);
  }

  /** Returns the keys of merchants and of finance in the order of their issue, including revoked and expired ones. */
  keys(): Iterable<KnownKey> {
    return this.issued.all();
  }

  /** Returns at most `limit` merchants (of a mode) after the merchant `after`, or from the first on; undefined when `after` does not exist. */
  page(after: string | undefined, limit: number, mode?: Mode): Merchant[] | undefined {
    if (after !== undefined && !this.entries.has(after)) return undefined;
    const found: Merchant[] = [];
    let isBehind = after === undefined;
    for (const [id, entry] of this.entries) {
      if (!isBehind) isBehind = id === after;
      else if (mode === undefined || entry.registered.mode === mode) found.push(toMerchant(entry));
      if (found.length === limit) break;
    }
    return found;
  }

  /** Returns all shipped channels on this merchant's terms, including disabled ones. @throws when there is no such merchant. */
  channels(merchantId: string): MerchantChannel[] {
    const entry = this.entry(merchantId);
    return CHANNELS.map(({ code }) => {
      const set = entry.channels?.get(code);
      return {
        ...termsOf(entry, code)!,
        last_modified_by: set?.set_by ?? 'System',
        last_modified_on: set?.set_on ?? entry.registered.created_on,
      };
    });
  }

  /** Returns the merchant's own route for a channel code or `payout.<currency>`; undefined when the default route of its mode applies. */
  rail(merchantId: string, use: string): MerchantRail | undefined {
    return this.entries.get(merchantId)?.rails?.get(use);
  }

  /** Returns the own routes of these merchants, in the order in which they were set; by default of all merchants, in the order of registration. */
  ownRails(merchants: Iterable<string> = this.entries.keys()): readonly OwnedRail[] {
    return [...merchants].flatMap((merchant_id) =>
      [...(this.entries.get(merchant_id)?.rails?.values() ?? [])].map((own) => ({ merchant_id, ...own })),
    );
  }

  merchantName(merchantId: string): string | undefined {
    return this.entries.get(merchantId)?.registered.name;
  }

  /** IANA name. */
  timezone(merchantId: string): string | undefined {
    return this.entries.get(merchantId)?.registered.timezone;
  }

  merchantCreatedOn(merchantId: string): Timestamp | undefined {
    return this.entries.get(merchantId)?.registered.created_on;
  }

  channelTerms(merchantId: string, code: string): ChannelTerms | undefined {
    const entry = this.entries.get(merchantId);
    return entry && termsOf(entry, code);
  }

  payoutFee(merchantId: string, currency: string): Fee | undefined {
    const agreed = this.entries.get(merchantId)?.fees?.get(feeSubject({ kind: 'payout', currency }));
    return agreed ?? (Object.hasOwn(PAYOUT_FEES, currency) ? PAYOUT_FEES[currency] : undefined);
  }

  payoutRules(merchantId: string): PayoutRules | null {
    const entry = this.entries.get(merchantId);
    return entry ? payoutRulesOf(this.policies[entry.registered.mode], merchantId) : null;
  }

  disputeFee(merchantId: string, currency: string): number {
    return this.entries.get(merchantId)?.fees?.get(feeSubject({ kind: 'dispute', currency }))?.value ?? 0;
  }

  currencies(merchantId: string): readonly string[] {
    const entry = this.entries.get(merchantId);
    if (!entry?.channels) return entry ? CURRENCIES : [];
    return currenciesOf(CHANNELS.filter(({ code }) => termsOf(entry, code)?.enabled));
  }

  private register(registered: MerchantRegistered): void {
    const { country, mode, default_currency, timezone, created_on } = registered;
    const shared = {
      country: this.words.shared(country),
      mode: this.words.shared(mode),
      default_currency: this.words.shared(default_currency),
      timezone: this.words.shared(timezone),
    };
    this.entries.set(registered.merchant_id, {
      registered: { ...registered, ...shared },
      updated_on: created_on,
      channels: null,
      fees: null,
      rails: null,
      web_hook: null,
    });
  }

  private addKey(key: Omit<KnownKey, 'revoked_on' | 'is_revoked'> & { readonly key_hash: string }): void {
    // The stored id of the merchant, so that memory holds the string once.
    const merchant_id = key.merchant_id === null ? null : this.entry(key.merchant_id).registered.merchant_id;
    this.issued.add(key.key_hash, { ...key, merchant_id, mode: this.words.shared(key.mode), name: this.words.shared(key.name) });
  }

  private entry(merchantId: string): Entry {
    const entry = this.entries.get(merchantId);
    if (!entry) throw new Error(`there is no merchant ${merchantId}`);
    return entry;
  }
}

/** `updated_on` is never before the creation, even when the process that recorded the event had a clock behind that of the registration. */
function changedOn(entry: Entry, moment: Timestamp): void {
  entry.updated_on = later(entry.registered.created_on, moment);
}

function withRoute(rails: Entry['rails'], { use, rail, merchant_name_id }: MerchantRailSet): Entry['rails'] {
  const changed = new Map(rails);
  changed.delete(use);
  if (rail !== null) changed.set(use, { use, rail, merchant_name_id });
  return changed.size === 0 ? null : changed;
}

function termsOf(entry: Entry, code: string): ChannelTerms | undefined {
  const shipped = AS_SHIPPED.get(code);
  const set = entry.channels?.get(code);
  const fee = entry.fees?.get(feeSubject({ kind: 'charge', channel_code: code }));
  if (!shipped || (!set && !fee)) return shipped;
  const { enabled, min_amount, max_amount, settlement_cycle } = set ?? shipped;
  return { ...shipped, enabled, min_amount, max_amount, settlement_cycle, fee: fee ?? shipped.fee };
}

function toMerchant({ registered, updated_on, web_hook }: Entry): Merchant {
  const { merchant_id: id, name, email, country, mode, default_currency, timezone, created_on } = registered;
  return { id, name, email, country, mode, default_currency, timezone, web_hook, created_on, updated_on };
}
