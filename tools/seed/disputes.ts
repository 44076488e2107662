import { randomUUID } from 'node:crypto';
import type { Pool } from 'pg';
import type { AccountId } from '../../src/domain/accounts/account-queue.js';
import { ChangeCharge, ChangeChargeHandler, type ChargeChange } from '../../src/domain/charges/charge.handlers.js';
import { NOTHING_DUE } from '../../src/domain/charges/remote/rail-due.js';
import { AddEvidence, AddEvidenceHandler } from '../../src/domain/charges/disputes/evidence.handlers.js';
import { disputeServices } from '../../src/domain/charges/disputes/dispute-services.js';
import type { ChargeEvent } from '../../src/ledger/events/charge.events.js';
import type { ChargeDisputeOpened, DisputeStage } from '../../src/ledger/events/dispute.events.js';
import type { CommandContext } from '../../src/ledger/streams/new-event.js';
import { timestamp } from '../../src/ledger/time.js';
import { because, type Seeder, type SeedMerchant, type SeedServices } from './seeder.js';

export interface PlannedDispute {
  /** Whether the charge has been settled or waits for its settlement. */
  readonly of: 'settled' | 'waiting';
  readonly stage: Extract<DisputeStage, 'INQUIRY' | 'CHARGEBACK'>;
  readonly reason: keyof typeof REASONS;
  /** OPEN waits for its merchant; CHALLENGED for its processor. */
  readonly ending: 'OPEN' | 'ACCEPTED' | 'CHALLENGED' | 'WON' | 'LOST';
}

const REASONS = {
  not_received: 'The customer says that nothing was delivered.',
  unknown_payment: 'The customer does not know of the payment.',
  not_as_described: 'The goods are not what was described.',
} as const;
const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;
/** Period of the simulated processor. */
const DUE_AFTER = 7 * DAY;
const DECIDED_AFTER = 4 * DAY;
const NEVER = new AbortController().signal;

/** Disputes of a seed, decided by the service's own handlers, with the plan's times as clock. */
export class SeedDisputes {
  private now = 0;
  private readonly evidence: AddEvidenceHandler;
  private readonly changes: ChangeChargeHandler;

  constructor(
    { store, secret, calendar, terms }: Pick<SeedServices, 'store' | 'secret' | 'calendar' | 'terms'>,
    pool: Pool,
    private readonly seeder: Seeder,
    merchants: readonly SeedMerchant[],
    private readonly keys = new Map(merchants.map(({ merchant_id, key_id }) => [merchant_id, key_id])),
  ) {
    const clock = (): number => this.now;
    this.evidence = new AddEvidenceHandler(store, disputeServices({ pool, secret, clock }).evidence, clock);
    this.changes = new ChangeChargeHandler(store, clock, calendar, terms, NOTHING_DUE);
  }

  /** Disputes the whole amount of one charge at `at` (milliseconds since the epoch), answers after two hours, and decides after four days. */
  async dispute(at: number, account: AccountId, { of, stage, reason, ending }: PlannedDispute): Promise<void> {
    const created = await this.seeder.untouched(account, of, () => true);
    if (!created) return;
    const { charge_id, amount } = created;
    const reference = `SIMD-${randomUUID()}`;
    const due_by = timestamp(at + DUE_AFTER);
    const claim = { reference, stage, amount, reason_code: reason, reason: REASONS[reason], due_by };
    const [first] = await this.change(at, charge_id, 'System', { kind: 'open-dispute', claim });
    const opened = first?.data as ChargeDisputeOpened;
    if (ending === 'OPEN') return;
    const answeredAt = at + 120 * MINUTE;
    const merchant = this.keys.get(account.merchant_id)!;
    if (ending === 'ACCEPTED') {
      await this.change(answeredAt, charge_id, merchant, { kind: 'accept-dispute', dispute_id: opened.dispute_id });
      return;
    }
    await this.show(answeredAt - MINUTE, opened, because(merchant));
    await this.change(answeredAt, charge_id, merchant, { kind: 'challenge-dispute', dispute_id: opened.dispute_id });
    if (ending === 'WON') this.seeder.expectChange(charge_id, at + DECIDED_AFTER, { kind: 'win-dispute', reference, stage, is_final: true });
    if (ending === 'LOST') this.seeder.expectChange(charge_id, at + DECIDED_AFTER, { kind: 'lose-dispute', reference, stage });
  }

  private async show(at: number, { dispute_id, charge_id }: ChargeDisputeOpened, context: Omit<CommandContext, 'now'>): Promise<void> {
    this.now = at;
    const bytes = Buffer.from(`Delivered to the customer, who signed for it.\nOrder of charge ${charge_id}\n`);
    const file = { name: 'delivery.txt', category: 'SHIPPING', media_type: 'text/plain', bytes } as const;
    await this.evidence.execute(new AddEvidence({ dispute_id, charge_id }, file, context, NEVER));
  }

  private async change(at: number, chargeId: string, actor: string, change: ChargeChange): Promise<readonly ChargeEvent[]> {
    this.now = at;
    await this.seeder.journal(chargeId, change, at);
    const { events } = await this.changes.execute(new ChangeCharge(chargeId, change, because(actor)));
    await this.seeder.expectLines(chargeId, at);
    return events;
  }
}
