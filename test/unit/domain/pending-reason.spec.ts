import { describe, expect, it } from '@jest/globals';
import { arrivesBy, PENDING_REASONS, pendingReason, type TransferProgress } from '../../../src/domain/payouts/pending-reason.js';
import { BankInMemory, TERMS } from '../../support/bank-in-memory.js';

/** 15:00 in Jakarta. */
const NOW = Date.parse('2026-03-02T08:00:00Z');
const bank = new BankInMemory({ clock: () => NOW });
const routed = bank.routes();
const none = { route: () => undefined, named: () => undefined, begun: () => undefined };
const PENDING: TransferProgress = {
  ...{ merchant_id: 'm1', currency: 'IDR', payout_status: 'PENDING', created_on: '2026-03-02T07:59:50.000+00:00', bank_code: null, bank_name: 'BCA' },
  ...{ rail: null, beneficiary_match: null, is_name_accepted: false, open_attempts: 0, attempted_on: null, is_held: false },
  ...{ approvals_required: 0, approvals_given: 0 },
};
const PROCESSING: TransferProgress = { ...PENDING, payout_status: 'PROCESSING', rail: 'bank', beneficiary_match: 'EXACT' };

describe('reason that a payout has not ended', () => {
  it('returns null for a payout that has ended, and for one that the simulated bank has', () => {
    for (const payout_status of ['SUCCEEDED', 'FAILED', 'CANCELLED', 'REVERSED'])
      expect(pendingReason({ ...PENDING, payout_status, rail: 'bank' }, 'live', routed, NOW)).toBeNull();
    expect(pendingReason(PENDING, 'test', none, NOW)).toBeNull();
    expect(pendingReason({ ...PROCESSING, rail: null }, 'test', none, NOW)).toBeNull();
  });

  it('returns "approval" until persons have approved the payout, whatever else it waits for', () => {
    const held = { ...PENDING, approvals_required: 2 };
    for (const routes of [routed, none]) expect(pendingReason({ ...held, approvals_given: 1 }, 'test', routes, NOW)).toBe('approval');
    expect(pendingReason({ ...held, approvals_given: 2 }, 'test', none, NOW)).toBeNull();
    expect(pendingReason({ ...held, payout_status: 'CANCELLED' }, 'test', none, NOW)).toBeNull();
  });

  it('names the reason before the bank has received the payout', () => {
    const reason = (change: Partial<TransferProgress>, routes = routed, now = NOW) => pendingReason({ ...PENDING, ...change }, 'live', routes, now);
    expect(reason({}, none)).toBe('no-rail');
    expect(reason({ bank_name: 'Bank of Nowhere' })).toBe('bank-unknown');
    expect(reason({ bank_name: 'Bank of Nowhere', bank_code: '999' })).toBeNull();
    expect(reason({ rail: 'bank', beneficiary_match: 'DIFFERENT' })).toBe('beneficiary-differs');
    expect(reason({ rail: 'bank', beneficiary_match: 'DIFFERENT', is_name_accepted: true })).toBeNull();
    expect(
      reason(
        {},
        bank.routes(() => true),
      ),
    ).toBe('rail-paused');
    const night = new BankInMemory({ clock: () => NOW, terms: { ...TERMS, quiet_hours: [{ from: '14:00', to: '16:00' }] } });
    expect(reason({}, night.routes())).toBe('quiet-hours');
    expect(reason({})).toBeNull();
    expect(reason({}, routed, NOW + 3_600_000)).toBe('rail-unavailable');
  });

  it('names the reason after the bank has received the payout', () => {
    const reason = (change: Partial<TransferProgress>, now = NOW) => pendingReason({ ...PROCESSING, ...change }, 'live', routed, now);
    const attempted = { open_attempts: 1, attempted_on: '2026-03-02T07:59:55.000+00:00' };
    expect(reason({})).toBe('waiting-rail');
    expect(reason({ ...attempted, open_attempts: 0 })).toBe('waiting-rail');
    expect(reason(attempted)).toBe('awaiting-bank');
    expect(reason(attempted, NOW + 15 * 60_000)).toBe('outcome-unknown');
    expect(reason({ ...attempted, is_held: true })).toBe('held');
  });
});

describe('time by which an open payout is usually paid', () => {
  const WAITING = { payout_status: 'PENDING', submitted_on: null, pending_reason: null, quiet_hours: [], usual_seconds: 90 } as const;
  const SENT = { ...WAITING, payout_status: 'PROCESSING', submitted_on: '2026-03-02T07:59:00.000+00:00' } as const;

  it('it counts from now for a payout that can be submitted, and from its submission afterwards, even if that time is over', () => {
    expect(arrivesBy(WAITING, NOW)).toBe(NOW + 90_000);
    for (const now of [NOW, NOW + 3_600_000]) expect(arrivesBy(SENT, now)).toBe(NOW + 30_000);
    for (const pending_reason of ['awaiting-bank', 'outcome-unknown'] as const)
      expect(arrivesBy({ ...SENT, pending_reason }, NOW)).toBe(NOW + 30_000);
  });

  it('it counts from the end of the quiet hours', () => {
    const quiet = { ...WAITING, pending_reason: 'quiet-hours', quiet_hours: [{ from: '14:00', to: '16:00' }] } as const;
    expect(arrivesBy(quiet, NOW)).toBe(Date.parse('2026-03-02T09:01:30Z'));
    // They have ended since the reason was found.
    expect(arrivesBy(quiet, NOW + 3_600_000)).toBe(NOW + 3_690_000);
  });

  it('no time is known while the payout waits for people, its rail or an unknown result, and after its end', () => {
    const known = ['quiet-hours', 'awaiting-bank', 'outcome-unknown'];
    for (const pending_reason of PENDING_REASONS.filter((reason) => !known.includes(reason)))
      for (const payout of [WAITING, ...(['held', 'waiting-rail'].includes(pending_reason) ? [SENT] : [])])
        expect([pending_reason, arrivesBy({ ...payout, pending_reason }, NOW)]).toEqual([pending_reason, undefined]);
    for (const payout_status of ['SUCCEEDED', 'FAILED', 'CANCELLED', 'REVERSED'] as const)
      expect(arrivesBy({ ...SENT, payout_status }, NOW)).toBeUndefined();
  });
});
