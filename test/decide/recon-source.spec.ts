import { describe, expect, it } from '@jest/globals';
import type {
  AccountStatement,
  RemittanceBatch,
  SourceEvent,
  SourceSettings,
  StatementAccepted,
} from '../../src/ledger/events/reconciliation.events.js';
import type { BookedParts } from '../../src/domain/reconciliation/days/booked-lines.decider.js';
import { refusalOf, source, type AcceptFile, type SourceCommand } from '../../src/domain/reconciliation/source.decider.js';
import type { ReadStatement } from '../../src/domain/reconciliation/statements/checked-statement.js';
import { given } from '../support/given.js';
import { BANK, PROCESSOR } from '../support/recon.js';
import { PROFILE } from '../support/statement-files.js';

const NOW = '2026-11-30T08:15:30.123+00:00';
const BY = { person_id: '0198c0de-7a5e-5c3a-9d2f-3f6f4a1b2c3d', key_id: 'key_1' };
const IDENTITY = { source: 'test-bca', mode: 'test', name: 'bca' } as const;
const givenSource = given(source);

const set = (settings: SourceSettings): SourceEvent => ({
  type: 'ReconSourceSet',
  data: { merchant_id: null, ...IDENTITY, ...settings, ...BY, reason: 'why', set_on: NOW },
});
const setCommand = (settings: SourceSettings): SourceCommand => ({ kind: 'set', identity: IDENTITY, settings, reason: 'why', ...BY, now: NOW });

type Offered<Group> = Group & { readonly line: number; readonly former_digests: readonly string[] };
const statement = (number: number, opening: number, closing: number, change: Partial<ReadStatement> = {}): ReadStatement => ({
  ...{ group: '1', number: `2026/${number}`, currency: 'IDR', opening, closing, closes_on: `2026-11-${10 + number}`, lines: 2 },
  ...{ digest: `${number} ${opening} ${closing}`, former_digests: [`${number} ${opening} ${closing} in order`], line: number },
  ...{ has_short_keys: false, ...change },
});
const batch = (name: string, change: Partial<Offered<RemittanceBatch>> = {}): Offered<RemittanceBatch> => ({
  ...{ batch: name, currency: 'IDR', lines: 3, amount: 300, gross: 303, fee: 3, tax: 0, booked_on: '2026-11-20', line: 2 },
  ...{ digest: name, former_digests: [`${name} in order`], ...change },
});
const plain = <Group extends Offered<object>>({ line: _, former_digests: __, ...group }: Group): Omit<Group, 'line' | 'former_digests'> => group;
const counted = ({ has_short_keys: _, ...statement }: ReadStatement): AccountStatement => plain(statement);

const offer = (
  id: string,
  statements: readonly ReadStatement[],
  batches: readonly Offered<RemittanceBatch>[] = [],
  replaced?: string,
  known: readonly string[] = [],
): AcceptFile => ({
  kind: 'accept',
  file: { statement_id: id, source: 'test-bca', account_hmac: BANK.account_hmac, summary: { statements, batches }, known: new Set(known) },
  replaces: replaced === undefined ? null : { statement_id: replaced, reason: 'issued again' },
  ...BY,
  now: NOW,
});
const data = (id: string, statements: readonly ReadStatement[], dropped = { groups: 0, lines: 0 }): StatementAccepted => ({
  ...{
    merchant_id: null,
    statement_id: id,
    source: 'test-bca',
    statements: statements.map(counted),
    batches: [],
    dropped,
    matcher: 2,
    ...BY,
    accepted_on: NOW,
  },
});
const accepted = (id: string, ...statements: readonly ReadStatement[]): SourceEvent => ({
  type: 'StatementAccepted',
  data: data(id, statements),
});
const remitted = (id: string, ...batches: readonly Offered<RemittanceBatch>[]): SourceEvent => ({
  type: 'StatementAccepted',
  data: { ...data(id, []), batches: batches.map(plain) },
});
const refusal = (events: readonly SourceEvent[], command: AcceptFile) => {
  const state = events.reduce(source.evolve, source.initial);
  expect(source.decide(state, command)).toMatchObject({ refusal: 'statement-refused' });
  return refusalOf(state, command);
};

