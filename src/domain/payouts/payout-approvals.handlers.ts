import { CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import type { ApprovalCommand } from '../accounts/payout-approvals.js';
import type { AccountId, AccountOutcome, AccountQueue } from '../accounts/account-queue.js';
import { endingOf } from '../accounts/finished-payouts.js';
import type { Timestamp } from '../../ledger/time.js';
import { requireRole, type ActingOperator, type ActingOperators } from '../operators/acting-operator.js';
import { LedgerProblem } from '../../ledger/problems.js';
import { ActOnPayout, type ActedOn, type PayoutAct } from './act-on-payout.js';
import { PROBLEM_OF_REFUSAL } from './payout.handlers.js';
import { payoutDigest } from './payout-digest.js';
import type { PayoutRegistry, RegisteredPayout } from './payout-registry.js';

export interface PayoutApprovalServices {
  readonly accounts: AccountQueue;
  readonly registry: PayoutRegistry;
  readonly operators: Pick<ActingOperators, 'of'>;
  /** Returns the account of a payout from the read model, which may lag. */
  readonly accountOf: (payoutId: string) => Promise<AccountId | undefined>;
  /** The service's secret. */
  readonly secret: Buffer;
}

type Context = Parameters<AccountQueue['submit']>[1]['context'];

/** The operator may have read the payout from a read model. The digest is compared with the account's own stream. */
@CommandHandler(ActOnPayout)
export class ActOnPayoutHandler implements ICommandHandler<ActOnPayout> {
  constructor(private readonly services: PayoutApprovalServices) {}

  async execute({ act, keyId, ids }: ActOnPayout): Promise<ActedOn> {
    const operator = await this.services.operators.of(keyId);
    requireRole(operator, 'approver');
    const context = { actor: keyId, ...ids };
    const { registered, place } = await this.#registered(act.payout_id, context);
    await this.#requireShown(act, registered);
    const command = commandOf(act, operator);
    const outcome = await this.services.accounts.submit(registered, { command, context, dependsOn: [place] });
    if (outcome.kind !== 'decided') throw refusedBy(outcome);
    const { merchant_id, payout_id } = registered;
    const approval = outcome.state.open.get(payout_id)?.approval;
    const approvals_missing = approval ? Math.max(0, approval.required - approval.given.length) : 0;
    return { merchant_id, position: outcome.newest!.position, approvals_missing };
  }

  /** Registers the payout first: only a registered payout may be approved or ended. */
  async #registered(payoutId: string, context: Context): Promise<RegisteredPayout> {
    const { registry, accountOf } = this.services;
    const found = await registry.find(payoutId);
    if (found) return found;
    const account = await accountOf(payoutId);
    const registered = account && (await registry.ensure(account, payoutId, context));
    if (!registered) throw new LedgerProblem('not-found', 'There is no such record.');
    return registered;
  }

  /** @throws Problem state-conflict when the payout has ended, digest-mismatch when it differs from the one that the operator was shown */
  async #requireShown({ payout_id, digest }: PayoutAct, account: AccountId): Promise<void> {
    const { accounts, registry, secret } = this.services;
    const { state } = await accounts.read(account);
    const open = state.open.get(payout_id);
    if (!open) throw hasEnded(endingOf(state.finished, payout_id)?.status);
    const request = await registry.requestAt(account, payout_id, open.requested_at);
    if (payoutDigest(secret, request) !== digest) {
      throw new LedgerProblem('digest-mismatch', 'The payout has changed since it was shown. Read it again before you decide.');
    }
  }
}

function commandOf({ kind, payout_id, digest, reason }: PayoutAct, { person_id, key_id }: ActingOperator): (now: Timestamp) => ApprovalCommand {
  if (kind === 'approve') return (now) => ({ kind: 'approve-payout', payout_id, person_id, key_id, digest, reason, now });
  return (now) => ({ kind: 'decline-payout', payout_id, person_id, reason, cancelled_by: key_id, now });
}

function refusedBy(outcome: Exclude<AccountOutcome<ApprovalCommand>, { kind: 'decided' }>): Error {
  return outcome.kind === 'refused'
    ? new LedgerProblem(PROBLEM_OF_REFUSAL[outcome.refusal], outcome.detail)
    : new Error('the command searches for no event');
}

const hasEnded = (status = 'not open any more'): LedgerProblem => new LedgerProblem('state-conflict', `The payout is ${status}.`);
