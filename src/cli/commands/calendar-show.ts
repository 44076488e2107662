import { Command, Option } from 'commander';
import { CHANNEL_COUNTRIES } from '../../ledger/channels.js';
import * as argument from '../arguments.js';
import { holidaysTable, shownYear } from '../calendar-words.js';
import type { Cli } from '../cli.js';

interface Options {
  readonly country?: string;
  readonly year?: number;
}

export const calendarShow = (cli: Cli): Command =>
  new Command('show')
    .description('show the holidays in force; without any, every Monday to Friday is a banking day')
    .addOption(argument.oneOf(new Option('--country <code>', 'only of this country'), CHANNEL_COUNTRIES))
    .option('--year <year>', 'only of this year', argument.year)
    .action(async ({ country, year }: Options) => {
      const { BankingCalendar } = await import('../../domain/calendar/banking-calendar.js');
      const years = await cli.withStores(({ eventStore }) => new BankingCalendar(eventStore).years({ country, year }));
      await cli.answer(years.map(shownYear), () =>
        years.length === 0 ? 'No holidays are set: every Monday to Friday is a banking day.' : holidaysTable(years),
      );
    });