describe('a source of statements', () => {
  it('sets a source with all of its settings, as often as it is requested', () => {
    givenSource().when(setCommand(BANK)).then(set(BANK));
    givenSource(set(BANK)).when(setCommand(BANK)).then(set(BANK));
    givenSource(set(BANK))
      .when(setCommand({ ...BANK, account_hmac: 'another', currencies: ['MYR'] }))
      .then(set({ ...BANK, account_hmac: 'another', currencies: ['MYR'] }));
    givenSource().when(setCommand(PROCESSOR)).then(set(PROCESSOR));
    const named = { ...BANK, batch_names: ['STL-########-*'] };
    givenSource(set(BANK)).when(setCommand(named)).then(set(named));
  });

  it.each<[string, SourceSettings, string]>([
    ['no currency', { ...BANK, currencies: [] }, 'A source has a currency at least.'],
    ['a currency twice', { ...BANK, currencies: ['IDR', 'IDR'] }, 'A currency is named twice.'],
    ['no such time zone', { ...BANK, time_zone: 'Asia/Atlantis' }, 'There is no time zone Asia/Atlantis.'],
    ['an offset for a time zone', { ...BANK, time_zone: '+07:00' }, 'There is no time zone +07:00.'],
    ['an abbreviation that only JavaScript knows', { ...BANK, time_zone: 'SST' }, 'There is no time zone SST.'],
    ['an abbreviation with another meaning in Postgres', { ...BANK, time_zone: 'BST' }, 'There is no time zone BST.'],
    ['a bank without balances', { ...BANK, format: 'csv', profile: PROFILE }, 'Statements of a BANK are camt053 or mt940'],
    ['a bank without an account', { ...BANK, account_hmac: null }, 'A BANK has an account.'],
    ['a bank that is a processor', { ...BANK, processor: 'SIMULATOR' }, 'A BANK has no processor.'],
    ['a bank with a profile', { ...BANK, profile: PROFILE }, 'Only csv takes a profile.'],
    ['a processor in MT940', { ...PROCESSOR, format: 'mt940', profile: null }, 'Remittances of a PROCESSOR are csv.'],
    ['a processor with an account', { ...PROCESSOR, account_hmac: 'x' }, 'A PROCESSOR has no account.'],
    ['a processor without a name', { ...PROCESSOR, processor: null }, 'A PROCESSOR is named.'],
    ['a processor without a profile', { ...PROCESSOR, profile: null }, 'Only csv takes a profile.'],
    ['a processor with names of batches', { ...PROCESSOR, batch_names: ['STL-######'] }, 'a PROCESSOR has a column for them'],
    ['a name of batches that fits any number', { ...BANK, batch_names: ['STL-######', 'A########'] }, 'The batch name A######## cannot be used'],
    ['a profile that contradicts itself', { ...PROCESSOR, profile: { ...PROFILE, grouping: '.' } }, 'decimals and groups have the same character'],
    [
      'a profile in a currency of no line',
      { ...PROCESSOR, profile: { ...PROFILE, currency: 'SGD' } },
      'The currency of the profile, SGD, is not a currency of the source.',
    ],
  ])('refuses a source with %s', (_, settings, detail) => {
    expect(source.decide(source.initial, setCommand(settings))).toMatchObject({ refusal: 'settings-wrong', detail: expect.stringContaining(detail) });
  });

  it.each(['UTC', 'Asia/Jakarta', 'America/Argentina/Buenos_Aires', 'America/Port-au-Prince', 'Etc/GMT+7'])('accepts a source in %s', (time_zone) => {
    const settings = { ...BANK, time_zone };
    givenSource().when(setCommand(settings)).then(set(settings));
  });

  it('a source in use keeps its kind and the settings that its statements depend on', () => {
    givenSource(set(BANK)).when(setCommand(PROCESSOR)).isRefused('source-in-use');
    const used = givenSource(set(BANK), accepted('f1', statement(1, 0, 10)));
    used.when(setCommand({ ...BANK, account_hmac: 'another' })).isRefused('source-in-use');
    used.when(setCommand({ ...BANK, currencies: ['MYR'] })).isRefused('source-in-use');
    const other = { ...PROCESSOR, processor: 'XENDIT' };
    givenSource(set(PROCESSOR)).when(setCommand(other)).then(set(other));
    givenSource(set(PROCESSOR), remitted('f1', batch('B1')))
      .when(setCommand(other))
      .isRefused('source-in-use');
    const more = { ...BANK, currencies: ['IDR', 'MYR'], due_days: 5 };
    used.when(setCommand(more)).then(set(more));
  });
});

