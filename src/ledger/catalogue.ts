import type { AccountEvent } from './events/account.events.js';
import type { HouseEvent, SuspenseEvent } from './events/adjustment.events.js';
import type { BreakEvent } from './events/break.events.js';
import type { CalendarEvent } from './events/calendar.events.js';
import type { ChargeEvent } from './events/charge.events.js';
import type { CustomerEvent } from './events/customer.events.js';
import type { ApprovalPolicyEvent } from './events/approval-policy.events.js';
import type { FinanceKeyEvent } from './events/finance-key.events.js';
import type { MerchantEvent } from './events/merchant.events.js';
import type { OperatorEvent } from './events/operator.events.js';
import type { PayoutEvent } from './events/payout.events.js';
import type { PeriodEvent } from './events/period.events.js';
import type { ProposalEvent, ProposalRefusedEvent } from './events/proposal.events.js';
import type { RailEvent } from './events/rail.events.js';
import { sourceStream, type ReconciliationEvent } from './events/reconciliation.events.js';
import type { SettlementEvent } from './events/settlement.events.js';
import type { SetAsideEvent } from './events/set-aside.events.js';
import type { TransferEvent } from './events/transfer.events.js';
import { requireUpcasters, upcast, type Upcaster } from './events/upcasting.js';

/** Every event that this build knows. */
export type LedgerEvent =
  | ChargeEvent
  | AccountEvent
  | HouseEvent
  | SuspenseEvent
  | PayoutEvent
  | TransferEvent
  | SettlementEvent
  | CustomerEvent
  | MerchantEvent
  | FinanceKeyEvent
  | OperatorEvent
  | ApprovalPolicyEvent
  | ProposalEvent
  | ProposalRefusedEvent
  | CalendarEvent
  | RailEvent
  | ReconciliationEvent
  | BreakEvent
  | PeriodEvent
  | SetAsideEvent;
export type LedgerEventType = LedgerEvent['type'];

type VersionsOf<Event extends { readonly type: string }> = Readonly<Record<Event['type'], number>>;

