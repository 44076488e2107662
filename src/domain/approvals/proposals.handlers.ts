import { CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { digestOf } from '../../ledger/ids/canonical-json.js';
import { createRecord } from '../../ledger/streams/create-record.js';
import { decideOnStream } from '../../ledger/streams/decide-on-stream.js';
import { proposalStream } from '../../ledger/events/proposal.events.js';
import { fingerprint, requireSameRequest } from '../../ledger/ids/idempotency.js';
import { HOUR_MS, milliseconds, timestamp, type Clock, type Timestamp } from '../../ledger/time.js';
import { requireRole, type ActingOperator, type ActingOperators } from '../operators/acting-operator.js';
import { EXPIRES_HOURS_DEFAULT } from '../operators/approval-policy.dto.js';
import type { KnownMerchants } from '../merchants/known-merchants.js';
import { StoreUnavailable, type EventStore } from '../../platform/event-store/event-store.js';
import { LedgerProblem, type ProblemCode } from '../../ledger/problems.js';
import { Problem } from '../../platform/problem.js';
import { ActOnProposal, MakeProposal, proposalId, type MadeProposal, type ProposalAct, type ProposalOrder } from './act-on-proposal.js';
import { proposal, type ProposalCommand, type ProposalRefusal } from './proposal.decider.js';
import type { ProposalEffects } from './proposal-effects.js';
import { readContent } from './proposal-contents.js';
import type { ProposalKinds } from './proposal-kinds.js';
import { unreachable } from '../../ledger/unreachable.js';

export interface ProposalServices {
  readonly store: EventStore;
  readonly clock: Clock;
  readonly operators: Pick<ActingOperators, 'of'>;
  /** Contains all that was recorded before the call to `persons`. */
  readonly known: KnownMerchants;
  readonly kinds: ProposalKinds;
  readonly effects: ProposalEffects;
  /** Secret of the service. */
  readonly secret: Buffer;
  /** Called when an approved proposal cannot take effect at present; a worker retries it. */
  readonly onDelayed: (proposalId: string, error: unknown) => void;
}

const PROBLEM_OF_REFUSAL: Readonly<Record<ProposalRefusal, ProblemCode>> = {
  'proposal-exists': 'state-conflict',
  'proposal-not-found': 'not-found',
  'role-missing': 'insufficient-role',
  'own-proposal': 'own-proposal',
  'digest-mismatch': 'digest-mismatch',
  'proposal-ended': 'state-conflict',
  'proposal-claimed': 'state-conflict',
  'approval-too-late': 'state-conflict',
  'approvals-complete': 'state-conflict',
  'approval-missing': 'state-conflict',
  'not-the-proposer': 'insufficient-role',
};

/** Refuses at once a proposal that its target would refuse now, so that no operator is asked to approve it. */
@CommandHandler(MakeProposal)
export class MakeProposalHandler implements ICommandHandler<MakeProposal> {
  constructor(private readonly services: ProposalServices) {}

  async execute({ order, idempotencyKey, keyId, ids }: MakeProposal): Promise<MadeProposal> {
    const { store, clock, operators, kinds, effects, secret } = this.services;
    const operator = await operators.of(keyId);
    requireRole(operator, 'preparer');
    const sent = readContent(order.kind, order.content);
    const content = await kinds.completed(order.kind, sent);
    const proposal_id = proposalId(operator.person_id, idempotencyKey);
    const now = timestamp(clock());
    const made = this.#made({ ...order, content }, proposal_id, operator, now);
    const refused = (await kinds.refusalOf(order.kind, content)) ?? (await effects.refusalOf(made));
    const decision = refused ?? proposal.decide(null, { kind: 'make', made, now });
    const print = fingerprint(secret, { kind: order.kind, content: sent, reason: order.reason, evidence: order.evidence });
    const created = await createRecord(store, proposalStream(proposal_id), 'ProposalMade', decision, { now, actor: keyId, ...ids }, print);
    if ('refusal' in created) {
      const errors = [{ pointer: '/content', code: created.refusal, detail: created.detail }];
      throw new LedgerProblem('validation-failed', 'One field is not valid.', { errors });
    }
    requireSameRequest(created.fingerprint, print);
    return { proposal_id, position: created.position, replayed: created.replayed };
  }

  #made(
    { kind, content, reason, evidence }: ProposalOrder & { readonly content: Readonly<Record<string, unknown>> },
    proposal_id: string,
    { person_id, key_id }: ActingOperator,
    now: Timestamp,
  ) {
    const { kinds, known } = this.services;
    const { approvals_required, controllers_required, policy } = kinds.rulesOf(kind, content, known);
    const approve_by = timestamp(milliseconds(now) + (policy?.expires_hours ?? EXPIRES_HOURS_DEFAULT) * HOUR_MS);
    const takes = { approvals_required, controllers_required, approve_by };
    return { proposal_id, kind, content, digest: digestOf(content), reason, evidence, person_id, key_id, ...takes };
  }
}

/** Decides on the proposal's own stream: the operator's digest is compared with the recorded one. */
@CommandHandler(ActOnProposal)
export class ActOnProposalHandler implements ICommandHandler<ActOnProposal> {
  constructor(private readonly services: ProposalServices) {}

  async execute({ act, keyId, ids }: ActOnProposal) {
    const { store, clock, operators, effects, onDelayed } = this.services;
    const operator = await operators.of(keyId);
    const { proposal_id } = act;
    const context = { actor: keyId, ...ids };
    const outcome = await decideOnStream(store, clock, proposalStream(proposal_id), proposal, commandOf(act, operator), context);
    if ('refusal' in outcome) throw new LedgerProblem(PROBLEM_OF_REFUSAL[outcome.refusal], outcome.detail);
    if (act.kind !== 'approve') return { position: outcome.position };
    try {
      return { position: (await effects.run(proposal_id, context)) ?? outcome.position };
    } catch (error) {
      // The approval stays recorded, and so does any effect that has begun.
      if (!(error instanceof StoreUnavailable || error instanceof Problem)) throw error;
      onDelayed(proposal_id, error);
      return { position: outcome.position };
    }
  }
}

function commandOf(act: ProposalAct, { person_id, key_id, roles }: ActingOperator): (now: Timestamp) => ProposalCommand {
  const by = { person_id, key_id, reason: act.reason };
  switch (act.kind) {
    case 'approve':
      return (now) => ({ kind: 'approve', ...by, roles, digest: act.digest, now });
    case 'reject':
      return (now) => ({ kind: 'reject', ...by, roles, now });
    case 'withdraw':
      return (now) => ({ kind: 'withdraw', ...by, now });
    default:
      return unreachable(act);
  }
}
