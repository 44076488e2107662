import { isKnownType, type LedgerEventType } from './catalogue.js';

/** Stands where a key's hash or a person's data was. */
const SEALED = '[sealed]';

/**
 * What of each fact is never shown to people outside its merchant: hashes of keys, and what says who a person is or where
 * their account is. A new type of fact does not compile before somebody has decided.
 *
 * Frozen: the leaves of the chain hold seals in place of these values (src/audit/leaf.ts), so a field is never added to a type that
 * may stand in a log, and none is taken away.
 */
const SEALED_FIELDS: Readonly<Record<LedgerEventType, readonly string[]>> = {
  ChargeCreated: [],
  ChargePaid: [],
  ChargePaymentUnmatched: [],
  ChargeFailed: [],
  ChargeExpired: [],
  ChargeCancelled: [],
  ChargeSettlementClaimed: [],
  ChargeReversed: [],
  ChargeReversalClaimed: [],
  FundsSettled: [],
  PayoutRequested: ['bank_account_name', 'bank_account_number'],
  PayoutSubmitted: [],
  PayoutSucceeded: [],
  PayoutFailed: [],
  PayoutCancelled: [],
  PayoutRegistered: ['bank_account_name', 'bank_account_number'],
  PayoutReturned: [],
  PayoutOutcomeContradicted: [],
  PayoutReturnClaimed: [],
  SettlementLineRefused: [],
  SettlementOpened: [],
  SettlementClosed: [],
  // Sealed already, by the customer's own key: the proof stays whole.
  CustomerCreated: [],
  CustomerUpdated: [],
  CustomerDeleted: [],
  MerchantRegistered: ['email'],
  ApiKeyIssued: ['key_hash'],
  ApiKeyRevoked: [],
  MerchantChannelSet: [],
  MerchantFeeSet: [],
  WebHookSet: ['sealed_key', 'former_keys'],
  WebHookDeleted: [],
  WebHookDisabled: [],
  FinanceKeyIssued: ['key_hash'],
  FinanceKeyRevoked: [],
  EventSetAside: [],
};

/** Whether `field` of such an event's data is never shown. Of a type that this build does not know, every one. */
export function isSealedField(type: string, field: string): boolean {
  return !isKnownType(type) || SEALED_FIELDS[type].includes(field);
}

/** The data of a stored event as it may be shown. */
export function redacted({ type, data }: { readonly type: string; readonly data: object }): object {
  if (isKnownType(type) && SEALED_FIELDS[type].length === 0) return data;
  return Object.fromEntries(
    Object.entries(data).map(([name, value]) => [name, isSealedField(type, name) && value !== null ? SEALED : (value as unknown)]),
  );
}

const SEALED_NAMES: ReadonlySet<string> = new Set(Object.values(SEALED_FIELDS).flat());

/** A column of a read model as it may be shown: those that carry a sealed field have its name. */
export function redactedColumn(name: string, value: string | null): string | null {
  return value !== null && SEALED_NAMES.has(name) ? SEALED : value;
}
