import { describe, expect, it } from '@jest/globals';
import { account, type AccountCommand } from '../../src/domain/accounts/account.decider.js';
import type { AccountAdjustmentOrder } from '../../src/domain/accounts/adjustments.js';
import { approvalsOfDifference } from '../../src/domain/reconciliation/proposal-kinds.js';
import { approvalsOfAdjustment } from '../../src/domain/approvals/adjustment-kind.js';
import { house, type HouseAdjustmentOrder, type HouseCommand } from '../../src/domain/approvals/house.decider.js';
import type { AccountEvent } from '../../src/ledger/events/account.events.js';
import type { AccountAdjusted, HouseAdjusted, HouseEvent, SuspenseItem } from '../../src/ledger/events/adjustment.events.js';
import { moneyMove } from '../../src/ledger/postings.js';
import { given } from '../support/given.js';

const NOW = '2026-07-30T08:15:30.123+00:00';
const OF = { merchant_id: 'm1', currency: 'IDR' };
const ITEM: SuspenseItem = {
  ...{ ...OF, item_id: 'i1', mode: 'live', charge_id: 'c1', processor: 'SIMULATOR', amount: 1_000, since: '2026-01-31T08:15:30.123+00:00' },
  is_matched: false,
};

const order = (change: Partial<AccountAdjustmentOrder> = {}): AccountAdjustmentOrder => ({
  ...{
    ...OF,
    proposal_id: 'p1',
    kind: 'UNMATCHED_TO_MERCHANT',
    mode: 'live',
    amount: 1_000,
    direction: null,
    item: ITEM,
    fee: null,
    relates_to: null,
    time_zone: 'UTC',
  },
  ...change,
});
const adjust = (change: Partial<AccountAdjustmentOrder> = {}): AccountCommand => ({ kind: 'adjust', order: order(change), now: NOW });
const adjusted = (change: Partial<AccountAdjusted> = {}): AccountEvent => ({
  type: 'AccountAdjusted',
  data: {
    ...{ ...OF, proposal_id: 'p1', kind: 'UNMATCHED_TO_MERCHANT', direction: null, amount: 1_000, fee_amount: 0, net_amount: 1_000 },
    ...{ item_id: 'i1', charge_id: 'c1', relates_to: '2026-07', adjusted_on: NOW, ...change },
  },
});
const ofNoItem = { item: null } as const;
const withoutItem = { item_id: null, charge_id: null };
const givenAccount = given(account);

const houseOrder = (change: Partial<HouseAdjustmentOrder> = {}): HouseAdjustmentOrder => ({
  ...{ proposal_id: 'p1', kind: 'UNMATCHED_SENT_BACK', mode: 'live', currency: 'IDR', amount: 1_000, item: ITEM, at_processor: null, opening: null },
  ...{ relates_to: null, time_zone: 'UTC', ...change },
});
const adjustHouse = (change: Partial<HouseAdjustmentOrder> = {}): HouseCommand => ({ kind: 'adjust', order: houseOrder(change), now: NOW });
const houseAdjusted = (change: Partial<HouseAdjusted> = {}): HouseEvent => ({
  type: 'HouseAdjusted',
  data: {
    ...{ merchant_id: null, mode: 'live', currency: 'IDR', proposal_id: 'p1', kind: 'UNMATCHED_SENT_BACK', amount: 1_000 },
    ...{ item_id: 'i1', charge_id: 'c1', processor: 'SIMULATOR', source: null, position: null, items: null },
    ...{ relates_to: '2026-07', adjusted_on: NOW, ...change },
  },
});
const givenHouse = given(house);

const MISSING = { ...ITEM, amount: -1_000, merchant_id: null, charge_id: null, processor: null };
const AT_PROCESSOR = { item_id: 'e1', mode: 'live', currency: 'IDR', charge_id: 'c1', processor: 'SIMULATOR', amount: 1_000 } as const;
const OF_PROCESSOR = { source: 'live-sim', processor: 'SIMULATOR', position: 70, owed: { amount: 1_000n, items: 3 } };
const OF_BANK = { source: 'live-bank', processor: null, position: null, owed: null };

