import { beforeAll, describe, expect, it } from '@jest/globals';
import { boundsFault, boundsOf, itemsMax, recordBound } from '../../../src/ledger/bounds.js';
import { SCHEMA_VERSIONS } from '../../../src/ledger/catalogue.js';
import { newEvent, systemContext } from '../../../src/ledger/streams/new-event.js';
import { shapesOfToday, type Shape } from '../../support/event-shapes.js';

/** Words that the compiler knows, and nothing. */
const isGiven = (shape: string): boolean =>
  shape.split(' | ').every((one) => one === 'null' || one === 'boolean' || /^(?:"|\d|true|false)/.test(one));

/** Lists the fields of `shape` without a bound. */
function unbounded(type: string, name: string, shape: Shape): string[] {
  if (typeof shape === 'string') {
    const isBound = shape.split(' | ').every((one) => {
      if (one === 'string') return boundsOf(type).text(name) !== undefined;
      return one === 'number' ? boundsOf(type).number(name) !== undefined : isGiven(one);
    });
    return isBound ? [] : [`${type}.${name}: ${shape}`];
  }
  if (Array.isArray(shape))
    return [...(itemsMax(name) === undefined ? [`${type}.${name}: a list`] : []), ...unbounded(type, `${name}[]`, (shape as readonly [Shape])[0])];
  const record = recordBound(name);
  if (record && record.values !== 'fields') return [];
  return Object.entries(shape).flatMap(([field, of]) => {
    if (field === '[name]') return record ? unbounded(type, name, of) : [`${type}.${name}: an object with names that are data`];
    return unbounded(type, field.startsWith('either ') ? name : field.replace('?', ''), of);
  });
}

describe('bounds of events', () => {
  let shapes: Map<string, Shape>;
  beforeAll(() => {
    shapes = shapesOfToday();
  });

  it.each(Object.keys(SCHEMA_VERSIONS))('every field of %s has a bound, unless the compiler knows its words', (type) => {
    expect(Object.entries(shapes.get(type)!).flatMap(([name, shape]) => unbounded(type, name.replace('?', ''), shape))).toEqual([]);
  });

  const refund = { refund_id: '0198c0de-7a5e-5c3a-9d2f-3f6f4a1b2c3d', reason: 'why', failed_on: '2026-01-31T08:15:30.123+00:00', amount: 100 };
  const line = { booking_date: '2026-01-31', batch: 'B1', references: ['R1'] };

  it.each<[string, string, object, string]>([
    ['U+0000', 'ChargeRefundFailed', { ...refund, reason: 'B\u00002' }, 'reason'],
    ['half of a surrogate pair', 'ChargeRefundFailed', { ...refund, reason: 'B\ud83d' }, 'reason'],
    ['a text that is too long', 'ChargeRefundFailed', { ...refund, reason: 'x'.repeat(4_097) }, 'reason'],
    ['a fraction of a minor unit', 'ChargeRefundFailed', { ...refund, amount: 0.5 }, 'amount'],
    ['an amount that is not exact', 'ChargeRefundFailed', { ...refund, amount: 2 ** 53 }, 'amount'],
    ['no number', 'ChargeRefundFailed', { ...refund, amount: NaN }, 'amount'],
    ['a moment before 1970', 'ChargeRefundFailed', { ...refund, failed_on: '1969-12-31T23:59:59.999+00:00' }, 'failed_on'],
    ['a moment after 9999', 'ChargeRefundFailed', { ...refund, failed_on: '+010000-01-01T00:00:00.000+00:00' }, 'failed_on'],
    ['a text within a list of objects', 'StatementLines', { lines: [line, { ...line, batch: 'B\0' }] }, 'batch'],
    ['a text in a list', 'StatementLines', { lines: [{ ...line, references: ['R'.repeat(129)] }] }, 'references[]'],
    ['a list that is too long', 'StatementLines', { lines: [{ ...line, references: Array(9).fill('R') }] }, 'references'],
    ['a day that is none', 'StatementLines', { lines: [{ ...line, booking_date: '0001-01-01' }] }, 'booking_date'],
    ['a member of metadata', 'ChargeCreated', { meta_data: { table: '\0' } }, 'meta_data'],
    ['the name of a member of metadata', 'ChargeCreated', { meta_data: { '\0': 'x' } }, 'meta_data'],
    ['a text deep in a proposal', 'ProposalMade', { content: { profile: { ignored: ['ok', '\udc00'] } } }, 'content'],
    ['a day where other types have a moment', 'StatementAccepted', { batches: [{ booked_on: '2026-01-31T08:15:30.123+00:00' }] }, 'booked_on'],
  ])('%s is out of the bounds of %s', (_, type, data, field) => {
    expect(boundsFault(type, data)).toMatch(`"${field}"`);
  });

  it('texts with line ends, emoji and quotes are within the bounds', () => {
    expect(boundsFault('ChargeRefundFailed', { ...refund, reason: 'one\r\n\ttwo \\u0000 "three" 🙂'.repeat(9) })).toBeUndefined();
    expect(boundsFault('StatementLines', { lines: [line] })).toBeUndefined();
  });

  it('an event out of its bounds is rejected before it is appended, also by its metadata', () => {
    const paused = { merchant_id: null, rail: 'xendit', paused_by: 'cli:root', paused_on: '2026-01-31T08:15:30.123+00:00' };
    const context = { ...systemContext(), now: '2026-01-31T08:15:30.123+00:00' };
    expect(newEvent({ type: 'RailPaused', data: paused }, context).data).toBe(paused);
    const fault = expect.objectContaining({ code: 'validation-failed' });
    expect(() => newEvent({ type: 'RailPaused', data: { ...paused, paused_by: 'cli:\0' } }, context)).toThrow(fault);
    expect(() => newEvent({ type: 'RailPaused', data: paused }, { ...context, correlation_id: '\ud800' })).toThrow(fault);
  });
});
