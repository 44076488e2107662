import { describe, expect, it } from '@jest/globals';
import type { BreakMatched, BreakStreamEvent } from '../../src/ledger/events/break.events.js';
import { reconBreak, type BreakCommand, type BreakMatch, type BreakRefusal } from '../../src/domain/reconciliation/breaks/break.decider.js';
import { differenceIn, type BreakSides, type SettledDifference } from '../../src/domain/reconciliation/breaks/break-difference.js';
import { editDistance } from '../../src/domain/reconciliation/breaks/edit-distance.js';
import { given } from '../support/given.js';

const NOW = '2026-11-30T08:15:30.123+00:00';
const ID = '7d3c9b1e-5a2f-5e84-9c60-1b7a4d2e8f05';
const [SITI, BUDI] = ['0198c0de-7a5e-5c3a-9d2f-3f6f4a1b2c3d', '0198c0de-7a5e-5c3a-9d2f-3f6f4a1b2c3e'];
const by = (person_id = SITI, reason = 'why') => ({ break_id: ID, person_id, key_id: 'key_1', reason });
const of = (person_id?: string, reason?: string) => ({ merchant_id: null, ...by(person_id, reason) }) as const;
const givenBreak = given(reconBreak);

const assigned = (owner: string | null): BreakStreamEvent => ({ type: 'BreakAssigned', data: { ...of(), owner, assigned_on: NOW } });
const noted = (reason: string, operator = SITI): BreakStreamEvent => ({ type: 'BreakNoted', data: { ...of(operator, reason), noted_on: NOW } });
const pair = (item: string): BreakMatch => ({ source: 'live-sim', line_key: 'l1', items: [item] });
const matched = (item: string): BreakStreamEvent => ({
  type: 'BreakMatched',
  data: { ...of(), ...pair(item), batch: null, difference: null, proposal_id: null, matched_on: NOW },
});
const unmatched: BreakStreamEvent = { type: 'BreakUnmatched', data: { ...of(), unmatched_on: NOW } };
const accepted = (proposal_id: string, until: string): BreakStreamEvent => ({
  type: 'BreakAccepted',
  data: { merchant_id: null, break_id: ID, proposal_id, until, reason: 'why', accepted_on: NOW },
});
const refused: BreakStreamEvent = {
  type: 'ProposalRefused',
  data: { merchant_id: null, proposal_id: 'p0', refusal: 'until-past', detail: 'x', refused_on: NOW },
};

const assign = (owner: string | null): BreakCommand => ({ kind: 'assign', owner, ...by(), now: NOW });
const note = (reason: string, operator = SITI): BreakCommand => ({ kind: 'note', ...by(operator, reason), now: NOW });
const match = (item: string): BreakCommand => ({ kind: 'match', match: pair(item), ...by(), now: NOW });
const unmatch: BreakCommand = { kind: 'unmatch', ...by(), now: NOW };
const accept = (proposal_id: string, until: string): BreakCommand => ({
  ...{ kind: 'accept', break_id: ID, until, today: '2026-11-30', reason: 'why', proposal_id, now: NOW },
});

describe('a break that operators work on', () => {
  it('assigns a break to one operator, reassigns it and removes the assignment', () => {
    givenBreak().when(assign(SITI)).then(assigned(SITI));
    givenBreak(assigned(SITI)).when(assign(SITI)).doesNothing();
    givenBreak(assigned(SITI)).when(assign(BUDI)).then(assigned(BUDI));
    givenBreak(assigned(SITI)).when(assign(null)).then(assigned(null));
    givenBreak(assigned(SITI), assigned(null)).when(assign(null)).doesNothing();
    givenBreak().when(assign(null)).isRefused('not-assigned');
    givenBreak(noted('x')).when(assign(null)).isRefused('not-assigned');
  });

  it('adds notes to a break; the same note twice in a row is one', () => {
    givenBreak().when(note('asked')).then(noted('asked'));
    givenBreak(noted('asked')).when(note('asked')).doesNothing();
    givenBreak(noted('asked')).when(note('asked', BUDI)).then(noted('asked', BUDI));
    givenBreak(noted('asked'), noted('answered')).when(note('asked')).then(noted('asked'));
    givenBreak(noted('asked'), accepted('p1', '2026-12-01')).when(note('asked')).then(noted('asked'));
  });

  it('takes a line as paid with a note, and not a line that an operator has matched', () => {
    const take: BreakCommand = { kind: 'take', ...by(SITI, 'their portal shows it'), now: NOW };
    givenBreak().when(take).then(noted('their portal shows it'));
    givenBreak(noted('their portal shows it')).when(take).doesNothing();
    givenBreak(matched('i1')).when(take).isRefused('already-matched');
    givenBreak(matched('i1'), unmatched).when(take).then(noted('their portal shows it'));
  });

  it('matches a break with one item at a time', () => {
    givenBreak().when(match('i1')).then(matched('i1'));
    givenBreak(matched('i1')).when(match('i1')).doesNothing();
    givenBreak(matched('i1')).when(match('i2')).isRefused('already-matched');
    givenBreak(matched('i1')).when(unmatch).then(unmatched);
    givenBreak(matched('i1'), unmatched).when(match('i2')).then(matched('i2'));
    givenBreak(matched('i1'), unmatched).when(unmatch).doesNothing();
    givenBreak().when(unmatch).isRefused('not-matched');
  });

  it('a proposal accepts a break, once per proposal, until a day that has not passed', () => {
    givenBreak().when(accept('p1', '2026-11-30')).then(accepted('p1', '2026-11-30'));
    givenBreak(accepted('p1', '2026-12-01')).when(accept('p1', '2026-12-01')).doesNothing();
    givenBreak(accepted('p1', '2026-12-01'), refused).when(accept('p2', '2026-12-01')).then(accepted('p2', '2026-12-01'));
    givenBreak().when(accept('p1', '2026-11-29')).isRefused('until-past');
    for (const until of ['2027-02-29', '2027-04-31']) givenBreak().when(accept('p1', until)).isRefused('until-no-day');
  });
});

