import type { SnapOptions } from '../../src/rails/snap/client.js';
import type { SnapCredentials } from '../../src/rails/snap/credentials.js';
import type { RailCalls } from '../../src/rails/calls/rail-calls.js';
import type { Beneficiary, TransferAttempt } from '../../src/domain/payouts/transfer/remote-bank.js';
import { railFixture } from './rail-facts.js';

const demo = railFixture('signatures');

/** Both sides sign with the key that the demo of a provider prints for everybody. */
export const SNAP_CREDENTIALS: SnapCredentials = {
  client_key: '962489e9-de5d-4eb7-92a4-b07d44d64bf4',
  client_secret: 'myclientsecret-of-the-specs',
  private_key: demo.demo_private_key_pkcs8_base64,
  public_key: demo.demo_public_key_spki_base64,
  partner_id: 'KBBABCINDO',
  channel_id: '95221',
  source_account: '0123456789',
  merchant_id: '00007100010926',
  terminal_id: 'A1234567',
};

export const NOON = Date.parse('2026-11-22T12:00:00+07:00');

/** Options of an adapter whose external ids are `1000…1`, `1000…2` and so on. */
export function snapOptions(profile: string, calls: RailCalls, more: Partial<SnapOptions> = {}): SnapOptions {
  let ids = 0;
  return {
    name: 'bank-a',
    profile,
    mode: 'sandbox',
    base: 'https://bank.example',
    calls,
    credentials: SNAP_CREDENTIALS,
    newExternalId: async (digits) =>
      String(++ids)
        .padStart(digits - 1, '0')
        .padStart(digits, '1'),
    clock: () => NOON,
    report: () => undefined,
    ...more,
  };
}

export const BENEFICIARY: Beneficiary = {
  currency: 'IDR',
  bank_code: '002',
  bank_account_number: '888801000157508',
  bank_account_name: 'Yories Yolanda',
};

export const ATTEMPT: TransferAttempt = {
  ...BENEFICIARY,
  payout_id: '0194fdc2-0000-7000-8000-000000000001',
  attempt: 1,
  partner_reference: '2020102900000000000001',
  external_id: '30443786930722726463280097920912',
  net_amount: 1_000_000,
  at: '2026-11-22T04:00:00.000+00:00',
};
