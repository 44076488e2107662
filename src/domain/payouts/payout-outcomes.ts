import type { AccountCommand } from '../accounts/account.decider.js';
import { endingOf, type Ending } from '../accounts/finished-payouts.js';
import type { AccountId, AccountQueue } from '../accounts/account-queue.js';
import { decideOnStream } from '../../ledger/streams/decide-on-stream.js';
import type { CommandContext } from '../../ledger/streams/new-event.js';
import { StoreUnavailable, type EventRef, type EventStore, type Position } from '../../platform/event-store/event-store.js';
import type { Clock, Timestamp } from '../../ledger/time.js';
import { payout } from './payout.decider.js';
import { payoutStream, type PayoutOutcomeContradicted, type PayoutRegistered } from '../../ledger/events/payout.events.js';
import type { PayoutReader } from './payout-reader.js';
import type { PayoutRegistry, RegisteredPayout } from './payout-registry.js';
import { unreachable } from '../../ledger/unreachable.js';

/** Returns the ids of the operators who may approve payouts now. @throws Problem unavailable when they cannot be read */
export type Approvers = () => Promise<ReadonlySet<string>>;

type Context = Omit<CommandContext, 'now'>;

/** A bank's final result for a payout. */
export type BankVerdict =
  { readonly kind: 'paid' } | { readonly kind: 'rejected'; readonly reason: string } | { readonly kind: 'returned'; readonly reason: string };

export type VerdictOutcome =
  /** Recorded now, or before. `position`: of the event, if known. */
  | { readonly kind: 'recorded'; readonly position: Position | null; readonly registered: PayoutRegistered }
  | { readonly kind: 'unknown-payout' }
  /** The payout is not yet in a state that such a result can follow. The bank may report it again later. */
  | { readonly kind: 'not-yet'; readonly detail: string }
  /** The payout has ended otherwise. The contradiction is recorded in its stream. */
  | { readonly kind: 'contradicted'; readonly detail: string };

/** Log message. */
export const BANK_CONTRADICTS = 'the bank contradicts how a payout ended; no money was moved; ask the bank';

/** Records the progress of a payout at the bank. Every step can be repeated: the deciders find it already recorded. */
export class PayoutOutcomes {
  constructor(
    private readonly store: EventStore,
    private readonly accounts: AccountQueue,
    private readonly registry: PayoutRegistry,
    private readonly reader: PayoutReader,
    private readonly clock: Clock,
    /** Called once for each contradiction that is recorded: an operator has to ask the bank. */
    private readonly onContradicted: (contradicted: PayoutOutcomeContradicted) => void,
    private readonly approvers: Approvers,
  ) {}

  /**
   * Records the submission of the payout before the call to the bank. From then on the payout cannot be cancelled. To be called again
   * before each further call to the bank.
   * The approvers are read first, and then the account decides: it voids the approval of an operator who was suspended meanwhile.
   * @returns the payout for the bank's instruction, and the account's newest event, on which the instruction depends; undefined when
   * the payout is no longer open or lacks approvals
   */
  async submit(
    account: AccountId,
    payoutId: string,
    context: Context,
  ): Promise<{ readonly registered: PayoutRegistered; readonly submitted: EventRef } | undefined> {
    const found = await this.registry.ensure(account, payoutId, context);
    if (!found) return undefined;
    const approvers = found.registered.approvals_required === 0 ? undefined : await this.approvers();
    const command = (now: Timestamp): AccountCommand => ({ kind: 'submit-payout', payout_id: payoutId, ...(approvers && { approvers }), now });
    const outcome = await this.accounts.submit(account, { command, context, dependsOn: [found.place] });
    const isSubmitted = outcome.kind === 'decided' && outcome.state.open.get(payoutId)?.status === 'PROCESSING';
    return isSubmitted ? { registered: found.registered, submitted: outcome.newest! } : undefined;
  }

