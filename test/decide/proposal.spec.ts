import { describe, expect, it } from '@jest/globals';
import { proposal, type Entitled, type ProposalCommand } from '../../src/domain/approvals/proposal.decider.js';
import { roleFor } from '../../src/domain/approvals/role-for.js';
import type { ProposalEvent, ProposalMade } from '../../src/ledger/events/proposal.events.js';
import { given } from '../support/given.js';

const NOW = '2026-01-31T08:15:30.123+00:00';
const APPROVE_BY = '2026-02-03T08:15:30.123+00:00';
const [SITI, BUDI, ANI, DEWI] = ['siti', 'budi', 'ani', 'dewi'];
const of = { merchant_id: null, proposal_id: 'p1' } as const;

const made = (change: Partial<ProposalMade> = {}): ProposalEvent => ({
  type: 'ProposalMade',
  data: {
    ...{ ...of, kind: 'ROLES', content: { person_id: DEWI, roles: [] }, digest: 'digest', reason: 'why', evidence: [] },
    ...{ approvals_required: 1, controllers_required: 1, approve_by: APPROVE_BY, person_id: SITI, key_id: 'key_s', made_on: NOW, ...change },
  },
});
const TWO = { approvals_required: 2, controllers_required: 1 };
const approved = (person_id: string, role: 'approver' | 'controller' = 'controller'): ProposalEvent => ({
  type: 'ProposalApproved',
  data: { ...of, person_id, key_id: 'key', role, digest: 'digest', reason: 'as agreed', approved_on: NOW },
});
const approve = (person_id: string, roles: readonly string[] = ['controller'], change = {}): ProposalCommand => ({
  ...{ kind: 'approve', person_id, key_id: 'key', roles, digest: 'digest', reason: 'as agreed', now: NOW, ...change },
});
const reject = (person_id: string, roles: readonly string[] = ['controller']): ProposalCommand => ({
  ...{ kind: 'reject', person_id, key_id: 'key', roles, reason: 'no', now: NOW },
});
const rejected: ProposalEvent = { type: 'ProposalRejected', data: { ...of, person_id: BUDI, key_id: 'key', reason: 'no', rejected_on: NOW } };
const withdraw = (person_id: string): ProposalCommand => ({ kind: 'withdraw', person_id, key_id: 'key', reason: 'a mistake', now: NOW });
const withdrawn: ProposalEvent = {
  type: 'ProposalWithdrawn',
  data: { ...of, person_id: SITI, key_id: 'key', reason: 'a mistake', withdrawn_on: NOW },
};
const expire = (now = APPROVE_BY): ProposalCommand => ({ kind: 'expire', now });
const expired: ProposalEvent = { type: 'ProposalExpired', data: { ...of, expired_on: APPROVE_BY } };
const operators = (...ids: readonly string[]): Entitled => ({ approver: new Set(ids), controller: new Set(ids) });
const claim = (entitled = operators(BUDI, ANI), mark = 4): ProposalCommand => ({ kind: 'claim', entitled, target: 'merchant-x', mark, now: NOW });
const claimed = (mark = 4): ProposalEvent => ({ type: 'ProposalClaimed', data: { ...of, target: 'merchant-x', mark, claimed_on: NOW } });
const voided: ProposalEvent = { type: 'ProposalVoided', data: { ...of, person_id: BUDI, voided_on: NOW } };
const execute: ProposalCommand = { kind: 'execute', revision: 5, now: NOW };
const executed: ProposalEvent = { type: 'ProposalExecuted', data: { ...of, revision: 5, executed_on: NOW } };
const fail: ProposalCommand = { kind: 'fail', revision: 5, refusal: 'operator-not-found', detail: 'There is none.', now: NOW };
const failed: ProposalEvent = {
  type: 'ProposalFailed',
  data: { ...of, revision: 5, refusal: 'operator-not-found', detail: 'There is none.', failed_on: NOW },
};

const givenProposal = given(proposal);

