import { NOTHING_TO_DO, refuse, type Decider, type Decision } from '../../ledger/decider.js';
import { OPERATOR_ROLES, type OperatorEvent, type OperatorRole } from '../../ledger/events/operator.events.js';
import { DAY_MS, milliseconds, type Timestamp } from '../../ledger/time.js';
import { decideOnKeys, withIssued, withRevoked, type KeyChange, type KeyCommand, type KeyRefusal, type KeyRing } from './key-ring.js';
import { unreachable } from '../../ledger/unreachable.js';

/** Operators with their roles and keys, by id. Pure. */
export type Operators = ReadonlyMap<string, Operator>;

interface Operator {
  readonly name: string;
  readonly roles: readonly OperatorRole[];
  readonly is_suspended: boolean;
  readonly keys: KeyRing;
}

interface OnOperator {
  readonly person_id: string;
  readonly now: Timestamp;
}

/** 1 to 500 characters, for readers of the log. */
interface WithReason extends OnOperator {
  readonly reason: string;
}

export type OperatorCommand =
  | ({
      readonly kind: 'add';
      readonly name: string;
      /** In lower case; `sealed` is the same, encrypted with the operator's own key. */
      readonly email: string;
      readonly sealed: string;
      readonly roles: readonly OperatorRole[];
      /** The decrypted address of each operator; null when its key is destroyed. */
      readonly emails: ReadonlyMap<string, string | null>;
    } & WithReason)
  /** `proposal_id`: set for an approved proposal. */
  | ({ readonly kind: 'set-roles'; readonly roles: readonly OperatorRole[]; readonly proposal_id?: string } & WithReason)
  | ({ readonly kind: 'suspend' | 'restore' } & WithReason)
  | (KeyCommand & { readonly person_id: string });

export type OperatorRefusal =
  | KeyRefusal
  | 'operator-exists'
  | 'operator-not-found'
  | 'operator-suspended'
  /** An operator was added since the addresses were decrypted. */
  | 'operators-changed'
  | 'too-many-operators'
  | 'email-taken'
  | 'roles-take-two'
  | 'expiry-too-late';

/** Maximum operators. Every process keeps them in memory. */
export const OPERATORS_MAX = 1_000;
/** Maximum lifetime of an operator's key. */
export const OPERATOR_KEY_MS_MAX = 90 * DAY_MS;
/** With this many controllers or more, roles need a proposal that another controller approves. */
const CONTROLLERS_ALONE_MAX = 2;
/** The permissions of an operator's key follow from the operator's roles. */
const NO_SCOPES: readonly string[] = [];

type OperatorDecision = Decision<OperatorEvent, OperatorRefusal>;

export const operators: Decider<Operators, OperatorCommand, OperatorEvent, OperatorRefusal> = {
  initial: new Map(),

  evolve(state, { type, data }): Operators {
    if (type === 'ProposalRefused') return state;
    const changed = (change: (operator: Operator) => Partial<Operator>): Operators => {
      const operator = state.get(data.person_id);
      if (!operator) throw new Error(`${type} of an operator that was never added: ${data.person_id}`);
      return new Map(state).set(data.person_id, { ...operator, ...change(operator) });
    };
    switch (type) {
      case 'OperatorAdded':
        return new Map(state).set(data.person_id, { name: data.name, roles: [], is_suspended: false, keys: new Map() });
      case 'OperatorRolesSet':
        return changed(() => ({ roles: data.roles }));
      case 'OperatorSuspended':
        return changed(() => ({ is_suspended: true }));
      case 'OperatorRestored':
        return changed(() => ({ is_suspended: false }));
      case 'OperatorKeyIssued':
        return changed(({ name, keys }) => ({ keys: withIssued(keys, { ...data, name, scopes: NO_SCOPES }) }));
      case 'OperatorKeyRevoked':
        return changed(({ keys }) => ({ keys: withRevoked(keys, data) }));
      default:
        return unreachable(type);
    }
  },

  decide(state, command): OperatorDecision {
    if (command.kind === 'add') return decideAdd(state, command);
    const operator = state.get(command.person_id);
    if (!operator) return refuse('operator-not-found', `There is no operator ${command.person_id}.`);
    switch (command.kind) {
      case 'set-roles':
        return decideRoles(state, operator, command);
      case 'suspend':
      case 'restore':
        return decideSwitch(operator, command);
      case 'issue-key':
      case 'revoke-key':
      case 'rotate-key':
        return decideKey(operator, command);
      default:
        return unreachable(command);
    }
  },
};