describe('a reconciliation run', () => {
  const run: SourceCommand = { kind: 'run', source: 'test-bca', day: '2026-11-30', reason: 'why', ...BY, now: NOW };

  it('records a run of an existing source only', () => {
    givenSource().when(run).isRefused('source-missing');
    const ran = { merchant_id: null, source: 'test-bca', day: '2026-11-30', reason: 'why', ...BY, matcher: 2, ran_on: NOW };
    givenSource(set(BANK)).when(run).then({ type: 'ReconRan', data: ran });
  });
});

describe('a bank file', () => {
  const first = accepted('f1', statement(1, 0, 10));

  it('accepts a bank file that continues from the previous closing balance', () => {
    givenSource(set(BANK))
      .when(offer('f1', [statement(1, 0, 10)]))
      .then(first);
    givenSource(set(BANK), first)
      .when(offer('f2', [statement(2, 10, 30), statement(3, 30, 25)]))
      .then(accepted('f2', statement(2, 10, 30), statement(3, 30, 25)));
  });

  it('decides about a bank file once', () => {
    givenSource(set(BANK), first)
      .when(offer('f1', [statement(7, 99, 99)]))
      .doesNothing();
  });

  it('drops the statements of a bank file that an earlier file holds, and counts them', () => {
    givenSource(set(BANK), first)
      .when(offer('f2', [statement(1, 0, 10), statement(2, 10, 30)]))
      .then({ type: 'StatementAccepted', data: data('f2', [statement(2, 10, 30)], { groups: 1, lines: 2 }) });
    givenSource(set(BANK), first)
      .when(offer('f2', [statement(1, 0, 10)]))
      .then({ type: 'StatementAccepted', data: data('f2', [], { groups: 1, lines: 2 }) });
  });

  it('refuses a bank file after a gap in balances or in time', () => {
    expect(refusal([set(BANK), first], offer('f3', [statement(3, 30, 25)]))).toEqual({
      reason: 'gap',
      line: 3,
      expected: 'an opening balance of 0.10 IDR, with which statement 2026/1 closed',
      found: '0.30 in statement 2026/3',
    });
    expect(refusal([set(BANK), first], offer('f0', [statement(2, 10, 10, { closes_on: '2026-11-01' })]))).toMatchObject({ reason: 'gap', line: 2 });
    // Each currency has a separate chain.
    const ringgit = statement(1, 500, 600, { currency: 'MYR' });
    givenSource(set({ ...BANK, currencies: ['IDR', 'MYR'] }), first)
      .when(offer('f2', [ringgit]))
      .then(accepted('f2', ringgit));
  });

  it('refuses a bank file whose statement number was accepted with other content', () => {
    expect(refusal([set(BANK), first], offer('f2', [statement(1, 0, 12)]))).toEqual({
      reason: 'reissued',
      line: 1,
      expected: 'statement 2026/1 as it was accepted: opening 0.00, closing 0.10, 2 lines',
      found: 'opening 0.00, closing 0.12, 2 lines',
    });
    expect(refusal([set(BANK), first], offer('f2', [statement(1, 0, 10, { digest: 'other lines' })]))).toMatchObject({
      reason: 'reissued',
      found: 'the same figures, and other lines',
    });
    const within = [statement(1, 0, 10), statement(1, 10, 10, { digest: 'again' })];
    expect(refusal([set(BANK)], offer('f1', within))).toMatchObject({ reason: 'reissued' });
  });

  describe('whose statement number identifies nothing', () => {
    const day = (dayOfMonth: number, opening: number, closing: number, change: Partial<AccountStatement> = {}) =>
      statement(dayOfMonth - 10, opening, closing, { number: '2026/0', digest: `${dayOfMonth} ${opening} ${closing}`, ...change });
    const days = [day(11, 0, 10), day(12, 10, 30), day(13, 30, 30)];
    const numbered = (number: string, all: readonly ReadStatement[]) => all.map((each) => ({ ...each, number }));

    it.each(['2026/0', '2026/00000/001', '2026/', '2026/1', '2026/7/1'])(
      'accepts statements day by day, in files of one day or of several: %s',
      (number) => {
        const [first, second, third] = numbered(number, days) as [ReadStatement, ReadStatement, ReadStatement];
        givenSource(set(BANK), accepted('f1', first))
          .when(offer('f2', [second, third]))
          .then(accepted('f2', second, third));
        givenSource(set(BANK), accepted('f1', first), accepted('f2', second))
          .when(offer('f3', [second, third]))
          .then({ type: 'StatementAccepted', data: data('f3', [third], { groups: 1, lines: 2 }) });
        expect(refusal([set(BANK), accepted('f1', first)], offer('f3', [third]))).toMatchObject({ reason: 'gap', line: 3 });
      },
    );

    it('refuses a bank file whose day was accepted with other content', () => {
      const events = [set(BANK), accepted('f1', ...days)];
      expect(refusal(events, offer('f2', [day(12, 10, 31)]))).toMatchObject({ reason: 'reissued' });
      // Only the lines of the day show that it was accepted before, since it closes with its opening balance.
      expect(refusal(events, offer('f2', [day(13, 30, 30, { digest: 'other lines' })]))).toMatchObject({ reason: 'reissued' });
      expect(refusal(events, offer('f2', [day(12, 30, 31)]))).toMatchObject({ reason: 'reissued' });
    });

    it('accepts several statements of one day while their balances are continuous', () => {
      const [morning, evening] = [day(12, 10, 20), day(12, 20, 25)];
      givenSource(set(BANK), accepted('f1', days[0]!))
        .when(offer('f2', [morning, evening]))
        .then(accepted('f2', morning, evening));
      givenSource(set(BANK), accepted('f1', days[0]!, morning))
        .when(offer('f2', [evening]))
        .then(accepted('f2', evening));
      const events = [set(BANK), accepted('f1', days[0]!, morning, evening)];
      expect(refusal(events, offer('f2', [day(12, 20, 24)]))).toMatchObject({ reason: 'reissued' });
    });

    it('accepts numbers that begin again, and refuses a repeat of the last one', () => {
      const history = [set(BANK), first, accepted('f2', statement(2, 10, 30))];
      const anew = statement(1, 30, 35, { closes_on: '2026-12-01' });
      givenSource(...history)
        .when(offer('f3', [anew]))
        .then(accepted('f3', anew));
      expect(refusal(history, offer('f3', [statement(2, 30, 35, { closes_on: '2026-11-13' })]))).toMatchObject({ reason: 'reissued' });
      expect(refusal(history, offer('f3', [statement(1, 31, 35, { closes_on: '2026-12-01' })]))).toMatchObject({ reason: 'reissued' });
    });

    it('replaces a bank file without identifying numbers day by day', () => {
      const events = [set(BANK), accepted('f1', days[0]!), accepted('f2', days[1]!, days[2]!)];
      const again = [day(12, 10, 29), day(13, 29, 30)];
      givenSource(...events)
        .when(offer('f2b', again, [], 'f2'))
        .then({ type: 'StatementReplaced', data: { ...data('f2b', again), replaced_id: 'f2', reason: 'issued again' } });
      expect(refusal(events, offer('f2b', [day(13, 10, 30)], [], 'f2'))).toMatchObject({ reason: 'gap', found: 'none' });
    });
  });

  it('refuses a bank file whose keys do not distinguish it from one of its number that was accepted while it was read', () => {
    const short = statement(1, 10, 17, { closes_on: '2026-11-12', has_short_keys: true });
    const of = (number: string) => accepted('f1', statement(1, 0, 10, { number }));
    for (const number of ['2026/1', '2025/1', '2026/1/2']) {
      givenSource(set(BANK), of(number))
        .when(offer('f2', [short]))
        .isRefused('number-taken');
      for (const command of [
        offer('f2', [short], [], undefined, ['f1']),
        offer('f2', [{ ...short, has_short_keys: false }]),
        offer('f2', [{ ...short, number: '2026/2' }]),
      ])
        expect(source.decide([set(BANK), of(number)].reduce(source.evolve, source.initial), command)).toMatchObject({
          events: [{ type: 'StatementAccepted' }],
        });
    }
  });

  it('recognises a bank statement by the ordered digest of its lines from earlier versions', () => {
    givenSource(set(BANK), first)
      .when(offer('f2', [{ ...statement(1, 0, 10, { digest: 'unordered' }), former_digests: ['1 0 10'] }, statement(2, 10, 30)]))
      .then({ type: 'StatementAccepted', data: data('f2', [statement(2, 10, 30)], { groups: 1, lines: 2 }) });
  });

  it('refuses a bank file when the account changed after it was read', () => {
    expect(refusal([set({ ...BANK, account_hmac: 'another' })], offer('f1', [statement(1, 0, 10)]))).toMatchObject({ reason: 'wrong-account' });
    givenSource().when(offer('f1', [])).isRefused('source-missing');
  });

  describe('replacement of a bank file', () => {
    const history = [set(BANK), first, accepted('f2', statement(2, 10, 30)), accepted('f3', statement(3, 30, 25))];
    const replaced = (id: string, of: string, ...statements: readonly ReadStatement[]): SourceEvent => ({
      type: 'StatementReplaced',
      data: { ...data(id, statements), replaced_id: of, reason: 'issued again' },
    });

    it('replaces a bank file when the balances stay continuous', () => {
      const other = statement(2, 10, 30, { digest: 'other lines' });
      givenSource(...history)
        .when(offer('f2b', [other], [], 'f2'))
        .then(replaced('f2b', 'f2', other));
      const last = statement(3, 30, 99);
      givenSource(...history)
        .when(offer('f3b', [last, statement(4, 99, 1)], [], 'f3'))
        .then(replaced('f3b', 'f3', last, statement(4, 99, 1)));
    });

    it('refuses a replacement that breaks the chain of balances', () => {
      expect(refusal(history, offer('f2b', [statement(2, 10, 31)], [], 'f2'))).toEqual({
        reason: 'gap',
        line: 2,
        expected: 'an opening balance of 0.31 IDR, with which statement 2026/2 closed',
        found: '0.30 in statement 2026/3',
      });
      expect(refusal(history, offer('f2b', [statement(2, 11, 30)], [], 'f2'))).toMatchObject({ reason: 'gap', line: 2 });
      expect(refusal(history, offer('f2b', [statement(5, 10, 30)], [], 'f2'))).toMatchObject({ reason: 'gap', found: 'none' });
      expect(refusal(history, offer('f2b', [statement(2, 10, 30), statement(3, 30, 26)], [], 'f2'))).toMatchObject({ reason: 'reissued' });
    });

    it('replaces an accepted bank file once', () => {
      const done = givenSource(...history, replaced('f2b', 'f2', statement(2, 10, 30)));
      done.when(offer('f2c', [statement(2, 10, 30)], [], 'f2')).isRefused('nothing-to-replace');
      done.when(offer('f2', [statement(2, 10, 30)])).doesNothing();
      done.when(offer('f2b', [statement(2, 10, 30)], [], 'f2')).doesNothing();
      done.when(offer('f4', [statement(4, 25, 25)])).then(accepted('f4', statement(4, 25, 25)));
      givenSource(...history)
        .when(offer('f9', [], [], 'unknown'))
        .isRefused('nothing-to-replace');
    });
  });
});

