import { describe, expect, it } from '@jest/globals';
import type { SettlementLine } from '../../src/ledger/events/account.events.js';
import { settlement, SETTLEMENT_LINES_MAX, type SettlementCommand } from '../../src/domain/settlements/settlement.decider.js';
import type { SettlementEvent } from '../../src/ledger/events/settlement.events.js';
import { given } from '../support/given.js';

const givenSettlement = given(settlement);
const now = '2026-02-03T08:00:00.000+00:00';
const of = { settlement_id: 's7', merchant_id: 'm1', currency: 'MYR', settlement_number: 7 };
const charge: SettlementLine = { kind: 'charge', record_id: 'c1', net_amount: 1_000, fee_amount: 10 };
const reversal: SettlementLine = { kind: 'reversal', record_id: 'c2', net_amount: 300, fee_amount: 3 };
const comeBack: SettlementLine = { kind: 'return', record_id: 'p1', net_amount: 500, fee_amount: 100 };
const open = (...lines: SettlementLine[]): SettlementCommand => ({ kind: 'open', opening: { ...of, lines, opened_on: now } });
const close = (...claimed: SettlementLine[]): SettlementCommand => ({ kind: 'close', claimed, now });
const opened: SettlementEvent = { type: 'SettlementOpened', data: { ...of, lines: [charge, reversal, comeBack], opened_on: now } };

describe('a settlement', () => {
  it('opens a settlement once and keeps its lines', () => {
    givenSettlement()
      .when(open(charge, reversal, comeBack))
      .then(opened);
    givenSettlement(opened).when(open(charge)).isRefused('settlement-exists');
  });

  it('closes a settlement with its claimed lines and their exact sums', () => {
    givenSettlement(opened)
      .when(close(charge, reversal, comeBack))
      .then({
        type: 'SettlementClosed',
        data: {
          ...of,
          lines: [charge, reversal, comeBack],
          totals: { net_amount: '1300', charges: 1, reversals: 1, returns: 1, refunds: 0, disputes: 0 },
          closed_on: now,
        },
      });
    givenSettlement(opened)
      .when(close(reversal))
      .then({
        type: 'SettlementClosed',
        data: {
          ...of,
          lines: [reversal],
          totals: { net_amount: '-300', charges: 0, reversals: 1, returns: 0, refunds: 0, disputes: 0 },
          closed_on: now,
        },
      });
  });

  it('closes a settlement without lines as empty, and closes it once', () => {
    const empty: SettlementEvent = {
      type: 'SettlementClosed',
      data: { ...of, lines: [], totals: { net_amount: '0', charges: 0, reversals: 0, returns: 0, refunds: 0, disputes: 0 }, closed_on: now },
    };
    givenSettlement(opened).when(close()).then(empty);
    givenSettlement(opened, empty).when(close(charge)).doesNothing();
    givenSettlement().when(close()).isRefused('settlement-not-found');
  });

  it('refuses to close a settlement with a line that it was not opened with: it may have been opened again since the claim', () => {
    givenSettlement(opened)
      .when(close({ ...charge, record_id: 'c9' }))
      .isRefused('lines-not-opened');
    givenSettlement(opened)
      .when(close(charge, { ...charge, record_id: 'c9' }))
      .isRefused('lines-not-opened');
  });

  it('a settlement takes 1 to 1,000 lines, none twice', () => {
    const decide = (state: SettlementEvent[], command: SettlementCommand) => () => givenSettlement(...state).when(command);
    expect(decide([opened], close(charge, charge))).toThrow('twice');
    expect(decide([], open(charge, charge))).toThrow('twice');
    expect(decide([], open())).toThrow('1 to 1000 lines');
    expect(decide([], open(...Array.from({ length: SETTLEMENT_LINES_MAX + 1 }, (_, i) => ({ ...charge, record_id: `c${i}` }))))).toThrow(
      '1 to 1000 lines',
    );
  });
});
