import { setTimeout as delay } from 'node:timers/promises';
import { findEndpoints, findRenderable, type Endpoint, type StoredMessage } from '../../../projections/webhooks/outbox-reads.js';
import { exactJson } from '../../platform/http/validation/exact-json.js';
import { timestamp, type Timestamp } from '../../ledger/time.js';
import { feedQueues } from './delivery-feed.js';
import { KEPT_MS, type ClaimedDelivery, type EndpointHealth } from './delivery-queue.js';
import { ResultRecorder, type RecorderOptions } from './result-recorder.js';
import { render, type EventBody, type RenderingSources } from './rendering.js';
import { messagesOf } from './delivery-messages.js';
import { Resumption, type OutboxProgress } from './resume-queues.js';
import { longestDelayMs, nextAttemptMs } from './schedule.js';
import type { SignatureKeyEncryption } from './signature-key-encryption.js';
import type { Sender } from './sender.js';
import { signedHeaders } from './signing.js';
import type { TraceDelivery } from './trace-deliveries.js';
import type { WorkerLease } from './worker-lease.js';
import { atMost } from '../../platform/async/waiting.js';

/** Maximum concurrent deliveries of this process. */
export interface DeliveryLimits {
  /**
   * Places by health of the receivers, in total and per endpoint. A receiver must accept one delivery before it gets more than one
   * at a time. Failing receivers have separate places.
   */
  readonly places: Readonly<Record<EndpointHealth, { readonly total: number; readonly per_endpoint: number }>>;
  /**
   * After PATIENCE_MS an attempt gives up its place and continues as a slow one: receivers that begin to hang occupy a place for no
   * longer than that. When there are more slow attempts than this, the oldest one of the endpoint with the most is aborted. Attempts
   * at failing receivers keep their places.
   */
  readonly slow_max: number;
}

const LIMITS: DeliveryLimits = {
  places: { proven: { total: 512, per_endpoint: 64 }, new: { total: 256, per_endpoint: 1 }, failing: { total: 1_024, per_endpoint: 1 } },
  slow_max: 1_024,
};
const HEALTHS = Object.keys(LIMITS.places) as readonly EndpointHealth[];
const PATIENCE_MS = 250;
/** Longer than any attempt and its record. Deliveries of a process that neither dies nor continues fall due again after this time. */
const LEASE_MS = 25_000;
/** Interval of the search for dead processes. */
const LOOK_FOR_DEAD_EVERY_MS = 1_000;
/** Deliveries that fall due, and places that are freed, within this time are claimed together. */
const GATHER_MS = 5;
/** Interval without a notification, ms. Covers events without one. */
const LOOK_EVERY_MS = 250;
/** Interval at which all endpoints are checked from the beginning, for messages that another process has dropped. */
const LOOK_AT_ALL_EVERY_MS = 10_000;
/** Retry interval for locked queues. Other processes hold their locks briefly. */
const LOCKED_REST_MS = 10;
const RETRY_MS = 500;
const FORGET_EVERY_MS = 60_000;
const FORGOTTEN_AT_ONCE = 5_000;

export interface DeliveriesOptions extends RecorderOptions {
  readonly outbox: OutboxProgress;
  readonly lease: WorkerLease;
  readonly sender: Sender;
  readonly keyEncryption: SignatureKeyEncryption;
  readonly sources: RenderingSources;
  readonly retrySeconds: readonly number[];
  /** Returns false while nothing may be sent; default: always true. Never rejects. */
  readonly mayDecide?: () => Promise<boolean>;
  /** Absent: attempts are not traced. */
  readonly traced?: TraceDelivery;
  /** Returns x with 0 ≤ x < 1. */
  readonly random: () => number;
  readonly limits?: DeliveryLimits;
}

interface InHand {
  readonly merchant_id: string;
  readonly health: EndpointHealth;
  /** Ends the attempt as a failure. */
  readonly cutOff: AbortController;
}

/**
 * Sends the messages of the outbox, at least once, from any number of processes. A delivery that was sent but not recorded is sent
 * again under the same id. Only the deliveries in progress are kept in memory.
 */
