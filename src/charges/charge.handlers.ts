import { randomUUID } from 'node:crypto';
import { Inject } from '@nestjs/common';
import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { CLOCK, CONFIG, HOLIDAYS, PROCESSOR, PUBLIC_ADDRESS, SECRET, type PublicAddress, type Settings } from '../ledger/injection-tokens.js';
import { decideOnStream } from '../ledger/decide-on-stream.js';
import { beginningOf, newerThan, type Beginning } from '../ledger/first-fact.js';
import { fingerprint, recordId, requireSameRequest } from '../ledger/idempotency.js';
import { newEvent, type CommandContext } from '../ledger/new-event.js';
import { feeOnRoundedHalfUp } from '../ledger/money.js';
import { pageUrls } from '../ledger/page-token.js';
import { EVENT_STORE, type EventStore, type Position, type RecordedEvent } from '../platform/event-store/event-store.js';
import { noSuchRecord } from '../platform/http/record-id.js';
import { Problem, type ProblemCode } from '../platform/problems.js';
import type { Processor } from './processor.js';
import { MERCHANT_TERMS, type ChannelTerms, type MerchantTerms } from '../ledger/merchant-terms.js';
import { timestamp, type Clock, type Timestamp } from '../ledger/time.js';
import { charge, type ChargeCommand, type ChargeRefusal } from './charge.decider.js';
import { chargeStream, type ActionFlow, type ChargeCreated, type ChargeEvent } from '../ledger/events/charge.events.js';
import type { Holidays } from './settlement-date.js';

/** A charge as a client asks for it: validated and normalised, absent values in their place. */
export interface ChargeOrder {
  /** Minor units. */
  readonly amount: number;
  readonly currency: string;
  readonly channel_code: string;
  readonly action_flow: ActionFlow;
  readonly reference_id: string;
  readonly description: string | null;
  readonly metadata: Readonly<Record<string, string>>;
}

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
const FLOWS = { qr: ['PAYLOAD', 'EMBEDDED'], other: ['REDIRECTION', 'EMBEDDED'] } as const;

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
    const { order, merchant } = command;
    const id = recordId(merchant.merchant_id, ROUTE, command.idempotencyKey);
    const print = fingerprint(this.secret, { ...order });
    const channel = this.channelOf(merchant.merchant_id, order.channel_code);
    const refusal = refusalByTerms(order, channel);
    if (refusal) {
      // Terms can change between a request and its repeat: a charge that exists is the answer, whatever the terms say today.
      const { first } = await beginningOf(this.store, chargeStream(id));
      if (first) return existing(first, print);
      throw refusal;
    }
    const now = timestamp(this.clock());
    const created = this.toCharge(id, command, channel, now);
    const fact = newEvent({ type: 'ChargeCreated', data: created }, { ...command.context, now }, print);
    for (let behind: Beginning['behind'] = 'no-stream'; ;) {
      const result = await this.store.append(chargeStream(id), behind, [fact]);
      if (result.ok) return { created, position: result.position, replayed: false };
      const found = await beginningOf(this.store, chargeStream(id));
      if (found.first) return existing(found.first, print);
      behind = newerThan(behind, found, chargeStream(id));
    }
  }

  /** @throws TypeError when no such channel is shipped: the request was checked against the list. */
  private channelOf(merchantId: string, code: string): ChannelTerms {
    const channel = this.terms.channelTerms(merchantId, code);
    if (!channel) throw new TypeError(`no channel ${code}`);
    return channel;
  }

  private toCharge(id: string, { order, merchant, context }: CreateCharge, channel: ChannelTerms, now: Timestamp): ChargeCreated {
    const ttlSeconds = this.config.chargeTtlSeconds ?? channel.ttl_seconds;
    const expires_on = timestamp(Date.parse(now) + ttlSeconds * 1000);
    const code = chargeCode(id);
    const fee_amount = feeOnRoundedHalfUp(order.amount, channel.fee);
    const { merchant_id } = merchant;
    const pages = pageUrls(this.address.url, this.secret, id);
    const instructions = this.processor.instructions({
      charge_id: id,
      code,
      merchant_id,
      merchant_name: this.terms.merchantName(merchant_id) ?? '',
      channel,
      amount: order.amount,
      reference_id: order.reference_id,
      expires_on,
    });
    return {
      charge_id: id,
      merchant_id,
      code,
      amount: order.amount,
      currency: order.currency,
      channel_code: order.channel_code,
      action_flow: order.action_flow,
      reference_id: order.reference_id,
      description: order.description,
      meta_data: order.metadata,
      action: {
        type: order.action_flow === 'REDIRECTION' ? 'REDIRECT_CUSTOMER' : 'PRESENT_TO_CUSTOMER',
        embedded_url: pages.embedded_url,
        simulation_url: merchant.mode === 'test' ? pages.simulation_url : null,
        ...instructions,
      },
      fee: channel.fee,
      fee_amount,
      net_amount: order.amount - fee_amount,
      charge_statement_id: randomUUID(),
      processor: this.processor.name,
      settlement_cycle: channel.settlement_cycle,
      expires_on,
      created_by: context.actor,
      created_on: now,
    };
  }
}