/** `from → to amount`, as the postings have it. */
const moved = (event: AccountEvent | HouseEvent) => moneyMove(event as never).postings.map(({ from, to, amount }) => `${from} → ${to} ${amount}`);

describe('an adjustment of an account', () => {
  it('credits a payment that no charge could take to its merchant, at the terms of the charge or without a fee', () => {
    givenAccount().when(adjust()).then(adjusted());
    const charged = adjusted({ fee_amount: 7, net_amount: 993 });
    givenAccount()
      .when(adjust({ fee: { type: 'PERCENTAGE', value: 0.7 } }))
      .then(charged);
    expect(moved(charged)).toEqual(['suspense → available 993', 'suspense → fees 7']);
  });

  it('caps the fee of an adjustment at the amount', () => {
    const all = adjusted({ fee_amount: 1_000, net_amount: 0 });
    givenAccount()
      .when(adjust({ fee: { type: 'FIXED', value: 5_000 } }))
      .then(all);
    expect(moved(all)).toEqual(['suspense → fees 1000']);
  });

  it('tops an account up from an item of the merchant, or from an item without a merchant in the same mode', () => {
    const topUp = adjusted({ kind: 'TOP_UP' });
    givenAccount()
      .when(adjust({ kind: 'TOP_UP' }))
      .then(topUp);
    expect(moved(topUp)).toEqual(['suspense → available 1000']);
    const ofNobody = { ...ITEM, merchant_id: null, charge_id: null, processor: null };
    givenAccount()
      .when(adjust({ kind: 'TOP_UP', item: ofNobody }))
      .then(adjusted({ kind: 'TOP_UP', charge_id: null }));
    givenAccount()
      .when(adjust({ kind: 'TOP_UP', item: { ...ofNobody, mode: 'test' } }))
      .isRefused('item-of-another');
    givenAccount()
      .when(adjust({ item: ofNobody }))
      .isRefused('item-not-of-kind');
  });

  it('resolves an item of the account at its whole amount, and no other item', () => {
    givenAccount().when(adjust(ofNoItem)).isRefused('item-not-found');
    givenAccount()
      .when(adjust({ amount: 999 }))
      .isRefused('item-amount-differs');
    givenAccount()
      .when(adjust({ item: { ...ITEM, merchant_id: 'm2' } }))
      .isRefused('item-of-another');
    givenAccount()
      .when(adjust({ item: { ...ITEM, currency: 'MYR' } }))
      .isRefused('item-of-another');
    givenAccount()
      .when(adjust({ item: { ...ITEM, amount: -1_000 } }))
      .isRefused('item-not-of-kind');
  });

  it('corrects a fee: credits the merchant, or debits as far as money is available', () => {
    const correction = { kind: 'FEE_CORRECTION', ...ofNoItem } as const;
    const toMerchant = adjusted({ kind: 'FEE_CORRECTION', ...withoutItem });
    givenAccount().when(adjust(correction)).then(toMerchant);
    expect(moved(toMerchant)).toEqual(['fees → available 1000']);
    const back = adjusted({ kind: 'FEE_CORRECTION', direction: 'back', ...withoutItem });
    givenAccount(toMerchant)
      .when(adjust({ ...correction, direction: 'back' }))
      .then(back);
    expect(moved(back)).toEqual(['available → fees 1000']);
    givenAccount(toMerchant)
      .when(adjust({ ...correction, direction: 'back', amount: 1_001 }))
      .isRefused('insufficient-balance');
    // A refusal names amounts of any currency.
    givenAccount()
      .when(adjust({ ...correction, direction: 'back', currency: 'USD' }))
      .isRefused('insufficient-balance');
  });

  it('a clawback may exceed the balance, and a cover makes up for the deficit', () => {
    const clawback = adjusted({ kind: 'CLAWBACK', ...withoutItem });
    givenAccount()
      .when(adjust({ kind: 'CLAWBACK', ...ofNoItem }))
      .then(clawback);
    expect(moved(clawback)).toEqual(['available → losses 1000']);
    expect(account.evolve(account.initial, clawback).available).toBe(-1_000n);
    const cover = adjusted({ kind: 'COVER', ...withoutItem });
    givenAccount(clawback)
      .when(adjust({ kind: 'COVER', ...ofNoItem }))
      .then(cover);
    expect(moved(cover)).toEqual(['losses → available 1000']);
    expect([clawback, cover].reduce((state, event) => account.evolve(state, event), account.initial).available).toBe(0n);
  });

  it('relates an adjustment to the month in the command, which must have begun', () => {
    givenAccount()
      .when(adjust({ relates_to: '2026-01' }))
      .then(adjusted({ relates_to: '2026-01' }));
    givenAccount()
      .when(adjust({ relates_to: '2026-08' }))
      .isRefused('month-ahead');
  });

  it('a refused adjustment changes nothing', () => {
    const refused: AccountEvent = {
      type: 'AdjustmentRefused',
      data: { ...OF, proposal_id: 'p1', refusal: 'insufficient-balance', detail: 'No.', refused_on: NOW },
    };
    expect(account.evolve(account.initial, refused)).toEqual({ ...account.initial, owner: OF, revision: 0 });
  });
});

