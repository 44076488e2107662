import { describe, expect, it } from '@jest/globals';
import { OPERATOR_ROLES, type OperatorEvent, type OperatorRole } from '../../src/ledger/events/operator.events.js';
import { timestamp } from '../../src/ledger/time.js';
import { OPERATOR_KEY_MS_MAX, OPERATORS_MAX, operators, type OperatorCommand } from '../../src/domain/operators/operators.decider.js';
import { given } from '../support/given.js';

const givenOperators = given(operators);

const HOUR = 60 * 60 * 1000;
const start = Date.UTC(2026, 0, 30, 10);
const at = (hours: number): string => timestamp(start + hours * HOUR);
const of = (person_id: string) => ({ merchant_id: null, person_id }) as const;
const reason = 'joins the finance desk';

const added = (person_id: string): OperatorEvent => ({
  type: 'OperatorAdded',
  data: { ...of(person_id), name: 'Siti', sealed: `sealed ${person_id}`, reason, added_on: at(0) },
});
const rolesSet = (person_id: string, roles: readonly OperatorRole[], hours = 0): OperatorEvent => ({
  type: 'OperatorRolesSet',
  data: { ...of(person_id), roles, reason, set_on: at(hours) },
});
const suspended = (person_id: string): OperatorEvent => ({ type: 'OperatorSuspended', data: { ...of(person_id), reason, suspended_on: at(1) } });
const restored = (person_id: string): OperatorEvent => ({ type: 'OperatorRestored', data: { ...of(person_id), reason, restored_on: at(1) } });
const issued = (person_id: string, key_id: string, expires_on = at(24)): OperatorEvent => ({
  type: 'OperatorKeyIssued',
  data: { ...of(person_id), key_id, key_hash: key_id.replace('key', 'hash'), expires_on, issued_on: at(0) },
});
const revoked = (person_id: string, key_id: string, revoked_on: string, at_once = true): OperatorEvent => ({
  type: 'OperatorKeyRevoked',
  data: { ...of(person_id), key_id, revoked_on, at_once },
});

const add = (person_id: string, roles: readonly OperatorRole[] = [], emails: ReadonlyMap<string, string | null> = new Map()): OperatorCommand => ({
  ...{ kind: 'add', person_id, name: 'Siti', email: `${person_id}@bank.example`, sealed: `sealed ${person_id}`, roles, emails, reason, now: at(0) },
});
const setRoles = (person_id: string, ...roles: readonly OperatorRole[]): OperatorCommand => ({
  kind: 'set-roles',
  person_id,
  roles,
  reason,
  now: at(1),
});
const turn = (kind: 'suspend' | 'restore', person_id: string): OperatorCommand => ({ kind, person_id, reason, now: at(1) });
const issue = (person_id: string, key_id: string, expires_on: string | null = at(24)): OperatorCommand => ({
  ...{ kind: 'issue-key', person_id, key_id, key_hash: key_id.replace('key', 'hash'), name: 'Siti', scopes: [], expires_on, now: at(0) },
});
const rotate = (person_id: string, overlap_ms: number): OperatorCommand => ({
  ...{ kind: 'rotate-key', person_id, key_id: 'key_1', new_key_id: 'key_2', new_key_hash: 'hash_2', overlap_ms, now: at(1) },
});
const TWO_CONTROLLERS = [added('a'), rolesSet('a', ['controller']), added('b'), rolesSet('b', ['controller'])] as const;
const emailsOf = (...ids: readonly string[]) => new Map(ids.map((id) => [id, `${id}@bank.example`]));

describe('adding an operator', () => {
  it('adds an operator with or without roles, each once and in their order', () => {
    givenOperators().when(add('a')).then(added('a'));
    givenOperators()
      .when(add('a', ['controller', 'preparer', 'controller']))
      .then(added('a'), rolesSet('a', ['preparer', 'controller']));
  });

  it('adds an operator once, and refuses the e-mail address of another, also of a suspended one', () => {
    givenOperators(added('a'), suspended('a'))
      .when({ ...add('b', [], emailsOf('a')), email: 'a@bank.example' } as OperatorCommand)
      .isRefused('email-taken');
    givenOperators(added('a'))
      .when(add('b', [], emailsOf('a')))
      .then(added('b'));
    givenOperators(added('a'))
      .when(add('a', [], emailsOf('a')))
      .isRefused('operator-exists');
  });

  it('adding an operator requires every known e-mail address: an erased one is free, a missing one is requested', () => {
    givenOperators(added('a'))
      .when(add('b', [], new Map([['a', null]])))
      .then(added('b'));
    givenOperators(added('a')).when(add('b')).isRefused('operators-changed');
  });

  it('limits the number of operators', () => {
    const ids = Array.from({ length: OPERATORS_MAX }, (_, n) => `p${n}`);
    givenOperators(...ids.slice(1).map(added))
      .when(add('b', [], emailsOf(...ids)))
      .then(added('b'));
    givenOperators(...ids.map(added))
      .when(add('b', [], emailsOf(...ids)))
      .isRefused('too-many-operators');
  });
});

