import { describe, expect, it } from '@jest/globals';
import { canonicalJson, digestOf } from '../../../src/ledger/ids/canonical-json.js';
import type { OperatorEvent } from '../../../src/ledger/events/operator.events.js';
import { requireOperator, requireRole } from '../../../src/domain/operators/acting-operator.js';
import { KnownOperators } from '../../../src/domain/operators/known-operators.js';

const ID = '0198c0de-7a5e-5c3a-9d2f-3f6f4a1b2c3d';
const WHEN = '2026-01-31T08:15:30.123+00:00';
const NOW = Date.parse(WHEN);
const of = { merchant_id: null, person_id: ID } as const;

const known = (...more: readonly OperatorEvent[]): KnownOperators => {
  const operators = new KnownOperators();
  const key = { key_id: 'key_1', key_hash: 'hash', expires_on: '2026-02-28T00:00:00.000+00:00', issued_on: WHEN };
  operators.add({ type: 'OperatorAdded', data: { ...of, name: 'Siti', sealed: '', reason: 'joins', added_on: WHEN } });
  operators.add({ type: 'OperatorRolesSet', data: { ...of, roles: ['preparer'], reason: 'joins', set_on: WHEN } });
  operators.add({ type: 'OperatorKeyIssued', data: { ...of, ...key } });
  for (const event of more) operators.add(event);
  return operators;
};
const refused = (code: string) => expect.objectContaining({ code }) as unknown as Error;

describe('acting person', () => {
  it('returns the person of a working key; rejects an expired key and a suspended person as unauthenticated', () => {
    expect(requireOperator(known(), 'key_1', NOW)).toEqual({ person_id: ID, key_id: 'key_1', name: 'Siti', roles: ['preparer'] });
    expect(() => requireOperator(known(), 'key_1', Date.parse('2026-02-28T00:00:00Z'))).toThrow(refused('unauthenticated'));
    const suspended = known({ type: 'OperatorSuspended', data: { ...of, reason: 'lost', suspended_on: WHEN } });
    expect(() => requireOperator(suspended, 'key_1', NOW)).toThrow(refused('unauthenticated'));
  });

  it('rejects a key of finance with insufficient-role', () => {
    for (const key of ['key_2', null]) expect(() => requireOperator(known(), key, NOW)).toThrow(refused('insufficient-role'));
  });

  it('requireRole accepts any of the given roles, and rejects others with insufficient-role', () => {
    expect(() => requireRole({ roles: ['preparer'] }, 'preparer', 'controller')).not.toThrow();
    expect(() => requireRole({ roles: ['preparer'] }, 'approver')).toThrow(refused('insufficient-role'));
  });
});

describe('canonical JSON', () => {
  // RFC 8785, 3.2.3.
  it('sorts members by UTF-16 code units, at every level', () => {
    const sorted = { '€': 1, '\r': 2, '\ufb33': 3, '1': [{ b: null, a: 4.5 }], '😀': 5, '\u0080': 6, ö: 7, gone: undefined };
    expect(canonicalJson(sorted)).toBe('{"\\r":2,"1":[{"a":4.5,"b":null}],"\u0080":6,"ö":7,"€":1,"😀":5,"\ufb33":3}');
    expect(digestOf({})).toBe('44136fa355b3678a1146ad16f7e8649e94fb4fc21fe77e8310c060f61caaff8a');
  });
});
