import { randomUUID } from 'node:crypto';
import { Inject } from '@nestjs/common';
import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { CLOCK, CONFIG, HOLIDAYS, PROCESSOR, PUBLIC_ADDRESS, SECRET, type PublicAddress, type Settings } from '../ledger/injection-tokens.js';
import { readEvent } from '../ledger/catalogue.js';
import { decideOnStream } from '../ledger/decide-on-stream.js';
import { createRecord, firstEventOf } from '../ledger/create-record.js';
import { fingerprint, recordId, requireSameRequest } from '../ledger/idempotency.js';
import type { CommandContext } from '../ledger/new-event.js';
import { pageUrls } from '../ledger/page-token.js';
import { EVENT_STORE, type EventStore, type Position } from '../platform/event-store/event-store.js';
import { noSuchRecord } from '../platform/http/record-id.js';
import { Problem, type ProblemCode } from '../platform/problems.js';
import type { Processor } from './processor.js';
import { MERCHANT_TERMS, type MerchantTerms } from '../ledger/merchant-terms.js';
import { timestamp, type Clock, type Timestamp } from '../ledger/time.js';
import { charge, type ChargeCommand, type ChargeOrder, type ChargeRefusal } from './charge.decider.js';
import type { DisputeClaim } from './charge-disputes.js';
import { chargeStream, type ChargeCreated, type ChargeEvent } from '../ledger/events/charge.events.js';
import type { DisputeStage } from '../ledger/events/dispute.events.js';
import type { Holidays } from './settlement-date.js';

export interface CreatedCharge {
  /** The charge's first fact: everything that the answer shows. */
  readonly created: ChargeCreated;
  readonly position: Position;
  /** True when the fact was there already: a repeat of the request that made it. */
  readonly replayed: boolean;
}

/** Creates a charge, once for each Idempotency-Key. */
export class CreateCharge extends Command<CreatedCharge> {
  constructor(
    readonly order: ChargeOrder,
    readonly idempotencyKey: string,
    readonly merchant: { readonly merchant_id: string; readonly mode: 'test' | 'live' },
    readonly context: Omit<CommandContext, 'now'>,
  ) {
    super();
  }
}

const ROUTE = 'POST /v1/charges';

@CommandHandler(CreateCharge)
export class CreateChargeHandler implements ICommandHandler<CreateCharge> {
  constructor(
    @Inject(EVENT_STORE) private readonly store: EventStore,
    @Inject(MERCHANT_TERMS) private readonly terms: MerchantTerms,
    @Inject(PROCESSOR) private readonly processor: Processor,
    @Inject(CLOCK) private readonly clock: Clock,
    @Inject(SECRET) private readonly secret: Buffer,
    @Inject(PUBLIC_ADDRESS) private readonly address: PublicAddress,
    @Inject(CONFIG) private readonly config: Settings,
  ) {}

  async execute(command: CreateCharge): Promise<CreatedCharge> {
    const id = recordId(command.merchant.merchant_id, ROUTE, command.idempotencyKey);
    const requestFingerprint = fingerprint(this.secret, { ...command.order });
    const now = timestamp(this.clock());
    const decision = charge.decide(charge.initial, this.toCreate(id, command, now));
    const outcome = await createRecord(this.store, chargeStream(id), 'ChargeCreated', decision, { ...command.context, now }, requestFingerprint);
    if ('refusal' in outcome) throw new Problem(REFUSALS[outcome.refusal], outcome.detail);
    requireSameRequest(outcome.fingerprint, requestFingerprint);
    return { created: outcome.data, position: outcome.position, replayed: outcome.replayed };
  }

  /** @throws TypeError when no such channel is shipped: the request was checked against the list. */
  private toCreate(charge_id: string, { order, merchant, context }: CreateCharge, now: Timestamp): ChargeCommand {
    const { merchant_id, mode } = merchant;
    const channel = this.terms.channelTerms(merchant_id, order.channel_code);
    if (!channel) throw new TypeError(`no channel ${order.channel_code}`);
    const code = chargeCode(charge_id);
    const pages = pageUrls(this.address.url, this.secret, charge_id);
    return {
      kind: 'create',
      order,
      terms: { ...channel, ttl_seconds: this.config.chargeTtlSeconds ?? channel.ttl_seconds },
      ids: { charge_id, merchant_id, code, charge_statement_id: randomUUID() },
      pages: { ...pages, simulation_url: mode === 'test' ? pages.simulation_url : null },
      processor: this.processor.name,
      instructions: (expires_on) => {
        const { amount, reference_id } = order;
        const merchant_name = this.terms.merchantName(merchant_id) ?? '';
        return this.processor.instructions({ charge_id, code, merchant_id, merchant_name, channel, amount, reference_id, expires_on });
      },
      created_by: context.actor,
      now,
    };
  }
}

const CODES = 36n ** 16n;

/** `CHG_` and 16 of 0-9A-Z, derived from the id, whose bits are those of a hash; 36^16 is 2^82. */
function chargeCode(id: string): string {
  return `CHG_${(BigInt(`0x${id.replaceAll('-', '')}`) % CODES).toString(36).toUpperCase().padStart(16, '0')}`;
}