/** Current version of each type, in which it is written, grouped by subject. Readers upcast older versions. */
export const EVENTS_OF = {
  charges: {
    ChargeCreated: 1,
    ChargePaid: 2,
    ChargePaymentUnmatched: 2,
    ChargeFailed: 1,
    ChargeExpired: 1,
    ChargeCancelled: 1,
    ChargeSettlementClaimed: 2,
    ChargeReversed: 2,
    ChargeReversalClaimed: 1,
    ChargeRefundClaimed: 1,
    ChargeRefundDeclined: 1,
    ChargeRefundSubmitted: 1,
    ChargeRefundSucceeded: 2,
    ChargeRefundFailed: 2,
    ChargeRefundCancelled: 2,
    ChargeRefundBounced: 2,
    ChargeLineClaimed: 1,
    ChargeInstructing: 1,
    ChargeInstructed: 1,
    ChargeInstructionClosed: 1,
  },
  disputes: {
    ChargeDisputeOpened: 1,
    ChargeDisputeReopened: 1,
    ChargeDisputeHeld: 1,
    ChargeDisputeWon: 2,
    ChargeDisputeLost: 2,
    ChargeDisputeChallenged: 1,
    ChargeDisputeSubmitted: 1,
    ChargeDisputeDueSoon: 1,
    ChargeDisputeEvidenceAdded: 1,
    ChargeDisputeEvidenceErased: 1,
  },
  accounts: {
    FundsSettled: 2,
    PayoutRequested: 2,
    PayoutApproved: 1,
    PayoutApprovalVoided: 1,
    PayoutSubmitted: 1,
    PayoutSucceeded: 1,
    PayoutFailed: 1,
    PayoutCancelled: 2,
    RefundReserved: 1,
    RefundReleased: 1,
    RefundConfirmed: 1,
    AccountAdjusted: 1,
    HouseAdjusted: 2,
    AdjustmentRefused: 1,
    SuspenseItemClaimed: 1,
  },
  payouts: {
    PayoutRegistered: 2,
    PayoutReturned: 1,
    PayoutOutcomeContradicted: 1,
    PayoutReturnClaimed: 1,
    BeneficiaryChecked: 1,
    BeneficiaryAccepted: 1,
    PayoutAttempted: 1,
    PayoutAttemptClosed: 1,
    PayoutDecided: 1,
    PayoutHeld: 1,
  },
  settlements: { SettlementLineRefused: 2, SettlementOpened: 2, SettlementClosed: 2 },
  customers: { CustomerCreated: 1, CustomerUpdated: 1, CustomerDeleted: 1 },
  merchants: { MerchantRegistered: 1, ApiKeyIssued: 1, ApiKeyRevoked: 2, MerchantChannelSet: 1, MerchantFeeSet: 2, MerchantRailSet: 1 },
  webhooks: { WebHookSet: 1, WebHookDeleted: 1, WebHookDisabled: 1 },
  operators: {
    FinanceKeyIssued: 1,
    FinanceKeyRevoked: 2,
    OperatorAdded: 1,
    OperatorRolesSet: 1,
    OperatorSuspended: 1,
    OperatorRestored: 1,
    OperatorKeyIssued: 1,
    OperatorKeyRevoked: 1,
    DeskPolicySet: 1,
  },
  proposals: {
    ProposalMade: 1,
    ProposalApproved: 1,
    ProposalRejected: 1,
    ProposalWithdrawn: 1,
    ProposalExpired: 1,
    ProposalClaimed: 1,
    ProposalExecuted: 1,
    ProposalFailed: 1,
    ProposalVoided: 1,
    ProposalRefused: 1,
    EventSetAside: 1,
    PeriodClosed: 1,
    DifferencesAccepted: 1,
  },
  calendar: { HolidaysSet: 1 },
  rails: {
    RailSet: 1,
    RailCredentialsSet: 1,
    RailCredentialsRetired: 1,
    RailPaused: 1,
    RailResumed: 1,
    RailRouteSet: 1,
    RailAllowed: 1,
    RailAllowanceWithdrawn: 1,
  },
  recon: {
    ReconSourceSet: 2,
    ReconBankClaimed: 1,
    StatementReceived: 1,
    StatementLines: 1,
    StatementRead: 1,
    StatementAccepted: 2,
    StatementReplaced: 2,
    StatementForgotten: 2,
    ReconRan: 2,
    DayCloseOpened: 2,
    BankLinesBooked: 2,
    DayClosed: 1,
    BreakAssigned: 1,
    BreakNoted: 1,
    BreakMatched: 2,
    BreakUnmatched: 1,
    BreakAccepted: 1,
  },
} as const;

export const SCHEMA_VERSIONS: VersionsOf<LedgerEvent> = {
  ...EVENTS_OF.charges,
  ...EVENTS_OF.disputes,
  ...EVENTS_OF.accounts,
  ...EVENTS_OF.payouts,
  ...EVENTS_OF.settlements,
  ...EVENTS_OF.customers,
  ...EVENTS_OF.merchants,
  ...EVENTS_OF.webhooks,
  ...EVENTS_OF.operators,
  ...EVENTS_OF.proposals,
  ...EVENTS_OF.calendar,
  ...EVENTS_OF.rails,
  ...EVENTS_OF.recon,
};

export type EventGroup = keyof typeof EVENTS_OF;
export type TypesOf<Group extends EventGroup> = { [Each in Group]: keyof (typeof EVENTS_OF)[Each] }[Group];

export function isKnownType(type: string): type is LedgerEventType {
  return Object.hasOwn(SCHEMA_VERSIONS, type);
}

/**
 * Upcasters from each version of a type to the next one. Raising a version in SCHEMA_VERSIONS requires its upcaster here and a golden event in the
 * tests; neither is ever changed or removed.
 */
