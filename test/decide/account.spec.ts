import { describe, expect, it } from '@jest/globals';
import { account, type AccountCommand, type PayoutOrder } from '../../src/domain/accounts/account.decider.js';
import { type AccountEvent, type SettlementLine, settlementTotals } from '../../src/ledger/events/account.events.js';
import { endingOf } from '../../src/domain/accounts/finished-payouts.js';
import type { SettlementClosed } from '../../src/ledger/events/settlement.events.js';
import { timestamp } from '../../src/ledger/time.js';
import { given } from '../support/given.js';
import { BY_MERCHANT, NOT_HELD } from '../support/approvals.js';

const givenAccount = given(account);
const owner = { merchant_id: 'm1', currency: 'MYR' };
const now = '2026-02-03T08:00:00.000+00:00';

const order = (payout_id: string, amount: number): PayoutOrder => ({
  ...owner,
  payout_id,
  amount,
  fee: { type: 'FIXED', value: 100 },
  bank_account_name: 'Siti',
  bank_account_number: '12345678',
  bank_name: 'Maybank',
  reference_id: null,
  description: null,
  meta_data: { run: '7' },
  fingerprint: 'print',
  created_by: 'key_1',
});
const request = (payout_id = 'p1', amount = 600): AccountCommand => ({ kind: 'request-payout', order: order(payout_id, amount), now });
const submit = (payout_id = 'p1'): AccountCommand => ({ kind: 'submit-payout', payout_id, now });
const succeed = (payout_id = 'p1'): AccountCommand => ({ kind: 'succeed-payout', payout_id, now });
const fail = (payout_id = 'p1'): AccountCommand => ({ kind: 'fail-payout', payout_id, reason: 'no such account', now });
const cancel = (payout_id = 'p1'): AccountCommand => ({ kind: 'cancel-payout', payout_id, cancelled_by: 'key_1', now });

const charge = (net_amount: number): SettlementLine => ({ kind: 'charge', record_id: `charge-of-${net_amount}`, net_amount, fee_amount: 5 });
const closed = (settlement_number: number, ...lines: SettlementLine[]): SettlementClosed => ({
  ...owner,
  settlement_id: `s${settlement_number}`,
  settlement_number,
  lines,
  totals: settlementTotals(lines),
  closed_on: now,
});
const settle = (settlement_number: number, ...lines: SettlementLine[]): AccountCommand => ({
  kind: 'settle-funds',
  closed: closed(settlement_number, ...lines),
  now,
});

const settled = (settlement_number: number, ...lines: SettlementLine[]): AccountEvent => ({
  type: 'FundsSettled',
  data: { ...owner, settlement_number, lines, totals: settlementTotals(lines), settled_on: now },
});
const requested = (payout_id = 'p1', amount = 600): AccountEvent => {
  const details = order(payout_id, amount);
  return { type: 'PayoutRequested', data: { ...details, fee_amount: 100, net_amount: amount - 100, ...NOT_HELD, created_on: now } };
};
const ofPayout = (payout_id = 'p1', amount = 600) => ({ ...owner, payout_id, amount, fee_amount: 100, net_amount: amount - 100 });
const submitted = (payout_id = 'p1'): AccountEvent => ({ type: 'PayoutSubmitted', data: { ...ofPayout(payout_id), submitted_on: now } });
const succeeded: AccountEvent = { type: 'PayoutSucceeded', data: { ...ofPayout(), succeeded_on: now } };
const failed: AccountEvent = { type: 'PayoutFailed', data: { ...ofPayout(), reason: 'no such account', failed_on: now } };
const cancelled = { type: 'PayoutCancelled', data: { ...ofPayout(), ...BY_MERCHANT, cancelled_by: 'key_1', cancelled_on: now } } as const;

const fold = (...events: AccountEvent[]) => events.reduce((state, event) => account.evolve(state, event), account.initial);