describe('a processor file', () => {
  const events = [set({ ...PROCESSOR, account_hmac: BANK.account_hmac }), remitted('f1', batch('B1'), batch('B2'))];

  it('accepts a processor file batch by batch, each batch once', () => {
    const { data: both } = remitted('f2', batch('B3')) as { data: StatementAccepted };
    const expected = { type: 'StatementAccepted', data: { ...both, dropped: { groups: 1, lines: 3 } } } as const;
    givenSource(...events)
      .when(offer('f2', [], [batch('B2'), batch('B3')]))
      .then(expected);
  });

  it('recognises a batch by the ordered digest of its lines from earlier versions', () => {
    const { data: none } = remitted('f2') as { data: StatementAccepted };
    givenSource(...events)
      .when(offer('f2', [], [batch('B2', { digest: 'unordered', former_digests: ['B2'] })]))
      .then({ type: 'StatementAccepted', data: { ...none, dropped: { groups: 1, lines: 3 } } });
  });

  it('refuses a processor file whose batch has changed', () => {
    expect(refusal(events, offer('f2', [], [batch('B3'), batch('B2', { digest: 'x', amount: 299, line: 9 })]))).toEqual({
      reason: 'batch-changed',
      line: 9,
      expected: 'batch B2 as it was accepted: 3 lines, net 3.00 IDR',
      found: '3 lines, net 2.99 IDR',
    });
  });

  it('requires a replacement of a processor file to contain all of its batches', () => {
    expect(refusal(events, offer('f1b', [], [batch('B1', { digest: 'x' })], 'f1'))).toMatchObject({ reason: 'batch-changed', found: 'none' });
    const changed = batch('B1', { digest: 'x', amount: 299 });
    const state = events.reduce(source.evolve, source.initial);
    expect(source.decide(state, offer('f1b', [], [changed, batch('B2')], 'f1'))).toMatchObject({
      events: [{ type: 'StatementReplaced', data: { batches: [plain(changed), plain(batch('B2'))], replaced_id: 'f1' } }],
    });
  });
});