describe('a proposal', () => {
  it('makes a proposal once', () => {
    const { merchant_id: _, made_on: now, ...order } = (made() as Extract<ProposalEvent, { type: 'ProposalMade' }>).data;
    givenProposal().when({ kind: 'make', made: order, now }).then(made());
    givenProposal(made()).when({ kind: 'make', made: order, now }).isRefused('proposal-exists');
    givenProposal().when(approve(BUDI)).isRefused('proposal-not-found');
  });

  it('another person than the proposer approves a proposal, once and in time', () => {
    givenProposal(made()).when(approve(BUDI)).then(approved(BUDI));
    givenProposal(made(), approved(BUDI)).when(approve(BUDI)).doesNothing();
    givenProposal(made()).when(approve(SITI)).isRefused('own-proposal');
    givenProposal(made(), approved(BUDI)).when(approve(ANI)).isRefused('approvals-complete');
    givenProposal(made())
      .when(approve(BUDI, ['controller'], { now: APPROVE_BY }))
      .isRefused('approval-too-late');
  });

  it('refuses an approval with another digest than the proposal has', () => {
    givenProposal(made())
      .when(approve(BUDI, ['controller'], { digest: 'other' }))
      .isRefused('digest-mismatch');
  });

  it('counts approvals by person, not by key', () => {
    givenProposal(made(TWO), approved(BUDI))
      .when(approve(BUDI, ['controller'], { key_id: 'key_2' }))
      .doesNothing();
  });

  it('requires a controller for kinds that need one, and an approver for others', () => {
    givenProposal(made())
      .when(approve(BUDI, ['approver']))
      .isRefused('role-missing');
    const ordinary = made({ controllers_required: 0 });
    givenProposal(ordinary)
      .when(approve(BUDI, ['controller', 'preparer']))
      .isRefused('role-missing');
    givenProposal(ordinary)
      .when(approve(BUDI, ['approver']))
      .then(approved(BUDI, 'approver'));
    givenProposal(made(TWO))
      .when(approve(BUDI, ['approver']))
      .then(approved(BUDI, 'approver'));
    givenProposal(made(TWO), approved(BUDI, 'approver'))
      .when(approve(ANI, ['approver']))
      .isRefused('role-missing');
    givenProposal(made(TWO), approved(BUDI))
      .when(approve(ANI, ['approver']))
      .then(approved(ANI, 'approver'));
  });

  it('a possible approver rejects a proposal, and its proposer withdraws it, until it takes effect', () => {
    givenProposal(made()).when(reject(BUDI)).then(rejected);
    givenProposal(made(), approved(ANI)).when(reject(BUDI)).then(rejected);
    givenProposal(made()).when(reject(SITI)).isRefused('own-proposal');
    givenProposal(made())
      .when(reject(BUDI, ['approver']))
      .isRefused('role-missing');
    givenProposal(made(), rejected).when(reject(ANI)).doesNothing();
    givenProposal(made()).when(withdraw(SITI)).then(withdrawn);
    givenProposal(made()).when(withdraw(BUDI)).isRefused('not-the-proposer');
    givenProposal(made(), withdrawn).when(withdraw(SITI)).doesNothing();
    givenProposal(made(), approved(BUDI), claimed()).when(reject(ANI)).isRefused('proposal-claimed');
    givenProposal(made(), approved(BUDI), claimed()).when(withdraw(SITI)).isRefused('proposal-claimed');
  });

  it('a proposal expires when its approvals are missing at the deadline', () => {
    givenProposal(made()).when(expire()).then(expired);
    givenProposal(made()).when(expire(NOW)).doesNothing();
    givenProposal(made(), approved(BUDI)).when(expire()).doesNothing();
    givenProposal(made(), rejected).when(expire()).doesNothing();
  });

  it.each([rejected, withdrawn, expired])('refuses further commands after the proposal has ended: %j', (end) => {
    givenProposal(made(), end).when(approve(BUDI)).isRefused('proposal-ended');
    givenProposal(made(), approved(BUDI), end).when(claim()).doesNothing();
    if (end !== rejected) givenProposal(made(), end).when(reject(BUDI)).isRefused('proposal-ended');
    if (end !== withdrawn) givenProposal(made(), end).when(withdraw(SITI)).isRefused('proposal-ended');
  });

  it('claims a proposal with all approvals once; the first claim counts', () => {
    givenProposal(made(TWO), approved(BUDI)).when(claim()).isRefused('approval-missing');
    givenProposal(made(), approved(BUDI)).when(claim()).then(claimed());
    givenProposal(made(), approved(BUDI), claimed(2))
      .when(claim(operators(BUDI), 4))
      .doesNothing();
  });

  it('voids a proposal whose approver lost the role, unless it is already claimed', () => {
    givenProposal(made(), approved(BUDI))
      .when(claim(operators(ANI)))
      .then(voided);
    givenProposal(made({ controllers_required: 0 }), approved(BUDI, 'approver'))
      .when(claim({ ...operators(BUDI), approver: new Set() }))
      .then(voided);
    givenProposal(made(), approved(BUDI), claimed())
      .when(claim(operators(ANI)))
      .doesNothing();
    givenProposal(made(), approved(BUDI), voided).when(claim()).doesNothing();
  });

  it('ends a proposal once, with the outcome at its target', () => {
    givenProposal(made(), approved(BUDI), claimed()).when(execute).then(executed);
    givenProposal(made(), approved(BUDI), claimed()).when(fail).then(failed);
    givenProposal(made(), approved(BUDI), claimed(), executed).when(fail).doesNothing();
    givenProposal(made(), approved(BUDI), claimed(), failed).when(execute).doesNothing();
    expect(() => givenProposal(made(), approved(BUDI)).when(execute)).toThrow('an effect without a claim');
  });

  it('a proposal stream begins with ProposalMade and folds its own events', () => {
    expect(() => proposal.evolve(null, rejected)).toThrow('without ProposalMade');
  });
});

describe('the role in which an approval counts', () => {
  it.each([
    [1, 0, [], ['approver'], 'approver'],
    [1, 0, [], ['approver', 'controller'], 'approver'],
    [1, 1, [], ['approver', 'controller'], 'controller'],
    [2, 1, ['controller'], ['approver', 'controller'], 'controller'],
    [1, 0, [], ['preparer'], undefined],
  ] as const)(
    'role of the next approval: %j required, %j by controllers, given %j, roles %j: %s',
    (approvals_required, controllers_required, roles, mine, as) => {
      expect(
        roleFor(
          { approvals_required, controllers_required },
          roles.map((role) => ({ role })),
          mine,
        ),
      ).toBe(as);
    },
  );
});
