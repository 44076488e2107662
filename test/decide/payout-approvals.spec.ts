import { describe, expect, it } from '@jest/globals';
import * as fc from 'fast-check';
import { account, type AccountCommand, type PayoutOrder } from '../../src/domain/accounts/account.decider.js';
import { settlementTotals, type AccountEvent } from '../../src/ledger/events/account.events.js';
import { payoutRulesOf, type ApprovalTier, type ApprovalPolicy, type PayoutRules } from '../../src/ledger/events/approval-policy.events.js';
import { timestamp } from '../../src/ledger/time.js';
import { payoutDigest } from '../../src/domain/payouts/payout-digest.js';
import { given } from '../support/given.js';

const HOUR = 3_600_000;
const start = Date.UTC(2026, 0, 31, 10);
const at = (hours: number): string => timestamp(start + hours * HOUR);
const owner = { merchant_id: 'm1', currency: 'IDR' };
const givenAccount = given(account);

const idr = (above: number, approvals: 1 | 2): ApprovalTier => ({ currency: 'IDR', above, approvals });
const rulesOf = (payouts: readonly ApprovalTier[], payouts_day: readonly ApprovalTier[] = []): PayoutRules => ({
  payouts,
  payouts_day,
  expires_hours: 72,
});
const TWO = rulesOf([idr(0, 2)]);
const ONE = rulesOf([idr(0, 1)]);

const funds = (net_amount: number): AccountEvent => {
  const lines = [{ kind: 'charge', record_id: 'c', net_amount, fee_amount: 0 }] as const;
  return { type: 'FundsSettled', data: { ...owner, settlement_number: 1, lines, totals: settlementTotals(lines), settled_on: at(0) } };
};
const order = (payout_id: string, amount = 600): PayoutOrder => ({
  ...{ payout_id, ...owner, amount, fee: { type: 'FIXED', value: 100 }, bank_account_name: 'Siti', bank_account_number: '12345678' },
  ...{ bank_name: 'BCA', reference_id: null, description: null, meta_data: {}, fingerprint: 'print', created_by: 'key_1' },
});
const request = (payout_id: string, rules: PayoutRules | null, amount = 600, hours = 0): AccountCommand => ({
  ...{ kind: 'request-payout', order: order(payout_id, amount), rules, now: at(hours) },
});
const requested = (payout_id: string, approvals_required: 0 | 1 | 2, amount = 600, hours = 0): AccountEvent => {
  const approve_by = approvals_required === 0 ? null : at(hours + 72);
  const worked = { fee_amount: 100, net_amount: amount - 100, approvals_required, approve_by, created_on: at(hours) };
  return { type: 'PayoutRequested', data: { ...order(payout_id, amount), ...worked } };
};
const of = (payout_id: string) => ({ ...owner, payout_id, amount: 600, fee_amount: 100, net_amount: 500 });
const approve = (person_id: string, hours = 1, key_id = `key_${person_id}`): AccountCommand => ({
  ...{ kind: 'approve-payout', payout_id: 'p1', person_id, key_id, digest: 'd1', reason: 'as agreed', now: at(hours) },
});
const approved = (person_id: string, hours = 1): AccountEvent => ({
  type: 'PayoutApproved',
  data: { ...of('p1'), person_id, key_id: `key_${person_id}`, digest: 'd1', reason: 'as agreed', approved_on: at(hours) },
});
const voided = (person_id: string): AccountEvent => ({ type: 'PayoutApprovalVoided', data: { ...of('p1'), person_id, voided_on: at(2) } });
const decline = (hours = 1): AccountCommand => ({
  ...{ kind: 'decline-payout', payout_id: 'p1', person_id: 'c', reason: 'unknown account', cancelled_by: 'key_c', now: at(hours) },
});
const declined: AccountEvent = {
  type: 'PayoutCancelled',
  data: { ...of('p1'), cause: 'declined', person_id: 'c', reason: 'unknown account', cancelled_by: 'key_c', cancelled_on: at(1) },
};
const expire = (hours: number): AccountCommand => ({ kind: 'expire-payout', payout_id: 'p1', cancelled_by: 'System', now: at(hours) });
const expired = (hours: number): AccountEvent => ({
  type: 'PayoutCancelled',
  data: { ...of('p1'), cause: 'approval-expired', person_id: null, reason: null, cancelled_by: 'System', cancelled_on: at(hours) },
});
const submit = (...approvers: readonly string[]): AccountCommand => ({
  kind: 'submit-payout',
  payout_id: 'p1',
  approvers: new Set(approvers),
  now: at(2),
});
const submitted: AccountEvent = { type: 'PayoutSubmitted', data: { ...of('p1'), submitted_on: at(2) } };
const waiting = (required: 0 | 1 | 2, ...more: readonly AccountEvent[]): readonly AccountEvent[] => [
  funds(5_000),
  requested('p1', required),
  ...more,
];

