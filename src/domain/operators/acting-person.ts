import type { OperatorRole } from '../../ledger/events/operator.events.js';
import type { Clock } from '../../ledger/time.js';
import { isGood, type KeyDirectory } from '../../platform/auth/key-directory.js';
import { Problem } from '../../platform/problems.js';
import type { KnownOperator, KnownOperators } from './known-operators.js';

/** A person of the house who acts, and the key by which that is known. */
export interface ActingPerson extends Pick<KnownOperator, 'name' | 'roles'> {
  readonly person_id: string;
  readonly key_id: string;
}

/**
 * Whose key it is, as `operators` are known. @param now milliseconds since the epoch
 * @throws Problem insufficient-role where it is nobody's, unauthenticated where it does not work any more
 */
export function personOf(operators: KnownOperators, keyId: string | null, now: number): ActingPerson {
  const key = keyId === null ? undefined : operators.keyById(keyId);
  const person = key && operators.operator(operators.ownerOf(key.key_id)!);
  if (!key || !person)
    throw new Problem('insufficient-role', 'This key does not belong to an operator. Use an operator’s key, which begins with ok_.');
  if (!isGood(key, now)) throw new Problem('unauthenticated', 'The key is expired or revoked, or its operator is suspended.');
  return { person_id: person.id, key_id: key.key_id, name: person.name, roles: person.roles };
}

/** @throws Problem insufficient-role unless the person has one of `roles` */
export function requireRole({ roles: given }: Pick<ActingPerson, 'roles'>, ...roles: readonly OperatorRole[]): void {
  if (!roles.some((role) => given.includes(role))) throw new Problem('insufficient-role', `This operation needs the role ${roles.join(' or ')}.`);
}

/** Whether it is the key of a person who has the role, as `operators` are known: for what is shown. */
export function hasRole(operators: KnownOperators, keyId: string | null, role: OperatorRole): boolean {
  const id = keyId === null ? undefined : operators.ownerOf(keyId);
  return id !== undefined && holdersOf(operators, role).has(id);
}

/** All persons who have the role and are not suspended, by id. */
export function holdersOf(operators: KnownOperators, role: OperatorRole): ReadonlySet<string> {
  const holders = operators.all().filter(({ is_suspended, roles }) => !is_suspended && roles.includes(role));
  return new Set(holders.map(({ id }) => id));
}

/** All operators, kept up to date by the directory of merchants. */
export interface OperatorDirectory {
  readonly operators: KnownOperators;
}

/** Who acts, and who may, as of now: no person who was suspended before the question acts any more. */
export class ActingPersons {
  constructor(
    private readonly keys: Pick<KeyDirectory, 'confirm'>,
    private readonly directory: OperatorDirectory,
    private readonly clock: Clock,
  ) {}

  /** The person whose key it is. @throws Problem insufficient-role, unauthenticated, unavailable */
  async of(keyId: string | null): Promise<ActingPerson> {
    return personOf(await this.all(), keyId, this.clock());
  }

  /** Everybody, with all that was recorded before the call. @throws Problem unavailable */
  async all(): Promise<KnownOperators> {
    if (!(await this.keys.confirm())) throw new Problem('unavailable', 'The roles of the operators cannot be read at the moment.');
    return this.directory.operators;
  }
}
