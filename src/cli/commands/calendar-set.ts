import { Command, Option } from 'commander';
import { CHANNEL_COUNTRIES } from '../../ledger/channels.js';
import type { HolidaysSet } from '../../ledger/events/calendar.events.js';
import { ofYear, YEAR_MAX, YEAR_MIN, type HolidaysOfYear } from '../../domain/calendar/holidays.js';
import * as argument from '../arguments.js';
import { holidaysTable, shownYear } from '../calendar-words.js';
import type { Cli } from '../cli.js';
import { CommandFailed } from '../failures.js';
import { unreadable } from '../json-file.js';
import { houseSettingsWait, proposedForHouse, withProposing, type MayPropose } from '../propose.js';
import { systemUser } from '../system-user.js';

interface Options extends MayPropose {
  readonly country?: string;
  readonly year?: number;
  readonly days?: readonly string[];
  readonly file?: string;
}

export const calendarSet = (cli: Cli): Command =>
  withProposing(
    new Command('set')
      .description('set all holidays of a country and year; payments from now on become due by them, and earlier due dates stay')
      .addOption(argument.oneOf(new Option('--country <code>', 'country of payment channels'), CHANNEL_COUNTRIES))
      .option('--year <year>', `from ${YEAR_MIN} to ${YEAR_MAX}`, argument.year)
      .option('--days <list>', 'such as 2027-01-01,2027-08-17, or none', argument.days)
      .option('--file <path>', 'JSON such as docs/holidays.json: the years in it, or those of --country and --year'),
  ).action(async ({ country, year, days, file, ...proposing }: Options, command: Command) => {
    if ((days === undefined) === (file === undefined)) command.error('error: set either --days or --file');
    if (days !== undefined && (country === undefined || year === undefined)) command.error('error: --days needs --country and --year');
    const given = days === undefined ? await listedIn(file!, country, year) : [{ country: country!, year: year!, days }];
    const set = await cli.withStores(async ({ deps, eventStore }) => {
      if (given.length > 1 && (await houseSettingsWait(eventStore)))
        throw new CommandFailed('settings need an approval, and a proposal is for one year: name --country and --year');
      if (await proposedForHouse(cli, eventStore, 'CALENDAR', given[0]!, proposing)) return undefined;
      const { setHolidays } = await import('../../domain/calendar/calendar.commands.js');
      const years: HolidaysSet[] = [];
      for (const each of given) years.push(await setHolidays(deps, each, systemUser()));
      return years;
    });
    if (set) await cli.answer(set.map(shownYear), () => holidaysTable(set));
  });

/** @throws CommandFailed, ConfigError */
async function listedIn(file: string, country: string | undefined, year: number | undefined): Promise<readonly HolidaysOfYear[]> {
  const { readHolidaysFile } = await import('../../domain/calendar/holidays-file.js');
  const listed = await readHolidaysFile(file).catch((error: unknown) => {
    throw (error as NodeJS.ErrnoException).code === undefined ? error : unreadable(file, error);
  });
  const wanted = ofYear(listed, { country, year });
  if (wanted.length > 0) return wanted;
  const of = [country, year].filter((each) => each !== undefined).join(' ');
  throw new CommandFailed(`${file} lists no holidays${of === '' ? '' : ` of ${of}`}`);
}
