import { readEvent } from '../../ledger/catalogue.js';
import { decideOnStream } from '../../ledger/streams/decide-on-stream.js';
import { APPROVAL_POLICY_STREAM, type ApprovalPolicyEvent, type ApprovalPolicy } from '../../ledger/events/approval-policy.events.js';
import { systemContext } from '../../ledger/streams/new-event.js';
import type { Timestamp } from '../../ledger/time.js';
import type { EventStore } from '../../platform/event-store/event-store.js';
import { pagesOf } from '../../platform/event-store/pages-of.js';
import { approvalPolicies, type ApprovalPolicies, type SetApprovalPolicy } from './approval-policy.decider.js';
import type { DirectoryDeps } from './directory.js';

/** Reads the policies in force, once. @throws UnknownEvent */
export async function loadApprovalPolicies(store: Pick<EventStore, 'read'>): Promise<ApprovalPolicies> {
  let state = approvalPolicies.initial;
  for await (const page of pagesOf(store, APPROVAL_POLICY_STREAM, 0)) {
    for (const event of page) state = approvalPolicies.evolve(state, readEvent(event) as ApprovalPolicyEvent);
  }
  return state;
}

/** Sets the whole policy of a mode for a proposal; a repeat is success. @param actor of the event. @throws StoreUnavailable, OutcomeUnknown */
export async function setApprovalPolicy(
  { store, clock }: DirectoryDeps,
  policy: ApprovalPolicy,
  proposal_id: string,
  actor: string,
): Promise<ApprovalPolicies> {
  const context = { ...systemContext(), actor };
  const command = (now: Timestamp): SetApprovalPolicy => ({ kind: 'set', policy, proposal_id, now });
  return (await decideOnStream(store, clock, APPROVAL_POLICY_STREAM, approvalPolicies, command, context)).state;
}
