import { isStorable } from '../platform/text/text.js';

/**
 * The bounds of every field of every event, by its name: every read model can apply every event that a decider accepts. A test requires a bound for each field of
 * the catalogue that the compiler does not restrict to given words, and projects events at their bounds.
 */

/** Maximum length of a text, in UTF-16 units, and its form. */
interface TextBound {
  readonly max: number;
  readonly form?: RegExp;
  /** The service makes the text, or knows all of its values: it never comes from outside. */
  readonly ours?: true;
}

interface NumberBound {
  readonly min: number;
  readonly max: number;
  readonly fractions?: true;
}

/** An object whose names are data: its maximum members, and the bound of every text in it; `fields`: its values are objects of named fields. */
interface RecordBound {
  readonly max: number;
  readonly values: TextBound | 'fields';
}

const text = (max: number): TextBound => ({ max });
/** From 1970 to 9999, and a year less where the service counts days from it, or a time zone may be ahead of UTC. */
const DATE = '(?:19[7-9]\\d|[2-9]\\d{3})-\\d\\d-\\d\\d';
const COUNTED_DATE = `(?!9999)${DATE}`;
const TIME = 'T\\d\\d:\\d\\d:\\d\\d(?:\\.\\d{1,9})?(?:Z|[+-]\\d\\d:\\d\\d)';
const MOMENT: TextBound = { max: 35, form: new RegExp(`^${DATE}${TIME}$`) };
const COUNTED_MOMENT: TextBound = { max: 35, form: new RegExp(`^${COUNTED_DATE}${TIME}$`) };
const DAY: TextBound = { max: 10, form: new RegExp(`^${DATE}$`) };
const COUNTED_DAY: TextBound = { max: 10, form: new RegExp(`^${COUNTED_DATE}$`) };
const MONTH: TextBound = { max: 7, form: /^\d{4}-\d\d$/ };
const ID: TextBound = { max: 255, ours: true };
const CURRENCY: TextBound = { max: 3, form: /^[A-Z]{3}$/ };
const HASH: TextBound = { max: 128, ours: true };
const WORD: TextBound = { max: 128, ours: true };
const DIGITS: TextBound = { max: 40, form: /^-?\d+$/ };
/** Codes and references of providers, banks and files. Two of them fit in a row of an index, which has at most 2,704 bytes: a unit has up to three. */
export const REFERENCE_MAX = 128;
const REFERENCE = text(REFERENCE_MAX);
/** 255 characters, in an index as well. */
const NAME = text(510);
/** No index holds these. */
const SENTENCE = text(4_096);
const LONG = text(262_144);

const BY_ENDING: readonly (readonly [string, TextBound])[] = [
  ['_id', ID],
  ['_on', MOMENT],
  ['_by', NAME],
];

/** Keys are names of fields; `name[]` is an item of a list, and `Type.name` a field that has another meaning in one type of event. */
const TEXTS = table<TextBound>([
  [
    ID,
    '$causationId $correlationId batch_source event_stream event_type external_id items[] line_source lines_stream owner partner_reference source target',
  ],
  [WORD, 'channel_code country dates events[] field kind media_type processor profile projection rail refusal scopes[] settlement_cycle'],
  [WORD, 'time_zone timezone use what ChargeCreated.code ProposalMade.name ReconSourceSet.name'],
  [MOMENT, 'at approve_by due_by settlement_date until valid_until'],
  [COUNTED_MOMENT, 'StatementAccepted.accepted_on StatementReplaced.accepted_on'],
  [DAY, 'value_date days[] BreakAccepted.until'],
  [COUNTED_DAY, 'booking_date closes_on booked_from booked_to day StatementAccepted.booked_on StatementReplaced.booked_on'],
  [MONTH, 'month relates_to'],
  [CURRENCY, 'currency default_currency currencies[]'],
  [HASH, 'account_hmac digest entry_key fingerprint hash key_hash line_key sha256 signature'],
  [DIGITS, 'net_amount'],
  [REFERENCE, 'bank_code batch code failure_code group key_hint number payment_reference processor_reference reason_code reference references[]'],
  [REFERENCE, 'batch_names[]'],
  [NAME, 'actor column value bank_account_name bank_account_number bank_name email ignored[] merchant_name_id name name_masked reference_id'],
  [SENTENCE, 'description detail qr_string reason waited_for'],
  [SENTENCE, 'base_url embedded_url redirect_url return_url simulation_url web_hook_uri'],
  [LONG, 'evidence sealed sealed_key'],
]);

const MONEY: NumberBound = { min: -Number.MAX_SAFE_INTEGER, max: Number.MAX_SAFE_INTEGER };
/** Ordinals, revisions and bytes; -1: before the first. */
const PLACE: NumberBound = { min: -1, max: Number.MAX_SAFE_INTEGER };
/** Columns of four bytes. */
const COUNT: NumberBound = { min: 0, max: 2 ** 31 - 1 };
const FEW: NumberBound = { min: 0, max: 100 };
const RATE: NumberBound = { min: 0, max: Number.MAX_SAFE_INTEGER, fractions: true };

const NUMBERS = table<NumberBound>([
  [MONEY, 'above amount book_cash closing differences dispute_fee_amount excess_amount fee fee_amount gross max_amount min_amount net_amount'],
  [MONEY, 'opening refunded_amount residual tax under_way DayClosed.payouts DayClosed.returns'],
  [PLACE, 'event_position events mark position size'],
  [COUNT, 'at attempt charges claimed_in count disputes event_revision expires_hours groups lines matcher n part parts'],
  [COUNT, 'refunds returns reversals revision rows schema_version seconds_before settings settlement_number version year HouseAdjusted.items'],
  [FEW, 'approvals_required controllers_required due_days'],
  [RATE, 'value ReconSourceSet.tax'],
]);

