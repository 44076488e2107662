import type { ProposalRefusedEvent } from './proposal.events.js';

/**
 * Events in `merchant-operators`: the operators, who read with their own keys, and their roles. The name begins as a merchant's stream does, so that
 * every process follows it with the merchants. There is one stream, because an e-mail address belongs to one operator alone, and because the right to
 * assign roles depends on the number of controllers. The event's actor is the author of the command.
 */
export const OPERATORS_STREAM = 'merchant-operators';

/** Roles of an operator, which allow more than reading; every operator may read. */
export const OPERATOR_ROLES = ['preparer', 'approver', 'controller'] as const;
export type OperatorRole = (typeof OPERATOR_ROLES)[number];

interface OfOperator {
  /** The event belongs to no merchant. */
  readonly merchant_id: null;
  readonly person_id: string;
}

interface OperatorAdded extends OfOperator {
  readonly name: string;
  /** Base64: the e-mail address in lower case, encrypted with the operator's own key. */
  readonly sealed: string;
  readonly reason: string;
  readonly added_on: string;
}

/** All roles that the operator has from now on, in the order of OPERATOR_ROLES. */
interface OperatorRolesSet extends OfOperator {
  readonly roles: readonly OperatorRole[];
  readonly reason: string;
  readonly set_on: string;
  /** The proposal that caused it; absent when the command line set the roles. */
  readonly proposal_id?: string;
}

/** No key of the operator works, as soon as this is known; the operator's roles and keys are kept. */
interface OperatorSuspended extends OfOperator {
  readonly reason: string;
  readonly suspended_on: string;
}

/** Keys that are neither revoked nor expired work again. */
interface OperatorRestored extends OfOperator {
  readonly reason: string;
  readonly restored_on: string;
}

interface OperatorKeyIssued extends OfOperator {
  readonly key_id: string;
  /** SHA-256 of the key, hex; the key itself is stored nowhere. */
  readonly key_hash: string;
  readonly expires_on: string;
  readonly issued_on: string;
}

interface OperatorKeyRevoked extends OfOperator {
  readonly key_id: string;
  /** Time of the decision; with an overlap, its end. */
  readonly revoked_on: string;
  /** True: the key is rejected as soon as this is known, whatever the date is. False only for a rotation's overlap. */
  readonly at_once: boolean;
}

export type OperatorEvent =
  | { readonly type: 'OperatorAdded'; readonly data: OperatorAdded }
  | { readonly type: 'OperatorRolesSet'; readonly data: OperatorRolesSet }
  | { readonly type: 'OperatorSuspended'; readonly data: OperatorSuspended }
  | { readonly type: 'OperatorRestored'; readonly data: OperatorRestored }
  | { readonly type: 'OperatorKeyIssued'; readonly data: OperatorKeyIssued }
  | { readonly type: 'OperatorKeyRevoked'; readonly data: OperatorKeyRevoked }
  | ProposalRefusedEvent;
