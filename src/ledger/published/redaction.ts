import { isKnownType, type LedgerEventType } from '../catalogue.js';

/** Shown in place of a key's hash or a person's data. */
const REDACTED = '[sealed]';

/**
 * The fields of each event that are never shown to people outside its merchant: hashes of keys, names of persons and their accounts. A new event type
 * does not compile before it is listed here.
 *
 * Frozen: the leaves of the chain hold seals instead of these values (src/transparency-log/leaf.ts), so a field is never added to a type that may be
 * in a log, and none is removed.
 */
const REDACTED_FIELDS: Readonly<Record<LedgerEventType, readonly string[]>> = {
  ChargeCreated: [],
  ChargePaid: [],
  ChargePaymentUnmatched: [],
  ChargeFailed: [],
  ChargeExpired: [],
  ChargeCancelled: [],
  ChargeSettlementClaimed: [],
  ChargeReversed: [],
  ChargeReversalClaimed: [],
  ChargeRefundClaimed: [],
  ChargeRefundDeclined: [],
  ChargeRefundSubmitted: [],
  ChargeRefundSucceeded: [],
  ChargeRefundFailed: [],
  ChargeRefundCancelled: [],
  ChargeRefundBounced: [],
  ChargeLineClaimed: [],
  ChargeInstructing: [],
  ChargeInstructed: [],
  ChargeInstructionClosed: [],
  ChargeDisputeOpened: [],
  ChargeDisputeReopened: [],
  ChargeDisputeHeld: [],
  ChargeDisputeWon: [],
  ChargeDisputeLost: [],
  ChargeDisputeChallenged: [],
  ChargeDisputeSubmitted: [],
  ChargeDisputeDueSoon: [],
  ChargeDisputeEvidenceAdded: [],
  ChargeDisputeEvidenceErased: [],
  FundsSettled: [],
  PayoutRequested: ['bank_account_name', 'bank_account_number'],
  PayoutApproved: [],
  PayoutApprovalVoided: [],
  PayoutSubmitted: [],
  PayoutSucceeded: [],
  PayoutFailed: [],
  PayoutCancelled: [],
  RefundReserved: [],
  RefundReleased: [],
  RefundConfirmed: [],
  AccountAdjusted: [],
  HouseAdjusted: [],
  AdjustmentRefused: [],
  SuspenseItemClaimed: [],
  PayoutRegistered: ['bank_account_name', 'bank_account_number'],
  PayoutReturned: [],
  PayoutOutcomeContradicted: [],
  PayoutReturnClaimed: [],
  BeneficiaryChecked: [],
  BeneficiaryAccepted: [],
  PayoutAttempted: [],
  PayoutAttemptClosed: [],
  PayoutDecided: [],
  PayoutHeld: [],
  SettlementLineRefused: [],
  SettlementOpened: [],
  SettlementClosed: [],
  // Already encrypted, with the customer's own key, so the proof covers the whole data.
  CustomerCreated: [],
  CustomerUpdated: [],
  CustomerDeleted: [],
  MerchantRegistered: ['email'],
  ApiKeyIssued: ['key_hash'],
  ApiKeyRevoked: [],
  MerchantChannelSet: [],
  MerchantFeeSet: [],
  MerchantRailSet: [],
  WebHookSet: ['sealed_key', 'former_keys'],
  WebHookDeleted: [],
  WebHookDisabled: [],
  FinanceKeyIssued: ['key_hash'],
  FinanceKeyRevoked: [],
  // The e-mail address is already encrypted, with the operator's own key.
  OperatorAdded: [],
  OperatorRolesSet: [],
  OperatorSuspended: [],
  OperatorRestored: [],
  OperatorKeyIssued: ['key_hash'],
  OperatorKeyRevoked: [],
  DeskPolicySet: [],
  ProposalMade: [],
  ProposalApproved: [],
  ProposalRejected: [],
  ProposalWithdrawn: [],
  ProposalExpired: [],
  ProposalClaimed: [],
  ProposalExecuted: [],
  ProposalFailed: [],
  ProposalVoided: [],
  ProposalRefused: [],
  EventSetAside: [],
  PeriodClosed: [],
  DifferencesAccepted: [],
  HolidaysSet: [],
  RailSet: [],
  RailCredentialsSet: [],
  RailCredentialsRetired: [],
  RailPaused: [],
  RailResumed: [],
  RailRouteSet: [],
  RailAllowed: [],
  RailAllowanceWithdrawn: [],
  // Personal data of statements are outside the log; the account is already an HMAC.
  ReconSourceSet: [],
  ReconBankClaimed: [],
  StatementReceived: [],
  StatementLines: [],
  StatementRead: [],
  StatementAccepted: [],
  StatementReplaced: [],
  StatementForgotten: [],
  ReconRan: [],
  DayCloseOpened: [],
  BankLinesBooked: [],
  DayClosed: [],
  BreakAssigned: [],
  BreakNoted: [],
  BreakMatched: [],
  BreakUnmatched: [],
  BreakAccepted: [],
};

/** Returns true when `field` of such an event's data is never shown; always for a type that this build does not know. */
export function isRedactedField(type: string, field: string): boolean {
  return !isKnownType(type) || REDACTED_FIELDS[type].includes(field);
}

/** Returns true when such an event may have fields that are never shown. */
export const hasRedactedFields = (type: string): boolean => !isKnownType(type) || REDACTED_FIELDS[type].length > 0;

/** Returns the data of a stored event as it may be shown. */
export function redacted({ type, data }: { readonly type: string; readonly data: object }): object {
  if (!hasRedactedFields(type)) return data;
  return Object.fromEntries(
    Object.entries(data).map(([name, value]) => [name, isRedactedField(type, name) && value !== null ? REDACTED : (value as unknown)]),
  );
}

const REDACTED_NAMES: ReadonlySet<string> = new Set(Object.values(REDACTED_FIELDS).flat());

/** Returns a column of a read model as it may be shown: a column that holds a redacted field has its name. */
export function redactedColumn(name: string, value: string | null): string | null {
  return value !== null && REDACTED_NAMES.has(name) ? REDACTED : value;
}
