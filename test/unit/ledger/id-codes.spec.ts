import { describe, expect, it } from '@jest/globals';
import { chargeCode, simulatedTransferReference } from '../../../src/ledger/ids/id-codes.js';
import { referencesIn } from '../../../src/domain/reconciliation/formats/references.js';

const ID = '0198c0de-7a5e-5c3a-9d2f-3f6f4a1b2c3d';

describe('codes of ids', () => {
  it('the code of a charge never changes', () => {
    expect([chargeCode(ID), chargeCode('00000000-0000-0000-0000-000000000001')]).toEqual(['CHG_QPYMGLJCOKKCAMGT', 'CHG_0000000000000001']);
  });

  it('finds the reference of a payout in the text of a bank', () => {
    const reference = simulatedTransferReference(ID);
    expect(reference).toMatch(/^P[0-9A-Z]{15}$/);
    expect(referencesIn([], [`TRF ${reference} TREASURY`])).toEqual([reference]);
  });
});