export class WebhookDeliveries {
  readonly #limits: DeliveryLimits;
  readonly #stopping = new AbortController();
  /** Deliveries with a place, and slow ones, in the order in which they became slow. */
  readonly #inHand = new Map<ClaimedDelivery, InHand>();
  readonly #slow = new Map<ClaimedDelivery, InHand>();
  readonly #sending = new Set<Promise<void>>();
  readonly #results: ResultRecorder;
  #running: Promise<void> | undefined;
  #wake: () => void = () => undefined;
  #fedTo = 0;
  /** The last event that could be rendered in this round. */
  #renderable = 0;
  readonly #resumption: Resumption;
  #lookedAtAllMs = -Infinity;
  #forgotMs = -Infinity;
  #lookedForDeadMs = -Infinity;
  #workerId = 0n;

  constructor(private readonly options: DeliveriesOptions) {
    this.#limits = options.limits ?? LIMITS;
    this.#results = new ResultRecorder(options);
    this.#resumption = new Resumption(options.sources.pool, options.outbox, options.clock);
  }

  start(): void {
    this.#running ??= this.#run();
  }

  /** Called when there may be something to send. */
  wake(): void {
    this.#wake();
  }

  /** Aborts the attempts in progress. Any running process sends them again. */
  async stop(): Promise<void> {
    this.#stopping.abort();
    this.#wake();
    await this.#running;
    for (const { cutOff } of [...this.#inHand.values(), ...this.#slow.values()]) cutOff.abort();
    await Promise.all(this.#sending);
    await this.#leave().catch(this.options.onError);
  }

  /** Makes the aborted deliveries due at once. */
  async #leave(): Promise<void> {
    const { queue, lease, sender } = this.options;
    sender.close();
    await lease.end();
    if (this.#workerId !== 0n) await queue.releaseOfTheDead(LEASE_MS);
  }

  async #run(): Promise<void> {
    const { signal } = this.#stopping;
    while (!signal.aborted) {
      const woken = new Promise<void>((resolve) => (this.#wake = resolve));
      let restMs = LOOK_EVERY_MS;
      try {
        await this.#live();
        if ((await this.options.mayDecide?.()) === false) {
          await atMost(restMs, woken);
          continue;
        }
        const isFed = await this.#feed();
        const due = await this.options.queue.nextDueMs();
        const claimed = await this.#claim(due);
        restMs = claimed ? 0 : isFed ? this.#untilNextMs(due) : LOCKED_REST_MS;
        await this.#forget();
      } catch (error) {
        if (!signal.aborted) this.options.onError(error);
        restMs = RETRY_MS;
      }
      if (restMs > 0) await atMost(restMs, woken);
      // Deliveries that end or fall due during this delay are processed in the same statement.
      if (!signal.aborted) await delay(GATHER_MS);
    }
  }

  /** Shows that this process is running, and releases deliveries of dead processes. */
  async #live(): Promise<void> {
    const { queue, lease } = this.options;
    const id = await lease.id();
    if (id !== this.#workerId) await queue.enrol(id);
    this.#workerId = id;
    if (performance.now() - this.#lookedForDeadMs < LOOK_FOR_DEAD_EVERY_MS) return;
    await queue.releaseOfTheDead(LEASE_MS);
    this.#lookedForDeadMs = performance.now();
  }

  /** Returns false when another process held an endpoint, so that the feed has to be repeated. */
  async #feed(): Promise<boolean> {
    const { queue, sources, clock } = this.options;
    const until = (this.#renderable = await findRenderable(sources.pool));
    if (!(await this.#resumption.isDone(until))) return true;
    const nowMs = performance.now();
    if (nowMs - this.#lookedAtAllMs >= LOOK_AT_ALL_EVERY_MS) {
      this.#lookedAtAllMs = nowMs;
      await queue.recall(longestDelayMs(this.options.retrySeconds) + LEASE_MS);
      this.#fedTo = 0;
    } else if (until === this.#fedTo) return true;
    const isFed = await feedQueues(sources.pool, clock, this.#fedTo, until);
    if (isFed) this.#fedTo = until;
    return isFed;
  }

  /** Returns true when more may be due at once. */
  async #claim(due: ReadonlyMap<EndpointHealth, number>): Promise<boolean> {
    let claimedSome = false;
    for (const health of HEALTHS) {
      const { total, per_endpoint } = this.#limits.places[health];
      const inHand = [...this.#inHand.values()];
      const limit = total - inHand.filter((each) => each.health === health).length;
      if ((due.get(health) ?? Infinity) > this.options.clock() || limit <= 0 || this.#stopping.signal.aborted) continue;
      const request = { worker: this.#workerId, health, limit, per_endpoint_max: per_endpoint, in_hand: this.#countByEndpoint() };
      const claimed = await this.options.queue.claim(request, LEASE_MS);
      if (claimed.length === 0) continue;
      claimedSome = true;
      for (const delivery of claimed) this.#inHand.set(delivery, { merchant_id: delivery.merchant_id, health, cutOff: new AbortController() });
      await this.#send(claimed).catch((error: unknown) => {
        // They fall due again when their claim expires.
        for (const delivery of claimed) this.#inHand.delete(delivery);
        throw error;
      });
    }
    return claimedSome;
  }

  /** Counts the held deliveries, including slow ones. */
  #countByEndpoint(): Map<string, number> {
    const counts = new Map<string, number>();
    for (const { merchant_id } of [...this.#inHand.values(), ...this.#slow.values()]) counts.set(merchant_id, (counts.get(merchant_id) ?? 0) + 1);
    return counts;
  }

  /** Frees the place of a slow delivery. */
  #becomeSlow(delivery: ClaimedDelivery): void {
    const slow = this.#inHand.get(delivery);
    if (!slow || slow.health === 'failing') return;
    this.#inHand.delete(delivery);
    this.#slow.set(delivery, slow);
    if (this.#slow.size > this.#limits.slow_max) this.#cutOffOne();
    this.#wake();
  }

  #cutOffOne(): void {
    const counts = new Map<string, number>();
    for (const { merchant_id, cutOff } of this.#slow.values()) {
      if (!cutOff.signal.aborted) counts.set(merchant_id, (counts.get(merchant_id) ?? 0) + 1);
    }
    const most = Math.max(...counts.values());
    for (const { merchant_id, cutOff } of this.#slow.values()) {
      if (!cutOff.signal.aborted && counts.get(merchant_id) === most) return cutOff.abort();
    }
  }

  /** Deliveries whose message the log has lost are cancelled: in their place it has another one. */
  async #send(claimed: readonly ClaimedDelivery[]): Promise<void> {
    const { sources, queue } = this.options;
    const [endpoints, { messages, lost }] = await Promise.all([
      findEndpoints(sources.pool, [...new Set(claimed.map(({ merchant_id }) => merchant_id))]),
      messagesOf(sources.pool, claimed),
    ]);
    const endpointOf = new Map(endpoints.map((endpoint) => [endpoint.merchant_id, endpoint]));
    const ready = [...messages.values()].filter(({ ordinal }) => ordinal <= this.#renderable);
    const bodies = new Map((await this.#render(ready)).map((body) => [body.id, body]));
    if (lost.size > 0) await queue.cancel([...lost]);
    for (const delivery of lost) this.#inHand.delete(delivery);
    for (const delivery of claimed) {
      if (lost.has(delivery)) continue;
      const id = delivery.webhook_id;
      const sending = this.#attempt(delivery, endpointOf.get(delivery.merchant_id), bodies.get(id), messages.get(id)?.ordinal).catch(
        this.options.onError,
      );
      this.#sending.add(sending);
      void sending.then(() => {
        this.#sending.delete(sending);
        this.#inHand.delete(delivery);
        this.#slow.delete(delivery);
        this.#wake();
      });
    }
  }

  /** A message that cannot be rendered does not delay the others. It is retried when its claim expires. */
  async #render(messages: readonly StoredMessage[]): Promise<EventBody[]> {
    const { sources, onError } = this.options;
    try {
      return await render(sources, messages);
    } catch (error) {
      if (messages.length <= 1) {
        onError(error);
        return [];
      }
      const half = Math.ceil(messages.length / 2);
      return [...(await this.#render(messages.slice(0, half))), ...(await this.#render(messages.slice(half)))];
    }
  }

  async #attempt(
    delivery: ClaimedDelivery,
    endpoint: Endpoint | undefined,
    event: EventBody | undefined,
    ordinal: number | undefined,
  ): Promise<void> {
    // The endpoint was disabled or deleted after the claim: the next feed cancels the delivery.
    if (!endpoint?.is_enabled) return;
    if (delivery.sequence !== null && !event) return;
    const { clock, sender, random, retrySeconds, disable } = this.options;
    const traced = ordinal === undefined ? undefined : await this.options.traced?.(delivery.kind, ordinal);
    const attemptedMs = clock();
    const body = bodyOf(delivery, event);
    const signed = signedHeaders(this.#keysOf(endpoint, timestamp(attemptedMs)), delivery.webhook_id, Math.floor(attemptedMs / 1000), body);
    const patience = setTimeout(() => this.#becomeSlow(delivery), PATIENCE_MS);
    const { cutOff } = this.#inHand.get(delivery)!;
    const sent = await sender.post(endpoint.web_hook_uri, { ...signed, ...traced?.headers }, body, cutOff.signal);
    clearTimeout(patience);
    traced?.ended(sent.response_code);
    const { response_code, latency_ms, error, retry_after_seconds } = sent;
    if (this.#stopping.signal.aborted && response_code === null) return;
    const isTaken = response_code !== null && response_code >= 200 && response_code < 300;
    const isTest = delivery.sequence === null;
    const nextMs = isTaken || isTest ? null : nextAttemptMs({ attempt: delivery.attempts + 1, retry_after_seconds }, retrySeconds, clock(), random());
    if (response_code === 410) await disable(delivery.merchant_id, 'gone', endpoint.set_on);
    const isOver = isTaken || nextMs === null || response_code === 410;
    const status = isTaken ? 'SUCCEEDED' : 'FAILED';
    await this.#results.record(
      {
        delivery,
        status: isOver ? status : 'PENDING',
        due_on: isOver ? null : timestamp(nextMs),
        attempt: { attempted_on: timestamp(attemptedMs), status, response_code, latency_ms, error },
      },
      endpoint,
    );
  }

  #keysOf({ merchant_id, sealed_key, former_keys }: Endpoint, now: Timestamp): Buffer[] {
    const stillValid = former_keys.filter(({ valid_until }) => valid_until > now).map((key) => key.sealed_key);
    return [sealed_key, ...stillValid].map((encrypted) => this.options.keyEncryption.decrypt(merchant_id, encrypted));
  }

  #untilNextMs(due: ReadonlyMap<EndpointHealth, number>): number {
    const ms = Math.min(...due.values()) - this.options.clock();
    // Due, but all places of its endpoint are taken, or another process is working on it. A freed place wakes this process.
    return ms <= 0 ? LOOK_EVERY_MS : Math.min(ms, LOOK_EVERY_MS);
  }

  async #forget(): Promise<void> {
    const nowMs = performance.now();
    if (nowMs - this.#forgotMs < FORGET_EVERY_MS) return;
    const forgotten = await this.options.queue.forget(timestamp(this.options.clock() - KEPT_MS), FORGOTTEN_AT_ONCE);
    if (forgotten < FORGOTTEN_AT_ONCE) this.#forgotMs = nowMs;
  }
}

/** The order of the fields is that of the interface. A test has no event and no sequence. */
function bodyOf({ webhook_id, kind, created_on, merchant_id, previous_sequence }: ClaimedDelivery, event: EventBody | undefined): string {
  if (!event) return exactJson({ id: webhook_id, type: kind, timestamp: created_on, merchant_id, data: {} });
  const { id, type, timestamp: occurred_on, sequence, data } = event;
  return exactJson({ id, type, timestamp: occurred_on, sequence, previous_sequence, merchant_id, data });
}
