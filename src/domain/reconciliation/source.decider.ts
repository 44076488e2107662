import { NOTHING_TO_DO, refuse, type Decider, type Decision } from '../../ledger/decider.js';
import {
  MATCHER,
  type ReconSourceSet,
  type SourceEvent,
  type SourceSettings,
  type StatementAccepted,
} from '../../ledger/events/reconciliation.events.js';
import { isTimeZone, type Timestamp } from '../../ledger/time.js';
import { decideClose, evolveClose, isClosedOver, type DayClose, type DayCloseCommand, type DayCloseRefusal } from './days/day-close.decider.js';
import { batchNameFault } from './formats/batch-names.js';
import { profileFault } from './formats/profile.js';
import type { RefusedStatement } from './formats/statement-item.js';
import { countedOf, numberTaken, type OfferedFile } from './statements/statement-chain.js';
import { unreachable } from '../../ledger/unreachable.js';

/** A source of statements: its settings, and the files that count. Pure. */
export interface SourceState {
  /** All versions from the first on; the last one is in force. */
  readonly settings: readonly ReconSourceSet[];
  /** Files that count. A replaced file is not among them; its replacement has its place. */
  readonly files: readonly StatementAccepted[];
  /** Files that were replaced. */
  readonly replaced: readonly StatementAccepted[];
  /** The newest close of a day of a bank; null: none was opened. */
  readonly close: DayClose | null;
}

interface ByOperator {
  readonly person_id: string;
  readonly key_id: string;
  readonly now: Timestamp;
}

export interface SourceIdentity {
  readonly source: string;
  readonly mode: 'live' | 'test';
  readonly name: string;
}

export interface AcceptFile extends ByOperator {
  readonly kind: 'accept';
  readonly file: OfferedFile;
  /** Id of the file that it replaces, and the reason; null: it is an additional file. */
  readonly replaces: { readonly statement_id: string; readonly reason: string } | null;
}

export interface RunSource extends ByOperator {
  readonly kind: 'run';
  readonly source: string;
  /** YYYY-MM-DD in the source's time zone. */
  readonly day: string;
  readonly reason: string;
}

export type SourceCommand =
  | ({ readonly kind: 'set'; readonly identity: SourceIdentity; readonly settings: SourceSettings; readonly reason: string } & ByOperator)
  | AcceptFile
  | RunSource
  | DayCloseCommand;

export type SourceRefusal =
  /** The settings contradict each other. */
  | 'settings-wrong'
  /** Accepted statements depend on the setting that would change. */
  | 'source-in-use'
  | 'source-missing'
  /** There is no such file to replace, or it was replaced before. */
  | 'nothing-to-replace'
  /** A day of it is closed, or its close is open. */
  | 'statement-closed'
  /** A file with the same number was accepted while this one was read. */
  | 'number-taken'
  /** `refusalOf` returns the fault of the file. */
  | 'statement-refused'
  | DayCloseRefusal;

export const source: Decider<SourceState, SourceCommand, SourceEvent, SourceRefusal> = {
  initial: { settings: [], files: [], replaced: [], close: null },

  evolve(state, event): SourceState {
    switch (event.type) {
      case 'ReconSourceSet':
        return { ...state, settings: [...state.settings, event.data] };
      case 'StatementAccepted':
        return { ...state, files: [...state.files, event.data] };
      case 'StatementReplaced': {
        const { replaced_id } = event.data;
        const files = state.files.map((file) => (file.statement_id === replaced_id ? event.data : file));
        const replaced = state.files.filter(({ statement_id }) => statement_id === replaced_id);
        return { ...state, files, replaced: [...state.replaced, ...replaced] };
      }
      case 'ReconRan':
      case 'BankLinesBooked':
        return state;
      case 'DayCloseOpened':
      case 'DayClosed':
        return { ...state, close: evolveClose(state.close, event) };
      default:
        return unreachable(event);
    }
  },

  decide(state, command) {
    switch (command.kind) {
      case 'set':
        return set(state, command);
      case 'accept':
        return accept(state, command);
      case 'run':
        return run(state, command);
      default:
        return decideClose(state, command);
    }
  },
};

function set(state: SourceState, command: Extract<SourceCommand, { kind: 'set' }>): Decision<SourceEvent, SourceRefusal> {
  const { identity, settings, reason, person_id, key_id, now } = command;
  const before = state.settings.at(-1);
  const fault = settingsFault(settings);
  if (fault !== undefined) return refuse('settings-wrong', fault);
  if (before && before.kind !== settings.kind) return refuse('source-in-use', `The source is one of a ${before.kind}; its kind cannot change.`);
  if (before && state.files.length > 0) {
    if (before.account_hmac !== settings.account_hmac)
      return refuse('source-in-use', 'Statements of its account were accepted: another account needs another source.');
    if (before.processor !== settings.processor)
      return refuse('source-in-use', `Remittances of ${before.processor} were accepted: another processor needs another source.`);
    const gone = before.currencies.find((currency) => !settings.currencies.includes(currency));
    if (gone !== undefined) return refuse('source-in-use', `Statements in ${gone} were accepted: the source keeps that currency.`);
  }
  const { kind, currencies, account_hmac, format, profile, time_zone, processor, due_days, costs, tax, by_amount, batch_names } = settings;
  const expected = { due_days, costs, ...(tax !== undefined && { tax }), by_amount, ...(batch_names !== undefined && { batch_names }) };
  const all = { kind, currencies, account_hmac, format, profile, time_zone, processor, ...expected };
  const data = { merchant_id: null, ...identity, ...all, person_id, key_id, reason, set_on: now };
  return { events: [{ type: 'ReconSourceSet', data }] };
}

