import { accountStream, type SettlementLine } from '../../ledger/events/account.events.js';
import type { AccountId } from '../accounts/account-queue.js';
import { systemContext } from '../../ledger/streams/new-event.js';
import { timestamp, type Clock, type Timestamp } from '../../ledger/time.js';
import type { Position } from '../../platform/event-store/event-store.js';
import { concurrently } from '../../platform/worker/concurrently.js';
import type { SettlementRun } from './settlement-run.js';

/** Candidates for settlements in the read models. They may be behind: the streams decide. */
export interface SettlementReader {
  /** Accounts with a settlement that was opened and is not on the account yet. */
  findOpen(): Promise<readonly AccountId[]>;
  /** Accounts with a charge that is due at `now`, or a reversal or return, that no settlement has claimed. */
  findDue(now: Timestamp): Promise<readonly AccountId[]>;
  /** Accounts with a reversal or return that no settlement has claimed. */
  findUrgent(): Promise<readonly AccountId[]>;
  /** Lines of one account: reversals and returns first, then charges due at `now`, oldest first. */
  findLines(account: AccountId, now: Timestamp, limit: number): Promise<readonly SettlementLine[]>;
  /** Returns false when the read models do not show `position` in time. */
  hasSeen(position: Position): Promise<boolean>;
}

const ACCOUNTS_AT_ONCE = 4;

/** Finds accounts with something to settle. The caller decides when each pass runs. */
export class SettlementWorker {
  constructor(
    private readonly run: SettlementRun,
    private readonly reader: SettlementReader,
    private readonly clock: Clock,
    /** Called for an account that could not be settled; the others are. */
    private readonly onError: (account: AccountId, error: unknown) => void,
  ) {}

  /** Finishes every open settlement, then settles everything that is due. */
  async all(signal: AbortSignal): Promise<void> {
    await this.#settle(await this.reader.findOpen(), signal);
    await this.#settle(await this.reader.findDue(timestamp(this.clock())), signal);
  }

  /** Settles lines that cannot wait for the next round: reversed money that is still in the merchant's available, and money that came back. */
  async urgent(signal: AbortSignal): Promise<void> {
    await this.#settle(await this.reader.findUrgent(), signal);
  }

  async #settle(found: readonly AccountId[], signal: AbortSignal): Promise<void> {
    const accounts = [
      ...new Map(found.map(({ merchant_id, currency }) => [accountStream(merchant_id, currency), { merchant_id, currency }])).values(),
    ];
    await concurrently(accounts, ACCOUNTS_AT_ONCE, async (account) => {
      try {
        await this.#settleAccount(account, signal);
      } catch (error) {
        this.onError(account, error);
      }
    });
  }

  /** Runs one settlement after the other, until no line is left. */
  async #settleAccount(account: AccountId, signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      const findLines = (limit: number): Promise<readonly SettlementLine[]> => this.reader.findLines(account, timestamp(this.clock()), limit);
      const finished = await this.run.next(account, findLines, systemContext(), signal);
      if (!finished) return;
      // A list made before the read models show this settlement would contain its lines again, in vain.
      if (finished.position !== null && !(await this.reader.hasSeen(finished.position))) return;
    }
  }
}
