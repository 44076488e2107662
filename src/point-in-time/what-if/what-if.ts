import { readEvent } from '../../ledger/catalogue.js';
import type { EventStore, RecordedEvent } from '../../platform/event-store/event-store.js';
import { eventsUpTo } from '../../platform/projector/replay.js';
import type { LastEvent } from '../moments.js';
import { WhatIfAnswer } from './answer.js';
import type { Period, Scenario } from './scenario.js';

export interface WhatIfOptions {
  readonly store: Pick<EventStore, 'subscribe' | 'head'>;
  readonly scenario: Scenario;
  readonly period: Period;
  /** IANA name of the time zone of the books. */
  readonly timeZone: string;
  readonly signal: AbortSignal;
  /** Called with the number of events of each batch that was read. */
  readonly onProgress: (events: number) => void;
}

/**
 * Answers a scenario about the log up to its present end, by one read of it. Nothing is written.
 * @returns also the last event; null when the log is empty. @throws NotReproduced; StoreUnavailable; the reason of the signal
 */
export async function answerWhatIf(options: WhatIfOptions): Promise<{ readonly answer: WhatIfAnswer; readonly last: LastEvent | null }> {
  const { store, scenario, period, timeZone, onProgress } = options;
  const answer = new WhatIfAnswer(scenario, period, timeZone);
  let ordinal = 0;
  let last: RecordedEvent | undefined;
  for await (const events of eventsUpTo(options, null, await store.head())) {
    for (const event of events) answer.take(readEvent({ ...event, ordinal: (ordinal += 1) }));
    last = events.at(-1);
    onProgress(events.length);
  }
  return { answer, last: last ? { ordinal, event: last } : null };
}
