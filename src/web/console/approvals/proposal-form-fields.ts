import 'reflect-metadata';
import { DECORATORS } from '@nestjs/swagger';
import { contentClassOf } from '../../../domain/approvals/proposal-contents.js';
import type { ProposalKindName } from '../../../domain/approvals/proposal-kind.js';
import { channelByCode, CHANNELS, channelName } from '../../../ledger/channels.js';
import type { ApprovalTier, MerchantApprovals } from '../../../ledger/events/approval-policy.events.js';
import { formatFigure, isWritten } from '../../../platform/text/format.js';
import { amountIn } from '../../../platform/html/typed-amount.js';
import { TIERS_MAX } from '../../../domain/operators/approval-policy.dto.js';
import { prepareDtosOf, type DtoClass } from '../../../platform/http/validation/validation.js';
import { unreachable } from '../../../ledger/unreachable.js';

/**
 * Fields of the console's forms of proposals, read from the classes that describe the contents of each kind to the API, so that a form
 * has no field that the content does not have. Typed texts become the content that a program would send; the same rules as for programs
 * validate it afterwards.
 */

/** Control of a field. */
export type FieldInput =
  | { readonly kind: 'text'; readonly max: number }
  /** `amount`: in the form of the content's currency. `fee`: an amount or a percentage. `lines`: a list of texts. */
  | { readonly kind: 'amount' | 'fee' | 'number' | 'month' | 'day' | 'flag' | 'merchant' | 'person' | 'tiers' | 'merchant-tiers' | 'lines' }
  /** One of these words. */
  | { readonly kind: 'choice'; readonly words: readonly string[]; readonly named?: (word: string) => string }
  /** Any number of these words. */
  | { readonly kind: 'words'; readonly words: readonly string[] };

export interface FormField {
  /** Path within the content: `of.channel_code`. */
  readonly at: string;
  readonly label: string;
  readonly hint: string | undefined;
  readonly example: string | undefined;
  readonly isRequired: boolean;
  readonly input: FieldInput;
}

/** Typed texts by the names of the form's fields. */
export type Typed = Readonly<Record<string, string>>;

type Content = Readonly<Record<string, unknown>>;

/** Metadata of Nest's OpenAPI decorators. */
interface Described {
  readonly type?: unknown;
  readonly isArray?: boolean;
  readonly enum?: readonly string[];
  readonly items?: { readonly enum?: readonly string[] };
  readonly maxLength?: number;
  readonly required?: boolean;
  readonly description?: string;
  readonly example?: unknown;
  readonly additionalProperties?: unknown;
}

const TEXT_MAX = 255;
/** Controls that differ from those of the field's type, by the last name of the path. */
const INPUTS: Readonly<Record<string, FieldInput>> = {
  merchant_id: { kind: 'merchant' },
  person_id: { kind: 'person' },
  channel_code: { kind: 'choice', words: CHANNELS.map(({ code }) => code), named: channelName },
  month: { kind: 'month' },
  relates_to: { kind: 'month' },
  until: { kind: 'day' },
  amount: { kind: 'amount' },
  min_amount: { kind: 'amount' },
  max_amount: { kind: 'amount' },
  value: { kind: 'fee' },
};
/** Labels that differ from the field's name, by the last name of the path. */
const LABELS: Readonly<Record<string, string>> = {
  merchant_id: 'Merchant',
  person_id: 'Person',
  mode: 'Books',
  channel_code: 'Payment channel',
  type: 'The fee is',
  value: 'Fee',
  use: 'For',
  payouts: 'Payouts that wait',
  payouts_day: 'Payouts of a day that wait',
  merchants: 'Merchants with separate tiers',
  adjustments: 'Adjustments that wait',
  settings: 'Approvals of settings',
  expires_hours: 'Hours until a request expires',
  merchant_name_id: 'Merchant’s name at the provider',
  enabled: 'The merchant has it',
  waive_fee: 'Without the fee',
  relates_to: 'Month that it belongs to',
  min_amount: 'Least amount',
  max_amount: 'Greatest amount',
  until: 'Until the end of',
  break_id: 'Id of the break',
  item_id: 'Id of the item',
  payout_id: 'Id of the payout',
  event_id: 'Id of the event',
  statement_id: 'Id of the file',
  final_statement: 'Evidence is final statements',
};
const AMOUNT = 'As the currency is written: 1.500,00 rupiah, 1,500.00 ringgit or dollars.';
const TIER = 'Amounts as the currency is written: 1.500,00 rupiah, 1,500.00 ringgit or dollars. An empty row is left out';
/** Hints for people that differ from the API's descriptions; null: no hint. */
const HINTS: Readonly<Record<string, string | null>> = {
  ...{
    merchant_id: null,
    person_id: null,
    channel_code: null,
    roles: null,
    mode: null,
    country: null,
    year: null,
    enabled: null,
    min_amount: AMOUNT,
    max_amount: AMOUNT,
  },
  days: 'One per line. They replace those in force; weekends need not be listed.',
  type: 'PERCENTAGE of the amount, or FIXED.',
  value: 'A percentage: 0.7 stands for 0.7 %. A fixed fee: as the currency is written, such as 1.500,00 rupiah.',
  amount: `${AMOUNT} For an item: its whole amount.`,
  direction: 'back: from the merchant to fees. Empty: from fees to the merchant.',
  payouts: `${TIER}. By the amount of a payout.`,
  payouts_day: `${TIER}. By the sum that a merchant requests in a currency on one UTC day.`,
  adjustments: `${TIER}. Each adjustment needs at least one.`,
  merchants:
    'One line per tier: id of the merchant, payouts or payouts_day, currency, amount above which it applies, and 1 or 2 approvals; or “none” instead of these three, if no payout of the merchant needs approval.',
};

