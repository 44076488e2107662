import type { CsvProfile } from '../../src/ledger/events/reconciliation.events.js';
import type { StatementRefusal } from '../../src/domain/reconciliation/formats/statement-item.js';
import { ACCOUNT, camt, type Format } from './statement-files.js';

/**
 * Files as banks and processors write them: each has one trait of a real one, with names and figures of our own. `amounts`: lines that are
 * taken, minor units.
 */
export interface BankFile {
  readonly trait: string;
  readonly format: Format;
  readonly file: string;
  readonly profile?: CsvProfile;
  readonly amounts?: readonly number[];
  readonly refused?: { readonly reason: StatementRefusal; readonly line?: number };
}

interface Message {
  readonly before?: readonly string[];
  readonly account?: string;
  readonly number?: readonly string[];
  readonly opening?: string;
  readonly lines?: readonly string[];
  readonly closing?: readonly string[];
  readonly end?: readonly string[];
}

const TEN = ':61:2611201120C10,00NTRFR1//B1';

function message({
  before = [],
  account = ACCOUNT,
  number = [':28C:7/1'],
  opening = ':60F:C261119EUR100,00',
  lines = [TEN],
  closing = [':62F:C261120EUR110,00'],
  end = ['-'],
}: Message = {}): string {
  return [...before, ':20:STATEMENT', `:25:${account}`, ...number, opening, ...lines, ...closing, ...end, ''].join('\r\n');
}

const next = (more: Message = {}): string =>
  message({ opening: ':60F:C261120EUR110,00', closing: [':62F:C261121EUR120,00'], ...more, lines: more.lines ?? [TEN.replaceAll('1120', '1121')] });
const taken = (trait: string, file: string, ...amounts: number[]): BankFile => ({ trait, format: 'mt940', file, amounts });
const refused = (trait: string, file: string, reason: StatementRefusal, line?: number): BankFile => ({
  ...{ trait, format: 'mt940', file, refused: { reason, ...(line !== undefined && { line }) } },
});

const BLOCKS = '{1:F01BANKIDJAAXXX0000000000}{2:I940BANKIDJAXXXXN2020}{4:';
const BIC = ['BANKIDJA', '940', 'BANKIDJA'];

