import { readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import type { Pool } from 'pg';
import { findApprovalQueue } from '../../projections/approvals/queue.js';
import {
  findApprovedProposals,
  findOpenProposal,
  findOpenProposals,
  findProposals,
  findProposalsById,
  findUnapprovedProposals,
  proposals,
} from '../../projections/approvals/proposals.js';
import { payouts } from '../../projections/payouts/payouts.js';
import { readEvent, SCHEMA_VERSIONS, type LedgerEventType } from '../../src/ledger/catalogue.js';
import type { OrdinalEvent, Projection } from '../../src/platform/projector/projection.js';
import { someMetadata } from '../support/events.js';
import { contents, project } from '../support/projected.js';
import { suiteDatabase } from '../support/suite-database.js';

const LEDGER: Projection = { name: 'ledger', decode: readEvent, readModels: [payouts, proposals] };
const T = (minute: number): string => `2026-02-04T09:${String(minute).padStart(2, '0')}:00.000+00:00`;
const idOf = (n: number): string => `00000000-0000-4000-8000-${String(n).padStart(12, '0')}`;
const [SITI, BUDI, ANI] = [idOf(1), idOf(2), idOf(3)];
const [FIRST, SECOND, THIRD] = [idOf(11), idOf(12), idOf(13)];

/** As it is stored today, but for these members. */
function stored(ordinal: number, type: LedgerEventType, change: Readonly<Record<string, unknown>>): OrdinalEvent {
  const schema_version = SCHEMA_VERSIONS[type];
  const { event } = JSON.parse(readFileSync(new URL(`../golden/${type}.${schema_version}.json`, import.meta.url), 'utf8')) as {
    readonly event: { readonly stream: string; readonly data: Readonly<Record<string, unknown>> };
  };
  const metadata = { ...someMetadata, occurred_on: T(ordinal), schema_version };
  const at = { stream: event.stream, revision: ordinal, position: BigInt(ordinal), ordinal };
  return { id: idOf(100 + ordinal), ...at, type, data: { ...event.data, ...change }, metadata };
}

const made = (ordinal: number, proposal_id: string, approvals_required: number, approve_by: string) =>
  stored(ordinal, 'ProposalMade', { proposal_id, person_id: SITI, approvals_required, approve_by, made_on: T(ordinal) });
const of = (ordinal: number, type: LedgerEventType, proposal_id: string, change: Readonly<Record<string, unknown>> = {}) =>
  stored(ordinal, type, { proposal_id, ...change });

const EVENTS: readonly OrdinalEvent[] = [
  made(1, FIRST, 2, T(40)),
  made(2, SECOND, 1, T(30)),
  stored(3, 'PayoutRequested', { approvals_required: 1, approve_by: T(50), created_on: T(3) }),
  made(4, THIRD, 1, T(50)),
  of(5, 'ProposalApproved', FIRST, { person_id: BUDI, approved_on: T(5) }),
  of(6, 'ProposalApproved', FIRST, { person_id: ANI, role: 'approver', approved_on: T(6) }),
  of(7, 'ProposalClaimed', FIRST, { claimed_on: T(7) }),
  of(8, 'ProposalRejected', SECOND, { person_id: BUDI, rejected_on: T(8) }),
  of(9, 'ProposalExecuted', FIRST, { executed_on: T(9) }),
  of(10, 'ProposalRefused', FIRST),
  of(11, 'ProposalApproved', THIRD, { person_id: BUDI, approved_on: T(11) }),
  of(12, 'ProposalVoided', THIRD, { person_id: BUDI, voided_on: T(12) }),
];

/** About a break, and of a kind that only a newer build knows. */
const ABOUT: readonly OrdinalEvent[] = [
  stored(1, 'ProposalMade', { proposal_id: FIRST, kind: 'LATER', content: { break_id: 'no id', until: 7 } }),
  stored(2, 'ProposalMade', { proposal_id: SECOND, kind: 'BREAK_ACCEPT', content: { break_id: idOf(21), until: '2026-03-01' } }),
  stored(3, 'ProposalMade', { proposal_id: THIRD, kind: 'MATCH_DIFFERENCE', content: { break_id: idOf(21), account: 'costs' } }),
];

describe('the row of a proposal', () => {
  let pool: Pool;
  suiteDatabase((opened) => (pool = opened), { maxConnections: 2 });

  const after = async (count: number, batchSize = 100) => project(pool, LEDGER, EVENTS.slice(0, count), batchSize);

  it('the open proposal about a record is the oldest one, whatever the contents of unknown kinds are', async () => {
    await project(pool, LEDGER, ABOUT, 100);
    const found = async (): Promise<string[][]> => [...(await findOpenProposals(pool, [idOf(21), idOf(22)]))].map(([record, { id }]) => [record, id]);
    expect(await found()).toEqual([[idOf(21), SECOND]]);
    expect((await findOpenProposal(pool, idOf(21)))?.id).toBe(SECOND);
    expect(await findOpenProposal(pool, idOf(22))).toBeUndefined();
    const rejected = of(4, 'ProposalRejected', SECOND, { person_id: BUDI, rejected_on: T(4) });
    await project(pool, LEDGER, [...ABOUT, rejected], 100);
    expect(await found()).toEqual([[idOf(21), THIRD]]);
  });
  const row = async (id: string) => (await findProposalsById(pool, [id]))[0]!;

  it('the row of a proposal shows its state', async () => {
    await after(5);
    expect(await row(FIRST)).toMatchObject({
      ...{ kind: 'ROLES', content: { roles: ['preparer', 'approver'] }, proposed_by: SITI, made_on: T(1), approvals_required: 2 },
      ...{ proposal_status: 'PENDING', approvals: [{ person_id: BUDI, role: 'controller', approved_on: T(5) }], updated_on: T(5), target: null },
    });
    await after(7);
    expect(await row(FIRST)).toMatchObject({ proposal_status: 'APPROVED', target: 'merchant-operators', approvals: [{}, { person_id: ANI }] });
    await after(12);
    expect(await row(FIRST)).toMatchObject({ proposal_status: 'EXECUTED', target: 'merchant-operators', updated_on: T(9), refusal: null });
    expect(await row(SECOND)).toMatchObject({ proposal_status: 'REJECTED', ended_by: BUDI, end_reason: 'not yet', approvals: [] });
    expect(await row(THIRD)).toMatchObject({ proposal_status: 'VOIDED', ended_by: BUDI, end_reason: null });
  });

  it.each([
    [
      'ProposalFailed',
      { failed_on: T(9) },
      { proposal_status: 'FAILED', refusal: 'operator-not-found', detail: expect.stringContaining('no operator') },
    ],
    ['ProposalWithdrawn', { person_id: SITI, withdrawn_on: T(9) }, { proposal_status: 'WITHDRAWN', ended_by: SITI, end_reason: 'a mistake' }],
    ['ProposalExpired', { expired_on: T(9) }, { proposal_status: 'EXPIRED', ended_by: null, end_reason: null }],
  ] as const)('the row of a proposal ends with %s', async (type, change, expected) => {
    await project(pool, LEDGER, [...EVENTS.slice(0, 4), of(5, type, SECOND, change)], 100);
    expect(await row(SECOND)).toMatchObject({ ...expected, updated_on: T(9) });
  });

  it('lists proposals by the decision that they wait for', async () => {
    await after(5);
    const [payout] = EVENTS.slice(2, 3).map(({ data }) => (data as { payout_id: string }).payout_id);
    const waiting = async (query = {}) =>
      (await findApprovalQueue(pool, { limit: 5, ...query }))?.map((entry) => (entry.kind === 'PAYOUT' ? entry.payout.id : entry.proposal.id));
    expect(await waiting()).toEqual([FIRST, SECOND, payout, THIRD]);
    expect(await waiting({ after: SECOND, limit: 1 })).toEqual([payout]);
    expect(await waiting({ after: payout })).toEqual([THIRD]);
    expect(await waiting({ person_id: BUDI, after: FIRST })).toEqual([SECOND, payout, THIRD]);
    expect(await waiting({ person_id: BUDI })).toEqual([SECOND, payout, THIRD]);
    expect(await waiting({ person_id: SITI })).toEqual([payout]);
    expect([await findApprovedProposals(pool, 5), await findUnapprovedProposals(pool, T(40), 5)]).toEqual([[], [SECOND, FIRST]]);
    await after(6);
    expect([await findApprovedProposals(pool, 5), await findUnapprovedProposals(pool, T(40), 5)]).toEqual([[FIRST], [SECOND]]);
    await after(9);
    expect([await findApprovedProposals(pool, 5), await waiting()]).toEqual([[], [payout, THIRD]]);
    const found = async (query: object) => (await findProposals(pool, { limit: 5, ...query }))?.map(({ id }) => id);
    expect([await found({ proposal_status: 'REJECTED' }), await found({ kind: 'ROLES', after: FIRST })]).toEqual([[SECOND], [SECOND, THIRD]]);
    expect(await found({ after: SITI })).toBeUndefined();
  });

  it('the row of a proposal is the same in any batch size', async () => {
    await after(EVENTS.length);
    const whole = await contents(pool, 'ledger');
    for (const batchSize of [1, 2, 3, 5]) {
      await after(EVENTS.length, batchSize);
      expect(await contents(pool, 'ledger')).toEqual(whole);
    }
  });
});
