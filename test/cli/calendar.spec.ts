import { randomUUID } from 'node:crypto';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { CHANNEL_COUNTRIES } from '../../src/ledger/channels.js';
import { isBankingDay } from '../../src/ledger/days.js';
import { setApprovalPolicy } from '../../src/domain/operators/approval-policy.commands.js';
import { newOperator } from '../support/finance.js';
import { runCli, type Run } from '../support/run-cli.js';
import { startTestService, type TestService } from '../support/service.js';

const SHIPPED = 'docs/holidays.json';
const WHEN = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}\+00:00$/);
interface Year {
  readonly country: string;
  readonly year: number;
  readonly days: readonly string[];
  readonly set_by: string;
}

describe('the calendar on the command line', () => {
  let service: TestService;
  let folder: string;
  let env: Readonly<Record<string, string>>;
  beforeAll(async () => {
    service = await startTestService();
    folder = await mkdtemp(join(tmpdir(), 'chargebook-calendar-'));
    env = { DATABASE_URL: service.stores.databaseUrl };
  });
  afterAll(async () => {
    await service.stop();
    await rm(folder, { recursive: true, force: true });
  });

  const cli = (...args: string[]): Promise<Run> => runCli(['calendar', ...args], env);
  async function json(...args: string[]): Promise<readonly Year[]> {
    const run = await cli(...args, '--json');
    expect(run).toMatchObject({ code: 0, stderr: '' });
    return JSON.parse(run.stdout) as readonly Year[];
  }
  const written = async (name: string, text: string): Promise<string> => {
    await writeFile(join(folder, name), text);
    return join(folder, name);
  };

  it('sets and shows the holidays of a country and year', async () => {
    expect(await json('show')).toEqual([]);
    expect((await cli('show')).stdout).toBe('No holidays are set: every Monday to Friday is a banking day.\n');
    const set = { country: 'SG', year: 2030, days: ['2030-01-01', '2030-08-09'], set_by: expect.any(String), set_on: WHEN };
    expect(await json('set', '--country', 'sg', '--year', '2030', '--days', '2030-08-09,2030-01-01')).toEqual([set]);
    expect(await json('show', '--country', 'SG')).toEqual([set]);
    expect(await json('show', '--year', '2031')).toEqual([]);
    expect((await cli('show')).stdout).toMatch(/^COUNTRY +YEAR +HOLIDAYS .*\nSG +2030 +2 .* 01-01 08-09\n$/);
    expect(await json('set', '--country', 'SG', '--year', '2030', '--days', 'none')).toEqual([{ ...set, days: [] }]);
  });

  it('sets the years of the shipped file, or one of them', async () => {
    const one = await json('set', '--file', SHIPPED, '--country', 'MY', '--year', '2027');
    expect(one.map(({ country, year }) => [country, year])).toEqual([['MY', 2027]]);
    const all = await json('set', '--file', SHIPPED);
    expect(all.map(({ country, year }) => [country, year])).toEqual(
      CHANNEL_COUNTRIES.flatMap((country) => [2026, 2027].map((year) => [country, year])),
    );
    const { days, sources } = JSON.parse(await readFile(SHIPPED, 'utf8')) as {
      readonly days: Readonly<Record<string, readonly string[]>>;
      readonly sources: readonly { readonly country: string; readonly year: number; readonly url: string; readonly checked_on: string }[];
    };
    for (const country of CHANNEL_COUNTRIES)
      expect(all.filter((each) => each.country === country).flatMap((each) => each.days)).toEqual(days[country]);
    // Each year has its source, New Year and Christmas, and about a dozen holidays on days from Monday to Friday.
    expect(sources.map(({ country, year }) => [country, year])).toEqual(all.map(({ country, year }) => [country, year]));
    for (const each of all) {
      expect(each.days).toEqual(expect.arrayContaining([`${each.year}-01-01`, `${each.year}-12-25`]));
      expect(each.days.filter(isBankingDay).length).toBeGreaterThanOrEqual(8);
      expect(each.days.filter(isBankingDay).length).toBeLessThanOrEqual(25);
    }
  });

  it.each<[string, readonly string[], number, string]>([
    ['31 February', ['--country', 'ID', '--year', '2027', '--days', '2027-02-31'], 2, 'Must be a day such as'],
    ['another country', ['--country', 'TH', '--year', '2027', '--days', 'none'], 2, 'ID, MY, SG'],
    ['the year 2101', ['--country', 'ID', '--year', '2101', '--days', 'none'], 2, 'from 2000 to 2100'],
    ['days without a year', ['--country', 'ID', '--days', '2027-01-01'], 2, '--days needs --country and --year'],
    ['neither days nor file', ['--country', 'ID', '--year', '2027'], 2, 'either --days or --file'],
    ['days and a file', ['--country', 'ID', '--year', '2027', '--days', 'none', '--file', SHIPPED], 2, 'either --days or --file'],
    ['a day of another year', ['--country', 'ID', '--year', '2027', '--days', '2028-01-01'], 1, '"2028-01-01" is not a day of 2027'],
    ['a repeated day', ['--country', 'ID', '--year', '2027', '--days', '2027-01-01,2027-01-01'], 1, 'occurs twice'],
    ['a missing file', ['--file', '/nowhere/holidays.json'], 1, 'no such file'],
    ['a file without that year', ['--file', SHIPPED, '--year', '2040'], 1, 'lists no holidays of 2040'],
  ])('refuses %s, and records nothing', async (_, args, code, words) => {
    const before = await json('show');
    const run = await cli('set', ...args);
    expect(run).toMatchObject({ code, stdout: '', stderr: expect.stringContaining(words) });
    expect(run.stderr.trimEnd().split('\n')).toHaveLength(1);
    expect(await json('show')).toEqual(before);
  });

  it('refuses a file of another form, and one with a wrong day', async () => {
    for (const [text, words] of [
      ['country,day', 'is not JSON'],
      ['[]', 'must hold an object'],
      ['{"days":{"ID":["2027-13-01"]}}', '"2027-13-01" is not a day'],
      ['{"about":"nothing","days":[]}', 'must hold an object'],
    ] as const) {
      const run = await cli('set', '--file', await written('wrong.json', text));
      expect([text, run.code, run.stderr]).toEqual([text, 1, expect.stringContaining(words)]);
    }
  });

  it('makes a proposal if settings need an approval', async () => {
    const siti = await newOperator(service, 'Siti', ['preparer']);
    const policy = { mode: 'live', payouts: [], payouts_day: [], merchants: {}, adjustments: [], settings: 1, expires_hours: 1 } as const;
    await setApprovalPolicy(service.deps, policy, randomUUID(), 'key_1');
    const before = await json('show');
    const propose = (...args: string[]): Promise<Run> =>
      runCli(['calendar', 'set', ...args, '--url', service.url], { ...env, CHARGEBOOK_OPERATOR_KEY: siti.key });
    const one = ['--country', 'ID', '--year', '2028', '--days', '2028-08-17,2028-01-01'];
    expect(await propose(...one)).toMatchObject({ code: 1, stderr: expect.stringContaining('--reason') });
    const reason = ['--reason', 'as the decree says', '--json'];
    const made = await propose(...one, ...reason);
    expect([made.code, made.stderr]).toEqual([3, '']);
    expect(JSON.parse(made.stdout)).toMatchObject({ kind: 'CALENDAR', status: 'PENDING', content: { days: ['2028-01-01', '2028-08-17'] } });
    expect(await propose('--file', SHIPPED, ...reason)).toMatchObject({ code: 1, stderr: expect.stringContaining('name --country and --year') });
    expect(await propose('--file', SHIPPED, '--country', 'SG', '--year', '2027', ...reason)).toMatchObject({ code: 3 });
    expect(await json('show')).toEqual(before);
  });
});
