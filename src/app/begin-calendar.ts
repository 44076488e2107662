import { join } from 'node:path';
import { beginCalendar, loadCalendar } from '../domain/calendar/calendar.commands.js';
import { isRecorded } from '../domain/calendar/calendar.decider.js';
import type { HolidaysOfYear } from '../domain/calendar/holidays.js';
import { readHolidaysFile } from '../domain/calendar/holidays-file.js';
import { DirectoryRefused } from '../domain/operators/directory.js';
import { pause } from '../platform/async/waiting.js';
import { StoreUnavailable } from '../platform/event-store/event-store.js';
import { ConfigError } from '../platform/process/config-error.js';
import { UnreadableText } from '../platform/text/text-file.js';
import type { Config } from './config.js';
import { ignoreMissing } from './data-directory.js';
import type { Stores } from './stores.js';

const HOLIDAYS_FILE = 'holidays.json';
const RETRY_MS = 1_000;

/**
 * Records the holidays in `holidays.json` of DATA_DIR, where services before the calendar kept them, once: when the log has no holidays yet. It is
 * done before the first payment is decided, and waits for the event store. Later only a difference is reported, because the log is in force.
 * @throws ConfigError when the file would be recorded and is wrong
 */
export async function beginCalendarFromFile(
  { dataDir }: Pick<Config, 'dataDir'>,
  { eventStore: store, clockGuard }: Pick<Stores, 'eventStore' | 'clockGuard'>,
  logger: { readonly warn: (fields: object, message: string) => void },
  stopping: AbortSignal,
): Promise<void> {
  const file = join(dataDir, HOLIDAYS_FILE);
  const given = await readHolidaysFile(file).catch(faultOf).catch(ignoreMissing);
  if (given === undefined) return;
  const take = async (): Promise<void> => {
    const { state } = await loadCalendar(store);
    if (given instanceof Error) {
      if (state.years.size === 0) throw given;
      return logger.warn({ file, err: given }, 'the file of holidays cannot be read; the holidays in the log are in force');
    }
    const inForce = state.years.size > 0 || given.length === 0 ? state : await beginFrom(given);
    if (given.some((year) => !isRecorded(inForce, year)))
      logger.warn({ file }, 'the file of holidays differs from the holidays in the log, which are in force: "calendar set" changes them');
  };
  const beginFrom = (years: readonly HolidaysOfYear[]) =>
    beginCalendar({ store, clock: clockGuard.clock }, years, HOLIDAYS_FILE).catch((error: unknown) => {
      throw error instanceof DirectoryRefused ? new ConfigError(`${file}: ${error.message}`) : error;
    });
  for (let isReported = false; !stopping.aborted; isReported = true) {
    try {
      return await take();
    } catch (error) {
      if (!(error instanceof StoreUnavailable)) throw error;
      if (!isReported) logger.warn({ err: error }, 'the holidays are not known yet; waiting for the event store');
    }
    await pause(RETRY_MS, stopping);
  }
}

/** Returns the error of a file that exists and cannot be used. */
function faultOf(error: unknown): Error {
  if (error instanceof ConfigError || error instanceof UnreadableText) return error;
  throw error;
}