describe('number of approvals that a payout requires', () => {
  it.each<[string, PayoutRules | null, number, 0 | 1 | 2]>([
    ['none without a policy', null, 600, 0],
    ['none where no tier is exceeded', rulesOf([idr(600, 1)]), 600, 0],
    ['the number of the tier that it exceeds by the least', rulesOf([idr(599, 1)]), 600, 1],
    ['the highest number of the exceeded tiers, in any order', rulesOf([idr(500, 2), idr(100, 1), idr(700, 2)]), 600, 2],
    ['none for another currency', rulesOf([{ currency: 'MYR', above: 0, approvals: 2 }]), 600, 0],
    ['the higher one of amount and day', rulesOf([idr(0, 1)], [idr(500, 2)]), 600, 2],
    ['the higher one of day and amount', rulesOf([idr(0, 2)], [idr(500, 1)]), 600, 2],
  ])('required approvals: %s', (_, rules, amount, required) => {
    givenAccount(funds(5_000))
      .when(request('p1', rules, amount))
      .then(requested('p1', required, amount));
  });

  it('the daily total includes this request and all earlier ones of the UTC day, also cancelled ones', () => {
    const day = rulesOf([], [idr(1_000, 1)]);
    givenAccount(funds(5_000), requested('p0', 0, 400))
      .when(request('p1', day))
      .then(requested('p1', 0));
    givenAccount(funds(5_000), requested('p0', 0, 401))
      .when(request('p1', day))
      .then(requested('p1', 1));
    const cancelled = { cause: 'merchant', person_id: null, reason: null, cancelled_by: 'key_1', cancelled_on: at(0) } as const;
    const taken: AccountEvent = {
      type: 'PayoutCancelled',
      data: { ...owner, payout_id: 'p0', amount: 401, fee_amount: 100, net_amount: 301, ...cancelled },
    };
    givenAccount(funds(5_000), requested('p0', 0, 401), taken)
      .when(request('p1', day))
      .then(requested('p1', 1));
  });

  it('the daily total starts again with the UTC day, and does not when a clock is behind', () => {
    const day = rulesOf([], [idr(1_000, 1)]);
    const before = [funds(5_000), requested('p0', 0, 900)];
    givenAccount(...before)
      .when(request('p1', day, 600, 13.99))
      .then(requested('p1', 1, 600, 13.99));
    givenAccount(...before)
      .when(request('p1', day, 600, 14))
      .then(requested('p1', 0, 600, 14));
    givenAccount(...before)
      .when(request('p1', day, 600, -11))
      .then(requested('p1', 1, 600, -11));
  });

  it('a list of a merchant replaces the list of the mode, separately per kind', () => {
    const policy: ApprovalPolicy = {
      ...{ mode: 'live', payouts: [idr(0, 1)], payouts_day: [idr(0, 2)], adjustments: [], settings: 0, expires_hours: 24 },
      merchants: { a: { payouts: [] }, b: { payouts_day: [idr(5, 1)] }, c: { payouts: [], payouts_day: [] } },
    };
    const rules = ['a', 'b', 'c', 'd', 'toString'].map((merchant) => payoutRulesOf(policy, merchant));
    expect(rules.map((of) => [of!.payouts, of!.payouts_day, of!.expires_hours])).toEqual([
      [[], policy.payouts_day, 24],
      [policy.payouts, [idr(5, 1)], 24],
      [[], [], 24],
      [policy.payouts, policy.payouts_day, 24],
      [policy.payouts, policy.payouts_day, 24],
    ]);
    expect(payoutRulesOf(null, 'a')).toBeNull();
  });

  it('a payout keeps the number of approvals in its request; later policies do not apply', () => {
    givenAccount(...waiting(2, approved('a')))
      .when(submit('a', 'b'))
      .isRefused('approval-missing');
    givenAccount(...waiting(0))
      .when({ kind: 'submit-payout', payout_id: 'p1', now: at(2) })
      .then(submitted);
  });
});

