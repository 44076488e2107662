import { randomUUID } from 'node:crypto';
import type { Pool } from 'pg';
import type { AccountId } from '../../src/domain/accounts/account-queue.js';
import { NOTHING_DUE } from '../../src/domain/charges/remote/rail-due.js';
import { ChangeCharge, ChangeChargeHandler, type ChargeChange } from '../../src/domain/charges/charge.handlers.js';
import { RequestRefund, RequestRefundHandler } from '../../src/domain/charges/refunds/refund.handlers.js';
import { chargeServices } from '../../src/domain/charges/charge-services.js';
import { NO_ROUTES } from '../../src/domain/charges/remote/remote-processor.js';
import type { RefundReservations } from '../../src/domain/charges/refunds/refund-reservations.js';
import type { ChargeCreated } from '../../src/ledger/events/charge.events.js';
import type { ChargeRefundClaimed, RefundReason } from '../../src/ledger/events/refund.events.js';
import { systemContext } from '../../src/ledger/streams/new-event.js';
import { because, type Seeder, type SeedMerchant, type SeedServices } from './seeder.js';

/** End of a planned refund; PROCESSING has none. */
type RefundEnding = 'SUCCEEDED' | 'REJECTED' | 'BOUNCED' | 'CANCELLED' | 'PROCESSING';

export interface PlannedRefund {
  /** Whether the charge has been settled or waits for its settlement. */
  readonly of: 'settled' | 'waiting';
  /** Share of the charge's amount; 1: the whole charge. */
  readonly share: number;
  readonly reason: RefundReason;
  readonly ending: RefundEnding;
}

const MINUTE = 60_000;

/** Refunds of a seed, decided by the service's own handlers, with the plan's times as clock. */
export class SeedRefunds {
  private now = 0;
  private readonly reservations: RefundReservations;
  private readonly requests: RequestRefundHandler;
  private readonly changes: ChangeChargeHandler;

  constructor(
    services: Pick<SeedServices, 'store' | 'secret' | 'calendar' | 'terms'>,
    pool: Pool,
    private readonly seeder: Seeder,
    merchants: readonly SeedMerchant[],
    private readonly keys = new Map(merchants.map(({ merchant_id, key_id }) => [merchant_id, key_id])),
  ) {
    const clock = (): number => this.now;
    const { store, secret, calendar, terms } = services;
    const deps = { store, accounts: seeder.accounts, pool, clock, routes: NO_ROUTES, calendar, terms, onError: () => undefined };
    this.reservations = chargeServices(deps).reservations;
    this.requests = new RequestRefundHandler(store, this.reservations, clock, secret);
    this.changes = new ChangeChargeHandler(store, clock, calendar, terms, NOTHING_DUE);
  }

  /**
   * Makes one refund of the account's newest refundable charge whose money is available, from `at` (milliseconds since the epoch) on: submitted to
   * the processor a minute later, answered after another, and bounced after an hour.
   */
  async giveBack(at: number, account: AccountId, planned: PlannedRefund): Promise<void> {
    const created = await this.seeder.untouched(account, planned.of, ({ refund }) => refund?.partial === true);
    if (!created) return;
    const claimed = await this.at(at, () => this.request(account, created, planned));
    if (!claimed) return;
    const { refund_id } = claimed;
    const change = (after: number, what: ChargeChange): Promise<void> => this.at(at + after * MINUTE, () => this.change(claimed, what));
    if (planned.ending === 'CANCELLED') return change(1, { kind: 'cancel-refund', refund_id });
    await change(1, { kind: 'submit-refund', refund_id });
    if (planned.ending === 'PROCESSING') return;
    if (planned.ending === 'REJECTED') return change(2, { kind: 'fail-refund', refund_id, reason: 'The wallet is closed.' });
    await change(2, { kind: 'succeed-refund', refund_id });
    if (planned.ending === 'BOUNCED') await change(62, { kind: 'bounce-refund', refund_id, reason: 'The wallet takes no money any more.' });
  }

  private async request(
    account: AccountId,
    { charge_id, amount: paid, merchant_id, reference_id }: ChargeCreated,
    planned: PlannedRefund,
  ): Promise<ChargeRefundClaimed | undefined> {
    const amount = Math.max(1, Math.floor(paid * planned.share));
    if (planned.of === 'settled' && amount > (await this.seeder.available(account))) return undefined;
    // The simulated processor uses it in later queries, so that an open refund stays as planned when the service starts.
    const metadata = planned.ending === 'PROCESSING' ? { simulate: 'stick' } : {};
    const body = { amount, reason: planned.reason, reference_id: `refund-${reference_id}`, description: null, metadata };
    const context = because(this.keys.get(merchant_id)!);
    const { claimed } = await this.requests.execute(
      new RequestRefund(charge_id, body, `seed-${randomUUID()}`, { merchant_id, mode: 'test' }, context),
    );
    await this.reservations.finish(account, claimed.refund_id, systemContext());
    return claimed;
  }

  private async change({ charge_id, merchant_id }: ChargeRefundClaimed, change: ChargeChange): Promise<void> {
    const actor = change.kind === 'cancel-refund' ? this.keys.get(merchant_id)! : 'System';
    await this.seeder.journal(charge_id, change, this.now);
    await this.changes.execute(new ChangeCharge(charge_id, change, because(actor)));
    await this.seeder.expectLines(charge_id, this.now);
  }

  private at<Result>(at: number, work: () => Promise<Result>): Promise<Result> {
    this.now = at;
    return this.seeder.at(at, work);
  }
}
