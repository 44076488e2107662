import { randomUUID } from 'node:crypto';
import { readEvent } from '../../ledger/catalogue.js';
import { OPERATORS_STREAM, type OperatorEvent, type OperatorRole } from '../../ledger/events/operator.events.js';
import { timestamp, type Timestamp } from '../../ledger/time.js';
import type { EventStore } from '../../platform/event-store/event-store.js';
import { pagesOf } from '../../platform/event-store/pages-of.js';
import { KnownOperators } from './known-operators.js';
import { decided, DirectoryRefused, withNewKey, type IssuedKey, type DirectoryDeps } from './directory.js';
import { OPERATOR_KEY_MS_MAX, operators, type OperatorCommand, type Operators } from './operators.decider.js';
import { openEmails, sealEmail, type OperatorKeys } from './operator-keys.js';

/** Commands on operators. Each throws DirectoryRefused when the rules refuse it, and StoreUnavailable or OutcomeUnknown as the store does. */

/** Maximum attempts to add an operator while others are being added. */
const ATTEMPTS_MAX = 5;

export interface NewOperator {
  readonly name: string;
  readonly email: string;
  readonly roles: readonly OperatorRole[];
  /** 1 to 500 characters. */
  readonly reason: string;
}

/** Reads all operators once, as of now. @throws UnknownEvent */
export async function loadOperators(store: Pick<EventStore, 'read'>): Promise<KnownOperators> {
  const known = new KnownOperators();
  for await (const page of pagesOf(store, OPERATORS_STREAM, 0)) for (const event of page) known.add(readEvent(event) as OperatorEvent);
  return known;
}

/** Returns the new operator's id. */
export async function addOperator(deps: DirectoryDeps, keys: OperatorKeys, { name, email, roles, reason }: NewOperator): Promise<string> {
  const person_id = randomUUID();
  const lower = email.toLowerCase();
  const key = await keys.getOrCreate(person_id);
  if (key === null) throw new Error(`the key of operator ${person_id} was destroyed before it was used`);
  const added = { kind: 'add', person_id, name, email: lower, sealed: sealEmail(key, person_id, lower), roles, reason } as const;
  for (let attempt = 1; ; attempt += 1) {
    const emails = await openEmails(keys, (await loadOperators(deps.store)).all());
    try {
      await onOperators(deps, (now) => ({ ...added, emails, now }));
      return person_id;
    } catch (error) {
      if (!(error instanceof DirectoryRefused) || error.refusal !== 'operators-changed' || attempt === ATTEMPTS_MAX) throw error;
    }
  }
}

/** Returns the operator's roles from now on, which may be unchanged. */
export async function setRoles(
  deps: DirectoryDeps,
  operatorId: string,
  roles: readonly OperatorRole[],
  reason: string,
): Promise<readonly OperatorRole[]> {
  const changed = await onOperators(deps, (now) => ({ kind: 'set-roles', person_id: operatorId, roles, reason, now }));
  return changed.get(operatorId)!.roles;
}

/** Suspends or restores an operator. A repeat is success. */
export async function switchOperator(deps: DirectoryDeps, operatorId: string, kind: 'suspend' | 'restore', reason: string): Promise<void> {
  await onOperators(deps, (now) => ({ kind, person_id: operatorId, reason, now }));
}

/** `expiresOn` undefined: the latest allowed moment. */
export async function issueOperatorKey(deps: DirectoryDeps, operatorId: string, expiresOn: Timestamp | undefined): Promise<IssuedKey> {
  const expires_on = expiresOn ?? timestamp(deps.clock() + OPERATOR_KEY_MS_MAX);
  // The directory uses the operator's name for the key; operators have roles instead of scopes.
  const details = { name: '', scopes: [], expires_on };
  return withNewKey('operator', expires_on, (fresh) =>
    onOperators(deps, (now) => ({ kind: 'issue-key', person_id: operatorId, ...fresh, ...details, now })),
  );
}

function onOperators(deps: DirectoryDeps, command: (now: Timestamp) => OperatorCommand): Promise<Operators> {
  return decided(deps, OPERATORS_STREAM, operators, command, deps.by);
}