/** Maximum items of a list without a bound. */
const ITEMS_MAX = 1_000;

/** Maximum items of lists. */
const LISTS = table<number>([
  [1_000, 'batches lines statements'],
  [500, 'rows'],
  [200, 'breaks evidence fingerprints ignored items suspense'],
  [100, 'adjustments closings currencies events figures former_keys payouts payouts_day roles scopes sums'],
  [60, 'days'],
  [20, 'batch_names'],
  [8, 'references'],
]);

const RECORDS = table<RecordBound>([
  [{ max: 50, values: text(1_000) }, 'meta_data'],
  [{ max: 100, values: NAME }, 'columns kinds sign_texts'],
  [{ max: 100, values: 'fields' }, 'costs merchants'],
  [{ max: 100, values: LONG }, 'content'],
]);

function table<Bound>(rows: readonly (readonly [Bound, string])[]): Map<string, Bound> {
  return new Map(rows.flatMap(([bound, names]) => names.split(' ').map((name): [string, Bound] => [name, bound])));
}

/** The declared bounds of the fields of one type of event; undefined: none is declared. */
export interface BoundsOfType {
  readonly text: (name: string) => TextBound | undefined;
  readonly number: (name: string) => NumberBound | undefined;
}

const OF_TYPES = new Map<string, BoundsOfType>();

export function boundsOf(type: string): BoundsOfType {
  let found = OF_TYPES.get(type);
  if (!found) {
    const text = remembering((name) => TEXTS.get(`${type}.${name}`) ?? TEXTS.get(name) ?? BY_ENDING.find(([ending]) => name.endsWith(ending))?.[1]);
    const number = remembering((name) => NUMBERS.get(`${type}.${name}`) ?? NUMBERS.get(name));
    OF_TYPES.set(type, (found = { text, number }));
  }
  return found;
}

/** Names are those of fields in the catalogue. */
function remembering<Bound>(find: (name: string) => Bound | undefined): (name: string) => Bound | undefined {
  const known = new Map<string, Bound | undefined>();
  return (name) => {
    const bound = known.get(name);
    if (bound !== undefined || known.has(name)) return bound;
    known.set(name, find(name));
    return known.get(name);
  };
}

export const itemsMax = (name: string): number | undefined => LISTS.get(name);
export const recordBound = (name: string): RecordBound | undefined => RECORDS.get(name);

/** Returns why an event is out of its bounds, for people; undefined when it is within them. Takes about as long as to write its JSON. */
export function boundsFault(type: string, fields: object): string | undefined {
  return fieldsFault(boundsOf(type), fields as Readonly<Record<string, unknown>>);
}

function fieldsFault(of: BoundsOfType, fields: Readonly<Record<string, unknown>>): string | undefined {
  for (const name of Object.keys(fields)) {
    const fault = faultOf(of, name, fields[name]);
    if (fault !== undefined) return fault;
  }
  return undefined;
}

function faultOf(of: BoundsOfType, name: string, value: unknown): string | undefined {
  switch (typeof value) {
    case 'string':
      // A field without a bound has only words that the compiler knows.
      return textFault(name, value, of.text(name) ?? WORD);
    case 'number':
      return numberFault(name, value, of.number(name) ?? MONEY);
    case 'object':
      if (value === null) return undefined;
      return Array.isArray(value) ? listFault(of, name, value) : objectFault(of, name, value);
    default:
      return undefined;
  }
}

function textFault(name: string, value: string, { max, form }: TextBound): string | undefined {
  if (value.length > max) return `"${name}" has more than ${max} characters`;
  if (form ? !form.test(value) : !isStorable(value)) return `"${name}" has a character or a form that it cannot have`;
  return undefined;
}

function numberFault(name: string, value: number, { min, max, fractions }: NumberBound): string | undefined {
  return value >= min && value <= max && (fractions || Number.isInteger(value)) ? undefined : `"${name}" is no number from ${min} to ${max}`;
}

function listFault(of: BoundsOfType, name: string, items: readonly unknown[]): string | undefined {
  const max = LISTS.get(name) ?? ITEMS_MAX;
  if (items.length > max) return `"${name}" has more than ${max} items`;
  const each = `${name}[]`;
  for (const item of items) {
    const fault = faultOf(of, each, item);
    if (fault !== undefined) return fault;
  }
  return undefined;
}

function objectFault(of: BoundsOfType, name: string, value: object): string | undefined {
  const record = RECORDS.get(name);
  return record ? recordFault(of, name, value, record) : fieldsFault(of, value as Readonly<Record<string, unknown>>);
}

function recordFault(of: BoundsOfType, name: string, value: object, { max, values }: RecordBound): string | undefined {
  const entries = Object.entries(value);
  if (entries.length > max) return `"${name}" has more than ${max} members`;
  for (const [key, each] of entries) {
    const fault =
      textFault(name, key, NAME) ?? (values === 'fields' ? fieldsFault(of, each as Readonly<Record<string, unknown>>) : anyFault(name, each, values));
    if (fault !== undefined) return fault;
  }
  return undefined;
}

/** Checks every text within a value of any form, and the names in it. */
function anyFault(name: string, value: unknown, bound: TextBound): string | undefined {
  if (typeof value === 'string') return textFault(name, value, bound);
  if (typeof value !== 'object' || value === null) return undefined;
  for (const [key, each] of Object.entries(value)) {
    const fault = textFault(name, key, NAME) ?? anyFault(name, each, bound);
    if (fault !== undefined) return fault;
  }
  return undefined;
}