describe('a payout request', () => {
  it('reserves the amount of a payout request; the fee is part of the amount', () => {
    givenAccount(settled(1, charge(1_000)))
      .when(request())
      .then(requested());
    expect(fold(settled(1, charge(1_000)), requested())).toMatchObject({ available: 400n, reserved: 600n });
  });

  it('accepts a payout of the whole available balance and refuses more', () => {
    givenAccount(settled(1, charge(600)))
      .when(request('p1', 600))
      .then(requested());
    givenAccount(settled(1, charge(599)))
      .when(request('p1', 600))
      .isRefused('insufficient-balance');
    givenAccount().when(request()).isRefused('insufficient-balance');
  });

  it('refuses a payout whose amount does not exceed its fee, whatever the balance', () => {
    givenAccount().when(request('p1', 100)).isRefused('amount-not-above-fee');
    givenAccount(settled(1, charge(1_000)))
      .when(request('p1', 100))
      .isRefused('amount-not-above-fee');
    givenAccount(settled(1, charge(1_000)))
      .when(request('p1', 101))
      .then(requested('p1', 101));
  });

  it('refuses a net amount with cents at a bank that pays whole units only; a repeat of an accepted request does nothing', () => {
    const whole = (amount: number): AccountCommand => ({ kind: 'request-payout', order: order('p1', amount), wholeUnitsOnly: true, now });
    const funded = givenAccount(settled(1, charge(1_000)));
    funded.when(whole(550)).isRefused('net-amount-not-whole');
    funded.when(whole(600)).then(requested('p1', 600));
    givenAccount(settled(1, charge(1_000)), requested('p1', 550))
      .when(whole(550))
      .then();
  });

  it('a repeated payout request does nothing while the payout is open', () => {
    givenAccount(settled(1, charge(1_000)), requested())
      .when(request())
      .doesNothing();
    givenAccount(settled(1, charge(1_000)), requested(), submitted())
      .when(request())
      .doesNothing();
  });

  it('refuses a payout request whose payout has ended', () => {
    givenAccount(settled(1, charge(2_000)), requested(), cancelled)
      .when(request())
      .isRefused('payout-ended');
    givenAccount(settled(1, charge(2_000)), requested(), submitted(), succeeded)
      .when(request())
      .isRefused('payout-ended');
  });

  it('compares a payout request with the balance that other payouts leave', () => {
    givenAccount(settled(1, charge(1_000)), requested())
      .when(request('p2', 401))
      .isRefused('insufficient-balance');
    givenAccount(settled(1, charge(1_000)), requested())
      .when(request('p2', 400))
      .then(requested('p2', 400));
  });
});

describe('a payout', () => {
  const funds = settled(1, charge(1_000));

  it('submits a payout to the bank once', () => {
    givenAccount(funds, requested()).when(submit()).then(submitted());
    givenAccount(funds, requested(), submitted()).when(submit()).doesNothing();
    givenAccount(funds, requested(), cancelled).when(submit()).isRefused('payout-not-open');
  });

  it('a payout that succeeds releases its reservation', () => {
    givenAccount(funds, requested(), submitted()).when(succeed()).then(succeeded);
    givenAccount(funds, requested(), submitted(), succeeded).when(succeed()).doesNothing();
    givenAccount(funds, requested(), submitted(), succeeded).when(fail()).isRefused('payout-not-open');
    expect(fold(funds, requested(), submitted(), succeeded)).toMatchObject({ available: 400n, reserved: 0n });
  });

  it('a payout that fails makes the whole amount available again', () => {
    givenAccount(funds, requested(), submitted()).when(fail()).then(failed);
    givenAccount(funds, requested(), submitted(), failed).when(fail()).doesNothing();
    expect(fold(funds, requested(), submitted(), failed)).toMatchObject({ available: 1_000n, reserved: 0n });
  });

  it('refuses an outcome for a payout that was not submitted to the bank', () => {
    givenAccount(funds, requested()).when(succeed()).isRefused('payout-not-submitted');
    givenAccount(funds, requested()).when(fail()).isRefused('payout-not-submitted');
    givenAccount(funds).when(succeed()).isRefused('payout-not-open');
  });

  it('cancels a payout until it is submitted to the bank', () => {
    givenAccount(funds, requested()).when(cancel()).then(cancelled);
    givenAccount(funds, requested(), cancelled).when(cancel()).doesNothing();
    givenAccount(funds, requested(), submitted()).when(cancel()).isRefused('payout-processing');
    givenAccount(funds, requested(), submitted(), succeeded).when(cancel()).isRefused('payout-not-open');
    givenAccount(funds).when(cancel()).isRefused('payout-not-open');
    expect(fold(funds, requested(), cancelled)).toMatchObject({ available: 1_000n, reserved: 0n });
  });
});

