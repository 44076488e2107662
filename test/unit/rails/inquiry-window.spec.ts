import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { payoutResolveKind } from '../../../src/rails/settings/proposal-kinds.js';
import { RAILS_STREAM, type RailSet } from '../../../src/ledger/events/rail.events.js';
import { transferStream, type PayoutAttempted } from '../../../src/ledger/events/transfer.events.js';
import { DAY_MS, timestamp } from '../../../src/ledger/time.js';
import { inquiryWindowDays } from '../../../src/rails/settings/inquiry-window.js';
import { snapProfile } from '../../../src/rails/snap/profiles.js';
import { newEvent } from '../../support/events.js';
import { InMemoryEventStore } from '../../support/in-memory-event-store.js';

const START = Date.parse('2026-03-02T08:00:00Z');
const PAYOUT = '0198c0de-7a5e-5c3a-9d2f-3f6f4a1b2c3d';

describe('payout without a report from the bank or a worker', () => {
  let store: InMemoryEventStore;

  beforeEach(async () => {
    store = new InMemoryEventStore();
    const rail = { merchant_id: null, base_url: 'https://bank.example', allow_private: false, tls: '1.3', on_name_difference: 'wait' } as const;
    const set = { set_by: 'ops', set_on: timestamp(START) };
    const rails: RailSet[] = [
      { ...rail, rail: 'bca', kind: 'snap', profile: 'bca', mode: 'live', ...set },
      { ...rail, rail: 'cards', kind: 'xendit', profile: null, mode: 'live', ...set },
    ];
    await store.append(
      RAILS_STREAM,
      'no-stream',
      rails.map((data) => newEvent(data, 'RailSet')),
    );
  });
  afterEach(() => store.close());

  async function attemptedOn(rail: string): Promise<void> {
    const attempted: PayoutAttempted = {
      ...{ payout_id: PAYOUT, merchant_id: 'm1', currency: 'IDR', attempt: 1, rail, partner_reference: '177', external_id: '1', bank_code: '014' },
      ...{ day: '2026-03-02', at: timestamp(START) },
    };
    await store.append(transferStream(PAYOUT), 'no-stream', [newEvent(attempted, 'PayoutAttempted')]);
  }

  async function proposed(ms: number): Promise<unknown> {
    const made = { proposal_id: 'p1', kind: 'PAYOUT_RESOLVE', reason: 'mail of the bank', content: {} } as const;
    const target = await payoutResolveKind(store).targetOf({ payout_id: PAYOUT, outcome: 'not-paid' }, made);
    return (await target.load(store)).decide(timestamp(START + ms));
  }

  it('accepts a proposal to end the payout from the end of its rail’s inquiry window on', async () => {
    await attemptedOn('bca');
    const days = snapProfile('bca')!.inquiry_window_days;
    expect(await inquiryWindowDays(store, 'bca')).toBe(days);
    expect(await proposed(days * DAY_MS - 1)).toMatchObject({ refusal: 'not-held' });
    expect(await proposed(days * DAY_MS)).toMatchObject({ events: [{ type: 'PayoutDecided', data: { verdict: 'failed', by: 'person' } }] });
  });

  it.each(['cards', 'gone'])('rejects a proposal to end the payout on the rail "%s", which pays nothing out', async (rail) => {
    await attemptedOn(rail);
    expect(await inquiryWindowDays(store, rail)).toBeUndefined();
    expect(await proposed(1_000 * DAY_MS)).toMatchObject({ refusal: 'not-held' });
  });
});