describe('an approval', () => {
  it('counts an operator once, whichever key approves', () => {
    givenAccount(...waiting(2))
      .when(approve('a'))
      .then(approved('a'));
    givenAccount(...waiting(2, approved('a')))
      .when(approve('a', 1, 'key_of_another_day'))
      .then();
    givenAccount(...waiting(2, approved('a')))
      .when(approve('b'))
      .then(approved('b'));
  });

  it('refuses an approval that is not required or too late', () => {
    givenAccount(...waiting(1, approved('a')))
      .when(approve('b'))
      .isRefused('approvals-complete');
    givenAccount(...waiting(0))
      .when(approve('a'))
      .isRefused('approval-not-required');
    givenAccount(...waiting(1))
      .when(approve('a', 71.99))
      .then(approved('a', 71.99));
    givenAccount(...waiting(1))
      .when(approve('a', 72))
      .isRefused('approval-too-late');
    givenAccount(...waiting(2, approved('a')))
      .when(approve('a', 72))
      .then();
    givenAccount(...waiting(1, declined))
      .when(approve('a'))
      .isRefused('payout-not-open');
    givenAccount(...waiting(1, approved('a'), submitted))
      .when(approve('a'))
      .isRefused('payout-processing');
    givenAccount(funds(5_000)).when(approve('a')).isRefused('payout-not-open');
  });
});

describe('submission of a payout to a bank', () => {
  it('submits a payout to the bank only with its required approvals', () => {
    givenAccount(...waiting(2, approved('a'), approved('b')))
      .when(submit('a', 'b'))
      .then(submitted);
    givenAccount(...waiting(1))
      .when(submit('a'))
      .isRefused('approval-missing');
    givenAccount(...waiting(1, approved('a'), submitted))
      .when(submit())
      .then();
  });

  it('refuses to submit an approved payout when the command does not list the current approvers', () => {
    givenAccount(...waiting(1, approved('a')))
      .when({ kind: 'submit-payout', payout_id: 'p1', now: at(2) })
      .isRefused('approval-missing');
  });

  it('voids the approval of an operator without the role, permanently, and does not submit the payout', () => {
    givenAccount(...waiting(1, approved('a')))
      .when(submit('b'))
      .then(voided('a'));
    givenAccount(...waiting(2, approved('a'), approved('b')))
      .when(submit())
      .then(voided('a'), voided('b'));
    givenAccount(...waiting(1, approved('a'), voided('a')))
      .when(submit('a', 'b'))
      .isRefused('approval-missing');
    givenAccount(...waiting(1, approved('a'), voided('a')))
      .when(approve('a', 3))
      .then(approved('a', 3));
    givenAccount(...waiting(1, approved('a'), voided('a')))
      .when(expire(72))
      .then(expired(72));
  });
});

describe('end of a payout that waits for approval', () => {
  it('declines a payout, approved or not, in time or not, until it is submitted to the bank', () => {
    givenAccount(...waiting(2))
      .when(decline())
      .then(declined);
    givenAccount(...waiting(1, approved('a')))
      .when(decline())
      .then(declined);
    givenAccount(...waiting(1, approved('a'), submitted))
      .when(decline())
      .isRefused('payout-processing');
    givenAccount(...waiting(0))
      .when(decline())
      .isRefused('approval-not-required');
    givenAccount(...waiting(1, declined))
      .when(decline())
      .isRefused('payout-not-open');
  });

  it('expires a payout whose approvals are missing at the deadline, whatever a read model shows', () => {
    givenAccount(...waiting(2, approved('a')))
      .when(expire(71.99))
      .then();
    givenAccount(...waiting(2, approved('a')))
      .when(expire(72))
      .then(expired(72));
    givenAccount(...waiting(2, approved('a'), approved('b')))
      .when(expire(72))
      .then();
    givenAccount(...waiting(1, approved('a'), submitted))
      .when(expire(72))
      .isRefused('payout-processing');
    givenAccount(...waiting(0))
      .when(expire(72))
      .then();
    givenAccount(...waiting(1, declined))
      .when(expire(72))
      .isRefused('payout-not-open');
  });

  it('a merchant cancels a waiting payout; a declined or expired payout makes the money available again', () => {
    const ended = [declined, expired(72)].map((end) => waiting(1, end).reduce(account.evolve, account.initial));
    for (const { available, reserved, open } of ended)
      expect({ available, reserved, open: open.size }).toEqual({ available: 5_000n, reserved: 0n, open: 0 });
    givenAccount(...waiting(1, declined))
      .when({ kind: 'cancel-payout', payout_id: 'p1', cancelled_by: 'key_1', now: at(3) })
      .then();
  });
});

