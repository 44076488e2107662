import { describe, expect, it } from '@jest/globals';
import { readFileSync } from 'node:fs';
import type { Pool } from 'pg';
import { proposals } from '../../projections/approvals/proposals.js';
import { findApprovalQueue } from '../../projections/approvals/queue.js';
import { findPayout, payouts } from '../../projections/payouts/payouts.js';
import { countAwaitingApproval, findApproved, findUnapproved } from '../../projections/payouts/payouts-awaiting.js';
import { readEvent, SCHEMA_VERSIONS, type LedgerEventType } from '../../src/ledger/catalogue.js';
import type { OrdinalEvent, Projection } from '../../src/platform/projector/projection.js';
import { someMetadata } from '../support/events.js';
import { contents, project } from '../support/projected.js';
import { suiteDatabase } from '../support/suite-database.js';

const LEDGER: Projection = { name: 'ledger', decode: readEvent, readModels: [payouts, proposals] };
const T = (minute: number): string => `2026-02-04T09:${String(minute).padStart(2, '0')}:00.000+00:00`;
const [SITI, BUDI] = ['00000000-0000-4000-8000-00000000000a', '00000000-0000-4000-8000-00000000000b'];
const OTHER = '00000000-0000-4000-8000-0000000000ff';

/** As it is stored today, but for these members. */
function stored(ordinal: number, type: LedgerEventType, change: Readonly<Record<string, unknown>> = {}): OrdinalEvent {
  const schema_version = SCHEMA_VERSIONS[type];
  const { event } = JSON.parse(readFileSync(new URL(`../golden/${type}.${schema_version}.json`, import.meta.url), 'utf8')) as {
    readonly event: { readonly stream: string; readonly data: Readonly<Record<string, unknown>> };
  };
  const metadata = { ...someMetadata, occurred_on: T(ordinal), schema_version };
  const id = `00000000-0000-4000-8000-${String(ordinal).padStart(12, '0')}`;
  const data = { ...event.data, payout_id: '11111111-2222-5333-8444-555555555555', ...change };
  return { id, stream: event.stream, revision: ordinal, position: BigInt(ordinal), ordinal, type, data, metadata };
}

const REQUESTED = { approvals_required: 2, approve_by: T(30), created_on: T(1) };
const EVENTS: readonly OrdinalEvent[] = [
  stored(1, 'PayoutRequested', REQUESTED),
  stored(2, 'PayoutRequested', { ...REQUESTED, payout_id: OTHER, approve_by: T(20) }),
  stored(3, 'PayoutApproved', { person_id: SITI, approved_on: T(3) }),
  stored(4, 'PayoutApproved', { person_id: BUDI, approved_on: T(4) }),
  stored(5, 'PayoutApprovalVoided', { person_id: SITI }),
  stored(6, 'PayoutApproved', { person_id: SITI, approved_on: T(6) }),
  stored(7, 'PayoutCancelled', { payout_id: OTHER, cause: 'approval-expired', person_id: null, reason: null }),
  stored(8, 'PayoutSubmitted'),
];
const { merchant_id, payout_id } = EVENTS[0]!.data as { merchant_id: string; payout_id: string };

describe('the row of a payout that requires approvals', () => {
  let pool: Pool;
  suiteDatabase((opened) => (pool = opened), { maxConnections: 2 });

  const after = async (count: number, batchSize = 100) => {
    await project(pool, LEDGER, EVENTS.slice(0, count), batchSize);
    return findPayout(pool, merchant_id, payout_id);
  };
  const given = (row: Awaited<ReturnType<typeof after>>) => [row!.approvals_given, row!.approvals.map(({ person_id }) => person_id)];

  it('the row of a payout shows its approvers without voided approvals', async () => {
    expect(await after(2)).toMatchObject({ approvals_required: 2, approve_by: T(30), approvals_given: 0, approvals: [], cancel_cause: null });
    expect(given(await after(3))).toEqual([1, [SITI]]);
    expect(given(await after(4))).toEqual([2, [SITI, BUDI]]);
    expect(given(await after(5))).toEqual([1, [BUDI]]);
    expect(await after(6)).toMatchObject({
      approvals_given: 2,
      approvals: [{ person_id: BUDI }, { person_id: SITI, approved_on: T(6) }],
      updated_on: T(1),
    });
    await after(7);
    expect(await findPayout(pool, merchant_id, OTHER)).toMatchObject({ payout_status: 'CANCELLED', cancel_cause: 'approval-expired' });
    expect(await after(8)).toMatchObject({ payout_status: 'PROCESSING', approvals_given: 2, cancel_cause: null });
  });

  it('lists payouts that wait for approval, oldest first, for operators who can still approve', async () => {
    await after(3);
    const waiting = async (query = {}) =>
      (await findApprovalQueue(pool, { limit: 5, ...query }))?.map((entry) => entry.kind === 'PAYOUT' && entry.payout.id);
    expect(await waiting()).toEqual([payout_id, OTHER]);
    expect(await waiting({ person_id: SITI })).toEqual([OTHER]);
    expect(await waiting({ after: payout_id })).toEqual([OTHER]);
    expect(await waiting({ after: SITI })).toBeUndefined();
    expect(await countAwaitingApproval(pool)).toBe(2);
    await after(4);
    expect(await waiting()).toEqual([OTHER]);
    await after(7);
    expect(await countAwaitingApproval(pool)).toBe(0);
  });

  it('lists overdue payouts without their approvals, longest overdue first, and approved ones until they are submitted to the bank', async () => {
    await after(3);
    const unapproved = async (minute: number) => (await findUnapproved(pool, T(minute), 5)).map(({ id }) => id);
    expect([await unapproved(19), await unapproved(20), await unapproved(30)]).toEqual([[], [OTHER], [OTHER, payout_id]]);
    expect(await findApproved(pool, 5)).toEqual([]);
    await after(4);
    expect([await unapproved(30), await findApproved(pool, 5)]).toEqual([[OTHER], [payout_id]]);
    await after(5);
    expect([await unapproved(30), await findApproved(pool, 5)]).toEqual([[OTHER, payout_id], []]);
    await after(8);
    expect([await unapproved(30), await findApproved(pool, 5)]).toEqual([[], []]);
  });

  it('the row of a payout with approvals is the same in any batch size', async () => {
    await after(EVENTS.length);
    const whole = await contents(pool, 'ledger');
    for (const batchSize of [1, 2, 3]) {
      await after(EVENTS.length, batchSize);
      expect(await contents(pool, 'ledger')).toEqual(whole);
    }
  });
});