describe('a day of a bank', () => {
  const first = accepted('f1', statement(1, 0, 10));
  const second = accepted('f2', statement(4, 10, 30));
  const OF = { merchant_id: null, source: 'test-bca', mode: 'test' } as const;
  const open = (day: string): SourceCommand => ({ kind: 'open-day', source: 'test-bca', day, reason: 'why', ...BY, now: NOW });
  const opened = (n: number, day: string, closing: number): SourceEvent => ({
    type: 'DayCloseOpened',
    data: {
      ...{ ...OF, n, day, matcher: 2, closings: [{ currency: 'IDR', closing }] },
      ...{ lines_stream: `recon-day-test-bca-${day}`, ...BY, reason: 'why', opened_on: NOW },
    },
  });
  const RESULT = {
    position: 9,
    head: { position: 9, events: 9, hash: 'h', signature: 's', sealed_on: NOW },
    rows: 2,
    digest: 'd',
    figures: [],
    breaks: [],
  };
  const booked = (part: number, parts: number): BookedParts => ({ n: 1, part, parts });
  const finish = (parts: number, booked: BookedParts | null = null): SourceCommand => ({
    kind: 'finish-day',
    source: 'test-bca',
    n: 1,
    booked,
    parts,
    ...RESULT,
    now: NOW,
  });
  const closed = (parts: number): SourceEvent => ({
    type: 'DayClosed',
    data: { ...OF, n: 1, day: '2026-11-11', matcher: 2, parts, ...RESULT, closed_on: NOW },
  });

  it('opens bank days in order, each once, with the closing balances of their statements', () => {
    const all = givenSource(set(BANK), first, second);
    all.when(open('2026-11-11')).then(opened(1, '2026-11-11', 10));
    givenSource(set(BANK), first, second, opened(1, '2026-11-11', 10))
      .when(open('2026-11-11'))
      .doesNothing();
    givenSource(set(BANK), first, second, opened(1, '2026-11-11', 10))
      .when(open('2026-11-12'))
      .isRefused('close-under-way');
  });

  it('a bank day follows the previous one, and a later statement proves that it is empty', () => {
    const after = givenSource(set(BANK), first, second, opened(1, '2026-11-11', 10), closed(0));
    after.when(open('2026-11-12')).then(opened(2, '2026-11-12', 10));
    after.when(open('2026-11-14')).isRefused('day-out-of-order');
    after.when(open('2026-11-11')).isRefused('day-closed');
    givenSource(set(BANK), first, opened(1, '2026-11-11', 10), closed(0))
      .when(open('2026-11-12'))
      .isRefused('statements-missing');
  });

  it('opens a day only of a bank with statements, with a closing balance per currency', () => {
    givenSource().when(open('2026-11-11')).isRefused('source-missing');
    givenSource(set(PROCESSOR)).when(open('2026-11-11')).isRefused('not-a-bank');
    givenSource(set(BANK)).when(open('2026-11-11')).isRefused('statements-missing');
    givenSource(set(BANK), first).when(open('2026-11-10')).isRefused('day-out-of-order');
    const other = statement(1, 5, 7, { currency: 'MYR', closes_on: '2026-11-13' });
    const both = [set({ ...BANK, currencies: ['IDR', 'MYR'] }), first, accepted('m', other)];
    const closings = [
      { currency: 'IDR', closing: 10 },
      { currency: 'MYR', closing: 5 },
    ];
    const event = opened(1, '2026-11-11', 10);
    givenSource(...both)
      .when(open('2026-11-11'))
      .then({ ...event, data: { ...event.data, closings } } as SourceEvent);
    givenSource(...both, event, closed(0))
      .when(open('2026-11-12'))
      .isRefused('statements-missing');
  });

  it('closes a bank day when the stream of its lines has every part', () => {
    const at = (...events: readonly SourceEvent[]) => givenSource(set(BANK), first, opened(1, '2026-11-11', 10), ...events);
    at().when(finish(2)).isRefused('parts-missing');
    at()
      .when(finish(2, booked(1, 2)))
      .isRefused('parts-missing');
    at()
      .when(finish(1, booked(1, 2)))
      .isRefused('parts-missing');
    at()
      .when(finish(2, booked(2, 3)))
      .isRefused('parts-missing');
    at()
      .when(finish(2, booked(2, 2)))
      .then(closed(2));
    at().when(finish(0)).then(closed(0));
    at(closed(2))
      .when(finish(2, booked(2, 2)))
      .doesNothing();
    givenSource(set(BANK), first).when(finish(0)).isRefused('close-missing');
  });

  it('a bank day is open until its end, with lines in the stream of its source as in the first version', () => {
    const of = { ...OF, n: 1, day: '2026-11-11', part: 1, parts: 1, currency: 'IDR', rows: [], booked_on: NOW };
    const lines: SourceEvent = { type: 'BankLinesBooked', data: of };
    const all = givenSource(set(BANK), first, second, opened(1, '2026-11-11', 10), lines);
    all.when(open('2026-11-11')).doesNothing();
    all.when(open('2026-11-12')).isRefused('close-under-way');
    all.when(finish(1, booked(1, 1))).then(closed(1));
  });

  it('refuses to replace a statement of a day whose close was opened', () => {
    const again = offer('f3', [statement(1, 0, 10, { digest: 'other' })], [], 'f1');
    givenSource(set(BANK), first, opened(1, '2026-11-11', 10))
      .when(again)
      .isRefused('statement-closed');
    givenSource(set(BANK), first, opened(1, '2026-11-11', 10), closed(0))
      .when(again)
      .isRefused('statement-closed');
    const later = offer('f4', [statement(4, 10, 30, { digest: 'other' })], [], 'f2');
    const state = [set(BANK), first, second, opened(1, '2026-11-11', 10), closed(0)].reduce(source.evolve, source.initial);
    expect(source.decide(state, later)).toMatchObject({ events: [{ type: 'StatementReplaced' }] });
  });
});
