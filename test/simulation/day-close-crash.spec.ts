import { afterEach, describe, expect, it } from '@jest/globals';
import type { StoredDayClose } from '../../projections/reconciliation/days/day-close-reads.js';
import { dayStream, type BankLinesBooked, type BookedRow } from '../../src/ledger/events/day-close.events.js';
import { breakStream } from '../../src/ledger/events/break.events.js';
import { sourceStream } from '../../src/ledger/events/reconciliation.events.js';
import { waitOn } from '../../src/ledger/streams/decide-on-stream.js';
import { newEvent, systemContext } from '../../src/ledger/streams/new-event.js';
import type { AppendResult, EventStore, RecordedEvent } from '../../src/platform/event-store/event-store.js';
import { DayCloser, LINES_OF_CLOSE, openDay, type DayReads } from '../../src/domain/reconciliation/days/day-closer.js';
import type { BookPart } from '../../src/domain/reconciliation/days/booked-lines.decider.js';
import { source, type SourceCommand } from '../../src/domain/reconciliation/source.decider.js';
import { InMemoryEventStore } from '../support/in-memory-event-store.js';
import { randomNumbers } from '../support/random-numbers.js';
import { bankBegins } from '../support/recon.js';
import { simulatedWaits } from '../support/simulated-waits.js';
import { MortalStore, type Death } from './mortal-store.js';
import { START } from './world.js';

const NOW = '2026-11-12T01:00:00.000+00:00';
const DAY = '2026-11-11';
const BY = { person_id: '0198c0de-7a5e-5c3a-9d2f-3f6f4a1b2c3d', key_id: 'key_1' };
const ACT = { operator: BY, context: { ...systemContext('test'), actor: 'key_1' } };
const OF = { merchant_id: null, source: 'live-bca' };
const STREAM = sourceStream(OF.source);
const LINES_STREAM = dayStream(OF.source, DAY);
const PARTS = 3;
const HEAD = { position: 1, events: 1, hash: 'h', signature: 's', sealed_on: NOW };

/** Rules that may be left out. */
interface Rules {
  readonly tick: boolean;
  readonly wait: boolean;
  readonly expectR: boolean;
  readonly nextPart: boolean;
  readonly allParts: boolean;
  readonly openOnce: boolean;
}
const ALL: Rules = { tick: true, wait: true, expectR: true, nextPart: true, allParts: true, openOnce: true };

const decide = source.decide;
const { decide: decidePart } = LINES_OF_CLOSE;
const isOpen = (state: typeof source.initial) => state.close !== null && !state.close.is_closed;

/** The deciders without a rule that is their own. */
function withoutRules({ nextPart, allParts, openOnce }: Rules): void {
  const changed = { decide: source.decide };
  changed.decide = (state, command: SourceCommand) => {
    if (!openOnce && command.kind === 'open-day') return decide({ ...state, close: null }, command);
    if (!allParts && command.kind === 'finish-day' && isOpen(state)) {
      const { n, parts } = command;
      return decide(state, { ...command, booked: { n, part: parts, parts } });
    }
    return decide(state, command);
  };
  Object.assign(source, changed);
  const withoutNext: typeof decidePart = (state, command: BookPart) => decidePart({ parts: null, ...state, n: 1, part: command.part - 1 }, command);
  Object.assign(LINES_OF_CLOSE, { decide: nextPart ? decidePart : withoutNext });
}

/** The engine for processes that append regardless of newer events. */
class Careless extends InMemoryEventStore {
  override async append(...[stream, , events, dependsOn]: Parameters<EventStore['append']>): Promise<AppendResult> {
    const [newest] = await this.read(stream, { direction: 'backwards', limit: 1 });
    return super.append(stream, newest ?? 'no-stream', events, dependsOn);
  }
}

/** A log, a projection that follows it, and closers of one day of three lines, of which a person matches the last. */
class Closing {
  readonly engine: InMemoryEventStore;
  #applied = 0;

  constructor(private readonly rules: Rules) {
    this.engine = rules.expectR ? new InMemoryEventStore() : new Careless();
    withoutRules(rules);
  }

  async begin(): Promise<void> {
    const events = bankBegins(OF.source, [DAY], NOW);
    await this.engine.append(
      STREAM,
      'no-stream',
      events.map((event) => newEvent(event, { ...ACT.context, now: NOW })),
    );
  }

  /** A person matches the last line. */
  async decideOnBreak(): Promise<void> {
    const what = { source: OF.source, line_key: 'k3', items: ['i'], batch: null, difference: null, proposal_id: null };
    const data = { merchant_id: null, break_id: 'b', ...BY, reason: 'why', ...what, matched_on: NOW };
    await this.engine.append(breakStream('b'), 'no-stream', [newEvent({ type: 'BreakMatched', data }, { ...ACT.context, now: NOW })]);
  }

  get all(): readonly RecordedEvent[] {
    return this.engine.all();
  }