/** Returns every field of a kind's contents, in the order of its class. */
export function fieldsOf(kind: ProposalKindName): readonly FormField[] {
  const body = contentClassOf(kind);
  // Preparing a class records which fields are optional. The first caller prepares it.
  prepareDtosOf({ body });
  return fieldsOfClass(body, '');
}

function fieldsOfClass({ prototype }: DtoClass, before: string): FormField[] {
  const names = Reflect.getMetadata(DECORATORS.API_MODEL_PROPERTIES_ARRAY, prototype as object) as readonly string[];
  return names.flatMap((marked) => {
    const name = marked.slice(1);
    const described = Reflect.getMetadata(DECORATORS.API_MODEL_PROPERTIES, prototype as object, name) as Described;
    const nested = classIn(described);
    return nested ? fieldsOfClass(nested, `${before}${name}.`) : [fieldOf(`${before}${name}`, described)];
  });
}

/** Returns the class of an object field. Lists of objects are fields with lines. */
function classIn({ type, isArray }: Described): DtoClass | undefined {
  const isLazy = typeof type === 'function' && type !== String && type !== Boolean;
  return isLazy && isArray !== true ? (type as () => DtoClass)() : undefined;
}

function fieldOf(at: string, described: Described): FormField {
  const name = at.slice(at.lastIndexOf('.') + 1);
  const { required = true, description } = described;
  const example: unknown = Array.isArray(described.example) ? described.example[0] : described.example;
  return {
    at,
    label: LABELS[name] ?? `${name[0]!.toUpperCase()}${name.slice(1).replaceAll('_', ' ')}`,
    hint: name in HINTS ? (HINTS[name] ?? undefined) : description,
    example: typeof example === 'string' || typeof example === 'number' ? String(example) : undefined,
    isRequired: required,
    input: INPUTS[name] ?? inputOf(described),
  };
}

function inputOf({ type, isArray, enum: words, items, additionalProperties, maxLength = TEXT_MAX }: Described): FieldInput {
  if (items?.enum) return { kind: 'words', words: items.enum };
  if (words) return { kind: 'choice', words };
  if (type === Boolean) return { kind: 'flag' };
  if (type === 'integer' || type === 'number') return { kind: 'number' };
  if (additionalProperties !== undefined) return { kind: 'merchant-tiers' };
  if (isArray === true && type === String) return { kind: 'lines' };
  return isArray === true ? { kind: 'tiers' } : { kind: 'text', max: maxLength };
}