  /**
   * Records the bank's result.
   * @param dependsOn the event in which the result is already stored
   * @throws StoreUnavailable, OutcomeUnknown: the result has to be recorded again
   */
  async record(payoutId: string, verdict: BankVerdict, context: Context, dependsOn: readonly EventRef[] = []): Promise<VerdictOutcome> {
    const found = await this.registry.find(payoutId);
    if (!found) return { kind: 'unknown-payout' };
    switch (verdict.kind) {
      case 'paid':
        return this.#end(found, 'SUCCEEDED', verdict, (now) => ({ kind: 'succeed-payout', payout_id: payoutId, now }), context, dependsOn);
      case 'rejected':
        return this.#end(
          found,
          'FAILED',
          verdict,
          (now) => ({ kind: 'fail-payout', payout_id: payoutId, reason: verdict.reason, now }),
          context,
          dependsOn,
        );
      case 'returned':
        return this.#return(found, verdict, context);
      default:
        return unreachable(verdict);
    }
  }

  async #end(
    { registered, place }: RegisteredPayout,
    status: 'SUCCEEDED' | 'FAILED',
    verdict: BankVerdict,
    command: (now: Timestamp) => AccountCommand,
    context: Context,
    dependsOn: readonly EventRef[],
  ): Promise<VerdictOutcome> {
    const outcome = await this.accounts.submit(registered, { command, context, dependsOn: [place, ...dependsOn] });
    if (outcome.kind === 'decided') return { kind: 'recorded', position: outcome.newest?.position ?? null, registered };
    if (outcome.kind === 'found') throw new Error('the record of a bank result searches for no event');
    if (outcome.refusal === 'payout-not-submitted') return { kind: 'not-yet', detail: outcome.detail };
    const ending = endingOf(outcome.state.finished, registered.payout_id) ?? (await this.#longEnded(registered));
    // The account has recorded that the payout ended, so its result is recorded as well. It is not guessed from a read model that lags.
    if (!ending) throw new StoreUnavailable(`the result of payout ${registered.payout_id} cannot be read yet`);
    if (ending.status === status) return { kind: 'recorded', position: null, registered };
    return this.#contradicted(registered, ending.status, outcome.newest!, verdict, context);
  }

  /** Only a succeeded payout can be returned. Until its success is recorded, the return has to be reported again. */
  async #return({ registered }: RegisteredPayout, verdict: BankVerdict & { kind: 'returned' }, context: Context): Promise<VerdictOutcome> {
    const { reason } = verdict;
    const { payout_id } = registered;
    const account = await this.accounts.read(registered);
    const ending = endingOf(account.state.finished, payout_id) ?? (await this.#longEnded(registered));
    if (!ending) return { kind: 'not-yet', detail: 'The payout has not succeeded.' };
    if (ending.status !== 'SUCCEEDED') return this.#contradicted(registered, ending.status, account.newest!, verdict, context);
    const succeeded_on = ending.finished_on;
    const returned = await decideOnStream(
      this.store,
      this.clock,
      payoutStream(payout_id),
      payout,
      (now) => ({ kind: 'return' as const, reason, succeeded_on, now }),
      { ...context, dependsOn: [account.newest!] },
    );
    if ('refusal' in returned) throw new Error(`payout ${payout_id} is registered, but cannot be returned: ${returned.detail}`);
    return { kind: 'recorded', position: returned.position, registered };
  }

  /**
   * Moves no money: it is not known yet whether the bank or the books are right. Each contradiction is recorded once, however often
   * it is reported.
   */
  async #contradicted(
    { payout_id }: PayoutRegistered,
    recorded: PayoutOutcomeContradicted['recorded'],
    account: EventRef,
    verdict: BankVerdict,
    context: Context,
  ): Promise<VerdictOutcome> {
    const reason = verdict.kind === 'paid' ? null : verdict.reason;
    const outcome = await decideOnStream(
      this.store,
      this.clock,
      payoutStream(payout_id),
      payout,
      (now) => ({ kind: 'contradict' as const, recorded, said: verdict.kind, reason, now }),
      { ...context, dependsOn: [account] },
    );
    if ('refusal' in outcome) throw new Error(`payout ${payout_id} is registered, but does not accept the result of the bank: ${outcome.detail}`);
    for (const event of outcome.events) if (event.type === 'PayoutOutcomeContradicted') this.onContradicted(event.data);
    return { kind: 'contradicted', detail: `The payout is ${recorded}.` };
  }

  async #longEnded(registered: PayoutRegistered): Promise<Ending | undefined> {
    const row = await this.#read(registered);
    if (!row || row.payout_status === 'PENDING' || row.payout_status === 'PROCESSING') return undefined;
    return { status: row.payout_status === 'REVERSED' ? 'SUCCEEDED' : row.payout_status, finished_on: row.updated_on };
  }

  #read({ merchant_id, payout_id }: PayoutRegistered): ReturnType<PayoutReader['find']> {
    return this.reader.find(merchant_id, payout_id);
  }
}
