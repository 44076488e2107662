import { randomUUID } from 'node:crypto';
import type { AccountId, AccountQueue } from '../../src/domain/accounts/account-queue.js';
import { accountStream, type SettlementLine } from '../../src/ledger/events/account.events.js';
import { openAccounts } from '../../src/domain/accounts/open-accounts.js';
import { charge } from '../../src/domain/charges/charge.decider.js';
import { linesToSettle } from '../../src/domain/charges/charge-lines.js';
import { channelByCode, type Channel } from '../../src/ledger/channels.js';
import { chargeStream, type ChargeCreated, type ChargeEvent } from '../../src/ledger/events/charge.events.js';
import { foldStream } from '../../src/ledger/streams/fold-stream.js';
import { ChangeCharge, ChangeChargeHandler, CreateCharge, CreateChargeHandler, type ChargeChange } from '../../src/domain/charges/charge.handlers.js';
import { NOTHING_DUE } from '../../src/domain/charges/remote/rail-due.js';
import type { BankingCalendar } from '../../src/domain/calendar/banking-calendar.js';
import { deedsOf, type Deed, type SimulatorJournal } from '../../src/rails/simulator/deeds.js';
import type { Config } from '../../src/app/config.js';
import type { PublicAddress } from '../../src/ledger/ports/injection-tokens.js';
import { systemContext, type CommandContext } from '../../src/ledger/streams/new-event.js';
import type { EventStore } from '../../src/platform/event-store/event-store.js';
import { concurrently } from '../../src/platform/worker/concurrently.js';
import type { SettlementRun } from '../../src/domain/settlements/settlement-run.js';
import { settlementServices } from '../../src/domain/settlements/settlement-services.js';
import type { Processor } from '../../src/domain/charges/processor.js';
import type { MerchantTerms } from '../../src/ledger/ports/merchant-terms.js';
import { milliseconds } from '../../src/ledger/time.js';
import { Draft } from './draft.js';
import { DISPUTED, nextMidnight, type PlannedCharge } from './plan.js';

/** Services that create charges: the same as in the service. */
export interface SeedServices {
  readonly store: EventStore;
  readonly terms: MerchantTerms;
  readonly processor: Processor;
  readonly secret: Buffer;
  readonly address: PublicAddress;
  readonly calendar: BankingCalendar;
  readonly config: Config;
  /** Journal of the simulated processor and bank. */
  readonly journal: SimulatorJournal;
}

export interface SeedMerchant {
  readonly merchant_id: string;
  readonly key_id: string;
}

/** Maximum charges that are written concurrently. */
const CHARGES_AT_ONCE = 256;
const WAVE = 2_048;
const ACCOUNTS_AT_ONCE = 4;
/** Maximum charges of an account that are examined for one that can be changed. */
const LOOKED_AT = 20;
const HOUR = 3_600_000;
const DAY = 24 * HOUR;
/** A change of a charge later than this after its creation happens when other charges have been settled meanwhile. */
const WITHIN = 26 * HOUR;

interface Due {
  readonly account: AccountId;
  /** `at`: when the line is due. */
  lines: { readonly at: number; readonly line: SettlementLine }[];
}

/**
 * Runs the plan with the service's own handlers and settlements, with the plan's times as clock, day by day. A running service may settle the same
 * accounts meanwhile: each skips the other's finished work.
 */
export class Seeder {
  private readonly due = new Map<string, Due>();
  /** The settled charges of each account, newest last, by the account's stream. */
  private readonly settled = new Map<string, SettlementLine[]>();
  private later: { readonly at: number; readonly chargeId: string; readonly change: ChargeChange }[] = [];
  /** Clock of the settlements: the midnight that is being processed. */
  private now = 0;
  private readonly settlements: SettlementRun;
  /** Other code that moves these accounts must share their queues: two separate queues conflict. */
  readonly accounts: AccountQueue;

  constructor(
    private readonly services: SeedServices,
    private readonly merchants: readonly SeedMerchant[],
    private readonly signal: AbortSignal,
  ) {
    const clock = (): number => this.now;
    this.accounts = openAccounts(null, services.store, clock);
    this.settlements = settlementServices({ store: services.store, accounts: this.accounts, clock }).run;
  }

