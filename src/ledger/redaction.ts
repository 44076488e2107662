import { SCHEMA_VERSIONS, type LedgerEventType } from './catalogue.js';

/** Stands where a key's hash or a person's data was. */
const SEALED = '[sealed]';

/**
 * What of each fact is never shown to people outside its merchant: hashes of keys, and what says who a person is or where
 * their account is. A new type of fact does not compile before somebody has decided.
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
  PayoutReturnClaimed: [],
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
};

/** The data of a stored event as it may be shown. Of a type that this build does not know, nothing may. */
export function redacted(event: { readonly type: string; readonly data: object }): object {
  const isKnown = Object.hasOwn(SCHEMA_VERSIONS, event.type);
  const sealed = isKnown ? SEALED_FIELDS[event.type as LedgerEventType] : Object.keys(event.data);
  if (sealed.length === 0) return event.data;
  return Object.fromEntries(
    Object.entries(event.data).map(([name, value]) => [name, sealed.includes(name) && value !== null ? SEALED : (value as unknown)]),
  );
}
