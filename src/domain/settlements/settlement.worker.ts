import { accountStream, type SettlementLine } from '../../ledger/events/account.events.js';
import type { AccountId } from '../accounts/account-queue.js';
import { systemContext } from '../../ledger/streams/new-event.js';
import { timestamp, type Clock, type Timestamp } from '../../ledger/time.js';
import type { Position } from '../../platform/event-store/event-store.js';
import { concurrently } from '../../platform/worker/concurrently.js';
import type { SettlementRun } from './settlement-run.js';

/** What read models know of settlements to be made. They may be behind: the streams decide. */
export interface SettlementReader {
  /** Accounts with a settlement that was opened and is not on the account yet. */
  findOpen(): Promise<readonly AccountId[]>;
  /** Accounts with a charge that is due at `now`, or a reversal or return, that no settlement has claimed. */
  findDue(now: Timestamp): Promise<readonly AccountId[]>;
  /** Accounts with a reversal or return that no settlement has claimed. */
  findUrgent(): Promise<readonly AccountId[]>;
  /** Lines of one account: reversals and returns first, then charges due at `now`, oldest first. */
  findLines(account: AccountId, now: Timestamp, limit: number): Promise<readonly SettlementLine[]>;
  /** False when the read models do not show `position` in time. */
  hasSeen(position: Position): Promise<boolean>;
}

const ACCOUNTS_AT_ONCE = 4;

/** Looks for accounts with something to settle. Which of its passes runs when is the caller's matter. */
export class SettlementWorker {
  constructor(
    private readonly run: SettlementRun,
    private readonly reader: SettlementReader,
    private readonly clock: Clock,
    /** Told of an account that could not be settled; the others are. */
    private readonly onError: (account: AccountId, error: unknown) => void,
  ) {}

  /** First every settlement that was left open, then everything that is due. */
  async all(signal: AbortSignal): Promise<void> {
    await this.#settle(await this.reader.findOpen(), signal);
    await this.#settle(await this.reader.findDue(timestamp(this.clock())), signal);
  }

  /** What cannot wait for the next round: money that was paid back and is still in the merchant's available, or came back. */
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

  /** Settlement after settlement, until nothing is left. */
  async #settleAccount(account: AccountId, signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      const findLines = (limit: number): Promise<readonly SettlementLine[]> => this.reader.findLines(account, timestamp(this.clock()), limit);
      const finished = await this.run.next(account, findLines, systemContext(), signal);
      if (!finished) return;
      // A list made before this settlement is seen would name its lines again, in vain.
      if (finished.position !== null && !(await this.reader.hasSeen(finished.position))) return;
    }
  }
}