describe('a proposed difference of amount', () => {
  const line = { source: 'live-bca', line_key: 'l1', mode: 'live', currency: 'IDR', amount: -302 } as const;
  const payout = { event_id: 'i1', mode: 'live', currency: 'IDR', amount: -300 } as const;
  const batch = { source: 'live-sim', batch: 'B-1', mode: 'live', currency: 'IDR', amount: 1_000 } as const;
  const paid: BreakSides = { kind: 'PAYOUT_AMOUNT', line, books: payout };
  const short: BreakSides = { kind: 'REMITTANCE_SHORT', line: { ...line, amount: 995 }, books: batch };
  const agreedOn = (sides: BreakSides, account: 'costs' | 'losses' = 'losses'): SettledDifference =>
    differenceIn(sides, account) as SettledDifference;
  const settle = (sides: BreakSides, agreed: SettledDifference, proposal_id = 'p1'): BreakCommand => ({
    ...{ kind: 'match-difference', break_id: ID, sides, agreed, reason: 'why', proposal_id, now: NOW },
  });
  const settled = (of: Pick<BreakMatched, 'items' | 'batch' | 'difference'>, proposal_id = 'p1'): BreakStreamEvent => ({
    type: 'BreakMatched',
    data: {
      ...{ merchant_id: null, break_id: ID, person_id: null, key_id: null, reason: 'why', proposal_id },
      ...{ source: 'live-bca', line_key: 'l1', ...of, matched_on: NOW },
    },
  });
  const ofPayout = settled({ items: ['i1'], batch: null, difference: { account: 'losses', currency: 'IDR', amount: -2 } });
  const refusalOf = (sides: BreakSides): unknown => (differenceIn(sides, 'costs') as { refusal?: string }).refusal;

  it('matches the line with the named item or batch, and books exactly their difference', () => {
    givenBreak()
      .when(settle(paid, agreedOn(paid)))
      .then(ofPayout);
    givenBreak(noted('x'), refused)
      .when(settle(short, agreedOn(short, 'costs')))
      .then(settled({ items: [], batch: { source: 'live-sim', batch: 'B-1' }, difference: { account: 'costs', currency: 'IDR', amount: -5 } }));
    expect(agreedOn(short)).toEqual({
      ...{ account: 'losses', mode: 'live', currency: 'IDR', line_amount: 995, book_amount: 1_000, amount: -5 },
      ...{ event_id: null, batch_source: 'live-sim', batch: 'B-1' },
    });
  });

  it('settles a difference once, and only after an operator removes another match', () => {
    givenBreak(ofPayout)
      .when(settle(paid, agreedOn(paid)))
      .doesNothing();
    givenBreak(ofPayout)
      .when(settle(paid, agreedOn(paid), 'p2'))
      .isRefused('already-matched');
    givenBreak(matched('i1'))
      .when(settle(paid, agreedOn(paid)))
      .isRefused('already-matched');
    givenBreak(ofPayout).when(match('i1')).isRefused('already-matched');
    givenBreak(ofPayout).when(unmatch).then(unmatched);
    givenBreak(ofPayout, unmatched)
      .when(settle(paid, agreedOn(paid)))
      .doesNothing();
    givenBreak(ofPayout, unmatched).when(match('i2')).then(matched('i2'));
  });

  it.each<[string, Partial<BreakSides>]>([
    ['another amount in the books', { books: { ...payout, amount: -301 } }],
    ['another line', { line: { ...line, amount: -303 } }],
    ['both, with the same difference', { line: { ...line, amount: -303 }, books: { ...payout, amount: -301 } }],
    ['another item', { books: { ...payout, event_id: 'i2' } }],
    ['a batch', { books: { source: 'live-sim', batch: 'B-1', mode: 'live', currency: 'IDR', amount: -300 } }],
  ])('refuses a proposed difference after a change to %s', (_, changed) => {
    givenBreak()
      .when(settle({ ...paid, ...changed }, agreedOn(paid)))
      .isRefused('difference-changed');
  });

  it.each<[string, BreakSides]>([
    ['no-difference', { ...paid, kind: 'DUPLICATE' }],
    ['no-difference', { ...paid, kind: 'FEE' }],
    ['no-difference', { ...paid, line: { ...line, amount: -300 } }],
    ['sides-not-open', { ...paid, line: null }],
    ['sides-not-open', { ...paid, books: null }],
    ['currency-differs', { ...paid, books: { ...payout, currency: 'MYR' } }],
    ['sign-differs', { ...paid, line: { ...line, amount: 302 } }],
  ])('refuses a difference: %s', (refusal, sides) => {
    expect(refusalOf(sides)).toBe(refusal);
    givenBreak()
      .when(settle(sides, agreedOn(paid)))
      .isRefused(refusal as BreakRefusal);
  });
});

it.each([
  ['R0', 'R0', 0],
  ['QR4K7', 'QR4X7', 1],
  ['QR4K7', 'R4K7', 1],
  ['QR4K7', 'QR4K77', 1],
  ['QR4K7', 'RQ4K7', 2],
  ['QR4K7', 'AAAA7', 3],
  ['QR4K7', '', 3],
])('edit distance of %s and %s is %i', (a, b, distance) => {
  expect(editDistance(a, b, 2)).toBe(distance);
  expect(editDistance(b, a, 2)).toBe(distance);
});