/** Name of a field in the form, which also has fields beside those of the content. */
export const nameOf = (at: string): string => `content.${at}`;
/** Names of all controls of a field. */
export function namesOf({ at, input }: FormField): readonly string[] {
  if (input.kind === 'words') return input.words.map((word) => nameOf(`${at}.${word}`));
  if (input.kind === 'tiers') return Array.from({ length: TIERS_MAX }, (_, row) => TIER_CELLS.map((cell) => tierName(at, row, cell))).flat();
  return [nameOf(at)];
}

/** Controls of a tier, in the order of its row. */
export const TIER_CELLS = ['above', 'currency', 'approvals'] as const;
export type TierCell = (typeof TIER_CELLS)[number];
export const tierName = (at: string, row: number, cell: TierCell): string => nameOf(`${at}.${row}.${cell}`);

/** Returns the texts of the rows of a list of tiers that are not empty, each with its place. */
export function typedTiers(typed: Typed, at: string): readonly Readonly<Record<TierCell, string>>[] {
  const cell = (row: number, name: TierCell): string => (typed[tierName(at, row, name)] ?? '').trim();
  return Array.from({ length: TIERS_MAX }, (_, row) => ({
    ...{ above: cell(row, 'above'), currency: cell(row, 'currency'), approvals: cell(row, 'approvals') },
  })).filter((row) => Object.values(row).some((text) => text !== ''));
}

// ------------------------------------------------------------------------------------------------- from the form to the content

/** Returns `fixed` with the typed values, as a program would send it. Empty fields are left out. */
export function contentOf(fixed: Content, fields: readonly FormField[], typed: Typed): Content {
  return fields.reduce((content, field) => {
    const value = valueOf(field, typed, (at) => typed[nameOf(at)] ?? valueAt(fixed, at));
    return value === undefined ? content : setAt(content, field.at.split('.'), value);
  }, fixed);
}

/** Returns required fields that are empty. */
export const missingIn = (fields: readonly FormField[], content: Content): readonly FormField[] =>
  fields.filter(({ at, isRequired }) => isRequired && valueAt(content, at) === undefined);

function setAt(content: Content, [name, ...rest]: readonly string[], value: unknown): Content {
  return { ...content, [name!]: rest.length === 0 ? value : setAt((content[name!] ?? {}) as Content, rest, value) };
}

/** Finds another value of the content, by its path. */
type Beside = (at: string) => unknown;

/** Currency of a content's amounts, upper case; empty when it is not known. */
function currencyOf(beside: Beside): string {
  const [named, channel] = [
    ['currency', 'of.currency'],
    ['channel_code', 'of.channel_code'],
  ].map((paths) => paths.map((at) => beside(at)).find((value): value is string => typeof value === 'string' && value !== ''));
  return (named ?? channelByCode((channel ?? '').toUpperCase())?.currency ?? '').trim().toUpperCase();
}

function valueOf({ at, input }: FormField, typed: Typed, beside: Beside): unknown {
  const text = (typed[nameOf(at)] ?? '').trim();
  switch (input.kind) {
    case 'words':
      return input.words.filter((word) => typed[nameOf(`${at}.${word}`)] === 'yes');
    case 'tiers':
      return typedTiers(typed, at).map(tierIn);
    case 'merchant-tiers':
      return merchantTiersIn(text);
    case 'lines':
      return text === '' ? undefined : text.split(/[\s,]+/);
    case 'amount':
      return text === '' ? undefined : (amountIn(text, currencyOf(beside)) ?? text);
    case 'fee':
      if (text === '' || beside('fee.type') !== 'FIXED') return text === '' ? undefined : numberIn(text);
      return amountIn(text, currencyOf(beside)) ?? text;
    case 'number':
      return text === '' ? undefined : numberIn(text);
    case 'flag':
      return text === '' ? undefined : (FLAGS[text] ?? text);
    case 'text':
    case 'choice':
    case 'month':
    case 'day':
    case 'merchant':
    case 'person':
      return text === '' ? undefined : text;
    default:
      return unreachable(input);
  }
}

const FLAGS: Readonly<Record<string, boolean | undefined>> = { yes: true, no: false };

/** Returns a text that is no number unchanged; the rules for programs refuse it. */
const numberIn = (text: string): number | string => (/^-?\d+(\.\d+)?$/.test(text) ? Number(text) : text);

