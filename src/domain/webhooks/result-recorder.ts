import { setTimeout as delay } from 'node:timers/promises';
import type { Endpoint } from '../../../projections/webhooks/outbox-reads.js';
import type { Clock, Timestamp } from '../../ledger/time.js';
import type { DeliveryQueue, DeliveryResult } from './delivery-queue.js';
import { DISABLED_AFTER_MS } from './schedule.js';

const RETRY_MS = 500;

export interface RecorderOptions {
  readonly queue: DeliveryQueue;
  readonly clock: Clock;
  /** Records that the endpoint is disabled. @throws StoreUnavailable */
  readonly disable: (merchantId: string, reason: 'gone' | 'exhausted', setOn: Timestamp) => Promise<void>;
  readonly onError: (error: unknown) => void;
}

/** Records results of attempts, in batches of those that end at the same time, and disables endpoints that have failed for too long. */
export class ResultRecorder {
  #results: { readonly result: DeliveryResult; readonly done: () => void; readonly endpoint: Endpoint }[] = [];
  #recording: Promise<void> | undefined;

  constructor(private readonly options: RecorderOptions) {}

  /** Resolves when the result is recorded. Results that arrive during a write are written together next. */
  record(result: DeliveryResult, endpoint: Endpoint): Promise<void> {
    return new Promise((done) => {
      this.#results.push({ result, done, endpoint });
      this.#recording ??= this.#recordAll().finally(() => (this.#recording = undefined));
    });
  }

  async #recordAll(): Promise<void> {
    while (this.#results.length > 0) {
      const batch = this.#results;
      this.#results = [];
      try {
        const failingSince = await this.options.queue.record(batch.map(({ result }) => result));
        for (const { result, endpoint } of batch) {
          if (result.status === 'FAILED') await this.#disableIfExhausted(endpoint, failingSince.get(endpoint.merchant_id));
        }
      } catch (error) {
        // The write may have failed: the deliveries are sent again when their claim expires.
        this.options.onError(error);
        await delay(RETRY_MS);
      }
      for (const { done } of batch) done();
    }
  }

  async #disableIfExhausted({ merchant_id, set_on }: Endpoint, failingSince: Timestamp | undefined): Promise<void> {
    if (failingSince === undefined) return;
    // A new setting of the webhook restarts the period.
    const sinceMs = Math.max(Date.parse(failingSince), Date.parse(set_on));
    if (this.options.clock() - sinceMs >= DISABLED_AFTER_MS) await this.options.disable(merchant_id, 'exhausted', set_on);
  }
}
