import type { CalendarContent, ChannelContent, FeeContent, RailContent, RolesContent } from '../../../domain/approvals/proposal-contents.dto.js';
import { CHANNELS } from '../../../ledger/channels.js';
import type { ApprovalPolicy } from '../../../ledger/events/approval-policy.events.js';
import type { Fee } from '../../../ledger/money.js';
import { ofYear, type HolidaysOfYear } from '../../../domain/calendar/holidays.js';
import type { KnownMerchants } from '../../../domain/merchants/known-merchants.js';

/** A value of a proposal's content, and the present value of the same field. */
export interface ChangedValue {
  /** Path within the content, such as `fee.value`. */
  readonly field: string;
  readonly before: string | null;
  readonly after: string | null;
  readonly isChanged: boolean;
}

type Content = Readonly<Record<string, unknown>>;

/** Returns the present values in the form of the content; undefined for kinds that replace nothing. */
function nowOf(kind: string, content: Content, known: KnownMerchants, holidays: readonly HolidaysOfYear[]): object | undefined {
  switch (kind) {
    case 'POLICY': {
      const { mode } = content as unknown as ApprovalPolicy;
      const { payouts, payouts_day, merchants, adjustments, settings, expires_hours } = known.approvalPolicy(mode) ?? {};
      return { mode, payouts, payouts_day, merchants, adjustments, settings, expires_hours };
    }
    case 'ROLES': {
      const { person_id } = content as unknown as RolesContent;
      return { person_id, roles: known.operators.operator(person_id)?.roles };
    }
    case 'FEE': {
      const { merchant_id, of } = content as unknown as FeeContent;
      return { merchant_id, of, fee: feeNow(merchant_id, of, known) };
    }
    case 'CHANNEL': {
      const { merchant_id, channel_code, ...change } = content as unknown as ChannelContent;
      const terms: Content = { ...known.channelTerms(merchant_id, channel_code) };
      return { merchant_id, channel_code, ...Object.fromEntries(Object.keys(change).map((name) => [name, terms[name]])) };
    }
    case 'RAIL': {
      const { merchant_id, use } = content as unknown as RailContent;
      const { rail = null, merchant_name_id = null } = known.rail(merchant_id, use) ?? {};
      return { merchant_id, use, rail, merchant_name_id };
    }
    case 'CALENDAR': {
      const { country, year } = content as unknown as CalendarContent;
      return { country, year, days: ofYear(holidays, { country, year })[0]?.days };
    }
    default:
      return undefined;
  }
}

function feeNow(merchantId: string, { kind, channel_code, currency }: FeeContent['of'], known: KnownMerchants): Fee | undefined {
  if (kind === 'charge') return known.channelTerms(merchantId, channel_code!)?.fee;
  return kind === 'payout' ? known.payoutFee(merchantId, currency!) : { type: 'FIXED', value: known.disputeFee(merchantId, currency!) };
}

/** Returns every proposed or present value, in the order of the content. @param holidays in force */
export function changesOf(kind: string, content: Content, known: KnownMerchants, holidays: readonly HolidaysOfYear[]): ChangedValue[] {
  const after = new Map(leavesOf(content));
  const before = new Map(leavesOf(nowOf(kind, content, known, holidays) ?? {}));
  return [...new Set([...after.keys(), ...before.keys()])].map((field) => {
    const [was, is] = [before.get(field) ?? null, after.get(field) ?? null];
    return { field, before: was, after: is, isChanged: was !== is };
  });
}

/** Returns the values with their paths. A list of words is one value; members of other lists are numbered. */
function leavesOf(value: unknown, field = ''): (readonly [string, string])[] {
  if (value === null || value === undefined) return [];
  if (typeof value !== 'object') return [[field, typeof value === 'string' ? value : JSON.stringify(value)]];
  const isList = Array.isArray(value);
  if (isList && value.every((each) => typeof each !== 'object')) return [[field, value.join(', ')]];
  const behind = (name: string): string => (isList ? `${field}[${Number(name) + 1}]` : field === '' ? name : `${field}.${name}`);
  return Object.entries(value).flatMap(([name, member]) => leavesOf(member, behind(name)));
}

type Side = 'before' | 'after';

/** Returns the currency of a value that is an amount on this side; undefined for other values. */
export function currencyOf(changes: readonly ChangedValue[], field: string, side: Side): string | undefined {
  const at = (name: string): string | undefined => changes.find((each) => each.field === name)?.[side] ?? undefined;
  const ofChannel = (name: string): string | undefined => CHANNELS.find(({ code }) => code === at(name))?.currency;
  if (field === 'fee.value') return at('fee.type') === 'FIXED' ? (at('of.currency') ?? ofChannel('of.channel_code')) : undefined;
  if (field === 'min_amount' || field === 'max_amount') return ofChannel('channel_code');
  if (field.endsWith('.above')) return at(field.replace(/above$/, 'currency'));
  return field === 'amount' || field.endsWith('_amount') ? at('currency') : undefined;
}