/** What happens to a charge that exists. The processor, the merchant and the System ask for it. */
export type ChargeChange =
  | { readonly kind: 'pay'; readonly amount: number; readonly payment_reference: string }
  | { readonly kind: 'fail'; readonly reason: string }
  | { readonly kind: 'expire' }
  | { readonly kind: 'cancel' }
  | { readonly kind: 'reverse'; readonly reason: string }
  | { readonly kind: 'cancel-refund'; readonly refund_id: string }
  | { readonly kind: 'submit-refund'; readonly refund_id: string }
  | { readonly kind: 'succeed-refund'; readonly refund_id: string }
  | { readonly kind: 'fail-refund' | 'bounce-refund'; readonly refund_id: string; readonly reason: string }
  | { readonly kind: 'open-dispute'; readonly claim: DisputeClaim }
  | { readonly kind: 'win-dispute'; readonly reference: string; readonly stage: DisputeStage; readonly is_final: boolean }
  | { readonly kind: 'lose-dispute'; readonly reference: string; readonly stage: DisputeStage }
  | { readonly kind: 'challenge-dispute'; readonly dispute_id: string }
  | { readonly kind: 'accept-dispute'; readonly dispute_id: string };

export interface ChangedCharge {
  readonly events: readonly ChargeEvent[];
  /** Of the stream's newest event: what a read after this answer must show. */
  readonly position: Position;
}

/** Changes a charge; done already is success. */
export class ChangeCharge extends Command<ChangedCharge> {
  constructor(
    readonly chargeId: string,
    readonly change: ChargeChange,
    readonly context: Omit<CommandContext, 'now'>,
    /** Set when a merchant asks: another merchant's charge does not exist for it. */
    readonly merchantId?: string,
  ) {
    super();
  }
}

/** Every refusal of the decider as a client sees it. */
export const REFUSALS: Readonly<Record<ChargeRefusal, ProblemCode>> = {
  'channel-not-available': 'channel-not-available',
  'currency-mismatch': 'currency-mismatch',
  'action-flow-not-supported': 'action-flow-not-supported',
  'amount-out-of-range': 'amount-out-of-range',
  'charge-exists': 'state-conflict',
  'charge-not-found': 'not-found',
  'charge-not-pending': 'state-conflict',
  'charge-has-too-many-payments': 'state-conflict',
  'charge-not-paid': 'state-conflict',
  'charge-claimed-elsewhere': 'state-conflict',
  'charge-reversed-before-claim': 'state-conflict',
  'charge-not-reversed-after-claim': 'state-conflict',
  'line-not-found': 'state-conflict',
  'charge-not-refundable': 'state-conflict',
  'charge-disputed': 'charge-disputed',
  'refund-channel-cannot': 'refund-not-available',
  'refund-whole-only': 'refund-not-available',
  'refund-too-late': 'refund-not-available',
  'refund-no-processor': 'refund-not-available',
  'refund-too-many': 'refund-not-available',
  'refund-exceeds-charge': 'refund-exceeds-charge',
  'refund-needs-reservation': 'state-conflict',
  'refund-not-found': 'not-found',
  'refund-not-pending': 'state-conflict',
  'refund-not-submitted': 'state-conflict',
  'refund-not-succeeded': 'state-conflict',
  'refund-ended': 'state-conflict',
  'dispute-not-found': 'not-found',
  'dispute-not-opened': 'state-conflict',
  'dispute-not-answerable': 'state-conflict',
  'dispute-overdue': 'state-conflict',
  'evidence-missing': 'evidence-missing',
  'evidence-erased': 'state-conflict',
  'evidence-limit-reached': 'evidence-limit-reached',
  'line-refused': 'state-conflict',
  'line-disagrees': 'state-conflict',
  'line-not-waited-for': 'state-conflict',
};

@CommandHandler(ChangeCharge)
export class ChangeChargeHandler implements ICommandHandler<ChangeCharge> {
  constructor(
    @Inject(EVENT_STORE) private readonly store: EventStore,
    @Inject(CLOCK) private readonly clock: Clock,
    @Inject(HOLIDAYS) private readonly holidays: Holidays,
    @Inject(MERCHANT_TERMS) private readonly terms: MerchantTerms,
  ) {}

  async execute({ chargeId, change, context, merchantId }: ChangeCharge): Promise<ChangedCharge> {
    if (merchantId !== undefined) await this.mustBelongTo(merchantId, chargeId);
    const disputeFee = change.kind === 'open-dispute' ? await this.disputeFee(chargeId) : 0;
    const outcome = await decideOnStream(
      this.store,
      this.clock,
      chargeStream(chargeId),
      charge,
      (now) => this.toCommand(change, context.actor, disputeFee, now),
      context,
    );
    if ('refusal' in outcome) throw new Problem(REFUSALS[outcome.refusal], outcome.detail);
    return { events: outcome.events, position: outcome.position };
  }

  /** As agreed with the charge's merchant by now; it is copied into the dispute. */
  private async disputeFee(chargeId: string): Promise<number> {
    const first = await firstEventOf(this.store, chargeStream(chargeId));
    const created = first && readEvent(first);
    if (created?.type !== 'ChargeCreated') throw noSuchRecord();
    return this.terms.disputeFee(created.data.merchant_id, created.data.currency);
  }

  private async mustBelongTo(merchantId: string, chargeId: string): Promise<void> {
    const first = await firstEventOf(this.store, chargeStream(chargeId));
    if (first?.metadata.merchant_id !== merchantId) throw noSuchRecord();
  }

  private toCommand(change: ChargeChange, actor: string, disputeFee: number, now: Timestamp): ChargeCommand {
    switch (change.kind) {
      case 'pay':
        return { ...change, now, holidays: this.holidays };
      case 'cancel':
      case 'cancel-refund':
        return { ...change, now, cancelled_by: actor };
      case 'challenge-dispute':
        return { ...change, now, challenged_by: actor };
      case 'open-dispute':
        return { ...change, now, dispute_fee_amount: disputeFee };
      default:
        return { ...change, now };
    }
  }
}
