import { NOTHING_TO_DO, refuse, type Decision } from '../../../ledger/decider.js';
import { addDays } from '../../../ledger/days.js';
import { dayStream, type DayClosed, type DayCloseEvent, type DayCloseOpened, type DayClosing } from '../../../ledger/events/day-close.events.js';
import { MATCHER, type StatementAccepted } from '../../../ledger/events/reconciliation.events.js';
import type { Timestamp } from '../../../ledger/time.js';
import { unreachable } from '../../../ledger/unreachable.js';
import type { BookedParts } from './booked-lines.decider.js';

/** The newest close of a source's days. Everything in this file is pure. */
export interface DayClose extends Pick<DayCloseOpened, 'n' | 'day' | 'lines_stream'> {
  readonly is_closed: boolean;
}

/** The part of a source's state that closes of its days depend on. */
export interface ClosableSource {
  readonly settings: readonly { readonly kind: 'BANK' | 'PROCESSOR'; readonly mode: 'live' | 'test' }[];
  readonly files: readonly Pick<StatementAccepted, 'statement_id' | 'statements'>[];
  /** null: no close was opened. */
  readonly close: DayClose | null;
}

export interface OpenDay {
  readonly kind: 'open-day';
  readonly source: string;
  readonly day: string;
  readonly reason: string;
  readonly person_id: string;
  readonly key_id: string;
  readonly now: Timestamp;
}

export interface FinishDay extends Pick<DayClosed, 'n' | 'position' | 'head' | 'parts' | 'rows' | 'digest' | 'figures' | 'breaks'> {
  readonly kind: 'finish-day';
  readonly source: string;
  /** The newest part in the stream of the close's lines, which only grows; null: it has none. */
  readonly booked: BookedParts | null;
  readonly now: Timestamp;
}

export type DayCloseCommand = OpenDay | FinishDay;

export type DayCloseRefusal =
  | 'source-missing'
  /** Days of processors are not closed. */
  | 'not-a-bank'
  /** The bank has no accepted statement yet, or none up to the end of the day. */
  | 'statements-missing'
  | 'day-closed'
  /** The close of another day has not ended. */
  | 'close-under-way'
  /** Another day is next. */
  | 'day-out-of-order'
  | 'close-missing'
  | 'parts-missing';

type DayDecision = Decision<DayCloseEvent, DayCloseRefusal>;

export function evolveClose(close: DayClose | null, event: Exclude<DayCloseEvent, { readonly type: 'BankLinesBooked' }>): DayClose {
  switch (event.type) {
    case 'DayCloseOpened': {
      const { n, day, lines_stream } = event.data;
      return { n, day, lines_stream, is_closed: false };
    }
    case 'DayClosed':
      return { ...close!, is_closed: true };
    default:
      return unreachable(event);
  }
}

export function decideClose(state: ClosableSource, command: DayCloseCommand): DayDecision {
  switch (command.kind) {
    case 'open-day':
      return open(state, command);
    case 'finish-day':
      return finish(state, command);
    default:
      return unreachable(command);
  }
}

function open(state: ClosableSource, { source, day, reason, person_id, key_id, now }: OpenDay): DayDecision {
  const settings = state.settings.at(-1);
  if (!settings) return refuse('source-missing', `There is no source ${source}.`);
  if (settings.kind !== 'BANK')
    return refuse('not-a-bank', 'Only days of a bank are closed: the remittances of a processor are booked with the bank’s credits for them.');
  const { close } = state;
  if (close && !close.is_closed) {
    return close.day === day ? NOTHING_TO_DO : refuse('close-under-way', `The close of ${close.day} has not ended.`);
  }
  if (close && day <= close.day) return refuse('day-closed', `Days of ${source} are closed up to ${close.day}.`);
  const next = close ? addDays(close.day, 1) : firstDay(state);
  if (next === null) return refuse('statements-missing', `No statement of ${source} was accepted.`);
  if (day !== next) return refuse('day-out-of-order', `Days are closed in order: the next of ${source} is ${next}.`);
  const missing = currenciesBehind(state, day);
  if (missing.length > 0) return refuse('statements-missing', `Statements up to ${day} are missing of ${missing.join(', ')}.`);
  const of = { merchant_id: null, source, mode: settings.mode, n: (close?.n ?? 0) + 1, day } as const;
  const data = {
    ...of,
    matcher: MATCHER,
    closings: closingsOf(state, day),
    lines_stream: dayStream(source, day),
    person_id,
    key_id,
    reason,
    opened_on: now,
  };
  return { events: [{ type: 'DayCloseOpened', data }] };
}

function finish({ settings, close }: ClosableSource, { kind: _, source, n, booked, parts, now, ...figures }: FinishDay): DayDecision {
  if (!close || n > close.n) return refuse('close-missing', `No close ${n} of ${source} was opened.`);
  if (n < close.n || close.is_closed) return NOTHING_TO_DO;
  const part = booked?.part ?? 0;
  if (part !== parts || (booked?.parts ?? 0) !== parts) return refuse('parts-missing', `${part} of ${parts} parts of ${close.day} are booked.`);
  const of = { merchant_id: null, source, mode: settings.at(-1)!.mode, n, day: close.day } as const;
  return { events: [{ type: 'DayClosed', data: { ...of, matcher: MATCHER, parts, ...figures, closed_on: now } }] };
}

type Chain = Pick<ClosableSource, 'files'>;

const statementsOf = ({ files }: Chain) => files.flatMap(({ statements }) => statements);
const currenciesOf = (state: Chain): string[] => [...new Set(statementsOf(state).map(({ currency }) => currency))].sort();

/** Returns the day on which the source's first statement closes; null: there is none. */
export const firstDay = (state: Chain): string | null =>
  statementsOf(state)
    .map(({ closes_on }) => closes_on)
    .sort()[0] ?? null;

/** Statements of a currency continue one from another: one that closes later proves that the days before it had no movements. */
const currenciesBehind = (state: Chain, day: string): string[] =>
  currenciesOf(state).filter((currency) => !statementsOf(state).some((each) => each.currency === currency && each.closes_on >= day));

function closingsOf(state: Chain, day: string): DayClosing[] {
  return currenciesOf(state).map((currency) => {
    const chain = statementsOf(state).filter((each) => each.currency === currency);
    return { currency, closing: chain.findLast(({ closes_on }) => closes_on <= day)?.closing ?? chain[0]!.opening };
  });
}

/** Returns whether a close was opened over a statement of the file; then no file can replace it. */
export const isClosedOver = ({ files, close }: Pick<ClosableSource, 'files' | 'close'>, statementId: string): boolean =>
  close !== null &&
  files.some(({ statement_id, statements }) => statement_id === statementId && statements.some(({ closes_on }) => closes_on <= close.day));
