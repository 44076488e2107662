import { InvalidArgumentError, type Argument, type Option } from 'commander';
import { railUseOf } from '../ledger/channels.js';
import { isDay } from '../ledger/days.js';
import { OPERATOR_ROLES, type OperatorRole } from '../ledger/events/operator.events.js';
import { faultRates, type FaultRates } from '../../tools/provider-simulators/faults.js';
import { DEFECTS_COUNT } from '../../tools/simulated-files/day.js';
import { YEAR_MAX, YEAR_MIN } from '../domain/calendar/holidays.js';
import { ALL_SCOPES, SCOPES } from '../domain/merchants/scopes.js';
import { isReadableInLatin } from '../platform/text/ascii.js';
import { COUNTRIES } from '../platform/http/validation/iso-codes.js';
import { parseTimestamp } from '../platform/http/validation/timestamp.js';
import type { Timestamp } from '../ledger/time.js';
import { ONE_LINE } from '../platform/text/text.js';
import { isHttpUri } from '../platform/text/uri.js';
import { UUID } from '../platform/text/uuid.js';

/** Parsers of arguments. They throw for wrong usage: exit 2. */

/** Accepts one of `words`, case-insensitive, and returns it as it is written there. */
export function oneOf<Of extends Option | Argument>(of: Of, words: readonly string[]): Of {
  of.choices(words);
  of.argParser((text: string) => {
    const found = words.find((word) => word.toLowerCase() === text.toLowerCase());
    if (found !== undefined) return found;
    const meant = nearest(text, words);
    throw new InvalidArgumentError(`${meant === undefined ? '' : `Did you mean ${meant}? `}Allowed choices are ${words.join(', ')}.`);
  });
  return of;
}

const UNIT_MS: Readonly<Record<string, number>> = { s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 };

export const name = textUpTo(255);

/** Accepts a name that payment codes can show; they have Latin letters only. */
export function merchantName(text: string): string {
  if (isReadableInLatin(name(text))) return text;
  throw new InvalidArgumentError(
    'The name has no Latin letter, and payment codes show only Latin letters. Add a Latin form, such as "Haoyunlai 好运来".',
  );
}

export function email(text: string): string {
  if (text.length > 254 || !/^[^\s@\p{Cc}\p{Cs}]+@[^\s@\p{Cc}\p{Cs}]+\.[^\s@\p{Cc}\p{Cs}.]+$/u.test(text))
    throw new InvalidArgumentError('Must be an e-mail address.');
  return text;
}

/** Accepts an ISO 3166-1 alpha-2 code, case-insensitive. */
export function country(text: string): string {
  const code = text.toUpperCase();
  if (!COUNTRIES.has(code)) throw new InvalidArgumentError('Must be a country code of two letters, such as ID.');
  return code;
}

export function mode(text: string): 'test' | 'live' {
  const lower = text.toLowerCase();
  if (lower !== 'test' && lower !== 'live') throw new InvalidArgumentError('Must be test or live.');
  return lower;
}

export function merchantId(text: string): string {
  const id = text.toLowerCase();
  if (!UUID.test(id)) throw new InvalidArgumentError('Must be the id of a merchant (a UUID); "merchant list" shows them.');
  return id;
}

export function operatorId(text: string): string {
  const id = text.toLowerCase();
  if (!UUID.test(id)) throw new InvalidArgumentError('Must be the id of an operator (a UUID); "operator list" shows them.');
  return id;
}

/** Accepts a list such as `preparer,approver`. */
export function roles(text: string): readonly OperatorRole[] {
  const wanted = text.split(',').map((role) => role.trim().toLowerCase());
  const unknown = wanted.find((role) => !(OPERATOR_ROLES as readonly string[]).includes(role));
  if (unknown !== undefined) throw new InvalidArgumentError(`There is no role "${unknown}"; the roles are ${OPERATOR_ROLES.join(', ')}.`);
  return OPERATOR_ROLES.filter((role) => wanted.includes(role));
}

export function rolesOrNone(text: string): readonly OperatorRole[] {
  return text.toLowerCase() === 'none' ? [] : roles(text);
}

export function recordId(text: string): string {
  const id = text.toLowerCase();
  if (!UUID.test(id)) throw new InvalidArgumentError('Must be an id (a UUID).');
  return id;
}