describe('payout approvals under random commands', () => {
  const people = ['a', 'b', 'c'] as const;
  const command = fc.oneof(
    fc.tuple(fc.constantFrom(...people), fc.nat(75)).map(([operator, hours]) => approve(operator, hours)),
    fc.nat(75).map((hours) => expire(hours)),
    fc.nat(75).map((hours) => decline(hours)),
    fc.constant<AccountCommand>({ kind: 'cancel-payout', payout_id: 'p1', cancelled_by: 'key_1', now: at(3) }),
    fc.subarray([...people]).map((approvers) => submit(...approvers)),
  );

  it('submits a payout with enough distinct authorised operators, and ends it once', () => {
    fc.assert(
      fc.property(fc.constantFrom(ONE, TWO), fc.array(command, { maxLength: 12 }), (rules, commands) => {
        let state = account.evolve(account.initial, funds(5_000));
        let approvers: ReadonlySet<string> = new Set();
        const given = new Set<string>();
        const ends: string[] = [];
        for (const next of [request('p1', rules), ...commands]) {
          const decision = account.decide(state, next);
          if (next.kind === 'submit-payout') approvers = next.approvers!;
          for (const event of 'events' in decision ? decision.events : []) {
            state = account.evolve(state, event);
            if (event.type === 'PayoutApproved') given.add(event.data.person_id);
            if (event.type === 'PayoutApprovalVoided') given.delete(event.data.person_id);
            if (event.type === 'PayoutCancelled' && event.data.cause === 'approval-expired') expect(given.size).toBeLessThan(rules === ONE ? 1 : 2);
            if (event.type === 'PayoutSubmitted' || event.type === 'PayoutCancelled') ends.push(event.type);
            if (event.type !== 'PayoutSubmitted') continue;
            expect(given.size).toBe(rules === ONE ? 1 : 2);
            expect([...given].every((operator) => approvers.has(operator))).toBe(true);
          }
        }
        expect(ends.length).toBeLessThanOrEqual(1);
      }),
      { seed: 17, numRuns: 2_000 },
    );
  });
});

describe('the digest of a payout', () => {
  const shown = { ...order('p1'), fee_amount: 100, net_amount: 500, approvals_required: 2 } as const;
  const secret = Buffer.alloc(32, 3);

  it('the digest of a payout differs for each field that determines amount or recipient, and for another secret', () => {
    const others = [
      ...[{ payout_id: 'p2' }, { merchant_id: 'm2' }, { currency: 'MYR' }, { amount: 601 }, { fee_amount: 99 }, { net_amount: 501 }],
      ...[
        { bank_account_name: 'Sita' },
        { bank_account_number: '12345679' },
        { bank_name: 'BNI' },
        { bank_code: '014' },
        { approvals_required: 1 } as const,
      ],
    ];
    const digests = [shown, ...others.map((other) => ({ ...shown, ...other }))].map((payout) => payoutDigest(secret, payout));
    expect(new Set(digests).size).toBe(digests.length);
    for (const digest of digests) expect(digest).toMatch(/^[0-9a-f]{64}$/);
    expect(payoutDigest(Buffer.alloc(32, 4), shown)).not.toBe(digests[0]);
  });

  it('the digest of a payout is equal for a request and its row, whatever else they hold', () => {
    expect(payoutDigest(secret, { ...shown, bank_code: null })).toBe(payoutDigest(secret, { ...shown, reference_id: 'r' } as typeof shown));
  });
});