const linesOf = (text: string): string[] =>
  text
    .split(/\r?\n/)
    .map((line) => line.trim())
    .filter((line) => line !== '');

/** Leaves out empty texts, which the rules then miss. */
function tierIn({ currency, above, approvals }: Readonly<Record<TierCell, string>>): object {
  return {
    currency,
    ...(above !== '' && { above: amountIn(above, currency.toUpperCase()) ?? above }),
    ...(approvals !== '' && { approvals: numberIn(approvals) }),
  };
}

/** Reads a line such as `IDR 10.000.000,00 2`. */
function tierOfLine(line: string): object {
  const [currency = '', above = '', ...approvals] = line.split(/\s+/);
  return tierIn({ currency, above, approvals: approvals.join(' ') });
}

/** Reads lines such as `<merchant> payouts IDR 10,00 2`, or `<merchant> payouts none` when no payout of the merchant needs approval. */
function merchantTiersIn(text: string): object {
  const merchants = new Map<string, Map<string, object[]>>();
  for (const line of linesOf(text)) {
    const [merchant = '', list = '', ...tier] = line.split(/\s+/);
    const lists = merchants.get(merchant) ?? new Map<string, object[]>();
    const tiers = lists.get(list) ?? [];
    merchants.set(merchant, lists.set(list, tier.join(' ') === NO_TIERS ? tiers : [...tiers, tierOfLine(tier.join(' '))]));
  }
  return Object.fromEntries([...merchants].map(([merchant, lists]) => [merchant, Object.fromEntries(lists)]));
}

const NO_TIERS = 'none';

// ------------------------------------------------------------------------------------------------- from the content to the form

/** Returns the texts that an operator would type for `content`. */
export function typedFor(fields: readonly FormField[], content: Content): Typed {
  return Object.fromEntries(fields.flatMap((field) => textsOf(field, valueAt(content, field.at), (at) => valueAt(content, at))));
}

const valueAt = (content: Content, at: string): unknown =>
  at.split('.').reduce<unknown>((value, name) => (value as Content | undefined)?.[name], content);

function textsOf({ at, input }: FormField, value: unknown, beside: Beside): (readonly [string, string])[] {
  if (value === undefined || value === null) return [];
  if (input.kind === 'words') return (value as readonly string[]).map((word) => [nameOf(`${at}.${word}`), 'yes'] as const);
  if (input.kind === 'lines') return [[nameOf(at), (value as readonly string[]).join('\n')]];
  if (input.kind === 'flag') return [[nameOf(at), value === true ? 'yes' : 'no']];
  if (input.kind === 'tiers')
    return (value as readonly ApprovalTier[]).flatMap(({ currency, above, approvals }, row) => [
      [tierName(at, row, 'above'), written(above, currency)] as const,
      [tierName(at, row, 'currency'), currency] as const,
      [tierName(at, row, 'approvals'), `${approvals}`] as const,
    ]);
  if (input.kind === 'merchant-tiers') return [[nameOf(at), merchantLines(value as Readonly<Record<string, MerchantApprovals>>).join('\n')]];
  const isAmount = input.kind === 'amount' || (input.kind === 'fee' && beside('fee.type') === 'FIXED');
  return [[nameOf(at), isAmount && typeof value === 'number' ? written(value, currencyOf(beside)) : `${value as string | number}`]];
}

const lineOf = ({ currency, above, approvals }: ApprovalTier): string => `${currency} ${written(above, currency)} ${approvals}`;

/** An amount as its currency is written; of an unknown currency, minor units, which the rules refuse with the currency. */
const written = (amount: number, currency: string): string => (isWritten(currency) ? formatFigure(amount, currency) : `${amount}`);

const merchantLines = (merchants: Readonly<Record<string, MerchantApprovals>>): string[] =>
  Object.entries(merchants).flatMap(([merchant, lists]) =>
    Object.entries(lists as Readonly<Record<string, readonly ApprovalTier[]>>).flatMap(([list, tiers]) =>
      (tiers.length === 0 ? [NO_TIERS] : tiers.map(lineOf)).map((tier) => `${merchant} ${list} ${tier}`),
    ),
  );
