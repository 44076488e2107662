import { randomUUID } from 'node:crypto';
import { Inject } from '@nestjs/common';
import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import type { AccountCommand, AccountRefusal, PayoutOrder } from '../accounts/account.decider.js';
import type { PayoutRequested } from '../../ledger/events/account.events.js';
import { endingOf } from '../accounts/finished-payouts.js';
import { AccountQueue, type AccountId } from '../accounts/account-queue.js';
import { SECRET } from '../../ledger/ports/injection-tokens.js';
import { fingerprint, keyReused, recordId, requireSameRequest } from '../../ledger/ids/idempotency.js';
import type { CommandContext } from '../../ledger/streams/new-event.js';
import type { Fee } from '../../ledger/money.js';
import { OutcomeUnknown, StoreUnavailable, type EventRef, type Position } from '../../platform/event-store/event-store.js';
import { LedgerProblem, type ProblemCode } from '../../ledger/problems.js';
import type { Previewed } from '../../ledger/streams/previewed.js';
import { Problem } from '../../platform/problem.js';
import { MERCHANT_TERMS, type MerchantTerms } from '../../ledger/ports/merchant-terms.js';
import type { Timestamp } from '../../ledger/time.js';
import type { PayoutClaims } from './payout-claims.js';
import { PAYOUT_READER, type PayoutReader } from './payout-reader.js';
import type { PayoutRegistered } from '../../ledger/events/payout.events.js';
import { asRegistered, PayoutRegistry, type RegisteredPayout } from './payout-registry.js';

/** A client's payout request: validated and normalised, with explicit values for absent fields. */
export type PayoutOrderBody = Omit<PayoutOrder, 'payout_id' | 'merchant_id' | 'fee' | 'meta_data' | 'fingerprint' | 'created_by'> & {
  readonly metadata: PayoutOrder['meta_data'];
};

export interface RequestedPayout {
  /** The payout's first event, from which the response is built. */
  readonly registered: PayoutRegistered;
  readonly position: Position;
  /** True for a replay: an earlier request with this key created the payout. */
  readonly replayed: boolean;
}

/** Requests a payout, once for each Idempotency-Key. */
export class RequestPayout extends Command<RequestedPayout> {
  constructor(
    readonly body: PayoutOrderBody,
    readonly idempotencyKey: string,
    readonly merchantId: string,
    readonly context: Omit<CommandContext, 'now'>,
    /** True when the rail that would pay it now accepts only whole units of the currency. */
    readonly wholeUnitsOnly = false,
  ) {
    super();
  }
}

/** A payout request without its key. */
type PayoutDemand = Pick<RequestPayout, 'body' | 'merchantId' | 'context' | 'wholeUnitsOnly'>;

/** Injection token of the `PayoutClaims` in force. */
export const PAYOUT_CLAIMS = Symbol('PayoutClaims');

const ROUTE = 'POST /v1/payouts';
/** Maximum reads of a payout's stream that do not show an ended payout yet, before the request fails. */
const EARLY_READS_MAX = 5;

/** Problem code of each refusal of a client's or an operator's command. */
export const PROBLEM_OF_REFUSAL: Readonly<
  Record<AccountRefusal<'request-payout' | 'cancel-payout' | 'approve-payout' | 'decline-payout'>, ProblemCode>
> = {
  'amount-not-above-fee': 'amount-out-of-range',
  'net-amount-not-whole': 'amount-out-of-range',
  'insufficient-balance': 'insufficient-balance',
  'payout-ended': 'unavailable',
  'payout-not-open': 'state-conflict',
  'payout-processing': 'state-conflict',
  'approval-not-required': 'state-conflict',
  'approval-too-late': 'state-conflict',
  'approvals-complete': 'state-conflict',
};

@CommandHandler(RequestPayout)
export class RequestPayoutHandler implements ICommandHandler<RequestPayout> {
  constructor(
    private readonly accounts: AccountQueue,
    private readonly registry: PayoutRegistry,
    @Inject(MERCHANT_TERMS) private readonly terms: MerchantTerms,
    @Inject(SECRET) private readonly secret: Buffer,
    @Inject(PAYOUT_CLAIMS) private readonly claims: PayoutClaims,
  ) {}

  async execute(command: RequestPayout): Promise<RequestedPayout> {
    const { body, merchantId, context } = command;
    const id = recordId(merchantId, ROUTE, command.idempotencyKey);
    const requestFingerprint = fingerprint(this.secret, { ...body });
    const account: AccountId = { merchant_id: merchantId, currency: body.currency };
    await this.claim(id, account, context);
    try {
      return await this.request(command, id, account, requestFingerprint);
    } catch (error) {
      // A claim that is not released becomes old.
      if (error instanceof Problem) await this.claims.release(id, account.currency).catch(() => undefined);
      throw error;
    }
  }