  #at(type: string): number {
    return this.all.findIndex((event) => event.type === type) + 1;
  }

  /** Rows of a part according to the log up to an event. */
  rowsUpTo(ordinal: number, part: number): BookedRow[] {
    const isMatched = this.all.slice(0, ordinal).some(({ type }) => type === 'BreakMatched');
    const none = { fee: 0, tax: 0, batch_source: null, batch: null, processor: null, event_id: null, item_id: null };
    const movement = part === PARTS && isMatched ? 'PAYOUT' : 'UNKNOWN';
    return [{ movement, reversed: false, line_source: OF.source, line_key: `k${part}`, amount: part, ...none }];
  }

  /** As the projection has them, which is an event further each time that it is asked. */
  get reads(): DayReads {
    return {
      find: async (id, day) => {
        const opened = this.#at('DayCloseOpened');
        if (opened === 0 || (this.rules.wait && this.#applied < opened)) {
          this.#applied += 1;
          return undefined;
        }
        // A process that does not know all parts regards the day as complete.
        return { source: id, day, n: 1, parts: this.rules.allParts ? PARTS : PARTS - 1, rows: PARTS, ordinal: opened } as StoredDayClose;
      },
      part: async (_, __, part) => {
        // Without the wait, the rows are those applied so far.
        const ordinal = !this.rules.tick ? this.all.length : this.rules.wait ? this.#at('DayCloseOpened') : Math.min(this.#applied, this.all.length);
        return { currency: 'IDR', rows: this.rowsUpTo(ordinal, part) };
      },
      result: async ({ parts, rows }) => ({ parts, rows, digest: 'd', figures: [], breaks: [] }),
      headOver: async () => HEAD,
    };
  }

  /** One process: opens the day and takes it to its end, unless it dies. */
  async process(death?: Death, store: EventStore = new MortalStore(this.engine, death)): Promise<void> {
    waitOn(
      store,
      simulatedWaits(async () => undefined),
    );
    const deps = { store, clock: () => START };
    const work = async (): Promise<void> => {
      await openDay(deps, OF.source, DAY, 'why', ACT);
      const closer = new DayCloser(deps, this.reads);
      while ((await closer.run(OF.source, ACT.context)) === undefined);
    };
    await Promise.race([work(), ...(store instanceof MortalStore ? [store.died] : [])]);
  }

  /** The fault at the end; undefined without one. */
  get fault(): string | undefined {
    const events = this.all.filter(({ stream }) => stream === STREAM || stream === LINES_STREAM);
    const of = (type: string) => events.filter((event) => event.type === type);
    if (of('DayCloseOpened').length !== 1) return `opened ${of('DayCloseOpened').length} times`;
    const parts = of('BankLinesBooked').map(({ data }) => data as BankLinesBooked);
    if (new Set(parts.map(({ part }) => part)).size < parts.length) return 'a part was booked twice';
    const opened = this.#at('DayCloseOpened');
    for (const { part, rows } of parts)
      if (JSON.stringify(rows) !== JSON.stringify(this.rowsUpTo(opened, part))) return `part ${part} is not what the tick says`;
    if (of('DayClosed').length !== 1) return `closed ${of('DayClosed').length} times`;
    return parts.length === PARTS && events.at(-1)!.type === 'DayClosed' ? undefined : 'closed with a part missing';
  }
}

/** One process dies at an append, an operator decides, and two others continue, concurrently and in some order. */
async function play(rules: Rules, death: Death | undefined, seed: number): Promise<string | undefined> {
  const closing = new Closing(rules);
  await closing.begin();
  if (seed % 3 === 0) await closing.decideOnBreak();
  if (death) await closing.process(death);
  if (seed % 3 === 1) await closing.decideOnBreak();
  const random = randomNumbers(seed);
  closing.engine.hooks = {
    async beforeAppend({ stream }) {
      if (stream !== STREAM && stream !== LINES_STREAM) return;
      for (let turns = random(30); turns > 0; turns -= 1) await Promise.resolve();
    },
  };
  // A mutant may refuse a step that it should not have reached.
  await Promise.all([closing.process(), closing.process()]).catch((error: unknown) => `${error as Error}`);
  return closing.fault;
}

const DEATHS = [undefined, ...[1, 2, 3, 4, 5].flatMap((append) => [true, false].map((isWritten): Death => ({ append, isWritten })))];
const SEEDS = [0, 1, 2, 3, 4, 5];

async function faults(rules: Rules): Promise<string[]> {
  const found: string[] = [];
  for (const death of DEATHS) {
    for (const seed of SEEDS) {
      const fault = await play(rules, death, seed);
      if (fault !== undefined) found.push(`${JSON.stringify(death)} ${seed}: ${fault}`);
    }
  }
  return found;
}

describe('a day close with crashes at any step', () => {
  afterEach(() => {
    Object.assign(source, { decide });
    Object.assign(LINES_OF_CLOSE, { decide: decidePart });
  });

  it('a day close books each line once, as of its tick, and closes after the last part, wherever processes end', async () => {
    expect(await faults(ALL)).toEqual([]);
  });

  it.each(['tick', 'wait', 'expectR', 'nextPart', 'allParts', 'openOnce'] as const)('a day close goes wrong without the rule %s', async (rule) => {
    expect((await faults({ ...ALL, [rule]: false })).length).toBeGreaterThan(0);
  });
});