/** Returns the fault of the settings, or undefined. */
function settingsFault(settings: SourceSettings): string | undefined {
  const { kind, currencies, account_hmac, format, profile, processor, time_zone, batch_names = [] } = settings;
  if (currencies.length === 0) return 'A source has a currency at least.';
  if (new Set(currencies).size < currencies.length) return 'A currency is named twice.';
  if (!isTimeZone(time_zone)) return `There is no time zone ${time_zone}.`;
  if (kind === 'BANK') {
    if (format === 'csv') return 'Statements of a BANK are camt053 or mt940: a CSV file has no balances that could be held against each other.';
    if (account_hmac === null) return 'A BANK has an account.';
    if (processor !== null) return 'A BANK has no processor.';
  } else {
    if (format !== 'csv') return 'Remittances of a PROCESSOR are csv.';
    if (account_hmac !== null) return 'A PROCESSOR has no account.';
    if (processor === null) return 'A PROCESSOR is named.';
    if (batch_names.length > 0) return 'Names of batches are found in texts of a BANK: a PROCESSOR has a column for them.';
  }
  const wrong = batch_names.map((name) => [name, batchNameFault(name)] as const).find(([, fault]) => fault !== undefined);
  if (wrong) return `The batch name ${wrong[0]} cannot be used: ${wrong[1]}.`;
  if ((format === 'csv') !== (profile !== null)) return 'Only csv takes a profile.';
  if (profile?.currency !== undefined && !currencies.includes(profile.currency))
    return `The currency of the profile, ${profile.currency}, is not a currency of the source.`;
  const fault = profile && profileFault(profile);
  return fault ? `The profile cannot be used: ${fault}.` : undefined;
}

/** A file that was decided stays decided, regardless of later events. */
export const isDecided = ({ files, replaced }: SourceState, statementId: string): boolean =>
  [...files, ...replaced].some(({ statement_id }) => statement_id === statementId);

function accept(state: SourceState, command: AcceptFile): Decision<SourceEvent, SourceRefusal> {
  const { file, replaces, person_id, key_id, now } = command;
  const { statement_id, source } = file;
  if (isDecided(state, statement_id)) return NOTHING_TO_DO;
  if (state.settings.length === 0) return refuse('source-missing', 'There is no such source.');
  if (replaces && !state.files.some(({ statement_id: id }) => id === replaces.statement_id))
    return refuse('nothing-to-replace', `No statement ${replaces.statement_id} of the source counts.`);
  if (replaces && isClosedOver(state, replaces.statement_id))
    return refuse('statement-closed', `Days of statement ${replaces.statement_id} are closed: it can no longer be replaced.`);
  const counted = countedOf(state, file, replaces?.statement_id ?? null);
  if ('reason' in counted) return refuse('statement-refused', `${counted.reason}: expected ${counted.expected}, found ${counted.found}`);
  const taken = numberTaken(state, file, counted, replaces?.statement_id ?? null);
  if (taken !== undefined) {
    const detail = `Another file with statement ${taken} was accepted while this one was read. Add an empty line at its end, and import it again.`;
    return refuse('number-taken', detail);
  }
  const data = { merchant_id: null, statement_id, source, ...counted, matcher: MATCHER, person_id, key_id, accepted_on: now };
  if (!replaces) return { events: [{ type: 'StatementAccepted', data }] };
  return { events: [{ type: 'StatementReplaced', data: { ...data, replaced_id: replaces.statement_id, reason: replaces.reason } }] };
}

function run(state: SourceState, { source, day, reason, person_id, key_id, now }: RunSource): Decision<SourceEvent, SourceRefusal> {
  if (state.settings.length === 0) return refuse('source-missing', `There is no source ${source}.`);
  return { events: [{ type: 'ReconRan', data: { merchant_id: null, source, day, person_id, key_id, reason, matcher: MATCHER, ran_on: now } }] };
}

/** Returns why a source refuses a file in its present state; undefined when it does not. */
export function refusalOf(state: SourceState, { file, replaces }: Pick<AcceptFile, 'file' | 'replaces'>): RefusedStatement | undefined {
  const counted = countedOf(state, file, replaces?.statement_id ?? null);
  return 'reason' in counted ? counted : undefined;
}
