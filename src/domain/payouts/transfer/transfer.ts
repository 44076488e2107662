import { randomUUID } from 'node:crypto';
import { decideOnStream } from '../../../ledger/streams/decide-on-stream.js';
import { foldStream } from '../../../ledger/streams/fold-stream.js';
import { systemContext } from '../../../ledger/streams/new-event.js';
import type { ProviderResult } from '../../../ledger/ports/provider-result.js';
import { transferStream, type PayoutHeld, type TransferStreamEvent } from '../../../ledger/events/transfer.events.js';
import type { PayoutRegistered } from '../../../ledger/events/payout.events.js';
import { DAY_MS, milliseconds, timestamp, type Timestamp } from '../../../ledger/time.js';
import type { EventRef, EventStore } from '../../../platform/event-store/event-store.js';
import { BankCalls, type BankCallOptions, type TransferredPayout } from './bank-calls.js';
import { compareNames, maskedName } from './beneficiary-name.js';
import type { PayoutOutcomes } from '../payout-outcomes.js';
import type { PayoutRegistry } from '../payout-registry.js';
import { blockingReason } from '../pending-reason.js';
import { recordVerdict } from './record-verdict.js';
import type { BankRoute, Beneficiary, RemoteBank, TransferStatus } from './remote-bank.js';
import { answersUntil, APART_MS, countsNotFound, FRESH_MS, mayPayAgain, type NotFoundTwice, type OpenAttempt } from './not-found.js';
import { transfer, type TransferCommand, type TransferOf, type TransferRefusal, type TransferState } from './transfer.decider.js';
import { nextInquiryAt, quietUntil, settledAt } from './transfer-times.js';
import { attemptOf, beneficiaryOf, isNoSuchAccount, wordOf } from './transfer-words.js';
import { unreachable } from '../../../ledger/unreachable.js';

export interface TransferOptions extends BankCallOptions {
  readonly store: EventStore;
  readonly registry: PayoutRegistry;
  readonly payouts: PayoutOutcomes;
  /** Milliseconds that never run backwards. */
  readonly elapsedMs: () => number;
  /** Called for each payout that no rule decides: an operator has to. */
  readonly onHeld: (held: PayoutHeld) => void;
}

/** State that a process keeps between two inquiries. A new process starts without it. */
export interface Inquiries {
  /** Time of the newest inquiry, milliseconds since the epoch. */
  asked?: number | undefined;
  /** The first "not found" that counts, by both clocks. */
  notFound?: { readonly sent: number; readonly elapsed: number } | undefined;
}

/** true: nothing is left to do. A number: milliseconds until the next step. false: the next step follows after a growing pause. */
type Advanced = boolean | number;

interface Loaded {
  readonly state: TransferState;
  readonly newest: EventRef | null;
}

/** Log message. */
export const PAYOUT_HELD = 'no rule decides the result of a payout; no money was moved; find out the result and record it';

/**
 * Maximum time from the beginning of storing an attempt to the call of its rail, ms; after that, the call is not made. The rail
 * sends the request within another 9 seconds, or not at all.
 */
const HANDED_OVER_WITHIN_MS = 1_000;
/** Maximum concurrent payments per rail. */
const PAYING_MAX = 16;

/** Pays through banks that lose requests, answer late or not at all. docs/models/rail.ts is the protocol; the decider decides each step. */
export class Transfers {
  readonly #calls: BankCalls;
  readonly #paying = new Map<string, number>();

  constructor(private readonly options: TransferOptions) {
    this.#calls = new BankCalls(options);
  }

  /** Returns the current route of a payout. @param rail rail of its first attempt */
  routeOf(payout: TransferredPayout, rail: string | null): BankRoute | undefined {
    return this.#calls.routeOf(payout, rail);
  }

  /** Performs one step, based on the stream as first read. @throws StoreUnavailable, OutcomeUnknown: to be repeated */
  async advance(payout: TransferredPayout, inquiries: Inquiries): Promise<Advanced> {
    const loaded = await this.#load(payout.payout_id);
    const { state } = loaded;
    if (state.decided) return this.#record(payout, loaded);
    return state.open.length > 0 ? this.#inquireWhenDue(payout, state, inquiries) : this.#begin(payout, state, inquiries);
  }