describe('an adjustment of the house account', () => {
  it('returns a payment to its processor', () => {
    givenHouse().when(adjustHouse()).then(houseAdjusted());
    expect(moved(houseAdjusted())).toEqual(['suspense → processor 1000']);
    expect(moneyMove(houseAdjusted() as never).merchant_id).toBe('00000000-0000-0000-0000-00000000000a');
    givenHouse()
      .when(adjustHouse({ item: { ...ITEM, processor: null } }))
      .isRefused('item-not-of-kind');
    givenHouse()
      .when(adjustHouse({ mode: 'test' }))
      .isRefused('item-of-another');
    givenHouse()
      .when(adjustHouse({ item: null }))
      .isRefused('item-not-found');
  });

  it.each(['COST', 'LOSS'] as const)('books a missing amount as a %s, and refuses an item that arrived', (kind) => {
    const event = houseAdjusted({ kind, charge_id: null, processor: null });
    givenHouse()
      .when(adjustHouse({ kind, item: MISSING }))
      .then(event);
    expect(moved(event)).toEqual([`${kind === 'COST' ? 'costs' : 'losses'} → suspense 1000`]);
    givenHouse().when(adjustHouse({ kind })).isRefused('item-not-of-kind');
  });

  it('books an item as a gain 180 days after its arrival, and no earlier', () => {
    const gain = houseAdjusted({ kind: 'GAIN', processor: null });
    givenHouse()
      .when(adjustHouse({ kind: 'GAIN' }))
      .then(gain);
    expect(moved(gain)).toEqual(['suspense → losses 1000']);
    givenHouse()
      .when({ ...adjustHouse({ kind: 'GAIN' }), now: '2026-07-30T08:15:30.122+00:00' })
      .isRefused('item-too-young');
  });

  it('writes off an open item at a processor, whole and once', () => {
    const writeOff = { kind: 'WRITE_OFF', item: null, at_processor: AT_PROCESSOR } as const;
    const written = houseAdjusted({ kind: 'WRITE_OFF', item_id: 'e1' });
    givenHouse().when(adjustHouse(writeOff)).then(written);
    expect(moved(written)).toEqual(['losses → processor 1000']);
    givenHouse(written).when(adjustHouse(writeOff)).isRefused('item-written-off');
    givenHouse()
      .when(adjustHouse({ ...writeOff, amount: 1 }))
      .isRefused('item-amount-differs');
    givenHouse()
      .when(adjustHouse({ ...writeOff, mode: 'test' }))
      .isRefused('item-of-another');
    givenHouse()
      .when(adjustHouse({ ...writeOff, at_processor: { ...AT_PROCESSOR, amount: -1_000 } }))
      .isRefused('item-not-of-kind');
    givenHouse()
      .when(adjustHouse({ ...writeOff, at_processor: { ...AT_PROCESSOR, charge_id: null, processor: null } }))
      .isRefused('item-not-of-kind');
    givenHouse()
      .when(adjustHouse({ ...writeOff, at_processor: null }))
      .isRefused('item-not-found');
  });

  it('opens a source once: with the debt of a processor up to a position, or with the rest of the bank balance', () => {
    const opening = { kind: 'OPENING', item: null } as const;
    const ofItems = houseAdjusted({ kind: 'OPENING', ...withoutItem, source: 'live-sim', position: 70, items: 3 });
    givenHouse()
      .when(adjustHouse({ ...opening, opening: OF_PROCESSOR }))
      .then(ofItems);
    expect(moved(ofItems)).toEqual(['bank → processor 1000']);
    const ofBank = houseAdjusted({ kind: 'OPENING', ...withoutItem, source: 'live-bank', processor: null });
    givenHouse(ofItems)
      .when(adjustHouse({ ...opening, opening: OF_BANK }))
      .then(ofBank);
    expect(moved(ofBank)).toEqual(['bank → equity 1000']);
    givenHouse(ofItems)
      .when(adjustHouse({ ...opening, opening: OF_PROCESSOR }))
      .isRefused('source-opened');
    givenHouse()
      .when(adjustHouse({ ...opening, opening: { ...OF_PROCESSOR, owed: { amount: 999n, items: 3 } } }))
      .isRefused('opening-differs');
    givenHouse()
      .when(adjustHouse({ ...opening, opening: { ...OF_PROCESSOR, owed: null } }))
      .isRefused('position-ahead');
    givenHouse()
      .when(adjustHouse({ ...opening, opening: null }))
      .isRefused('source-not-found');
  });

  it.each([
    ['UTC', '2026-07'],
    ['Asia/Jakarta', '2026-08'],
  ])('relates an adjustment to the month of the books: in %s, %s', (time_zone, relates_to) => {
    const now = '2026-07-31T17:30:00.000+00:00';
    const sentBack = houseAdjusted({ relates_to, adjusted_on: now });
    givenHouse()
      .when({ ...adjustHouse({ time_zone }), now })
      .then(sentBack);
    const ahead = { ...adjustHouse({ time_zone, relates_to: '2026-08' }), now };
    if (time_zone === 'UTC') givenHouse().when(ahead).isRefused('month-ahead');
    else givenHouse().when(ahead).then(sentBack);
    const credited = adjusted({ relates_to, adjusted_on: now });
    givenAccount()
      .when({ kind: 'adjust', order: order({ time_zone }), now })
      .then(credited);
  });

  it('refuses to relate an adjustment of the house account to a month that has not begun', () => {
    givenHouse()
      .when(adjustHouse({ relates_to: '2026-08' }))
      .isRefused('month-ahead');
  });
});

describe('approvals that an adjustment requires', () => {
  const tiers = [
    { currency: 'IDR', above: 1_000, approvals: 2 },
    { currency: 'MYR', above: 0, approvals: 2 },
  ] as const;
  it.each([
    ['TOP_UP', 1_000, 1, 0],
    ['TOP_UP', 1_001, 2, 0],
    ['CLAWBACK', 1, 2, 0],
    ['COVER', 1, 2, 0],
    ['OPENING', 1, 2, 1],
  ] as const)('adjustment %s of %i requires %i approvals, %i of them by controllers', (kind, amount, approvals_required, controllers_required) => {
    expect(approvalsOfAdjustment({ kind, currency: 'IDR', amount }, tiers)).toEqual({ approvals_required, controllers_required });
  });

  it.each([
    ['IDR', -1_000, 1],
    ['IDR', -1_001, 2],
    ['IDR', 1_001, 2],
    ['SGD', 1_001, 1],
  ] as const)('a difference of %s %i requires %i approvals', (currency, amount, approvals) => {
    expect(approvalsOfDifference({ currency, amount }, tiers)).toEqual({ approvals_required: approvals, controllers_required: 0 });
  });
});