const MT940: readonly BankFile[] = [
  taken('a type of two letters and a space', message({ lines: [':61:261120C10,00NOV NONREF', ':86:a transfer'] }), 1_000),
  taken('spaces for the entry date', message({ lines: [':61:261120    C10,00NOVBR1'] }), 1_000),
  taken(
    'spaces for the entry date, a letter of the currency, no bank reference',
    message({ lines: [':61:261120    CR10,00NMSCNONREF//', '/ABC/MISCELLANEOUS'] }),
    1_000,
  ),
  taken('a type of one letter', message({ lines: [':61:2611201120CR10,00S   X', ':NS:01123', '04something'] }), 1_000),
  taken(
    'amounts padded with zeros beyond their length, and a long number',
    message({
      number: [':28C:2611201012'],
      opening: ':60F:C261119EUR0000000000000100,00',
      closing: [':62F:C261120EUR0000000000000110,00'],
    }),
    1_000,
  ),
  taken('a hyphen alone in a text', message({ lines: [TEN, ':86:/REMI/room 12 -', '-', 'and 13'] }), 1_000),
  taken('a space in front of the type', message({ lines: [':61:2611201120C10,00 NTRTR1//B1'] }), 1_000),
  taken(
    'a header :940:, the account with its currency, number 0 on two days',
    message({ before: [':940:'], account: `${ACCOUNT} EUR`, number: [':28C:0'] }) +
      next({ before: [':940:'], account: `${ACCOUNT} EUR`, number: [':28C:0'] }),
    1_000,
    1_000,
  ),
  taken(
    'blocks in braces, and no decimals behind a comma',
    message({ before: [BLOCKS], lines: [':61:2611201120C9,5NTRFR1//B1', ':61:261120C0,5NTRF'], end: ['-}'] }),
    950,
    50,
  ),
  taken('a BIC, 940 and a BIC in front of each day', message({ before: BIC }) + next({ before: BIC }), 1_000, 1_000),
  taken(
    '0000 01 and 940 00 in front',
    message({ before: ['0000 01BANKIDJAXXXX00001', '0000 01BANKIDJAXXXX00001', '940 00'], number: [':28C:00000'] }),
    1_000,
  ),
  taken(
    '30 February as a value date',
    message({ opening: ':60F:C260130EUR100,00', lines: [':61:2602300226C10,00NTRFR1'], closing: [':62F:C260226EUR110,00'] }),
    1_000,
  ),
  taken('number 00000/001 on each day', message({ number: [':28C:00000/001'] }) + next({ number: [':28C:00000/001'] }), 1_000, 1_000),
  taken(
    'days without lines, all number 0',
    ['19', '20', '21'].map((day) => message({ number: [':28C:0'], lines: [], closing: [`:62F:C2611${day}EUR100,00`] })).join(''),
  ),
  taken(
    'pages of one number, of which the first has no end of its own',
    message({ number: [':28:1/1'], closing: [':62M:C261120EUR110,00'], end: [] }) +
      message({ number: [':28:1/1'], opening: ':60M:C261120EUR110,00', closing: [':62F:C261120EUR120,00'] }),
    1_000,
    1_000,
  ),
  taken(
    'pages with numbers of their own',
    message({ number: [':28C:7/1'], closing: [':62M:C261120EUR110,00'] }) + next({ number: [':28C:7/2'], opening: ':60M:C261120EUR110,00' }),
    1_000,
    1_000,
  ),
  taken('no :28C: at all', message({ number: [] }) + next({ number: [] }), 1_000, 1_000),
  taken(
    'amounts without a comma',
    message({ opening: ':60F:C261119EUR100', lines: [':61:261120C10NTRFNONREF//261120300'], closing: [':62F:C261120EUR110'] }),
    1_000,
  ),
  taken(
    'a type that is a code of digits, and names behind the reference',
    message({ lines: [':61:261120C000000000010,00N0440121470966      W. JANSEN'] }),
    1_000,
  ),
  taken(
    'notes of the bank in front of the lines and behind the balance',
    message({
      lines: [':86:for your information', ':86:BANKIDJA', TEN, ':86:rent', 'of November'],
      closing: [':62F:C261120EUR110,00', ':64:C261120EUR110,00', ':65:C261121EUR110,00', ':86:bye'],
    }),
    1_000,
  ),
  taken('supplementary details with another currency', message({ lines: [TEN, '/OCMT/USD11,50/CHGS/EUR0,5/', ':86:?20from abroad'] }), 1_000),
  taken('texts in front of the first message', message({ before: ['This is an example', '', 'It begins here', '-----'] }), 1_000),
  taken(
    'a charge of the bank and one that it takes back',
    message({
      lines: [':61:2611201120D0,50NCHGNONREF', ':61:2611201120RD0,50NCHGNONREF', ':61:2611201120RC5,00NRTIR1', ':61:2611201120C15,00NTRFR2'],
    }),
    -50,
    50,
    -500,
    1_500,
  ),
  taken(
    'an entry date in the year before',
    message({ opening: ':60F:C260101EUR100,00', lines: [':61:2601021231C10,00NTRFR1'], closing: [':62F:C260102EUR110,00'] }),
    1_000,
  ),
  taken('a field begins within a text', message({ lines: [TEN, ':86:time', ':15: in the afternoon', ':NO FIELD'] }), 1_000),
  taken('a minus of nothing', message({ opening: ':60F:D261119EUR0,', closing: [':62F:C261120EUR10,'] }), 1_000),
  refused('points for commas', message({ opening: ':60F:C261119EUR100.00' }), 'unreadable', 4),
  refused('three decimals', message({ lines: [':61:2611201120C10,000NTRFR1'] }), 'precision', 5),
  refused('no closing balance in front of the next opening one', message({ closing: [], end: [] }) + next(), 'unreadable'),
  refused(
    'a report within the day (MT942)',
    [':20:R', `:25:${ACCOUNT}`, ':28C:1/1', ':34F:EURD0,', ':13D:2611201200+0700', TEN, ':90C:1EUR10,00', '-', ''].join('\r\n'),
    'unreadable',
  ),
  refused('a balance without a currency', message({ closing: [':62F:C261120110,00'] }), 'unreadable', 6),
  refused('sums that were changed', message({ closing: [':62F:C261120EUR111,00'] }), 'sum', 6),
  refused('cut off behind a line', message({ closing: [], end: [] }), 'unreadable'),
  refused('two accounts in one file', message() + next({ account: '999' }), 'wrong-account', 11),
  refused('a balance of a broken program', message({ closing: [':65F:Dnullnull110,00'] }), 'unreadable'),
  refused('@@ for the ends of lines', `@@${message().replaceAll('\r\n', '@@')}`, 'unreadable', 1),
  refused('an expected credit that is not booked', message({ lines: [':61:2611201120EC10,00NTRFR1'] }), 'unreadable', 5),
  refused('months and days that there are not', message({ lines: [':61:3622687806CR10,00NTRFR1'] }), 'unreadable', 5),
];