/** Accepts a list such as `charges:read,charges:write`, or `*`. */
export function scopes(text: string): readonly string[] {
  const wanted = [...new Set(text.split(',').map((scope) => scope.trim().toLowerCase()))];
  const unknown = wanted.find((scope) => scope !== ALL_SCOPES && !SCOPES.includes(scope));
  if (unknown !== undefined) throw new InvalidArgumentError(`There is no scope "${unknown}"; the scopes are ${SCOPES.join(', ')} and ${ALL_SCOPES}.`);
  return wanted.includes(ALL_SCOPES) ? [ALL_SCOPES] : wanted;
}

/** Accepts an RFC 3339 time with an offset. */
export function moment(text: string): Timestamp {
  const parsed = parseTimestamp(text);
  if (parsed === undefined) throw new InvalidArgumentError('Must be an RFC 3339 time with an offset, such as 2027-01-31T00:00:00+00:00.');
  return parsed;
}

/** Accepts `90s`, `30m`, `24h`, `7d` or `0`, and returns milliseconds. */
export function duration(text: string): number {
  if (text === '0') return 0;
  const [, digits, unit] = /^(\d{1,6})([smhd])$/.exec(text) ?? [];
  if (digits === undefined || unit === undefined) throw new InvalidArgumentError('Must be a duration such as 90s, 30m, 24h or 7d.');
  return Number(digits) * UNIT_MS[unit]!;
}

/** Accepts a whole number from 1 to `max`. */
export function countUpTo(max: number): (text: string) => number {
  return (text) => {
    if (!/^\d{1,12}$/.test(text) || Number(text) < 1 || Number(text) > max)
      throw new InvalidArgumentError(`Must be a whole number from 1 to ${max}.`);
    return Number(text);
  };
}

/** Accepts the sequence of an event, or 0 for the position before the first. */
export function sequence(text: string): number {
  if (!/^\d{1,15}$/.test(text)) throw new InvalidArgumentError('Must be the sequence of an event: a whole number from 0.');
  return Number(text);
}

/** Accepts a port; 0 picks a free one. */
export function port(text: string): number {
  if (!/^\d{1,5}$/.test(text) || Number(text) > 65_535) throw new InvalidArgumentError('Must be a port from 0 to 65535.');
  return Number(text);
}

/** Accepts any code; the rules decide whether it exists. */
export function upperCase(text: string): string {
  return text.toUpperCase();
}

export function yesOrNo(text: string): boolean {
  const answer = text.toLowerCase();
  if (answer !== 'yes' && answer !== 'no') throw new InvalidArgumentError('Must be yes or no.');
  return answer === 'yes';
}

export function minorUnits(text: string): number {
  if (!/^\d{1,16}$/.test(text) || !Number.isSafeInteger(Number(text))) throw new InvalidArgumentError('Must be a whole number of minor units.');
  return Number(text);
}

export function percentage(text: string): number {
  if (!/^\d{1,3}(\.\d{1,8})?$/.test(text)) throw new InvalidArgumentError('Must be a percentage such as 0.7.');
  return Number(text);
}

/** Accepts a rail's name; `none` means no rail. */
export function railName(text: string): string {
  if (!/^[a-z0-9-]{1,40}$/.test(text) || text === NO_RAIL)
    throw new InvalidArgumentError(`Must be 1 to 40 characters of a-z, 0-9 and -, and not "${NO_RAIL}".`);
  return text;
}

export function railNameOrNone(text: string): string {
  return text.toLowerCase() === NO_RAIL ? NO_RAIL : railName(text);
}

/** Returns the value of such an argument. The parser itself cannot return null. */
export const railOrNull = (name: string): string | null => (name === NO_RAIL ? null : name);

const NO_RAIL = 'none';

/** Accepts a channel's code or `payout.<currency>`. */
export function railUse(text: string): string {
  const use = railUseOf(text);
  if (use === undefined) throw new InvalidArgumentError('Must be a channel such as qr_qris, or payout.<currency> such as payout.IDR.');
  return use;
}

/** Accepts `pay-again`, or `channel:<code>`. */
export function allowance(text: string): string {
  const [what, code] = text.toLowerCase().split(':', 2);
  if (what === 'pay-again' && code === undefined) return what;
  if (what === 'channel' && code !== undefined && code !== '') return `channel:${code.toUpperCase()}`;
  throw new InvalidArgumentError('Must be pay-again, or channel: and a channel, such as channel:wallet_ovo.');
}

/** Accepts a reference to a document, for readers of the audit log. */
export const evidence = textUpTo(1_000);

