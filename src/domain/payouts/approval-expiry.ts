import type { AccountId, AccountQueue } from '../accounts/account-queue.js';
import { SYSTEM, systemContext } from '../../ledger/streams/new-event.js';
import { timestamp, type Clock, type Timestamp } from '../../ledger/time.js';
import { concurrently } from '../../platform/worker/concurrently.js';
import type { PayoutRegistry } from './payout-registry.js';

export interface ApprovalExpiryOptions {
  readonly accounts: Pick<AccountQueue, 'submit'>;
  readonly registry: PayoutRegistry;
  /** Returns payouts that lack approvals in the read model at `now`, the longest overdue first. */
  readonly findUnapproved: (now: Timestamp, limit: number) => Promise<readonly (AccountId & { readonly id: string })[]>;
  readonly clock: Clock;
  /** Called for a payout that could not be cancelled. The next pass retries. */
  readonly onError: (payoutId: string, error: unknown) => void;
}

const PAGE_SIZE = 500;
const IN_FLIGHT_MAX = 16;

/** Cancels payouts that were not approved in time. The read model lists them; the account decides, so that an earlier approval wins. */
export class ApprovalExpiry {
  constructor(private readonly options: ApprovalExpiryOptions) {}

  /** Processes one page; the next pass finds the rest. */
  async pass(): Promise<void> {
    const { findUnapproved, clock, onError } = this.options;
    const due = await findUnapproved(timestamp(clock()), PAGE_SIZE);
    await concurrently(due, IN_FLIGHT_MAX, async ({ id, ...account }) => {
      await this.expire(account, id).catch((error: unknown) => onError(id, error));
    });
  }

  /** @throws StoreUnavailable, OutcomeUnknown: to be retried */
  async expire(account: AccountId, payoutId: string): Promise<void> {
    const context = systemContext();
    const found = await this.options.registry.ensure(account, payoutId, context);
    if (!found) return;
    const command = (now: Timestamp) => ({ kind: 'expire-payout', payout_id: payoutId, cancelled_by: SYSTEM, now }) as const;
    await this.options.accounts.submit(account, { command, context, dependsOn: [found.place] });
  }
}