  /** Calls `written` after each wave of charges. @param until the end of the plan, milliseconds since the epoch. */
  async play(plan: Iterable<PlannedCharge>, until: number, written: (charges: number) => void): Promise<void> {
    let midnight: number | undefined;
    let wave: PlannedCharge[] = [];
    const write = async (): Promise<void> => {
      this.signal.throwIfAborted();
      await concurrently(wave, CHARGES_AT_ONCE, (charge) => this.write(charge));
      written(wave.length);
      wave = [];
    };
    for (const charge of plan) {
      midnight ??= nextMidnight(charge.at);
      for (; midnight <= charge.at; midnight += DAY) {
        await write();
        await this.endDay(midnight);
      }
      wave.push(charge);
      if (wave.length === WAVE) await write();
    }
    await write();
    for (midnight ??= until; midnight < until; midnight += DAY) await this.endDay(midnight);
    await this.endDay(until);
  }

  /** Runs `work` with its decisions on accounts at `at`, milliseconds since the epoch. */
  async at<Result>(at: number, work: () => Promise<Result>): Promise<Result> {
    this.now = at;
    return work();
  }

  private async write({ merchant: index, at, order, changes }: PlannedCharge): Promise<void> {
    const { store, terms, processor, secret, address, config, calendar, journal } = this.services;
    const merchant = this.merchants[index]!;
    const draft = new Draft();
    const create = new CreateChargeHandler(draft, terms, processor, () => at, secret, address, config);
    const { created } = await create.execute(
      new CreateCharge(order, `seed-${randomUUID()}`, { ...merchant, mode: 'test' }, because(merchant.key_id)),
    );
    const deeds: Deed[] = [];
    for (const { at: when, change } of changes) {
      if (when - at > WITHIN) {
        this.expectChange(created.charge_id, when, change);
        continue;
      }
      deeds.push(...(await deedsBefore(draft, created.charge_id, change, when)));
      const handler = new ChangeChargeHandler(draft, () => when, calendar, terms, NOTHING_DUE);
      await handler.execute(new ChangeCharge(created.charge_id, change, because(change.kind === 'cancel' ? merchant.key_id : 'System')));
    }
    await journal.record(deeds);
    await store.append(draft.events[0]!.stream, 'no-stream', draft.events);
    this.expectSettlement(draft.events.map(({ type, data }) => ({ type, data }) as ChargeEvent));
  }

  /** Reverses the last settled charges of `account`, one by one, and settles each reversal at once, until the balance is below zero. */
  async chargeBack(account: AccountId, at: number): Promise<void> {
    await this.endDay(at);
    const settled = this.settled.get(accountStream(account.merchant_id, account.currency)) ?? [];
    while (settled.length > 0 && (await this.available(account)) >= 0) {
      this.expectChange(settled.pop()!.record_id, at, { kind: 'reverse', reason: DISPUTED });
      await this.endDay(at);
    }
  }

  /** Minor units. */
  async available(account: AccountId): Promise<number> {
    return Number((await this.accounts.read(account)).state.available);
  }

  /** Schedules the settlement of `line` of `account` at the first settlement from `at` on. */
  expect({ merchant_id, currency }: AccountId, line: SettlementLine, at: number): void {
    const key = accountStream(merchant_id, currency);
    const due = this.due.get(key) ?? { account: { merchant_id, currency }, lines: [] };
    const isExpected = due.lines.some(({ line: { kind, record_id } }) => kind === line.kind && record_id === line.record_id);
    if (!isExpected) due.lines.push({ at, line });
    this.due.set(key, due);
  }