/** Accepts SHA-256 in hex. */
export function digest(text: string): string {
  if (!/^[0-9a-f]{64}$/i.test(text)) throw new InvalidArgumentError('Must be a digest of 64 hexadecimal digits.');
  return text.toLowerCase();
}

/** Accepts the reason of an action, for readers of the audit log. */
export const reason = textUpTo(500);

/** Accepts a batch that is given with a file. */
export function batch(text: string): string {
  if (text.trim() !== text) throw new InvalidArgumentError('Must have no spaces around it.');
  return textUpTo(64)(text);
}

function textUpTo(max: number): (text: string) => string {
  return (text) => {
    const length = [...text].length;
    if (length < 1 || length > max || !ONE_LINE.test(text))
      throw new InvalidArgumentError(`Must be 1 to ${max} characters without control characters.`);
    return text;
  };
}

/** Accepts an RFC 3339 time with an offset, or a day, which begins at midnight in UTC. */
export function dayOrMoment(text: string): Timestamp {
  return moment(/^\d{4}-\d\d-\d\d$/.test(text) ? `${text}T00:00:00+00:00` : text);
}

/** Accepts an address and removes slashes at its end. */
export function baseUrl(text: string): string {
  if (!isHttpUri(text) || /[?#]/.test(text)) throw new InvalidArgumentError('Must be an http or https address without user, query and fragment.');
  return new URL(text).href.replace(/\/+$/, '');
}

/** Accepts `<fault>` or `<fault>:<rate>`, and adds it to the previous ones. */
export function fault(text: string, others: FaultRates): FaultRates {
  const [fault = '', rate = '0.1'] = text.split(':');
  if (!/^(0(\.\d{1,6})?|1)$/.test(rate)) throw new InvalidArgumentError('Must be a rate from 0 to 1, such as 0.1.');
  try {
    return { ...others, ...faultRates({ [fault]: Number(rate) }) };
  } catch (error) {
    throw new InvalidArgumentError((error as Error).message);
  }
}

/** Accepts a day of the calendar. */
export function day(text: string): string {
  if (!isDay(text)) throw new InvalidArgumentError('Must be a day such as 2026-01-31.');
  return text;
}

/** Accepts a list of days such as `2027-01-01,2027-08-17`, or `none`. */
export const days = (text: string): readonly string[] => (text.toLowerCase() === 'none' ? [] : text.split(',').map((each) => day(each.trim())));

/** Accepts a year of the calendar. */
export function year(text: string): number {
  if (!/^\d{4}$/.test(text) || Number(text) < YEAR_MIN || Number(text) > YEAR_MAX)
    throw new InvalidArgumentError(`Must be a year from ${YEAR_MIN} to ${YEAR_MAX}.`);
  return Number(text);
}

/** Accepts a month of the calendar. */
export function month(text: string): string {
  if (!/^\d{4}-(?:0[1-9]|1[0-2])$/.test(text)) throw new InvalidArgumentError('Must be a month such as 2026-01.');
  return text;
}

/** Accepts numbers of the simulator's defects, each once. */
export function defects(text: string): readonly number[] {
  const numbers = text.split(',').map((each) => (/^\d{1,2}$/.test(each) ? Number(each) : 0));
  const areRight = numbers.every((number) => number >= 1 && number <= DEFECTS_COUNT) && new Set(numbers).size === numbers.length;
  if (!areRight) throw new InvalidArgumentError(`Must be numbers from 1 to ${DEFECTS_COUNT} separated by commas, each once.`);
  return numbers;
}

/** Returns the word that was probably meant; undefined when none is within a third of its letters. */
function nearest(text: string, words: readonly string[]): string | undefined {
  const [best] = words
    .map((word) => ({ word, distance: distanceOf(text.toLowerCase(), word.toLowerCase()) }))
    .filter(({ word, distance }) => distance <= Math.max(1, Math.floor(word.length / 3)))
    .sort((a, b) => a.distance - b.distance);
  return best?.word;
}

/** Returns the number of letters to change, add or leave out. */
function distanceOf(from: string, to: string): number {
  let row = Array.from({ length: to.length + 1 }, (_, place) => place);
  for (const [line, letter] of [...from].entries()) {
    const next = [line + 1];
    for (let at = 0; at < to.length; at++) next.push(Math.min(next[at]! + 1, row[at + 1]! + 1, row[at]! + (to[at] === letter ? 0 : 1)));
    row = next;
  }
  return row.at(-1)!;
}
