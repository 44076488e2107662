import { randomUUID } from 'node:crypto';
import { Inject } from '@nestjs/common';
import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { CLOCK, CONFIG, PROCESSOR, PUBLIC_ADDRESS, SECRET, type PublicAddress, type Settings } from '../../ledger/ports/injection-tokens.js';
import { readEvent } from '../../ledger/catalogue.js';
import { decideOnStream } from '../../ledger/streams/decide-on-stream.js';
import { createRecord, firstEventOf } from '../../ledger/streams/create-record.js';
import { fingerprint, recordId, requireSameRequest } from '../../ledger/ids/idempotency.js';
import { chargeCode } from '../../ledger/ids/id-codes.js';
import type { CommandContext } from '../../ledger/streams/new-event.js';
import type { Previewed } from '../../ledger/streams/previewed.js';
import { pageUrls } from '../../ledger/ids/page-token.js';
import { EVENT_STORE, type EventStore, type Position } from '../../platform/event-store/event-store.js';
import { noSuchRecord } from '../../platform/http/record-id.js';
import { LedgerProblem } from '../../ledger/problems.js';
import type { Processor } from './processor.js';
import { MERCHANT_TERMS, type MerchantTerms } from '../../ledger/ports/merchant-terms.js';
import { timestamp, type Clock, type Timestamp } from '../../ledger/time.js';
import { BankingCalendar } from '../calendar/banking-calendar.js';
import { charge, type ChargeCommand, type ChargeOrder, type CreateCommand } from './charge.decider.js';
import { PROBLEM_OF_REFUSAL } from './charge-problems.js';
import { RAIL_DUE, type RailDue } from './remote/rail-due.js';
import {
  decideRemote,
  LOCAL_ONLY,
  problemOfCreation,
  RemoteCharges,
  type CreatedCharge,
  type CreationDecision,
  type RemoteRoute,
} from './remote/remote-charges.js';
import { NO_ROUTES, PROCESSOR_ROUTES, type ProcessorRoutes } from './remote/remote-processor.js';
import { chargeStream, type ChargeCreated, type ChargeEvent } from '../../ledger/events/charge.events.js';

/** Creates a charge, once for each Idempotency-Key. */
export class CreateCharge extends Command<CreatedCharge> {
  constructor(
    readonly order: ChargeOrder,
    readonly idempotencyKey: string,
    readonly merchant: { readonly merchant_id: string; readonly mode: 'test' | 'live' },
    readonly context: Omit<CommandContext, 'now'>,
    /** Called before a request to a remote processor, which may take longer than the service's own handlers may. */
    readonly takesLonger: () => void = () => undefined,
  ) {
    super();
  }
}

/** A charge request without its key. */
type ChargeDemand = Pick<CreateCharge, 'order' | 'merchant' | 'context'>;

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
    @Inject(PROCESSOR_ROUTES) private readonly routes: ProcessorRoutes = NO_ROUTES,
    @Inject(RemoteCharges) private readonly remote: typeof LOCAL_ONLY = LOCAL_ONLY,
  ) {}

  async execute(command: CreateCharge): Promise<CreatedCharge> {
    const { order, merchant, context } = command;
    const id = recordId(merchant.merchant_id, ROUTE, command.idempotencyKey);
    const requestFingerprint = fingerprint(this.secret, { ...order });
    const now = timestamp(this.clock());
    const { isRemote, decision, rail } = this.decide(id, command, now);
    if (isRemote) return this.remote.create(command, { id, requestFingerprint, now, decision, rail });
    const outcome = await createRecord(this.store, chargeStream(id), 'ChargeCreated', decision, { ...context, now }, requestFingerprint);
    if ('refusal' in outcome) throw new LedgerProblem(problemOfCreation(outcome.refusal), outcome.detail);
    requireSameRequest(outcome.fingerprint, requestFingerprint);
    // An earlier request with this key used a rail to which the merchant has no route any more: the charge resumes there.
    if (outcome.data.remote === true) return this.remote.resume(command, id, outcome.replayed);
    return { created: outcome.data, position: outcome.position, replayed: outcome.replayed };
  }

  /** Decides a request as `execute` does, and records nothing. */
  preview(demand: ChargeDemand): Previewed<ChargeCreated> {
    const { decision } = this.decide(randomUUID(), demand, timestamp(this.clock()));
    const on = { currency: demand.order.currency, position: null };
    if ('refusal' in decision) return { problem: problemOfCreation(decision.refusal), detail: decision.detail, needs: null, ...on };
    const [event] = decision.events;
    if (event?.type !== 'ChargeCreated') throw new Error('the preview of a charge creates none');
    return { shown: event.data, events: decision.events, ...on };
  }

  private decide(id: string, demand: ChargeDemand, now: Timestamp): CreationDecision & { readonly isRemote: boolean } {
    const { merchant_id, mode } = demand.merchant;
    const route = this.routes.route(merchant_id, mode, demand.order.channel_code);
    // The simulator serves test charges without a route.
    const isRemote = route !== undefined || mode === 'live';
    if (isRemote) return { isRemote, ...decideRemote(demand, route, (remote) => this.toCreate(id, demand, now, remote)) };
    return { isRemote, decision: charge.decide(charge.initial, this.toCreate(id, demand, now)), rail: null };
  }

  /** @throws TypeError when no such channel is shipped; validation has checked the request against the list */
  private toCreate(charge_id: string, { order, merchant, context }: ChargeDemand, now: Timestamp, remote?: RemoteRoute): CreateCommand {
    const { merchant_id, mode } = merchant;
    const channel = this.terms.channelTerms(merchant_id, order.channel_code);
    if (!channel) throw new TypeError(`channel ${order.channel_code} does not exist`);
    const code = chargeCode(charge_id);
    const pages = pageUrls(this.address.url, this.secret, charge_id);
    return {
      kind: 'create',
      order,
      terms: { ...channel, ttl_seconds: this.config.chargeTtlSeconds ?? channel.ttl_seconds },
      ids: { charge_id, merchant_id, code, charge_statement_id: randomUUID() },
      pages: { ...pages, simulation_url: mode === 'test' && !remote ? pages.simulation_url : null },
      processor: remote?.processor ?? this.processor.name,
      ...(remote && { remote: remote.terms }),
      instructions: (expires_on) => {
        if (remote) return {};
        const { amount, reference_id } = order;
        const merchant_name = this.terms.merchantName(merchant_id) ?? '';
        return this.processor.instructions({ charge_id, code, merchant_id, merchant_name, channel, amount, reference_id, expires_on });
      },
      created_by: context.actor,
      now,
    };
  }
}

