import type { OrdinalEvent, Projection, ReadModel } from '../platform/projector/projection.js';
import { EVENTS_OF, readEvent, type EventGroup, type LedgerEvent, type LedgerEventType, type TypesOf } from './catalogue.js';

/** An event of the log as read models receive it: in today's shape, with its place. */
export type LoggedEvent = OrdinalEvent & LedgerEvent;

export type LedgerReadModel = ReadModel<LedgerEvent>;

const LATER_DISPUTE_PROCEEDINGS = [
  'ChargeDisputeReopened',
  'ChargeDisputeChallenged',
  'ChargeDisputeSubmitted',
  'ChargeDisputeDueSoon',
  'ChargeDisputeEvidenceAdded',
  'ChargeDisputeEvidenceErased',
] as const;

/** Parts of groups, for readers that handle a group except a part of it. */
const PARTS = {
  'unpaid charges': ['ChargeInstructing', 'ChargeInstructed', 'ChargeInstructionClosed', 'ChargeFailed', 'ChargeExpired', 'ChargeCancelled'],
  payments: ['ChargePaid', 'ChargePaymentUnmatched'],
  'settlement claims': ['ChargeSettlementClaimed', 'ChargeReversalClaimed', 'ChargeLineClaimed'],
  refunds: [
    'ChargeRefundClaimed',
    'ChargeRefundDeclined',
    'ChargeRefundSubmitted',
    'ChargeRefundSucceeded',
    'ChargeRefundFailed',
    'ChargeRefundCancelled',
    'ChargeRefundBounced',
  ],
  'refund submissions': ['ChargeRefundDeclined', 'ChargeRefundSubmitted'],
  'refund results': ['ChargeRefundSucceeded', 'ChargeRefundFailed', 'ChargeRefundCancelled', 'ChargeRefundBounced'],
  'dispute proceedings': ['ChargeDisputeOpened', ...LATER_DISPUTE_PROCEEDINGS],
  'later dispute proceedings': LATER_DISPUTE_PROCEEDINGS,
  'account payouts': [
    'PayoutRequested',
    'PayoutApproved',
    'PayoutApprovalVoided',
    'PayoutSubmitted',
    'PayoutSucceeded',
    'PayoutFailed',
    'PayoutCancelled',
  ],
  'payout approvals': ['PayoutApproved', 'PayoutApprovalVoided'],
  'account refunds': ['RefundReserved', 'RefundReleased', 'RefundConfirmed'],
  adjustments: ['AccountAdjusted', 'HouseAdjusted', 'AdjustmentRefused', 'SuspenseItemClaimed'],
  'unbooked adjustments': ['AdjustmentRefused', 'SuspenseItemClaimed'],
  'payout registry': ['PayoutRegistered', 'PayoutOutcomeContradicted', 'PayoutReturnClaimed'],
  transfers: ['BeneficiaryChecked', 'BeneficiaryAccepted', 'PayoutAttempted', 'PayoutAttemptClosed', 'PayoutDecided', 'PayoutHeld'],
  statements: ['StatementReceived', 'StatementLines', 'StatementRead', 'StatementAccepted', 'StatementReplaced', 'StatementForgotten'],
  'recon sources': ['ReconSourceSet', 'ReconBankClaimed', 'ReconRan'],
  breaks: ['BreakAssigned', 'BreakNoted', 'BreakMatched', 'BreakUnmatched', 'BreakAccepted'],
} as const satisfies Readonly<Record<string, readonly LedgerEventType[]>>;

type Part = keyof typeof PARTS;
type TypesOfPart<Name> = Name extends Part ? (typeof PARTS)[Name][number] : Name;

/** A type of a group, or a part of it. */
type NameIn<Group extends EventGroup> = TypesOf<Group> | { [Name in Part]: TypesOfPart<Name> extends TypesOf<Group> ? Name : never }[Part];

/** The groups that a reader handles: 'all' their events, or all except parts and types. */
type Handled = { readonly [Group in EventGroup]?: 'all' | { readonly except: readonly NameIn<Group>[] } };
type HandledTypes<Groups extends Handled> = {
  [Group in keyof Groups & EventGroup]: Exclude<
    TypesOf<Group>,
    Groups[Group] extends { readonly except: readonly (infer Name)[] } ? TypesOfPart<Name> : never
  >;
}[keyof Groups & EventGroup];

type EventGuard<Type> = <Event extends LedgerEvent>(event: Event) => event is Extract<Event, { readonly type: Type }>;

/** The logged events that a guard accepts. */
export type HandledBy<Guard> = Guard extends EventGuard<infer Type> ? Extract<LoggedEvent, { readonly type: Type }> : never;

/**
 * Returns a guard for the events that a reader handles. A switch over them that ends with `unreachable` does not compile after an event has joined
 * one of the groups, until the reader handles the event or names it as an exception.
 */
export function handling<const Groups extends Handled>(groups: Groups): EventGuard<HandledTypes<Groups>> {
  const types = new Set<string>(Object.entries(groups).flatMap(([group, which]) => typesIn(group as EventGroup, which)));
  return (event): event is Extract<typeof event, { readonly type: HandledTypes<Groups> }> => types.has(event.type);
}

function typesIn(group: EventGroup, which: 'all' | { readonly except: readonly string[] }): readonly string[] {
  const types = Object.keys(EVENTS_OF[group]);
  if (which === 'all') return types;
  const excepted = new Set<string>(which.except.flatMap((name) => (Object.hasOwn(PARTS, name) ? PARTS[name as Part] : [name])));
  return types.filter((type) => !excepted.has(type));
}

/** A projection of the ledger's events. The projector decodes each of them once, for all of its read models. */
export function ledgerProjection(projection: Omit<Projection<LedgerEvent>, 'decode'>): Projection<LedgerEvent> {
  return { ...projection, decode: readEvent };
}
