import { describe, expect, it } from '@jest/globals';
import type { ApprovalPolicyEvent, ApprovalPolicy } from '../../src/ledger/events/approval-policy.events.js';
import { approvalPolicies } from '../../src/domain/operators/approval-policy.decider.js';
import { ApprovalPolicyContent, toApprovalPolicy } from '../../src/domain/operators/approval-policy.dto.js';
import { Problem } from '../../src/platform/problem.js';
import { RequestPipe } from '../../src/platform/http/validation/validation.js';
import { given } from '../support/given.js';

const SET_ON = '2026-01-31T08:15:30.123+00:00';
const MERCHANT = '0198c0de-7a5e-5c3a-9d2f-3f6f4a1b2c3d';
const policy = (change: Partial<ApprovalPolicy> = {}): ApprovalPolicy => ({
  ...{ mode: 'live', payouts: [{ currency: 'IDR', above: 0, approvals: 1 }], payouts_day: [], merchants: {}, adjustments: [] },
  ...{ settings: 0, expires_hours: 72, ...change },
});
const set = (proposal_id: string, of = policy()): ApprovalPolicyEvent => ({
  type: 'DeskPolicySet',
  data: { merchant_id: null, ...of, proposal_id, set_on: SET_ON },
});
const givenPolicies = given(approvalPolicies);
const command = (proposal_id: string, of = policy()) => ({ kind: 'set', policy: of, proposal_id, now: SET_ON }) as const;

describe('the approval policy', () => {
  it('sets a approval policy once per proposal, also when the policy is unchanged', () => {
    givenPolicies().when(command('p1')).then(set('p1'));
    givenPolicies(set('p1')).when(command('p1')).then();
    givenPolicies(set('p1')).when(command('p2')).then(set('p2'));
  });

  it('each mode has one approval policy, a new one replaces it whole, and there is none at first', () => {
    expect(approvalPolicies.initial).toMatchObject({ live: null, test: null });
    const [first, second] = [set('p1'), set('p2', policy({ mode: 'test', payouts: [], settings: 1 }))];
    const third = set('p3', policy({ payouts: [], expires_hours: 24 }));
    const state = [first, second, third].reduce(approvalPolicies.evolve, approvalPolicies.initial);
    expect(state).toEqual({ live: third.data, test: second.data, proposals: { count: 3, last_id: 'p3' } });
  });
});

describe('parsing a approval policy', () => {
  const read = async (body: unknown): Promise<ApprovalPolicy | string[]> => {
    try {
      return toApprovalPolicy((await new RequestPipe().transform(body, { type: 'body', metatype: ApprovalPolicyContent })) as ApprovalPolicyContent);
    } catch (error) {
      if (!(error instanceof Problem) || !error.errors) throw error;
      return error.errors.map((fault) => `${'pointer' in fault ? fault.pointer : ''} ${fault.code}`);
    }
  };

  it('parses a approval policy with a mode alone: nothing requires approval', async () => {
    expect(await read({ mode: 'LIVE' })).toEqual(policy({ payouts: [] }));
  });

  it('parses a approval policy into the recorded form, without the absent lists of merchants', async () => {
    const tiers = [
      { currency: 'IDR', above: 0, approvals: 1 },
      { currency: 'IDR', above: 500, approvals: 2 },
    ] as const;
    const merchants = { [MERCHANT]: { payouts: tiers } };
    const body = { mode: 'test', payouts: tiers, payouts_day: tiers, merchants, adjustments: tiers, settings: 1, expires_hours: 1 };
    expect(await read({ ...body, payouts: tiers.map((tier) => ({ ...tier, currency: 'idr' })) })).toStrictEqual(body);
  });

  it.each<[string, object, string[]]>([
    ['no mode', {}, ['/mode required']],
    ['a list that is none', { mode: 'live', payouts: {} }, ['/payouts wrong-type']],
    [
      'too many tiers',
      { mode: 'live', payouts: Array.from({ length: 21 }, (_, above) => ({ currency: 'IDR', above, approvals: 1 })) },
      ['/payouts wrong-type'],
    ],
    ['a tier that is no object', { mode: 'live', payouts_day: [null, 'x'] }, ['/payouts_day/0 wrong-type', '/payouts_day/1 wrong-type']],
    [
      'tiers that say nothing, too much, or what cannot be',
      {
        mode: 'live',
        adjustments: [{}, { currency: 'IDR', above: -1, approvals: 3, currenc: 'x' }, { currency: 'XXX1', above: 0.5, approvals: '1' }],
      },
      [
        ...['/adjustments/0/currency required', '/adjustments/0/above required', '/adjustments/0/approvals required'],
        ...['/adjustments/1/above out-of-range', '/adjustments/1/approvals out-of-range', '/adjustments/1/currenc unknown-field'],
        ...['/adjustments/2/currency unknown-currency', '/adjustments/2/above not-an-integer', '/adjustments/2/approvals wrong-type'],
      ],
    ],
    [
      'two tiers above one amount',
      { mode: 'live', payouts: [1, 2].map((approvals) => ({ currency: 'IDR', above: 5, approvals })) },
      ['/payouts/1 repeated'],
    ],
    [
      'merchants that are none, or say nothing that can be read',
      { mode: 'live', merchants: { 'a/b': {}, [MERCHANT]: { payouts: [{ currency: 'IDR' }], days: [] }, __proto__x: 1 } },
      [
        '/merchants/a~1b wrong-format',
        ...[`/merchants/${MERCHANT}/payouts/0/above required`, `/merchants/${MERCHANT}/payouts/0/approvals required`],
        `/merchants/${MERCHANT}/days unknown-field`,
        '/merchants/__proto__x wrong-format',
      ],
    ],
    ['hours without end', { mode: 'live', expires_hours: 721, settings: 2 }, ['/settings out-of-range', '/expires_hours out-of-range']],
  ])('rejects a approval policy with %s', async (_, body, faults) => {
    expect(await read(body)).toEqual(faults);
  });
});