  /** Decides a request as `execute` does, and records nothing. @throws StoreUnavailable */
  async preview(demand: PayoutDemand): Promise<Previewed<PayoutRequested>> {
    const { amount, currency } = demand.body;
    const account: AccountId = { merchant_id: demand.merchantId, currency };
    const fee = this.feeByTerms(account) ?? (await this.feeByFunds(account));
    if (!fee) return { problem: 'currency-mismatch', detail: noBalanceIn(currency), needs: null, currency, position: null };
    const order = this.toOrder(demand, { payout_id: randomUUID(), fee, fingerprint: fingerprint(this.secret, { ...demand.body }) });
    const { decision, newest } = await this.accounts.preview(account, this.toCommand(demand, order));
    const on = { currency, position: newest?.position ?? null };
    if ('refusal' in decision) {
      const { refusal, detail } = decision;
      return { problem: PROBLEM_OF_REFUSAL[refusal], detail, needs: refusal === 'insufficient-balance' ? amount : null, ...on };
    }
    const [event] = decision.events;
    if (event?.type !== 'PayoutRequested') throw new Error('the preview of a payout requests none');
    return { shown: event.data, events: decision.events, ...on };
  }

  /** @throws Problem idempotency-key-reused when the key is in use with another currency */
  private async claim(id: string, account: AccountId, context: RequestPayout['context']): Promise<void> {
    const { currency } = account;
    const claim = await this.claims.claim(id, currency);
    if (claim.currency === currency) return;
    // The claim was old before this lookup, so the lookup finds every payout of its requests. A body with another currency is another request.
    const exists = !claim.is_old || (await this.registry.ensure({ ...account, currency: claim.currency }, id, context));
    if (exists || !(await this.claims.takeOver(id, claim, currency))) throw keyReused();
  }

  private async request(demand: PayoutDemand, id: string, account: AccountId, requestFingerprint: string): Promise<RequestedPayout> {
    const { context } = demand;
    let fee = this.feeByTerms(account);
    if (!fee) {
      // Terms can change between a request and its repeat: an existing payout is returned regardless of the current terms.
      const existing = await this.registry.find(id);
      if (existing) return repeated(existing, requestFingerprint);
      fee = await this.feeByFunds(account);
      if (!fee) throw new LedgerProblem('currency-mismatch', noBalanceIn(account.currency));
    }
    const order = this.toOrder(demand, { payout_id: id, fee, fingerprint: requestFingerprint });
    const command = this.toCommand(demand, order);
    const bytes = Buffer.byteLength(JSON.stringify(order));
    for (let earlyReads = 0; earlyReads < EARLY_READS_MAX; earlyReads += 1) {
      const record = { id, find: () => this.registry.firstEvent(id) };
      const outcome = await this.accounts.submit(account, { command, context, record, bytes });
      if (outcome.kind === 'found') return repeated(asRegistered(outcome.event), requestFingerprint);
      if (outcome.kind === 'decided') {
        const [added] = outcome.events;
        if (added?.type === 'PayoutRequested') return { ...(await this.register(added.data, outcome.newest!, context)), replayed: false };
        const open = outcome.state.open.get(id);
        if (!open) throw new Error(`payout ${id} was neither requested nor open`);
        const request = await this.registry.requestAt(account, id, open.requested_at);
        requireSameRequest(request.fingerprint, requestFingerprint);
        return repeated(await this.register(request, outcome.newest!, context), requestFingerprint);
      }
      // `payout-ended`: the account has newer events than the read of the payout's stream, which came from a deposed leader.
      if (outcome.refusal !== 'payout-ended') throw new LedgerProblem(PROBLEM_OF_REFUSAL[outcome.refusal], outcome.detail);
    }
    throw new StoreUnavailable(`payout ${id} has ended, but its stream could not be read`);
  }

  private toOrder(
    { body, merchantId: merchant_id, context }: PayoutDemand,
    { payout_id, fee, fingerprint }: Pick<PayoutOrder, 'payout_id' | 'fee' | 'fingerprint'>,
  ): PayoutOrder {
    const { metadata: meta_data, ...details } = body;
    return { ...details, merchant_id, payout_id, fee, meta_data, fingerprint, created_by: context.actor };
  }

  private toCommand(
    { merchantId, wholeUnitsOnly }: PayoutDemand,
    order: PayoutOrder,
  ): (now: Timestamp) => Extract<AccountCommand, { kind: 'request-payout' }> {
    const rules = this.terms.payoutRules(merchantId);
    return (now) => ({ kind: 'request-payout', order, wholeUnitsOnly, rules, now });
  }