interface Statement {
  readonly head?: string;
  readonly balances?: string;
  readonly entries?: string;
  readonly currency?: string;
}

const balance = (code: string, amount: string, { currency = 'EUR', mark = 'CRDT' } = {}): string =>
  `<Bal><Tp><CdOrPrtry><Cd>${code}</Cd></CdOrPrtry></Tp><Amt Ccy="${currency}">${amount}</Amt>${mark && `<CdtDbtInd>${mark}</CdtDbtInd>`}<Dt><Dt>2026-11-20</Dt></Dt></Bal>`;
const entry = (amount: string, details = '', { currency = 'EUR', status = '<Sts>BOOK</Sts>' } = {}): string =>
  `<Ntry><Amt Ccy="${currency}">${amount}</Amt><CdtDbtInd>CRDT</CdtDbtInd>${status}<BookgDt><Dt>2026-11-20</Dt></BookgDt><NtryDtls>${details}</NtryDtls></Ntry>`;
const statement = ({
  head = '<Id>S1</Id><ElctrncSeqNb>1</ElctrncSeqNb>',
  balances = balance('OPBD', '100.00') + balance('CLBD', '110.00'),
  entries = entry('10.00'),
  currency = 'EUR',
}: Statement = {}): string => `<Stmt>${head}<Acct><Id><Othr><Id>${ACCOUNT}</Id></Othr></Id><Ccy>${currency}</Ccy></Acct>${balances}${entries}</Stmt>`;
const takenXml = (trait: string, statements: string, amounts: readonly number[], version = '08'): BankFile => ({
  ...{ trait, format: 'camt053', file: camt(statements, { version }), amounts },
});
const refusedXml = (trait: string, statements: string, reason: StatementRefusal, form: Parameters<typeof camt>[1] = {}): BankFile => ({
  ...{ trait, format: 'camt053', file: camt(statements, form), refused: { reason } },
});
const detail = (...parts: readonly string[]): string => `<TxDtls>${parts.join('')}</TxDtls>`;
const amountOf = (value: string, currency = 'EUR'): string => `<Amt Ccy="${currency}">${value}</Amt>`;