type Changing =
  | { readonly kind: 'pay' | 'fail' | 'expire' | 'cancel' | 'reverse' }
  | { readonly kind: 'cancel-refund' | 'submit-refund' | 'succeed-refund' | 'fail-refund' | 'bounce-refund' }
  | { readonly kind: 'open-dispute' | 'win-dispute' | 'lose-dispute' | 'challenge-dispute' | 'accept-dispute' };
/** Members of a command that the handler adds to the change. */
type Added = 'now' | 'holidays' | 'cancelled_by' | 'challenged_by' | 'dispute_fee_amount';
type WithoutAdded<Command> = Command extends ChargeCommand ? Omit<Command, Added> : never;

/** A change of an existing charge, requested by the processor, the merchant or the System. */
export type ChargeChange = WithoutAdded<Extract<ChargeCommand, Changing>>;

export interface ChangedCharge {
  readonly events: readonly ChargeEvent[];
  /** Position of the stream's newest event. A read after this response must include it. */
  readonly position: Position;
}

/** Changes a charge. A change that is already recorded succeeds. */
export class ChangeCharge extends Command<ChangedCharge> {
  constructor(
    readonly chargeId: string,
    readonly change: ChargeChange,
    readonly context: Omit<CommandContext, 'now'>,
    /** Set when a merchant requests the change: another merchant's charge is reported as not found. */
    readonly merchantId?: string,
  ) {
    super();
  }
}

/** Delay from a merchant's cancellation to the cancellation at the processor, ms. The decision is recorded by then. */
const CANCELLED_SOON_MS = 1_000;

@CommandHandler(ChangeCharge)
export class ChangeChargeHandler implements ICommandHandler<ChangeCharge> {
  constructor(
    @Inject(EVENT_STORE) private readonly store: EventStore,
    @Inject(CLOCK) private readonly clock: Clock,
    @Inject(BankingCalendar) private readonly calendar: Pick<BankingCalendar, 'current'>,
    @Inject(MERCHANT_TERMS) private readonly terms: MerchantTerms,
    @Inject(RAIL_DUE) private readonly due: Pick<RailDue, 'lookBy'>,
  ) {}

  async execute({ chargeId, change, context, merchantId }: ChangeCharge): Promise<ChangedCharge> {
    if (merchantId !== undefined) await this.mustBelongTo(merchantId, chargeId, change.kind);
    const command = await this.commandOf(chargeId, change, context.actor);
    const outcome = await decideOnStream(this.store, this.clock, chargeStream(chargeId), charge, command, context);
    if ('refusal' in outcome) throw new LedgerProblem(PROBLEM_OF_REFUSAL[outcome.refusal], outcome.detail);
    return { events: outcome.events, position: outcome.position };
  }

  /** Returns the dispute fee by the current terms of the charge's merchant. The dispute stores a copy of it. */
  private async disputeFee(chargeId: string): Promise<number> {
    const first = await firstEventOf(this.store, chargeStream(chargeId));
    const created = first && readEvent(first);
    if (created?.type !== 'ChargeCreated') throw noSuchRecord();
    return this.terms.disputeFee(created.data.merchant_id, created.data.currency);
  }

  private async mustBelongTo(merchantId: string, chargeId: string, kind: ChargeChange['kind']): Promise<void> {
    const first = await firstEventOf(this.store, chargeStream(chargeId));
    if (first?.metadata.merchant_id !== merchantId) throw noSuchRecord();
    const created = kind === 'cancel' ? readEvent(first) : undefined;
    // Scheduled before the charge is cancelled: after a crash in between, the processor still receives the cancellation soon.
    if (created?.type === 'ChargeCreated' && created.data.remote === true) await this.due.lookBy(chargeId, this.clock() + CANCELLED_SOON_MS);
  }

  /** Looks up the other records that the decision depends on, and returns the command for the time of the decision. */
  private async commandOf(chargeId: string, change: ChargeChange, actor: string): Promise<(now: Timestamp) => ChargeCommand> {
    switch (change.kind) {
      case 'pay': {
        const { holidays } = await this.calendar.current();
        return (now) => ({ ...change, now, holidays });
      }
      case 'cancel':
      case 'cancel-refund':
        return (now) => ({ ...change, now, cancelled_by: actor });
      case 'challenge-dispute':
        return (now) => ({ ...change, now, challenged_by: actor });
      case 'open-dispute': {
        const dispute_fee_amount = await this.disputeFee(chargeId);
        return (now) => ({ ...change, now, dispute_fee_amount });
      }
      default:
        return (now) => ({ ...change, now });
    }
  }
}
