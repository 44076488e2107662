import { describe, expect, it } from '@jest/globals';
import type { BankRail } from '../../../src/domain/payouts/bank-rail.js';
import { payoutRailOf } from '../../../src/domain/payouts/payout-rail-of.js';
import type { OpenPayoutRow } from '../../../src/domain/payouts/payout.worker.js';
import type { BankRoute } from '../../../src/domain/payouts/transfer/remote-bank.js';

const simulated = {} as BankRail;
const ROUTE = {} as BankRoute;
const PAYOUT: OpenPayoutRow = {
  payout_id: 'payout-1',
  merchant_id: 'merchant-1',
  currency: 'IDR',
  payout_status: 'PENDING',
  created_on: '2026-03-02T08:00:00.000+00:00',
  updated_on: '2026-03-02T08:00:00.000+00:00',
  rail: null,
  ordinal: 1,
};

describe('rail of a payout', () => {
  function who({
    row = {},
    mode = 'test',
    route,
    known = true,
  }: {
    row?: Partial<OpenPayoutRow>;
    mode?: 'test' | 'live' | undefined;
    route?: BankRoute;
    known?: boolean;
  }) {
    const routes = { route: () => route, named: () => undefined, begun: () => undefined };
    return payoutRailOf({ simulated, routes, modeOf: () => mode, isKnown: () => known }, { ...PAYOUT, ...row });
  }

  it('returns the simulated bank for a test merchant without a rail, and never for a live one', () => {
    expect(who({})).toEqual({ simulated });
    expect(who({ mode: 'live' })).toEqual({ remote: 'live' });
  });

  it('returns the rail of a test merchant that has one, and the rail that a payout was begun with', () => {
    expect(who({ route: ROUTE })).toEqual({ remote: 'test' });
    expect(who({ row: { rail: 'bank', payout_status: 'PROCESSING' } })).toEqual({ remote: 'test' });
    expect(who({ row: { payout_status: 'PROCESSING' }, route: ROUTE })).toEqual({ simulated });
  });

  it('returns no rail before a new process has read merchants and routes', () => {
    expect(who({ known: false })).toBeUndefined();
    expect(who({ known: false, mode: 'live' })).toBeUndefined();
    const unknown = payoutRailOf(
      { simulated, routes: { route: () => ROUTE, named: () => undefined, begun: () => undefined }, modeOf: () => undefined, isKnown: () => true },
      PAYOUT,
    );
    expect(unknown).toBeUndefined();
  });
});