  /** Returns the account's newest paid charge that has been settled, or that waits for it, without later changes. */
  async untouched(
    { merchant_id, currency }: AccountId,
    of: 'settled' | 'waiting',
    suits: (channel: Channel) => boolean,
  ): Promise<ChargeCreated | undefined> {
    const key = accountStream(merchant_id, currency);
    const lines = of === 'settled' ? (this.settled.get(key) ?? []) : (this.due.get(key)?.lines ?? []).map(({ line }) => line);
    const charges = lines.filter(({ kind }) => kind === 'charge');
    for (const { record_id } of charges.slice(-LOOKED_AT).reverse()) {
      const { state } = await foldStream(this.services.store, chargeStream(record_id), charge);
      if (state.status !== 'SUCCEEDED' || state.reversed || state.refunds.size > 0 || state.disputes.size > 0) continue;
      const channel = channelByCode(state.created.channel_code);
      if (channel && suits(channel)) return state.created;
    }
    return undefined;
  }

  /** Schedules `change` of a charge at `at`, or at the first settlement after it. */
  expectChange(chargeId: string, at: number, change: ChargeChange): void {
    this.later.push({ at, chargeId, change });
  }

  /** Journals the movement at the simulated processor before `change` happens at `at`, milliseconds since the epoch. */
  async journal(chargeId: string, change: ChargeChange, at: number): Promise<void> {
    await this.services.journal.record(await deedsBefore(this.services.store, chargeId, change, at));
  }

  /** Schedules the settlement of a paid charge's later lines. */
  async expectLines(chargeId: string, at: number): Promise<void> {
    const { state } = await foldStream(this.services.store, chargeStream(chargeId), charge);
    if (state.status === 'NONE') return;
    for (const line of linesToSettle(state).lines) if (line.kind !== 'charge') this.expect(state.created, line, at);
  }

  private expectSettlement(events: readonly ChargeEvent[]): void {
    const paid = events.find((event) => event.type === 'ChargePaid')?.data;
    if (!paid || events.some((event) => event.type === 'ChargeReversed')) return;
    const { charge_id: record_id, net_amount, fee_amount } = paid;
    this.expect(paid, { kind: 'charge', record_id, net_amount, fee_amount }, milliseconds(paid.settlement_date));
  }

  private async endDay(midnight: number): Promise<void> {
    this.now = midnight;
    await this.changeLater(midnight);
    await concurrently([...this.due.values()], ACCOUNTS_AT_ONCE, (due) => this.settle(due, midnight));
  }

  private async changeLater(until: number): Promise<void> {
    const ready = this.later.filter(({ at }) => at <= until);
    this.later = this.later.filter(({ at }) => at > until);
    await concurrently(ready, CHARGES_AT_ONCE, async ({ at, chargeId, change }) => {
      await this.journal(chargeId, change, at);
      const handler = new ChangeChargeHandler(this.services.store, () => at, this.services.calendar, this.services.terms, NOTHING_DUE);
      await handler.execute(new ChangeCharge(chargeId, change, because('System')));
      await this.expectLines(chargeId, at);
    });
  }

  private async settle(due: Due, until: number): Promise<void> {
    const ready = due.lines.filter(({ at }) => at <= until).map(({ line }) => line);
    due.lines = due.lines.filter(({ at }) => at > until);
    const key = accountStream(due.account.merchant_id, due.account.currency);
    this.settled.set(key, [...(this.settled.get(key) ?? []), ...ready.filter(({ kind }) => kind === 'charge')]);
    while (ready.length > 0) {
      this.signal.throwIfAborted();
      await this.settlements.next(due.account, (limit) => Promise.resolve(ready.splice(0, limit)), because('System'), this.signal);
    }
  }
}

async function deedsBefore(store: EventStore, chargeId: string, change: ChargeChange, at: number): Promise<readonly Deed[]> {
  const { state } = await foldStream(store, chargeStream(chargeId), charge);
  return state.status === 'NONE' ? [] : deedsOf(state, change, at);
}

/** Context of a decision that `actor` has requested. */
export function because(actor: string): Omit<CommandContext, 'now'> {
  return { ...systemContext(), actor };
}

/** Ids of an operator's act; the operator is recorded separately. */
export function idsOfAct(): Pick<CommandContext, 'correlation_id' | 'causation_id'> {
  const { correlation_id, causation_id } = systemContext();
  return { correlation_id, causation_id };
}