  /**
   * Queries the bank now, after a notification about a payout.
   * @returns `unknown-record`: not one of our payouts; `unanswered`: the bank gave no result, and is to be queried again
   */
  async confirm(rail: string, partnerReference: string): Promise<'answered' | 'unanswered' | 'unknown-record'> {
    const payoutId = await this.options.references.payoutOf(rail, partnerReference);
    const { state } = payoutId === undefined ? { state: transfer.initial } : await this.#load(payoutId);
    if (!state.of || !state.last || state.rail !== rail || state.partner_reference !== partnerReference) return 'unknown-record';
    const bank = this.options.routes.named(rail);
    const registered = (await this.options.registry.find(state.of.payout_id))?.registered;
    if (!bank || !registered) return 'unanswered';
    const { outcome } = await this.#calls.ask(bank, registered, state.last);
    if (outcome.is !== 'accepted') return 'unanswered';
    await this.#judge(state.of, state, outcome.value);
    return 'answered';
  }

  // --- before the first attempt -------------------------------------------------------------------------------------

  async #begin(payout: TransferredPayout, state: TransferState, inquiries: Inquiries): Promise<Advanced> {
    const { registry, clock } = this.options;
    const route = this.#calls.routeOf(payout, state.rail);
    if (!route) return false;
    const found = await registry.ensure(payout, payout.payout_id, systemContext());
    if (!found) return false;
    const { registered } = found;
    const { bank } = route;
    const { bank_code = null, bank_name } = registered;
    const now = clock();
    const blocking = blockingReason({ route, bank_code, bank_name, name: state.name, now });
    if (blocking === 'quiet-hours') return quietUntil(now, bank.terms.quiet_hours)! - now;
    if (blocking) return false;
    const beneficiary = beneficiaryOf(registered, bank.bankCode({ bank_code, bank_name })!);
    if (!state.name) return this.#checkName(payout, bank, beneficiary, registered);
    return this.#attempt(payout, state, bank, beneficiary.bank_code, inquiries);
  }

  async #checkName(payout: TransferredPayout, bank: RemoteBank, beneficiary: Beneficiary, registered: PayoutRegistered): Promise<Advanced> {
    const externalId = await this.#calls.externalId(bank, payout.payout_id);
    const outcome = await this.#calls.call(payout.payout_id, bank, () => bank.inquireName(beneficiary, externalId));
    if (outcome.is === 'unknown') return false;
    if (outcome.is === 'retryable') return outcome.after_ms ?? false;
    const name = outcome.is === 'accepted' ? outcome.value.name : undefined;
    const match = name === undefined ? 'UNKNOWN' : compareNames(registered.bank_account_name, name);
    const name_masked = name === undefined ? null : maskedName(name);
    const { payout_id, merchant_id, currency } = payout;
    const of = { payout_id, merchant_id, currency };
    const checked = await this.#decide(payout, (now) => ({ kind: 'check-name', of, rail: bank.name, match, name_masked, now }));
    if ('refusal' in checked || outcome.is !== 'rejected' || !isNoSuchAccount(outcome.code)) return 0;
    // Only a submitted payout can fail: one that was cancelled meanwhile stays cancelled.
    if (!(await this.options.payouts.submit(payout, payout_id, systemContext()))) return false;
    const { code } = outcome;
    await this.#decide(payout, (now) => ({ kind: 'reject-account', seen: checked.state.revision, code, now }));
    return 0;
  }

  // --- an attempt ---------------------------------------------------------------------------------------------------

  async #attempt(
    payout: TransferredPayout,
    state: TransferState,
    bank: RemoteBank,
    bank_code: string,
    inquiries: Inquiries,
    not_found?: NotFoundTwice,
  ): Promise<Advanced> {
    const paying = this.#paying.get(bank.name) ?? 0;
    if (paying >= PAYING_MAX) return false;
    this.#paying.set(bank.name, paying + 1);
    try {
      return await this.#pay(payout, state, bank, bank_code, inquiries, not_found);
    } finally {
      this.#paying.set(bank.name, this.#paying.get(bank.name)! - 1);
    }
  }

  async #pay(
    payout: TransferredPayout,
    state: TransferState,
    bank: RemoteBank,
    bank_code: string,
    inquiries: Inquiries,
    not_found?: NotFoundTwice,
  ): Promise<Advanced> {
    const { payouts, references, elapsedMs } = this.options;
    const instructed = await payouts.submit(payout, payout.payout_id, systemContext());
    if (!instructed) return false;
    const { registered, submitted } = instructed;
    const rail = bank.name;
    const partner_reference = state.partner_reference ?? (await references.partnerReference(rail, registered));
    const external_id = await this.#calls.externalId(bank, payout.payout_id);
    const began = elapsedMs();
    const attempted = await this.#decide(
      payout,
      (now) => ({ kind: 'attempt', seen: state.revision, rail, partner_reference, external_id, bank_code, terms: bank.terms, not_found, now }),
      [submitted],
    );
    if ('refusal' in attempted) return false;
    // A process that has been suspended since does not know the actions of others meanwhile: the bank is queried, as after any attempt.
    if (elapsedMs() - began > HANDED_OVER_WITHIN_MS) return 0;
    const outcome = await this.#calls.call(payout.payout_id, bank, () => bank.pay(attemptOf(registered, attempted.state.last!)));
    return this.#answered(payout, attempted.state, outcome, inquiries);
  }

  async #answered(payout: TransferredPayout, state: TransferState, outcome: ProviderResult<unknown>, inquiries: Inquiries): Promise<Advanced> {
    const { revision: seen, last } = state;
    const { attempt } = last!;
    inquiries.asked = undefined;
    inquiries.notFound = undefined;
    switch (outcome.is) {
      case 'rejected': {
        const { code } = outcome;
        await this.#decide(payout, (now) => ({ kind: 'refuse-attempt', seen, attempt, code, now }));
        return 0;
      }
      case 'retryable': {
        const { code } = outcome;
        await this.#decide(payout, (now) => ({ kind: 'close-attempt', seen, attempt, code, now }));
        return outcome.after_ms ?? false;
      }
      case 'accepted':
      case 'unknown':
        return 0;
      default:
        return unreachable(outcome);
    }
  }

  // --- after an attempt ---------------------------------------------------------------------------------------------

  async #inquireWhenDue(payout: TransferredPayout, state: TransferState, inquiries: Inquiries): Promise<Advanced> {
    const { routes, registry, clock } = this.options;
    const last = state.open.at(-1)!;
    const bank = routes.named(last.rail);
    const registered = (await registry.find(payout.payout_id))?.registered;
    if (!bank || !registered) return false;
    const { terms } = bank;
    const now = clock();
    if (now >= milliseconds(answersUntil(state, terms))) {
      await this.#decide(payout, (at) => ({ kind: 'hold-unanswered', seen: state.revision, terms, now: at }));
      return DAY_MS;
    }
    const wait = this.#untilDue(last, terms, inquiries, now);
    if (wait > 0) return wait;
    const quiet = quietUntil(now, terms.quiet_hours);
    if (quiet !== undefined) return quiet - now;
    const elapsed = this.options.elapsedMs();
    const { outcome, sent } = await this.#calls.ask(bank, registered, last);
    inquiries.asked = sent;
    if (outcome.is === 'accepted' && outcome.value === 'not-found') return this.#notFound(payout, state, bank, { sent, elapsed }, inquiries);
    inquiries.notFound = undefined;
    if (outcome.is === 'accepted' && (await this.#judge(payout, state, outcome.value))) return 0;
    return Math.max(this.#untilDue(last, terms, inquiries, clock()), 0);
  }

  #untilDue({ at }: OpenAttempt, { settle_after }: RemoteBank['terms'], { asked, notFound }: Inquiries, now: number): number {
    const next = nextInquiryAt(milliseconds(at), settledAt(at, settle_after), asked) - now;
    const apart = notFound && Math.max(notFound.sent - now, notFound.elapsed - this.options.elapsedMs()) + APART_MS;
    return Math.min(next, apart ?? next, DAY_MS);
  }

  /** A rule applies to two such answers that count; a single one proves nothing. */
  async #notFound(
    payout: TransferredPayout,
    state: TransferState,
    bank: RemoteBank,
    asked: { readonly sent: number; readonly elapsed: number },
    inquiries: Inquiries,
  ): Promise<Advanced> {
    const { clock, elapsedMs } = this.options;
    const { terms } = bank;
    const last = state.open.at(-1)!;
    const first = inquiries.notFound;
    const counts = state.held.length === 0 && countsNotFound(asked.sent, settledAt(last.at, terms.settle_after), terms);
    if (!counts) inquiries.notFound = undefined;
    else if (!first) inquiries.notFound = asked;
    const isTwice = counts && first !== undefined && asked.sent - first.sent >= APART_MS && asked.elapsed - first.elapsed >= APART_MS;
    if (!isTwice) return Math.max(this.#untilDue(last, terms, inquiries, clock()), 0);
    inquiries.notFound = undefined;
    if (elapsedMs() - asked.elapsed > FRESH_MS) return 0;
    const not_found = { first_sent: timestamp(first.sent), second_sent: timestamp(asked.sent) };
    if (mayPayAgain(state, terms, timestamp(clock()))) {
      if (this.#calls.routeOf(payout, state.rail)?.is_stopped) return false;
      return this.#attempt(payout, state, bank, last.bank_code, inquiries, not_found);
    }
    await this.#decide(payout, (now) => ({ kind: 'hold-not-found', seen: state.revision, terms, not_found, now }));
    return 0;
  }

  /** Returns true when the bank's result was final. A result that contradicts the books is recorded separately, and moves no money. */
  async #judge(of: TransferOf, state: TransferState, status: TransferStatus): Promise<boolean> {
    if (status === 'paying' || status === 'not-found') return false;
    const told = await this.#decide(of, (now) => ({ kind: 'tell-status', seen: state.revision, status, now }));
    if ('refusal' in told) return true;
    if (told.events.some(({ type }) => type === 'PayoutHeld'))
      await this.options.payouts.record(of.payout_id, wordOf(status), systemContext(), [told.newest]);
    else await this.#record(of, { state: told.state, newest: told.newest });
    return true;
  }

  // --- the end ------------------------------------------------------------------------------------------------------

  async #record({ payout_id }: TransferOf, { state, newest }: Loaded): Promise<Advanced> {
    const outcome = await recordVerdict(this.options.payouts, payout_id, state, newest!);
    if (outcome.kind !== 'contradicted') return outcome.kind === 'recorded';
    const evidence = `Decided as ${state.decided!.verdict}. ${outcome.detail}`;
    await this.#decide({ payout_id }, (now) => ({ kind: 'hold-contradiction', evidence, now }));
    return true;
  }

  // --- helpers ------------------------------------------------------------------------------------------------------

  #load(payoutId: string): Promise<Loaded> {
    return foldStream<TransferState, TransferStreamEvent>(this.options.store, transferStream(payoutId), transfer);
  }

  async #decide({ payout_id }: Pick<TransferOf, 'payout_id'>, command: (now: Timestamp) => TransferCommand, dependsOn: readonly EventRef[] = []) {
    const { store, clock, onHeld } = this.options;
    const stream = transferStream(payout_id);
    const outcome = await decideOnStream<TransferState, TransferCommand, TransferStreamEvent, TransferRefusal>(
      store,
      clock,
      stream,
      transfer,
      command,
      { ...systemContext(randomUUID()), dependsOn },
    );
    if (!('refusal' in outcome)) for (const event of outcome.events) if (event.type === 'PayoutHeld') onHeld(event.data);
    return outcome;
  }
}
