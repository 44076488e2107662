import { describe, expect, it } from '@jest/globals';
import { SnapBook } from '../../../tools/provider-simulators/snap-book.js';
import { snapProfile } from '../../../src/rails/snap/profiles.js';

const ORDER = { partner_reference: '1', external_id: '1', service: '18', amount: 100, bank_code: '014', account: '12345' } as const;
const LATE_MS = 60_000;

describe('the book of a bank that is doubled', () => {
  function statuses(profile: string): { readonly statuses: readonly string[]; readonly balance: number } {
    let now = Date.parse('2026-03-02T08:00:00Z');
    const book = new SnapBook(snapProfile(profile)!, () => now, 0, 1_000);
    book.take(ORDER, LATE_MS);
    book.take({ ...ORDER, external_id: '2' }, 0);
    now += LATE_MS;
    book.settleDue();
    return { statuses: book.transfers.map(({ status }) => status), balance: book.balance };
  }

  it('rejects a request that arrives after another with its reference, where the profile remembers references', () => {
    expect(statuses('midtrans')).toEqual({ statuses: ['failed', 'paid'], balance: 900 });
  });

  it('pays both requests where the profile remembers none', () => {
    expect(statuses('standard')).toEqual({ statuses: ['paid', 'paid'], balance: 800 });
  });
});