const CAMT: readonly BankFile[] = [
  takenXml(
    'two statements with an Id alone',
    statement({ head: '<Id>254EUR</Id>' }) + statement({ head: '<Id>255EUR</Id>', balances: balance('PRCD', '110.00') + balance('CLBD', '120.00') }),
    [1_000, 1_000],
    '02',
  ),
  takenXml('number 0000000000', statement({ head: '<Id>S1</Id><ElctrncSeqNb>0000000000</ElctrncSeqNb>' }), [1_000]),
  takenXml('a statement without entries', statement({ balances: balance('OPBD', '100') + balance('CLBD', '100'), entries: '' }), [], '02'),
  takenXml(
    'amounts with one decimal or none',
    statement({ balances: balance('OPBD', '100') + balance('CLBD', '110.5'), entries: entry('10.5') }),
    [1_050],
    '04',
  ),
  takenXml(
    'details with amounts of their own',
    statement({ entries: entry('10.00', detail(amountOf('4.00')) + detail(amountOf('6.00'))) }),
    [400, 600],
    '02',
  ),
  takenXml('details that are a count', statement({ entries: entry('10.00', '<Btch><NbOfTxs>35</NbOfTxs></Btch>') }), [1_000], '02'),
  takenXml(
    'a detail in the currency that was instructed',
    statement({
      entries: entry(
        '10.00',
        detail(amountOf('11.20', 'USD'), `<AmtDtls><InstdAmt>${amountOf('11.20', 'USD')}</InstdAmt><TxAmt>${amountOf('10.00')}</TxAmt></AmtDtls>`),
      ),
    }),
    [1_000],
    '04',
  ),
  takenXml(
    'charges that were taken from a detail',
    statement({ entries: entry('10.00', detail(amountOf('10.90'), `<Chrgs><TtlChrgsAndTaxAmt Ccy="EUR">0.90</TtlChrgsAndTaxAmt></Chrgs>`)) }),
    [1_090, -90],
    '04',
  ),
  takenXml(
    'balances of what is available beside those that are booked',
    statement({ balances: balance('OPBD', '100.00') + balance('CLBD', '110.00') + balance('CLAV', '70.00') + balance('FWAV', '70.00') }),
    [1_000],
  ),
  takenXml(
    'five decimals, of which three are zeros',
    statement({ balances: balance('OPBD', '100.00000') + balance('CLBD', '110.00000') }),
    [1_000],
    '02',
  ),
  refusedXml('five decimals', statement({ balances: balance('OPBD', '100.00000') + balance('CLBD', '110.00001') }), 'precision', { version: '02' }),
  refusedXml('an entry in another currency than the account', statement({ entries: entry('10.00', '', { currency: 'CHF' }) }), 'unreadable'),
  refusedXml(
    'a closing balance in another currency',
    statement({ balances: balance('OPBD', '100.00') + balance('CLBD', '110.00', { currency: 'SEK' }) }),
    'unreadable',
    { version: '02' },
  ),
  refusedXml('no opening balance', statement({ balances: balance('CLBD', '110.00') }), 'unreadable'),
  refusedXml(
    'balances that do not say which side they are of',
    statement({ balances: balance('OPBD', '100.00', { mark: '' }) + balance('CLBD', '110.00', { mark: '' }) }),
    'unreadable',
  ),
  refusedXml('an amount below zero', statement({ entries: entry('-10.00') }), 'unreadable'),
  refusedXml('a detail of nothing', statement({ entries: entry('10.00', detail(amountOf('0'))) }), 'sum', { version: '04' }),
  refusedXml(
    'more entries counted than there are',
    statement({
      balances: `${balance('OPBD', '100.00')}${balance('CLBD', '110.00')}<TxsSummry><TtlNtries><NbOfNtries>35</NbOfNtries></TtlNtries></TxsSummry>`,
    }),
    'sum',
    { version: '02' },
  ),
  refusedXml('an entry without a status', statement({ entries: entry('10.00', '', { status: '' }) }), 'unreadable'),
  refusedXml('version 14', statement(), 'unreadable', { version: '14' }),
  refusedXml('a report within the day', statement(), 'unreadable', { name: 'camt.052' }),
  refusedXml('a notification', statement(), 'unreadable', { name: 'camt.054' }),
];

const COLUMNS = {
  booking_date: 'Date',
  batch: 'Payout',
  kind: 'Type',
  reference: 'Id',
  gross: 'Gross',
  fee: 'Fee',
  amount: 'Net',
  currency: 'Currency',
};
const HEAD = 'Date,Payout,Type,Id,Gross,Fee,Net,Currency,Text';
const PROFILE: CsvProfile = {
  ...{ delimiter: ',', encoding: 'utf-8', columns: COLUMNS, decimal: '.', grouping: '', unit: 'major', dates: 'iso', signs: 'written' },
  ...{ kinds: { charge: 'PAYMENT', refund: 'REFUND', payout: 'TRANSFER' }, ignored: ['Text'] },
};
const POINTS: CsvProfile = {
  ...PROFILE,
  delimiter: ';',
  decimal: ',',
  grouping: '.',
  dates: 'DD/MM/YYYY',
  totals: { column: 'Date', value: 'Total' },
};
const SPACES: CsvProfile = { ...PROFILE, delimiter: ';', decimal: ',', grouping: ' ', dates: 'DD.MM.YYYY' };
const rows = (...lines: readonly string[]): string => [...lines, ''].join('\r\n');
const csv = (trait: string, file: string, amounts: readonly number[], profile = PROFILE): BankFile => ({
  ...{ trait, format: 'csv', file, amounts, profile },
});
const refusedCsv = (trait: string, file: string, refused: BankFile['refused'], profile = PROFILE): BankFile => ({
  ...{ trait, format: 'csv', file, refused: refused!, profile },
});
const semicolons = (line: string): string => line.replaceAll(',', ';');

