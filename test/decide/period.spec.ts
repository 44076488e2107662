import { describe, it } from '@jest/globals';
import { periods, type ClosePeriod, type PeriodFigures } from '../../src/domain/approvals/period.decider.js';
import type { PeriodEvent } from '../../src/ledger/events/period.events.js';

import { given } from '../support/given.js';

const ENDS_ON = '2026-01-31T17:00:00.000+00:00';
const NOW = '2026-01-31T18:00:00.000+00:00';
const figures: PeriodFigures = {
  ...{ time_zone: 'Asia/Jakarta', ends_on: ENDS_ON, position: 9, digest: 'd' },
  head: { position: 9, events: 9, hash: 'h', signature: 's', sealed_on: NOW },
  breaks: [{ kind: 'LEDGER_ONLY', currency: 'IDR', count: 2, amount: 1_500 }],
  suspense: [{ age: '2-7', currency: 'IDR', count: 1, amount: 500 }],
};
const close = (month: string, change: Partial<ClosePeriod> = {}): ClosePeriod => ({
  ...{ kind: 'close', mode: 'live', month, figures, first_month: '2025-12', open_sources: [], proposal_id: 'p1', now: NOW, ...change },
});
const closed = (month: string): PeriodEvent => ({
  type: 'PeriodClosed',
  data: { merchant_id: null, mode: 'live', month, ...figures, proposal_id: 'p1', closed_on: NOW },
});
const refused: PeriodEvent = {
  type: 'ProposalRefused',
  data: { merchant_id: null, proposal_id: 'p0', refusal: 'x', detail: 'x', refused_on: NOW },
};

describe('a month', () => {
  it('closes months in order, once, from the first month with bookings', () => {
    given(periods)().when(close('2025-12')).then(closed('2025-12'));
    given(periods)(refused).when(close('2025-12')).then(closed('2025-12'));
    given(periods)(closed('2025-12')).when(close('2026-01')).then(closed('2026-01'));
    given(periods)(closed('2025-12'), refused).when(close('2025-12')).isRefused('month-closed');
    given(periods)(closed('2025-12')).when(close('2025-11')).isRefused('month-closed');
    given(periods)().when(close('2026-01')).isRefused('month-out-of-order');
    given(periods)().when(close('2025-11')).isRefused('month-out-of-order');
    given(periods)(closed('2025-11')).when(close('2026-01')).isRefused('month-out-of-order');
    given(periods)()
      .when(close('2025-12', { first_month: null }))
      .isRefused('nothing-booked');
  });

  it('closes a month an hour after its end, and not before', () => {
    given(periods)(closed('2025-12'))
      .when(close('2026-01', { now: '2026-01-31T17:59:59.999+00:00' }))
      .isRefused('month-not-over');
    given(periods)(closed('2025-12'))
      .when(close('2026-01', { now: NOW }))
      .then(closed('2026-01'));
  });

  it('refuses to close a month while days of a bank are open', () => {
    given(periods)()
      .when(close('2025-12', { open_sources: ['live-bca'] }))
      .isRefused('days-open');
  });
});
