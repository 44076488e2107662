import { setTimeout as delay } from 'node:timers/promises';
import type { Pool } from 'pg';
import type { Config } from '../app/config.js';
import type { Stores } from '../app/stores.js';
import { momentId } from '../point-in-time/moment-id.js';
import type { Moment, Moments } from '../point-in-time/moments.js';
import type { Cli } from './cli.js';
import { CommandFailed } from './failures.js';
import { table } from './output.js';

const LOOK_MS = 200;
/** Time after which a remark is printed if no event is read yet, ms. */
const SILENT_MS = 10_000;

export interface MomentsContext extends Stores {
  readonly config: Config;
  readonly pool: Pool;
  readonly moments: Moments;
}

/** Runs `work` with the open moments of the ledger. */
export async function withMoments<T>(cli: Cli, work: (context: MomentsContext) => Promise<T>): Promise<T> {
  const [{ openMoments }, { createPool }] = await Promise.all([import('../point-in-time/open-moments.js'), import('../platform/postgres/pool.js')]);
  return cli.withStores(async (stores) => {
    const { config, databaseUrl } = stores;
    // A moment is dropped under a lock that one connection holds.
    const pool = createPool({ url: databaseUrl, applicationName: 'chargebook-cli', maxConnections: 2 });
    try {
      return await work({ ...stores, pool, moments: openMoments(pool, databaseUrl, config).moments });
    } finally {
      await pool.end();
    }
  });
}

/** Returns moments as a table. */
export const momentWords = (moments: Awaited<ReturnType<Moments['list']>>): string =>
  table(
    ['moment', 'scenario', 'time', 'state', 'events', 'MB', 'opened by', 'closes on', 'reason'],
    moments.map(({ position, name, scenario, time, state, events_done, size_bytes, opened_by, closes_on, reason }) => [
      ...[momentId(position, name), scenario, time, state, events_done, size_bytes === null ? null : String(Math.ceil(size_bytes / 1e6))],
      ...[opened_by, closes_on, reason],
    ]),
  );

/** Shows the progress of the build until it ends. */
export async function built(cli: Cli, { moments }: MomentsContext, { position, name, events_total }: Moment): Promise<Moment> {
  const id = momentId(position, name);
  const progress = cli.progress(`moment ${id}`, events_total);
  try {
    for (let done = 0, waitedMs = 0; ; waitedMs += LOOK_MS) {
      const moment = (await moments.list()).find((each) => momentId(each.position, each.name) === id);
      if (!moment) throw new CommandFailed(`moment ${id} was closed`);
      if (moment.state !== 'BUILDING') return moment;
      progress.advance(moment.events_done - done);
      done = moment.events_done;
      if (done === 0 && waitedMs === SILENT_MS) await cli.note('Nothing happens: a process of the service with the role worker builds it.');
      await delay(LOOK_MS, undefined, { signal: cli.signal });
    }
  } finally {
    progress.end();
  }
}

export function addressesOf({ config }: MomentsContext, { position, name }: Moment): string {
  const base = `${config.publicUrl ?? `http://${config.host}:${config.port}`}/at/${momentId(position, name)}`;
  return `${base}/v1/…    with a merchant’s key\n${base}/audit/…    with a key of finance or of an operator\n${base}/console    in a browser`;
}

/** Returns the moment unless it has failed. @throws CommandFailed */
export function requireBuildable(moment: Moment): Moment {
  if (moment.state === 'FAILED') throw new CommandFailed(`moment ${momentId(moment.position, moment.name)} cannot be built: ${moment.reason}`);
  return moment;
}
