import { describe, it } from '@jest/globals';
import type { PayoutRequested } from '../../src/ledger/events/account.events.js';
import type { ListedLine, RefuseLine } from '../../src/domain/accounts/listed-line.js';
import { payout, type PayoutCommand } from '../../src/domain/payouts/payout.decider.js';
import type { PayoutEvent } from '../../src/ledger/events/payout.events.js';
import { NOT_HELD } from '../support/approvals.js';
import { given } from '../support/given.js';

const givenPayout = given(payout);
const now = '2026-02-03T08:00:00.000+00:00';
const of = { payout_id: 'p1', merchant_id: 'm1', currency: 'MYR' };
const request: PayoutRequested = {
  ...of,
  amount: 600,
  fee: { type: 'FIXED', value: 100 },
  fee_amount: 100,
  net_amount: 500,
  bank_account_name: 'Siti',
  bank_account_number: '12345678',
  bank_name: 'Maybank',
  reference_id: null,
  description: null,
  meta_data: {},
  fingerprint: 'print',
  ...NOT_HELD,
  created_by: 'key_1',
  created_on: '2026-02-03T07:00:00.000+00:00',
};
const registered: PayoutEvent = { type: 'PayoutRegistered', data: request };
const returned: PayoutEvent = {
  type: 'PayoutReturned',
  data: { ...of, amount: 600, fee_amount: 100, net_amount: 500, reason: 'account closed', returned_on: now },
};
const claimed = (settlement_number: number): PayoutEvent => ({ type: 'PayoutReturnClaimed', data: { ...of, settlement_number, claimed_on: now } });

const register: PayoutCommand = { kind: 'register', request };
const comeBack: PayoutCommand = { kind: 'return', reason: 'account closed', succeeded_on: '2026-02-03T07:30:00.000+00:00', now };
const listed = (settlement_number: number, change: Partial<ListedLine> = {}): ListedLine => ({
  settlement_id: `s${settlement_number}`,
  merchant_id: of.merchant_id,
  currency: of.currency,
  settlement_number,
  line: { kind: 'return', record_id: of.payout_id, net_amount: 500, fee_amount: 100 },
  ...change,
});
const claim = (settlement_number: number): PayoutCommand => ({ kind: 'claim-return', listed: listed(settlement_number), now });

describe('the stream of a payout', () => {
  it('registers a payout once', () => {
    givenPayout().when(register).then(registered);
    givenPayout(registered).when(register).doesNothing();
    givenPayout(registered, returned).when(register).doesNothing();
  });

  it('records the return of a payout once', () => {
    givenPayout(registered).when(comeBack).then(returned);
    givenPayout(registered, returned).when(comeBack).doesNothing();
    givenPayout().when(comeBack).isRefused('payout-not-found');
  });

  it('the return of a payout is never dated before its success, whatever the clock', () => {
    const later = '2026-02-03T09:00:00.000+00:00';
    givenPayout(registered)
      .when({ ...comeBack, succeeded_on: later })
      .then({ ...returned, data: { ...returned.data, returned_on: later } });
  });

  it('records each contradiction of the bank once, and still accepts the return', () => {
    const contradicted = (said: 'paid' | 'rejected', recorded: 'FAILED' | 'SUCCEEDED', reason: string | null): PayoutEvent => ({
      type: 'PayoutOutcomeContradicted',
      data: { ...of, amount: 600, fee_amount: 100, net_amount: 500, recorded, said, reason, contradicted_on: now },
    });
    const paid: PayoutCommand = { kind: 'contradict', recorded: 'FAILED', said: 'paid', reason: null, now };
    const rejected: PayoutCommand = { kind: 'contradict', recorded: 'SUCCEEDED', said: 'rejected', reason: 'closed', now };
    givenPayout().when(paid).isRefused('payout-not-found');
    givenPayout(registered)
      .when(paid)
      .then(contradicted('paid', 'FAILED', null));
    givenPayout(registered, contradicted('paid', 'FAILED', null))
      .when(paid)
      .doesNothing();
    givenPayout(registered)
      .when(rejected)
      .then(contradicted('rejected', 'SUCCEEDED', 'closed'));
    givenPayout(registered, contradicted('rejected', 'SUCCEEDED', 'closed'))
      .when(comeBack)
      .then(returned);
    givenPayout(registered, contradicted('rejected', 'SUCCEEDED', 'closed'), returned)
      .when(rejected)
      .doesNothing();
    givenPayout(registered, contradicted('rejected', 'SUCCEEDED', 'closed'), returned)
      .when(claim(4))
      .then(claimed(4));
  });

  it('one settlement only can claim the return of a payout', () => {
    givenPayout(registered, returned).when(claim(4)).then(claimed(4));
    givenPayout(registered, returned, claimed(4)).when(claim(4)).doesNothing();
    givenPayout(registered, returned, claimed(4)).when(claim(5)).isRefused('return-claimed-elsewhere');
  });

  it.each([
    { waits: 'payout-not-found', events: [] },
    { waits: 'payout-not-returned', events: [registered] },
  ])('an operator can drop a return from the settlement that waits for it: $waits', ({ waits, events }) => {
    const refuse: RefuseLine = { kind: 'refuse-line', listed: listed(4), reason: 'a test', refused_by: 'sari', now };
    const { line, ...settlement } = listed(4);
    const refusal: PayoutEvent = {
      type: 'SettlementLineRefused',
      data: { ...settlement, ...line, waited_for: waits, reason: 'a test', refused_by: 'sari', refused_on: now },
    };
    givenPayout(...events)
      .when(refuse)
      .then(refusal);
    givenPayout(...events, refusal)
      .when(refuse)
      .doesNothing();
    givenPayout(...events, refusal)
      .when(claim(4))
      .isRefused('line-refused');
    givenPayout(...events, refusal)
      .when(claim(5))
      .isRefused(waits as 'payout-not-found');
    if (events.length === 0) givenPayout(refusal).when(register).then(registered);
    givenPayout(refusal, registered, returned).when(claim(4)).isRefused('line-refused');
    givenPayout(refusal, registered, returned).when(claim(5)).then(claimed(5));
    for (const end of [[returned], [returned, claimed(4)], [returned, claimed(3)]])
      givenPayout(registered, ...end)
        .when(refuse)
        .isRefused('line-not-waited-for');
  });

  it('refuses to claim a return that is listed for another account', () => {
    for (const change of [{ currency: 'SGD' }, { merchant_id: 'm2' }]) {
      givenPayout(registered, returned)
        .when({ kind: 'claim-return', listed: listed(4, change), now })
        .isRefused('line-disagrees');
    }
  });

  it('refuses to claim a return that the stream does not contain yet, without dropping it', () => {
    givenPayout().when(claim(4)).isRefused('payout-not-found');
    givenPayout(registered).when(claim(4)).isRefused('payout-not-returned');
  });
});