describe('roles', () => {
  it.each(OPERATOR_ROLES)('grants and removes the role %s', (role) => {
    givenOperators(added('a'))
      .when(setRoles('a', role))
      .then(rolesSet('a', [role], 1));
    givenOperators(added('a'), rolesSet('a', [role]))
      .when(setRoles('a'))
      .then(rolesSet('a', [], 1));
  });

  it('setting the current roles of an operator records no event', () => {
    givenOperators(added('a'), rolesSet('a', ['preparer', 'approver']))
      .when(setRoles('a', 'approver', 'preparer'))
      .doesNothing();
    givenOperators(...TWO_CONTROLLERS)
      .when(setRoles('a', 'controller'))
      .doesNothing();
  });

  it('one person with command-line access sets roles until two operators are controllers', () => {
    const [one, two] = [TWO_CONTROLLERS.slice(0, 2), TWO_CONTROLLERS];
    givenOperators(...one)
      .when(add('b', ['controller'], emailsOf('a')))
      .then(added('b'), rolesSet('b', ['controller']));
    givenOperators(...two, added('c'))
      .when(setRoles('c', 'preparer'))
      .isRefused('roles-take-two');
    givenOperators(...two)
      .when(setRoles('a'))
      .isRefused('roles-take-two');
    givenOperators(...two)
      .when(add('c', ['preparer'], emailsOf('a', 'b')))
      .isRefused('roles-take-two');
    givenOperators(...two)
      .when(add('c', [], emailsOf('a', 'b')))
      .then(added('c'));
  });

  it('a proposal sets roles, also when they are unchanged', () => {
    const proposed = { proposal_id: 'p1' };
    const given_ = rolesSet('a', ['preparer']);
    const set = { ...given_, data: { ...given_.data, ...proposed, set_on: setRoles('a').now } } as OperatorEvent;
    const command = { ...setRoles('a', 'preparer'), ...proposed };
    const refused_on = command.now;
    givenOperators(...TWO_CONTROLLERS)
      .when(command)
      .then(set);
    givenOperators(...TWO_CONTROLLERS, set)
      .when(command)
      .then(set);
    const refused: OperatorEvent = { type: 'ProposalRefused', data: { merchant_id: null, ...proposed, refusal: 'x', detail: 'x', refused_on } };
    givenOperators(...TWO_CONTROLLERS, refused)
      .when(command)
      .then(set);
    givenOperators().when(command).isRefused('operator-not-found');
  });

  it('suspending controllers does not allow one person to set roles again', () => {
    givenOperators(...TWO_CONTROLLERS, suspended('a'), suspended('b'), added('c'))
      .when(setRoles('c', 'controller'))
      .isRefused('roles-take-two');
  });
});

describe('an operator', () => {
  it('suspends and restores an operator, each once', () => {
    givenOperators(added('a')).when(turn('suspend', 'a')).then(suspended('a'));
    givenOperators(added('a'), suspended('a')).when(turn('suspend', 'a')).doesNothing();
    givenOperators(added('a'), suspended('a')).when(turn('restore', 'a')).then(restored('a'));
    givenOperators(added('a')).when(turn('restore', 'a')).doesNothing();
    givenOperators(...TWO_CONTROLLERS)
      .when(turn('suspend', 'a'))
      .then(suspended('a'));
  });

  it.each<OperatorCommand>([setRoles('x'), turn('suspend', 'x'), turn('restore', 'x'), issue('x', 'key_1'), rotate('x', 0)])(
    'refuses a command for an unknown operator: $kind',
    (command) => {
      givenOperators(added('a')).when(command).isRefused('operator-not-found');
    },
  );

  it('folding throws for an event of an operator that was never added', () => {
    expect(() => operators.evolve(operators.initial, suspended('a'))).toThrow('never added');
  });
});

describe('keys of an operator', () => {
  it('issues operator keys for 90 days at most', () => {
    const last = timestamp(start + OPERATOR_KEY_MS_MAX);
    givenOperators(added('a'))
      .when(issue('a', 'key_1', last))
      .then(issued('a', 'key_1', last));
    for (const late of [timestamp(start + OPERATOR_KEY_MS_MAX + 1), null])
      givenOperators(added('a'))
        .when(issue('a', 'key_1', late))
        .isRefused('expiry-too-late');
    givenOperators(added('a'))
      .when(issue('a', 'key_1', at(0)))
      .isRefused('expiry-in-the-past');
  });

  it('rotates an operator key with the lifetime of the first, and revokes it', () => {
    const two = [
      { type: 'OperatorKeyIssued', data: { ...of('a'), key_id: 'key_2', key_hash: 'hash_2', expires_on: at(25), issued_on: at(1) } },
      revoked('a', 'key_1', at(2), false),
    ] as const;
    givenOperators(added('a'), issued('a', 'key_1'))
      .when(rotate('a', HOUR))
      .then(...two);
    givenOperators(added('a'), issued('a', 'key_1'), ...two)
      .when({ kind: 'revoke-key', person_id: 'a', key_id: 'key_2', now: at(3) })
      .then(revoked('a', 'key_2', at(3)));
    givenOperators(added('a'), added('b'), issued('a', 'key_1'))
      .when({ kind: 'revoke-key', person_id: 'b', key_id: 'key_1', now: at(3) })
      .isRefused('key-not-found');
  });

  it('revokes but neither issues nor rotates keys of a suspended operator', () => {
    const events = [added('a'), issued('a', 'key_1'), suspended('a')] as const;
    givenOperators(...events)
      .when(issue('a', 'key_2'))
      .isRefused('operator-suspended');
    givenOperators(...events)
      .when(rotate('a', 0))
      .isRefused('operator-suspended');
    givenOperators(...events)
      .when({ kind: 'revoke-key', person_id: 'a', key_id: 'key_1', now: at(1) })
      .then(revoked('a', 'key_1', at(1)));
    givenOperators(...events, restored('a'))
      .when(rotate('a', 0))
      .then(
        { type: 'OperatorKeyIssued', data: { ...of('a'), key_id: 'key_2', key_hash: 'hash_2', expires_on: at(25), issued_on: at(1) } },
        revoked('a', 'key_1', at(1)),
      );
  });
});