/** Refusals by the merchant's terms, which may change between a request and its repeat. */
function refusalByTerms(order: ChargeOrder, channel: ChannelTerms): Problem | undefined {
  if (!channel.enabled) return new Problem('channel-not-available', 'The merchant does not have this payment channel.');
  if (order.currency !== channel.currency) {
    return new Problem('currency-mismatch', `${channel.code} takes ${channel.currency}, not ${order.currency}.`);
  }
  const flows: readonly string[] = channel.qr ? FLOWS.qr : FLOWS.other;
  if (!flows.includes(order.action_flow)) {
    return new Problem('action-flow-not-supported', `${channel.code} takes ${flows.join(' and ')}, not ${order.action_flow}.`);
  }
  if (order.amount < channel.min_amount || order.amount > channel.max_amount) {
    return new Problem(
      'amount-out-of-range',
      `${channel.code} takes ${channel.min_amount} to ${channel.max_amount} minor units of ${channel.currency}.`,
    );
  }
  return undefined;
}

/** The answer to a repeat: the fact as it was recorded, provided that the request is the same. */
function existing(first: RecordedEvent, print: string): CreatedCharge {
  requireSameRequest(first.metadata.fingerprint, print);
  return { created: first.data as ChargeCreated, position: first.position, replayed: true };
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
  | { readonly kind: 'reverse'; readonly reason: string };

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
    /** Set when a merchant asks: somebody else's charge does not exist for it. */
    readonly merchantId?: string,
  ) {
    super();
  }
}

/** Every refusal of the decider as a client sees it. */
const REFUSALS: Readonly<Record<ChargeRefusal, ProblemCode>> = {
  'charge-exists': 'state-conflict',
  'charge-not-found': 'not-found',
  'charge-not-pending': 'state-conflict',
  'charge-has-too-many-payments': 'state-conflict',
  'charge-not-paid': 'state-conflict',
  'charge-claimed-elsewhere': 'state-conflict',
  'charge-reversed-before-claim': 'state-conflict',
  'charge-not-reversed-after-claim': 'state-conflict',
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
  ) {}

  async execute({ chargeId, change, context, merchantId }: ChangeCharge): Promise<ChangedCharge> {
    if (merchantId !== undefined) await this.mustBelongTo(merchantId, chargeId);
    const outcome = await decideOnStream(
      this.store,
      this.clock,
      chargeStream(chargeId),
      charge,
      (now) => this.toCommand(change, context.actor, now),
      context,
    );
    if ('refusal' in outcome) throw new Problem(REFUSALS[outcome.refusal], outcome.detail);
    return { events: outcome.events, position: outcome.position };
  }

  private async mustBelongTo(merchantId: string, chargeId: string): Promise<void> {
    const { first } = await beginningOf(this.store, chargeStream(chargeId));
    if (first?.metadata.merchant_id !== merchantId) throw noSuchRecord();
  }

  private toCommand(change: ChargeChange, actor: string, now: Timestamp): ChargeCommand {
    switch (change.kind) {
      case 'pay':
        return { ...change, now, holidays: this.holidays };
      case 'cancel':
        return { ...change, now, cancelled_by: actor };
      default:
        return { ...change, now };
    }
  }
}