describe('a settlement', () => {
  it('accepts settlements in the order of their numbers, each once', () => {
    givenAccount()
      .when(settle(1, charge(700)))
      .then(settled(1, charge(700)));
    givenAccount(settled(1, charge(700)))
      .when(settle(1, charge(700)))
      .doesNothing();
    givenAccount(settled(1, charge(700)))
      .when(settle(3, charge(5)))
      .isRefused('settlement-not-next');
    givenAccount(settled(1, charge(700)))
      .when(settle(2))
      .then(settled(2));
  });

  it('a settlement adds charges and returns and subtracts reversals, below zero if necessary', () => {
    const reversal: SettlementLine = { kind: 'reversal', record_id: 'c9', net_amount: 900, fee_amount: 9 };
    const returned: SettlementLine = { kind: 'return', record_id: 'p9', net_amount: 500, fee_amount: 100 };
    expect(fold(settled(1, charge(700), reversal)).available).toBe(-200n);
    expect(fold(settled(1, charge(700), reversal), settled(2, returned)).available).toBe(400n);
    givenAccount(settled(1, charge(700), reversal))
      .when(request('p1', 101))
      .isRefused('insufficient-balance');
  });

  it('sums settlements exactly beyond 2^53', () => {
    const most = Number.MAX_SAFE_INTEGER;
    const three = fold(settled(1, charge(most)), settled(2, charge(most - 1)), settled(3, charge(most - 2)));
    expect(three.available).toBe(27_021_597_764_222_970n);
  });
});

describe('the state', () => {
  it('folding an account throws for an event that cannot follow', () => {
    expect(() => fold(submitted())).toThrow('p1');
    expect(() => fold(settled(2))).toThrow('FundsSettled 2 after settlement 0');
    expect(() => fold(settled(1, charge(2_000)), requested(), requested())).toThrow('requested twice');
    expect(() => fold(settled(1), { ...cancelled, data: { ...cancelled.data, currency: 'SGD' } })).toThrow('SGD');
  });

  it('the account state holds the revision at which each open payout was requested', () => {
    const state = fold(settled(1, charge(2_000)), requested('p1'), requested('p2'), submitted('p1'));
    expect(state.revision).toBe(3);
    expect(state.open.get('p1')).toMatchObject({ requested_at: 1, status: 'PROCESSING' });
    expect(state.open.get('p2')).toMatchObject({ requested_at: 2, status: 'PENDING' });
  });

  it('the account state forgets old payout endings and holds 10,000 at most', () => {
    let state = fold(settled(1, charge(1_000)));
    const start = Date.parse(now);
    const end = (payout_id: string, at: number): void => {
      state = account.evolve(state, requested(payout_id));
      state = account.evolve(state, {
        type: 'PayoutCancelled',
        data: { ...ofPayout(payout_id), ...BY_MERCHANT, cancelled_by: 'key_1', cancelled_on: timestamp(at) },
      });
    };
    for (let i = 0; i < 12_000; i++) end(`p${i}`, start + i);
    expect(state.finished.younger.size + state.finished.older.size).toBeLessThanOrEqual(10_000);
    expect(endingOf(state.finished, 'p11999')).toEqual({ status: 'CANCELLED', finished_on: timestamp(start + 11_999) });
    expect(endingOf(state.finished, 'p7000')).toBeDefined();
    expect(endingOf(state.finished, 'p0')).toBeUndefined();
    const day = 24 * 60 * 60 * 1000;
    end('tomorrow', start + day + 60_000);
    expect(endingOf(state.finished, 'p11999')).toBeDefined();
    end('in two days', start + 2 * day + 120_000);
    expect(endingOf(state.finished, 'p11999')).toBeUndefined();
    expect(state).toMatchObject({ available: 1_000n, reserved: 0n });
    expect(state.open.size).toBe(0);
  });
});