type CommandOf<Kind extends OperatorCommand['kind']> = Extract<OperatorCommand, { readonly kind: Kind }>;

function decideAdd(state: Operators, command: CommandOf<'add'>): OperatorDecision {
  const { person_id, name, email, sealed, emails, roles, reason, now } = command;
  if (state.has(person_id)) return refuse('operator-exists', `The operator ${person_id} exists already.`);
  if (state.size >= OPERATORS_MAX) return refuse('too-many-operators', `There are ${OPERATORS_MAX} operators already.`);
  for (const other of state.keys()) {
    const taken = emails.get(other);
    if (taken === undefined) return refuse('operators-changed', 'An operator was added in the meantime. Try again.');
    if (taken === email) return refuse('email-taken', `The e-mail address is that of operator ${other}.`);
  }
  const of = { merchant_id: null, person_id } as const;
  const added: OperatorEvent = { type: 'OperatorAdded', data: { ...of, name, sealed, reason, added_on: now } };
  if (roles.length === 0) return { events: [added] };
  return rolesTakeTwo(state) ?? { events: [added, { type: 'OperatorRolesSet', data: { ...of, roles: inOrder(roles), reason, set_on: now } }] };
}

function decideRoles(state: Operators, operator: Operator, command: CommandOf<'set-roles'>): OperatorDecision {
  const roles = inOrder(command.roles);
  const { person_id, reason, proposal_id, now } = command;
  const set: OperatorEvent = {
    type: 'OperatorRolesSet',
    data: { merchant_id: null, person_id, roles, reason, set_on: now, ...(proposal_id !== undefined && { proposal_id }) },
  };
  // Unchanged roles are an event too, because the proposal has taken effect.
  if (proposal_id !== undefined) return { events: [set] };
  if (roles.join() === operator.roles.join()) return NOTHING_TO_DO;
  return rolesTakeTwo(state) ?? { events: [set] };
}

/**
 * Suspended controllers count: otherwise a user of the command line could suspend one and set roles alone again. Suspending, restoring and keys stay
 * with the command line, so that no operator is locked out for good.
 */
function rolesTakeTwo(state: Operators): OperatorDecision | undefined {
  const controllers = [...state.values()].filter(({ roles }) => roles.includes('controller')).length;
  if (controllers < CONTROLLERS_ALONE_MAX) return undefined;
  const detail = `${controllers} operators are controllers, so roles take a proposal of kind ROLES, which another controller approves.`;
  return refuse('roles-take-two', detail);
}

function decideSwitch({ is_suspended }: Operator, { kind, person_id, reason, now }: CommandOf<'suspend' | 'restore'>): OperatorDecision {
  if (is_suspended === (kind === 'suspend')) return NOTHING_TO_DO;
  const of = { merchant_id: null, person_id, reason } as const;
  if (kind === 'suspend') return { events: [{ type: 'OperatorSuspended', data: { ...of, suspended_on: now } }] };
  return { events: [{ type: 'OperatorRestored', data: { ...of, restored_on: now } }] };
}

function decideKey({ keys, is_suspended }: Operator, command: KeyCommand & OnOperator): OperatorDecision {
  const { kind, person_id, now } = command;
  if (is_suspended && kind !== 'revoke-key')
    return refuse('operator-suspended', `The operator ${person_id} is suspended: restore the operator first.`);
  if (kind === 'issue-key' && (command.expires_on === null || milliseconds(command.expires_on) > milliseconds(now) + OPERATOR_KEY_MS_MAX)) {
    return refuse('expiry-too-late', `A key of an operator works for ${OPERATOR_KEY_MS_MAX / DAY_MS} days at most.`);
  }
  const decision = decideOnKeys(keys, command);
  return 'refusal' in decision ? decision : { events: decision.changes.map((change) => keyEvent(person_id, change)) };
}

function keyEvent(person_id: string, change: KeyChange): OperatorEvent {
  const of = { merchant_id: null, person_id, key_id: change.key_id } as const;
  if (change.kind === 'revoked') {
    return { type: 'OperatorKeyRevoked', data: { ...of, revoked_on: change.revoked_on, at_once: change.at_once } };
  }
  const { key_hash, expires_on, issued_on } = change;
  if (expires_on === null) throw new Error(`a key of operator ${person_id} needs an expiry`);
  return { type: 'OperatorKeyIssued', data: { ...of, key_hash, expires_on, issued_on } };
}

/** Returns each role once, in the order of OPERATOR_ROLES. */
const inOrder = (roles: readonly OperatorRole[]): readonly OperatorRole[] => OPERATOR_ROLES.filter((role) => roles.includes(role));
