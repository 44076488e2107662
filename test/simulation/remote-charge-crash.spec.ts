import { describe, expect, it } from '@jest/globals';
import { BankingCalendar } from '../../src/domain/calendar/banking-calendar.js';
import { ChargeConfirmation } from '../../src/domain/charges/remote/charge-confirmation.js';
import { ChargeInstructor } from '../../src/domain/charges/remote/charge-instructor.js';
import { charge, type ChargeCommand } from '../../src/domain/charges/charge.decider.js';
import { ChangeCharge, ChangeChargeHandler, CreateCharge, CreateChargeHandler } from '../../src/domain/charges/charge.handlers.js';
import { RailPoller } from '../../src/domain/charges/remote/rail-poller.js';
import type { RailDue } from '../../src/domain/charges/remote/rail-due.js';
import { RemoteCharges } from '../../src/domain/charges/remote/remote-charges.js';
import type { ProcessorRoutes, RemoteProcessor } from '../../src/domain/charges/remote/remote-processor.js';
import { decideOnStream } from '../../src/ledger/streams/decide-on-stream.js';
import { chargeStream, type ChargeEvent } from '../../src/ledger/events/charge.events.js';
import { recordId } from '../../src/ledger/ids/idempotency.js';
import type { MerchantTerms } from '../../src/ledger/ports/merchant-terms.js';
import { systemContext } from '../../src/ledger/streams/new-event.js';
import type { EventStore } from '../../src/platform/event-store/event-store.js';
import { Problem } from '../../src/platform/problem.js';
import { Simulator } from '../../src/rails/simulator/simulator.js';
import { termsOf } from '../support/create-charge.js';
import { InMemoryEventStore } from '../support/in-memory-event-store.js';
import { MemoryProvider, MemoryRoutes, type Fault } from '../support/memory-provider.js';
import { MemoryRailDue } from '../support/memory-rail-due.js';
import { sized } from '../support/nightly.js';
import { randomNumbers } from '../support/random-numbers.js';

const MERCHANT = { merchant_id: '6b9e2f6a-3c1d-4f58-9a70-1d2c3b4a5968', mode: 'live' } as const;
const CONTEXT = { actor: 'key_1', correlation_id: 'c', causation_id: 'c' };
const SECRET = Buffer.alloc(32, 7);
const KEY = 'key';
const ID = recordId(MERCHANT.merchant_id, 'POST /v1/charges', KEY);
const START = Date.parse('2026-01-30T10:00:00.000Z');
const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;
const ORDER = {
  amount: 10_000,
  currency: 'IDR',
  channel_code: 'QR_QRIS',
  action_flow: 'PAYLOAD',
  reference_id: 'order-1',
  description: null,
  metadata: {},
} as const;
const TERMS: MerchantTerms = {
  merchantName: () => 'Shop',
  channelTerms: (_, code) => termsOf(code),
  payoutFee: () => undefined,
  payoutRules: () => null,
  disputeFee: () => 0,
  currencies: () => ['IDR'],
  timezone: () => undefined,
  merchantCreatedOn: () => undefined,
};
const NEVER = new AbortController().signal;
const SEEDS = sized(12, 40);
/** More than there are between a creation and the end of its life. */
const STEPS = 14;

/** A process ends at its nth step outwards, which is done or not: from then on it is answered nothing. */
class Death {
  readonly died: Promise<'died'>;
  #die!: (died: 'died') => void;
  #steps = 0;
  #isDead = false;