const CSV: readonly BankFile[] = [
  csv(
    'currencies in lower case, and moments with a space',
    rows(HEAD, '2026-11-20 10:02:11,P1,charge,C1,60.00,8.70,51.30,eur,', '2026-11-20 23:40,P1,refund,C2,-20.00,0.00,-20.00,eur,'),
    [5_130, -2_000],
  ),
  csv(
    'a byte order mark, and commas and quotation marks in a text',
    `\ufeff${rows(HEAD, '2026-11-20,P1,charge,C1,10.00,0.59,9.41,EUR,"Shop, Inc. ""monthly"""')}`,
    [941],
  ),
  csv(
    'groups of points and a row of totals',
    rows(
      semicolons(HEAD),
      '20/11/2026;P1;charge;C1;1.250,00;10,00;1.240,00;EUR;',
      '20/11/2026;P1;refund;C2;-20,00;0,00;-20,00;EUR;',
      'Total;;;;1.230,00;10,00;1.220,00;;',
    ),
    [124_000, -2_000],
    POINTS,
  ),
  csv(
    'no-break spaces between thousands',
    rows(
      semicolons(HEAD),
      '20.11.2026;P1;charge;C1;15\u00a0400,00;0,00;15\u00a0400,00;SEK;',
      '20.11.2026;P1;charge;C2;1\u202f000,5;0;1\u202f000,5;SEK;',
    ),
    [1_540_000, 100_050],
    SPACES,
  ),
  csv('a minus of typography', rows(HEAD, '2026-11-20,P1,refund,C1,\u221220.00,0.00,\u221220.00,EUR,'), [-2_000]),
  csv('a fee that is left out where there is none', rows(HEAD, '2026-11-20,P1,charge,C1,10.00,,10.00,EUR,'), [1_000]),
  csv('a delimiter behind each row', rows(`${HEAD},`, '2026-11-20,P1,charge,C1,10.00,1.00,9.00,EUR,,'), [900]),
  csv(
    'quotation marks around everything, and groups of commas',
    rows(HEAD.replaceAll(/[^,]+/g, '"$&"'), '"2026-11-20","P1","charge","C1","1,533.50","33.50","1,500.00","EUR",""'),
    [150_000],
    { ...PROFILE, grouping: ',' },
  ),
  csv('a plus in front', rows(HEAD, '2026-11-20,P1,charge,C1,+31.00,0,+31.00,EUR,'), [3_100]),
  refusedCsv('three decimals of zeros', rows(HEAD, '2026-11-20 15:12:22,P1,charge,C1,29.000,0.000,29.000,EUR,'), { reason: 'precision', line: 2 }),
  refusedCsv(
    'three decimals that may be thousands',
    rows(semicolons(HEAD), '2026-11-20;P1;refund;C1;-253.520;0;-253.520;SEK;'),
    { reason: 'precision', line: 2 },
    { ...PROFILE, delimiter: ';' },
  ),
  refusedCsv(
    'a question mark for a minus',
    rows(semicolons(HEAD), '20.11.2026;P1;refund;C1;?1\u00a0243,01;0;?1\u00a0243,01;SEK;'),
    { reason: 'unreadable', line: 2 },
    SPACES,
  ),
  refusedCsv(
    'lines in front of the names of columns',
    rows('Bank code : 1001,Agency : 10000,,,,,,,', HEAD, '2026-11-20,P1,charge,C1,10.00,0,10.00,EUR,'),
    { reason: 'unreadable', line: 1 },
  ),
  refusedCsv('records of several kinds', rows('RH,2026/11/20 02:44:19 -0700,A,X,009,', 'FH,01', HEAD), { reason: 'unreadable', line: 1 }),
  refusedCsv(
    'debits and credits in columns of their own',
    rows(HEAD.replace('Gross', 'Gross Debit,Gross Credit'), '2026-11-20,P1,charge,C1,,10.00,0,10.00,EUR,'),
    { reason: 'unreadable', line: 1 },
  ),
  refusedCsv('a currency that is left out', rows(HEAD, '2026-11-20,P1,charge,C1,10.00,0,10.00,,'), { reason: 'unreadable', line: 2 }),
  refusedCsv('no names of columns', rows('2026-11-20,P1,charge,C1,10.00,0,10.00,EUR,'), { reason: 'unreadable', line: 1 }),
  refusedCsv('a balance behind the rows', rows(HEAD, '2026-11-20,P1,charge,C1,10.00,0,10.00,EUR,', 'Balance at end,,,,+31070.11,'), {
    reason: 'unreadable',
    line: 3,
  }),
];

export const BANK_FILES: readonly BankFile[] = [...MT940, ...CAMT, ...CSV];
