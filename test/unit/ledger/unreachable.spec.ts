import { describe, expect, it } from '@jest/globals';
import { unreachable } from '../../../src/ledger/unreachable.js';

describe('a value without a case', () => {
  it.each([
    [{ type: 'ChargeCreated', data: {} }, 'ChargeCreated'],
    [{ kind: 'cancel' }, 'cancel'],
    ['REFUSED', '"REFUSED"'],
    [{ status: 'PAID' }, '{"status":"PAID"}'],
  ])('%j is named in the error', (value, name) => {
    expect(() => unreachable(value as never)).toThrow(`no case for ${name}`);
  });
});
