import type { OperatorRole } from '../../ledger/events/operator.events.js';
import type { Clock } from '../../ledger/time.js';
import { isGood, type KeyDirectory } from '../../platform/auth/key-directory.js';
import { LedgerProblem } from '../../ledger/problems.js';
import type { KnownOperator, KnownOperators } from './known-operators.js';

/** An operator who acts, and the key that identifies the operator. */
export interface ActingOperator extends Pick<KnownOperator, 'name' | 'roles'> {
  readonly person_id: string;
  readonly key_id: string;
}

/**
 * Returns the operator who has the key, according to `operators`.
 * @param now milliseconds since the epoch
 * @throws Problem insufficient-role when no operator has it, unauthenticated when it does not work any more
 */
export function requireOperator(operators: KnownOperators, keyId: string | null, now: number): ActingOperator {
  const key = keyId === null ? undefined : operators.keyById(keyId);
  const operator = key && operators.byKey(key.key_id);
  if (!key || !operator)
    throw new LedgerProblem('insufficient-role', 'This key does not belong to an operator. Use an operator’s key, which begins with ok_.');
  if (!isGood(key, now)) throw new LedgerProblem('unauthenticated', 'The key is expired or revoked, or its operator is suspended.');
  return { person_id: operator.id, key_id: key.key_id, name: operator.name, roles: operator.roles };
}

/** @throws Problem insufficient-role unless the operator has one of `roles` */
export function requireRole({ roles: given }: Pick<ActingOperator, 'roles'>, ...roles: readonly OperatorRole[]): void {
  if (!roles.some((role) => given.includes(role)))
    throw new LedgerProblem('insufficient-role', `This operation needs the role ${roles.join(' or ')}.`);
}

/** Returns whether an operator with the role has the key, according to `operators`. Used for display. */
export function hasRole(operators: KnownOperators, keyId: string | null, role: OperatorRole): boolean {
  const id = keyId === null ? undefined : operators.ownerOf(keyId);
  return id !== undefined && holdersOf(operators, role).has(id);
}

/** Returns the ids of all operators who have the role and are not suspended. */
export function holdersOf(operators: KnownOperators, role: OperatorRole): ReadonlySet<string> {
  const holders = operators.all().filter(({ is_suspended, roles }) => !is_suspended && roles.includes(role));
  return new Set(holders.map(({ id }) => id));
}

/** All operators, kept up to date by the directory of merchants. */
export interface OperatorDirectory {
  readonly operators: KnownOperators;
}

/** Operators who act, and their rights, as of now: an operator who was suspended before the call cannot act. */
export class ActingOperators {
  constructor(
    private readonly keys: Pick<KeyDirectory, 'confirm'>,
    private readonly directory: OperatorDirectory,
    private readonly clock: Clock,
  ) {}

  /** Returns the operator who has the key. @throws Problem insufficient-role, unauthenticated, unavailable */
  async of(keyId: string | null): Promise<ActingOperator> {
    return requireOperator(await this.all(), keyId, this.clock());
  }

  /** All operators, as this process knows them: for the rights of readers. */
  get known(): KnownOperators {
    return this.directory.operators;
  }

  /** Returns all operators, including all that was recorded before the call. @throws Problem unavailable */
  async all(): Promise<KnownOperators> {
    if (!(await this.keys.confirm())) throw new LedgerProblem('unavailable', 'The roles of the operators cannot be read at the moment.');
    return this.directory.operators;
  }
}