  constructor(
    private readonly step = Infinity,
    private readonly isDone = false,
  ) {
    this.died = new Promise((resolve) => (this.#die = resolve));
  }

  /** `target` as the process has it. */
  of<Target extends object>(target: Target, steps: readonly string[]): Target {
    return new Proxy(target, {
      get: (of, name) => {
        const member: unknown = Reflect.get(of, name, of);
        if (typeof member !== 'function') return member;
        const call = member.bind(of) as (...args: unknown[]) => unknown;
        return steps.includes(String(name)) ? (...args: unknown[]) => this.#take(() => call(...args)) : call;
      },
    });
  }

  async #take(work: () => unknown): Promise<unknown> {
    if (this.#isDead) return new Promise(() => undefined);
    this.#steps += 1;
    if (this.#steps !== this.step) return work();
    this.#isDead = true;
    if (this.isDone) await work();
    this.#die('died');
    return new Promise(() => undefined);
  }
}

interface World {
  now: number;
  readonly engine: InMemoryEventStore;
  readonly due: MemoryRailDue;
  readonly provider: MemoryProvider;
}

/** All that a process does with charges, for as long as it lives. */
function processOf(world: World, death = new Death()) {
  const clock = (): number => world.now;
  const store: EventStore = death.of(world.engine, ['append', 'read']);
  const due: RailDue = death.of(world.due, ['begin', 'attempt', 'made', 'cancel', 'lookBy', 'next', 'again', 'done']);
  const processor: RemoteProcessor = death.of(world.provider, ['create', 'cancel', 'query', 'find']);
  const memory = new MemoryRoutes(world.provider);
  const routes: ProcessorRoutes = {
    route: (...asked) => {
      const route = memory.route(...asked);
      return typeof route === 'object' ? { ...route, processor } : route;
    },
    named: (rail) => memory.named(rail) && processor,
  };
  const calendar = new BankingCalendar(world.engine);
  const remote = new RemoteCharges(store, clock, due, new ChargeInstructor(store, clock, routes, due, TERMS));
  const config = { webhookAllowPrivate: false, chargeTtlSeconds: undefined, booksTimeZone: 'UTC' };
  const creating = new CreateChargeHandler(store, TERMS, new Simulator(SECRET), clock, SECRET, { url: 'http://x' }, config, routes, remote);
  const changing = new ChangeChargeHandler(store, clock, calendar, TERMS, due);
  const faults: string[] = [];
  const confirmation = new ChargeConfirmation({ store, clock, routes, calendar, onContradiction: (message) => faults.push(message) });
  const onError = (error: unknown): void => void faults.push(String(error));
  const poller = new RailPoller({ databaseUrl: 'postgres://nowhere', due, confirmation, routes, clock, onError });
  const alive = <T>(work: Promise<T>): Promise<T | 'died'> => Promise.race([work, death.died]);
  return {
    faults,
    create: () => alive(creating.execute(new CreateCharge(ORDER, KEY, MERCHANT, CONTEXT)).catch(unlessUnavailable)),
    cancel: () => alive(changing.execute(new ChangeCharge(ID, { kind: 'cancel' }, CONTEXT, MERCHANT.merchant_id)).catch(unlessRefused)),
    expire: () => {
      const command = (now: string): ChargeCommand => ({ kind: 'expire', now });
      return alive(decideOnStream(store, clock, chargeStream(ID), charge, command, systemContext()));
    },
    notified: () => alive(confirmation.confirm(ID, 'query')),
    poll: () => alive(poller.pass(NEVER)),
  };
}

function unlessUnavailable(error: unknown): 'later' {
  if (error instanceof Problem && error.code === 'unavailable') return 'later';
  throw error;
}

function unlessRefused(error: unknown): 'refused' {
  if (error instanceof Problem && (error.code === 'state-conflict' || error.code === 'not-found')) return 'refused';
  throw error;
}

async function eventsOf({ engine }: World): Promise<ChargeEvent[]> {
  return (await engine.read(chargeStream(ID))) as unknown as ChargeEvent[];
}

/** Compares the books with the records of the provider. */
async function judge(world: World): Promise<void> {
  const events = await eventsOf(world);
  const truth = world.provider.of(ID).flatMap(({ payments }) => payments.map(({ payment_reference }) => payment_reference));
  const booked = events.flatMap((event) =>
    event.type === 'ChargePaid' || event.type === 'ChargePaymentUnmatched' ? [event.data.payment_reference] : [],
  );
  expect(booked.toSorted()).toEqual(truth.toSorted());
  expect(events.filter(({ type }) => type === 'ChargePaid').length).toBe(Math.min(1, truth.length));
  expect(events.filter(({ type }) => type === 'ChargeCreated').length).toBeLessThanOrEqual(1);
  expect(events.filter(({ type }) => type === 'ChargeInstructed').length).toBeLessThanOrEqual(1);
  expect(world.provider.count('create')).toBeLessThanOrEqual(6);
  expect(world.due.rows.size).toBe(0);
}

/** A charge from its creation to the end of its looks, with faults and deaths as the seed has it. */
async function live(seed: number, step: number, isDone: boolean): Promise<void> {
  const below = randomNumbers(seed * 1_000 + step * 2 + Number(isDone));
  const world: World = { now: START, engine: new InMemoryEventStore(), due: new MemoryRailDue(), provider: new MemoryProvider() };
  const some = (faults: readonly (Fault | undefined)[]): (Fault | undefined)[] => Array.from({ length: 3 }, () => faults[below(faults.length)]);
  world.provider.faults.create = some([undefined, undefined, 'lost', 'unknown', 'retryable']);
  for (const call of ['query', 'find', 'cancel'] as const) world.provider.faults[call] = some([undefined, undefined, 'lost', 'unknown', 'retryable']);
  const dying = processOf(world, new Death(step, isDone));
  let answer: unknown = await dying.create();
  const heir = processOf(world);
  for (let again = 0; again < 3 && (answer === 'died' || answer === 'later'); again += 1) answer = await heir.create();
  world.now += 10_000;
  const instructions = world.provider.of(ID);
  const paidBefore = below(4);
  for (const known of instructions) if (below(3) === 0 && paidBefore !== 0) world.provider.pay(known);
  if (below(3) === 0) await dying.cancel();
  if (below(4) === 0) await heir.cancel();
  if (below(2) === 0) await dying.notified();
  if (below(2) === 0) await heir.notified();
  for (let minute = 0; minute < 20; minute += 1) {
    world.now += MINUTE;
    await (minute < 10 ? dying : heir).poll();
  }
  world.now += 20 * MINUTE;
  if ((await eventsOf(world)).length > 0) await heir.expire();
  // A customer pays a code of an earlier instruction: a late payment.
  for (const known of instructions) if (known.status === 'WAITING' && below(4) === 0) world.provider.pay(known);
  for (let hours = 0; hours < 5 * 24 + 1; hours += 1) {
    await heir.poll();
    await heir.poll();
    world.now += DAY / 24;
  }
  await judge(world);
  expect(heir.faults).toEqual([]);
}

describe('a charge of a remote processor with a crash between any two steps', () => {
  it.each(Array.from({ length: STEPS }, (_, index) => index + 1))(
    'the books agree with the provider after a crash at step %i, before or after it',
    async (step) => {
      for (let seed = 1; seed <= SEEDS; seed += 1) {
        await live(seed, step, false);
        await live(seed, step, true);
      }
    },
  );
});
