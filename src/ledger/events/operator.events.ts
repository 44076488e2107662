import type { ProposalRefusedEvent } from './proposal.events.js';

/**
 * Events in `merchant-operators`: the persons of the house who read with keys of their own, and the roles they have. The name begins as a
 * merchant's stream does, so that every process follows it with the merchants. One stream, because an e-mail address is one person's
 * alone, and because who gives out roles is decided by how many controllers there are. Who gave the command is the event's actor.
 */
export const OPERATORS_STREAM = 'merchant-operators';

/** What a person may do beyond reading, which everybody may. */
export const OPERATOR_ROLES = ['preparer', 'approver', 'controller'] as const;
export type OperatorRole = (typeof OPERATOR_ROLES)[number];

interface OfPerson {
  /** Of no merchant. */
  readonly merchant_id: null;
  readonly person_id: string;
}

interface OperatorAdded extends OfPerson {
  readonly name: string;
  /** Base64: the e-mail address in lower case, encrypted with the person's own key. */
  readonly sealed: string;
  readonly reason: string;
  readonly added_on: string;
}

/** All roles that the person has from now on, in the order of OPERATOR_ROLES. */
interface OperatorRolesSet extends OfPerson {
  readonly roles: readonly OperatorRole[];
  readonly reason: string;
  readonly set_on: string;
  /** That it is the effect of; absent where the command line gave them. */
  readonly proposal_id?: string;
}

/** No key of the person works, as soon as this is known; what the person has stays. */
interface OperatorSuspended extends OfPerson {
  readonly reason: string;
  readonly suspended_on: string;
}

/** Keys that are neither revoked nor expired work again. */
interface OperatorRestored extends OfPerson {
  readonly reason: string;
  readonly restored_on: string;
}

interface OperatorKeyIssued extends OfPerson {
  readonly key_id: string;
  /** SHA-256 of the key, hex; the key itself is stored nowhere. */
  readonly key_hash: string;
  readonly expires_on: string;
  readonly issued_on: string;
}

interface OperatorKeyRevoked extends OfPerson {
  readonly key_id: string;
  /** When that was decided; with an overlap, its end. */
  readonly revoked_on: string;
  /** The key is refused as soon as this is known, whatever the date says. False for a rotation's overlap alone. */
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
