import { systemContext } from '../../ledger/streams/new-event.js';
import { decideOnStream } from '../../ledger/streams/decide-on-stream.js';
import { proposalStream } from '../../ledger/events/proposal.events.js';
import { timestamp, type Clock, type Timestamp } from '../../ledger/time.js';
import { BackOff } from '../../platform/async/back-off.js';
import type { EventStore } from '../../platform/event-store/event-store.js';
import { proposal } from './proposal.decider.js';
import type { ProposalEffects } from './proposal-effects.js';

export interface ProposalWorkerOptions {
  readonly store: EventStore;
  readonly clock: Clock;
  /** Milliseconds on a clock that only moves forwards. */
  readonly elapsedMs: () => number;
  readonly effects: Pick<ProposalEffects, 'run'>;
  /** Returns proposals that the read model shows as approved and not ended, oldest first. */
  readonly findApproved: (limit: number) => Promise<readonly string[]>;
  /** Returns proposals that the read model shows as overdue at `now` without their approvals, longest overdue first. */
  readonly findUnapproved: (now: Timestamp, limit: number) => Promise<readonly string[]>;
  /** Called when a proposal could not be processed; it is retried. */
  readonly onError: (proposalId: string, error: unknown) => void;
}

const PAGE_SIZE = 500;
/** A kind that only a newer version knows may wait for days; the pauses keep the log from an entry every second. */
const RETRY_MS = 1_000;
const RETRY_MAX_MS = 60_000;

/** Completes proposals that requests left open: executes approved ones, and expires those not approved in time. The proposals decide. */
export class ProposalWorker {
  /** When each failed proposal is retried, by `elapsedMs`. */
  readonly #retries = new Map<string, { readonly pauses: BackOff; nextMs: number }>();

  constructor(private readonly options: ProposalWorkerOptions) {}

  /** Processes at most one page of each; the next pass finds the rest. */
  async pass(signal: AbortSignal): Promise<void> {
    const { clock, effects, findApproved, findUnapproved } = this.options;
    await this.#each(await findApproved(PAGE_SIZE), signal, (id) => effects.run(id, systemContext()));
    await this.#each(await findUnapproved(timestamp(clock()), PAGE_SIZE), signal, (id) => this.#expire(id));
  }

  /** Works one after the other: there are few, and proposals of one kind share their target. */
  async #each(ids: readonly string[], signal: AbortSignal, work: (id: string) => Promise<unknown>): Promise<void> {
    for (const id of ids) {
      if (signal.aborted) return;
      if (this.options.elapsedMs() < (this.#retries.get(id)?.nextMs ?? 0)) continue;
      await work(id).then(
        () => this.#retries.delete(id),
        (error: unknown) => this.#failed(id, error),
      );
    }
  }

  #failed(id: string, error: unknown): void {
    const { pauses } = this.#retries.get(id) ?? { pauses: new BackOff(RETRY_MS, RETRY_MAX_MS) };
    this.#retries.set(id, { pauses, nextMs: this.options.elapsedMs() + pauses.take() });
    this.options.onError(id, error);
  }

  #expire(id: string): Promise<unknown> {
    const { store, clock } = this.options;
    const command = (now: Timestamp) => ({ kind: 'expire', now }) as const;
    return decideOnStream(store, clock, proposalStream(id), proposal, command, systemContext());
  }
}