const UPCASTERS: { readonly [Type in LedgerEventType]?: readonly Upcaster[] } = {
  ApiKeyRevoked: [sayingAtOnce],
  FinanceKeyRevoked: [sayingAtOnce],
  ChargePaid: [atTheSimulator],
  ChargePaymentUnmatched: [atTheSimulator],
  ChargeReversed: [atTheSimulator],
  ChargeRefundSucceeded: [atTheSimulator],
  ChargeRefundFailed: [atTheSimulator],
  ChargeRefundCancelled: [atTheSimulator],
  ChargeRefundBounced: [atTheSimulator],
  ChargeDisputeWon: [atTheSimulator],
  ChargeDisputeLost: [atTheSimulator],
  ChargeSettlementClaimed: [ofTheWholeCharge],
  SettlementLineRefused: [unchanged],
  SettlementOpened: [unchanged],
  SettlementClosed: [withoutRefunds],
  FundsSettled: [withoutRefunds],
  MerchantFeeSet: [unchanged],
  PayoutRequested: [withoutApprovals],
  PayoutRegistered: [withoutApprovals],
  PayoutCancelled: [byItsMerchant],
  DayCloseOpened: [bookedInItsSource],
  BankLinesBooked: [unchanged],
  BreakMatched: [withoutDifference],
  StatementAccepted: [byMatcher1],
  StatementReplaced: [byMatcher1],
  ReconRan: [byMatcher1],
  StatementForgotten: [unchanged],
  ReconSourceSet: [unchanged],
  HouseAdjusted: [withoutItems],
};

/** The simulator was the only processor. */
function atTheSimulator(data: object): object {
  return { ...data, processor: 'SIMULATOR' };
}

function ofTheWholeCharge(data: object): object {
  return { ...data, net_amount: null, fee_amount: null };
}

/** Version 2 added lines of refunds, disputes and differences, fees of disputes, and files forgotten without a proposal; older data stay as they are. */
function unchanged(data: object): object {
  return data;
}

function withoutRefunds(data: { readonly totals?: object }): object {
  return { ...data, totals: { ...data.totals, refunds: 0, disputes: 0 } };
}

/** No approval was required. */
function withoutApprovals(data: object): object {
  return { ...data, approvals_required: 0, approve_by: null };
}

function byItsMerchant(data: object): object {
  return { ...data, cause: 'merchant', person_id: null, reason: null };
}

/** An operator matched a line with an item of the same amount. */
function withoutDifference(data: object): object {
  return { ...data, batch: null, difference: null, proposal_id: null };
}

function byMatcher1(data: object): object {
  return { ...data, matcher: 1 };
}

/** The parts of a close were in the stream of its source. */
function bookedInItsSource(data: { readonly source?: string }): object {
  return { ...data, lines_stream: sourceStream(data.source!) };
}

/** The number of items that an opening closed was not recorded. */
function withoutItems(data: object): object {
  return { ...data, items: null };
}

/** A revocation later than its own event belongs to an overlap; any other revocation, also one without readable times, ends the key at once. */
function sayingAtOnce(data: { readonly revoked_on?: string }, { occurred_on }: { readonly occurred_on?: string }): object {
  return { ...data, at_once: !(Date.parse(data.revoked_on ?? '') > Date.parse(occurred_on ?? '')) };
}

/** @throws UpcastersIncomplete when a stored event could be unreadable. Called before the first event is read. */
export function requireReadableVersions(): void {
  requireUpcasters(SCHEMA_VERSIONS, UPCASTERS);
}

interface Stored {
  readonly type: string;
  readonly data: object;
  readonly metadata: { readonly schema_version: number; readonly occurred_on?: string };
}

/**
 * Returns a stored event in today's shape, its envelope kept.
 * @throws UnknownEvent when the type or its version is unknown: a reader must stop rather than skip an event.
 */
export function readEvent<Recorded extends Stored>(recorded: Recorded): Recorded & LedgerEvent {
  return upcast(recorded, SCHEMA_VERSIONS, UPCASTERS) as Recorded & LedgerEvent;
}