  /** The money is already reserved, so an error here must not report that nothing was recorded. The payout worker registers the payout as well. */
  private async register(request: PayoutRequested, requested: EventRef, context: RequestPayout['context']): Promise<RegisteredPayout> {
    try {
      return await this.registry.register(request, requested, context);
    } catch (error) {
      if (!(error instanceof StoreUnavailable)) throw error;
      throw new OutcomeUnknown(`payout ${request.payout_id} is requested, but could not be registered`, { cause: error });
    }
  }

  /** Returns undefined when the merchant has no channel in the currency. */
  private feeByTerms({ merchant_id, currency }: AccountId): Fee | undefined {
    return this.terms.currencies(merchant_id).includes(currency) ? this.terms.payoutFee(merchant_id, currency) : undefined;
  }

  /** Returns undefined when the merchant has no account in the currency. The last channel of a currency may be removed while there is money left. */
  private async feeByFunds(account: AccountId): Promise<Fee | undefined> {
    const fee = this.terms.payoutFee(account.merchant_id, account.currency);
    return fee && (await this.accounts.read(account)).state.owner !== null ? fee : undefined;
  }
}

const noBalanceIn = (currency: string): string => `The merchant has no balance in ${currency}.`;

/** Returns the recorded payout for a repeat. @throws Problem when the request differs from the recorded one */
function repeated(payout: RegisteredPayout, fingerprint: string): RequestedPayout {
  requireSameRequest(payout.registered.fingerprint, fingerprint);
  return { ...payout, replayed: true };
}

export interface CancelledPayout {
  readonly registered: PayoutRegistered;
  readonly cancelled_on: Timestamp;
  readonly position: Position;
}

/** Cancels a payout before it is submitted to the bank. A cancelled payout is a success. */
export class CancelPayout extends Command<CancelledPayout> {
  constructor(
    readonly payoutId: string,
    readonly merchantId: string,
    readonly context: Omit<CommandContext, 'now'>,
  ) {
    super();
  }
}

@CommandHandler(CancelPayout)
export class CancelPayoutHandler implements ICommandHandler<CancelPayout> {
  constructor(
    private readonly accounts: AccountQueue,
    private readonly registry: PayoutRegistry,
    @Inject(PAYOUT_READER) private readonly reader: PayoutReader,
  ) {}

  async execute({ payoutId, merchantId, context }: CancelPayout): Promise<CancelledPayout> {
    const { registered, position, place } = await this.registeredPayout(payoutId, merchantId, context);
    const { merchant_id, currency } = registered;
    const outcome = await this.accounts.submit(
      { merchant_id, currency },
      { command: (now) => ({ kind: 'cancel-payout', payout_id: payoutId, cancelled_by: context.actor, now }), context, dependsOn: [place] },
    );
    if (outcome.kind === 'decided') {
      const ending = endingOf(outcome.state.finished, payoutId);
      if (ending?.status !== 'CANCELLED') throw new Error(`payout ${payoutId} was cancelled, but its account has no event of the cancellation`);
      return { registered, cancelled_on: ending.finished_on, position: outcome.newest?.position ?? position };
    }
    if (outcome.kind === 'found') throw new Error('the cancellation searches for no event');
    if (outcome.refusal === 'payout-not-open' && !endingOf(outcome.state.finished, payoutId)) {
      // The payout ended too long ago for the account to remember. The read model has had its end for a long time.
      const row = await this.reader.find(merchantId, payoutId);
      if (row?.payout_status === 'CANCELLED') return { registered, cancelled_on: row.updated_on, position };
      if (!row || row.payout_status === 'PENDING') throw new StoreUnavailable(`the result of payout ${payoutId} cannot be read yet`);
    }
    throw new LedgerProblem(PROBLEM_OF_REFUSAL[outcome.refusal], outcome.detail);
  }

  /** Registers the payout first: only a registered payout may be ended. Another merchant's payout is reported as not found. */
  private async registeredPayout(payoutId: string, merchantId: string, context: CancelPayout['context']): Promise<RegisteredPayout> {
    const found = (await this.registry.find(payoutId)) ?? (await this.registerListed(payoutId, merchantId, context));
    if (found?.registered.merchant_id !== merchantId) throw new LedgerProblem('not-found', 'There is no such record.');
    return found;
  }

  /** Lists show a payout from its reservation on, shortly before its own stream begins. */
  private async registerListed(payoutId: string, merchantId: string, context: CancelPayout['context']): Promise<RegisteredPayout | undefined> {
    const row = await this.reader.find(merchantId, payoutId);
    return row && this.registry.ensure({ merchant_id: merchantId, currency: row.currency }, payoutId, context);
  }
}
