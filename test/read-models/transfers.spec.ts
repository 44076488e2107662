import { describe, expect, it } from '@jest/globals';
import { readFileSync } from 'node:fs';
import type { Pool } from 'pg';
import { findPayout, payouts } from '../../projections/payouts/payouts.js';
import { countHeldPayouts, findHeldPayouts } from '../../projections/payouts/payouts-at-bank.js';
import { readEvent, type LedgerEvent } from '../../src/ledger/catalogue.js';
import { simulatedTransferReference } from '../../src/ledger/ids/id-codes.js';
import type { OrdinalEvent, Projection } from '../../src/platform/projector/projection.js';
import { someMetadata } from '../support/events.js';
import { contents, project } from '../support/projected.js';
import { suiteDatabase } from '../support/suite-database.js';

interface Golden {
  readonly event: { readonly stream: string; readonly data: Readonly<Record<string, unknown>> };
}

const LEDGER: Projection = { name: 'ledger', decode: readEvent, readModels: [payouts] };
const T = (minute: number): string => `2026-02-04T09:${String(minute).padStart(2, '0')}:00.000+00:00`;

/** As a version of the service stored it, but for these members. */
function stored(ordinal: number, type: LedgerEvent['type'], change: Readonly<Record<string, unknown>> = {}): OrdinalEvent {
  const { event } = JSON.parse(readFileSync(new URL(`../golden/${type}.1.json`, import.meta.url), 'utf8')) as Golden;
  const metadata = { ...someMetadata, occurred_on: T(ordinal) };
  const id = `00000000-0000-4000-8000-${String(ordinal).padStart(12, '0')}`;
  return { id, stream: event.stream, revision: ordinal, position: BigInt(ordinal), ordinal, type, data: { ...event.data, ...change }, metadata };
}

const EVENTS: readonly OrdinalEvent[] = [
  stored(1, 'PayoutRequested', { bank_code: '014' }),
  stored(2, 'BeneficiaryChecked'),
  stored(3, 'BeneficiaryAccepted'),
  stored(4, 'PayoutSubmitted'),
  stored(5, 'PayoutAttempted', { at: T(5) }),
  stored(6, 'PayoutAttemptClosed'),
  stored(7, 'PayoutAttempted', { attempt: 2, at: T(7) }),
  stored(8, 'PayoutHeld', { held_on: T(8) }),
  stored(9, 'PayoutDecided'),
  stored(10, 'PayoutSucceeded'),
  stored(11, 'PayoutHeld', { reason: 'contradiction', held_on: T(11) }),
];
const { merchant_id, payout_id } = EVENTS[0]!.data as { merchant_id: string; payout_id: string };

describe('the row of a payout over a network', () => {
  let pool: Pool;
  suiteDatabase((opened) => (pool = opened), { maxConnections: 2 });

  const after = async (count: number, batchSize = 100) => {
    await project(pool, LEDGER, EVENTS.slice(0, count), batchSize);
    return findPayout(pool, merchant_id, payout_id);
  };

  it('the row of a payout shows the progress of its transfer', async () => {
    const none = { rail: null, beneficiary_match: null, partner_reference: null, open_attempts: 0, attempted_on: null, held_reason: null };
    expect(await after(1)).toMatchObject({ ...none, bank_code: '014', is_name_accepted: false });
    const checked = { rail: 'bca', beneficiary_match: 'DIFFERENT', beneficiary_name: 'S*** D***' };
    expect(await after(2)).toMatchObject({ ...checked, is_name_accepted: false, payout_status: 'PENDING' });
    expect(await after(4)).toMatchObject({ ...checked, is_name_accepted: true, payout_status: 'PROCESSING', updated_on: T(4) });
    expect(await after(5)).toMatchObject({ open_attempts: 1, attempted_on: T(5), partner_reference: '1769847330123004711', updated_on: T(4) });
    expect(await after(6)).toMatchObject({ open_attempts: 0 });
    expect(await after(7)).toMatchObject({ open_attempts: 1, attempted_on: T(7) });
    expect(await after(8)).toMatchObject({ held_reason: 'not-found', held_on: T(8) });
    expect(await after(9)).toMatchObject({ held_reason: null, held_on: null });
  });

  it('a payout that the simulated bank has ended shows the reference that the bank names', async () => {
    const [requested, , , submitted] = EVENTS;
    const ended = stored(11, 'PayoutSucceeded');
    const shown = async (...events: readonly OrdinalEvent[]) => {
      await project(pool, LEDGER, events, 100);
      return (await findPayout(pool, merchant_id, payout_id))!.partner_reference;
    };
    // A payout at a bank over a network is PROCESSING too, before its first attempt.
    expect(await shown(requested!, submitted!)).toBeNull();
    expect(await shown(requested!, submitted!, ended)).toBe(simulatedTransferReference(payout_id));
  });

  it('lists a held payout until an operator decides it', async () => {
    await after(7);
    expect(await findHeldPayouts(pool, 5)).toEqual([]);
    await after(8);
    expect(await findHeldPayouts(pool, 5)).toMatchObject([{ id: payout_id, merchant_id, rail: 'bca', held_reason: 'not-found', amount: 50_000 }]);
    expect(await countHeldPayouts(pool)).toBe(1);
    await after(9);
    expect(await countHeldPayouts(pool)).toBe(0);
    expect(await findHeldPayouts(pool, 5)).toEqual([]);
  });

  it('the row of a payout is the same in any batch size, also with a contradiction after its end', async () => {
    await after(EVENTS.length);
    const whole = await contents(pool, 'ledger');
    for (const batchSize of [1, 2, 3]) {
      await after(EVENTS.length, batchSize);
      expect(await contents(pool, 'ledger')).toEqual(whole);
    }
    expect(await after(EVENTS.length, 1)).toMatchObject({ held_reason: 'contradiction', held_on: T(11) });
  });
});
