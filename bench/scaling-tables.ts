import type { MeasuredCosts } from './scaling-costs.js';
import {
  bytesOf,
  capacity,
  catchUpSeconds,
  cellsFor,
  coresFor,
  eventsOfDay,
  eventsPerCharge,
  growth,
  meanOfClosed,
  meanOfOpen,
  p99Of,
  perSecondOf,
  restoreSeconds,
  secondsFor,
  sharedOut,
  slowestOf,
  sumOf,
} from './scaling-model.js';

/** Planned busy share of an installation's cores, and of its projector's core, at the peak. */
const BUSY_SHARE = 0.7;
const CORES = [2, 4, 8, 16];
const PER_MONTH = [1e6, 10e6, 100e6];
const YEARS = [1, 3, 7];
/** Ratio of a day's peak to a month's average. */
const PEAK = 10;
const BILLION = 1e9;
const CELLS = [1, 2, 5, 10, 20, 50];
const SHARES = [2, 4, 8];
const REBUILD_WITHIN_HOURS = 8;
const AWAY_SECONDS = [10, 60, 3_600];
const EVENT_RATES = [100, 1_000, 5_000, 10_000];
/** Rate at which a base backup is copied back. It depends on disk and network and is not measured. */
const COPY_BYTES_PER_SECOND = 200e6;
const LOG_EVENTS = [10e6, 100e6, BILLION, 10 * BILLION];

/** The tables of docs/scaling.md by name. */
export const scalingTables = (costs: MeasuredCosts): Readonly<Record<string, string>> => ({
  creates: createsTable(costs),
  closed: closedTable(costs),
  paced: pacedTable(costs),
  capacity: capacityTable(costs),
  tables: tablesTable(costs),
  growth: growthTable(costs),
  'whole log': wholeLogTable(costs),
  rebuilds: rebuildsTable(costs),
  'billion, today': billionTodayTable(costs),
  'billion, designs': billionDesignsTable(costs),
  recovery: recoveryTable(costs),
});

function createsTable({ creates, cores }: MeasuredCosts): string {
  return table(
    ['In flight', 'Creates/s', 'p50, ms', 'p99, ms', 'API, µs', 'Projector and worker', 'Postgres', 'Load', 'Busy'],
    creates.map(({ in_flight, per_second, p50_ms, p99_ms, cpu_us }) => {
      const busy = ((sumOf(cpu_us) + cpu_us.load) * per_second) / 1e6 / cores;
      return [in_flight, whole(per_second), p50_ms, p99_ms, cpu_us.api, cpu_us.background, cpu_us.postgres, cpu_us.load, percent(busy)];
    }),
  );
}

function closedTable({ creates }: MeasuredCosts): string {
  return table(
    ['In flight', 'Mean, ms', 'p99 reckoned', 'p99 measured'],
    creates.map((load) => [load.in_flight, oneDigit(meanOfClosed(load)), oneDigit(p99Of(meanOfClosed(load))), oneDigit(load.p99_ms)]),
  );
}

function pacedTable({ paced, creates, cores }: MeasuredCosts): string {
  const alone = creates.find(({ in_flight }) => in_flight === 1)!;
  return table(
    ['Creates/s', 'Machine busy', 'p50, ms', 'p99, ms', 'p99 reckoned'],
    paced.map(({ per_second, p50_ms, p99_ms, cores: busy }) => [
      whole(per_second),
      percent(busy / cores),
      oneDigit(p50_ms),
      oneDigit(p99_ms),
      oneDigit(p99Of(meanOfOpen(meanOfClosed(alone), busy / cores))),
    ]),
  );
}

function capacityTable({ creates, dense }: MeasuredCosts): string {
  const { cpu_us } = creates.at(-1)!;
  const events = eventsPerCharge(dense);
  return table(
    ['Cores of a cell', 'Creates/s', 'Whole charges/s', 'Whole charges a month, peak ten times the average', 'Limit'],
    CORES.map((cores) => {
      const lives = capacity(cores, cpu_us, BUSY_SHARE, events);
      const month = lives.per_second / PEAK / perSecondOf(1);
      return [cores, hundreds(capacity(cores, cpu_us, BUSY_SHARE).per_second), hundreds(lives.per_second), large(month), lives.limit];
    }),
  );
}

function tablesTable({ tables, dense: { charges } }: MeasuredCosts): string {
  return table(
    ['Table', 'Rows a charge', 'Bytes a row', 'of them indexes', 'Bytes a charge'],
    tables.map(({ name, rows, bytes, index_bytes }) => [
      `\`${name}\``,
      rows < charges / 100 ? '< 0.01' : (rows / charges).toFixed(2),
      whole((bytes + index_bytes) / rows),
      whole(index_bytes / rows),
      whole((bytes + index_bytes) / charges),
    ]),
  );
}

function growthTable({ dense, rebuild }: MeasuredCosts): string {
  return table(
    [
      'Charges a month',
      'Years',
      'Charges',
      'Events',
      'Log',
      'Read models',
      'Sealed tree',
      'Together',
      `Cells for a rebuild in ${REBUILD_WITHIN_HOURS} h`,
    ],
    PER_MONTH.flatMap((perMonth) =>
      YEARS.map((years) => {
        const grown = growth(perMonth, years * 12, dense);
        const sizes = [grown.log_bytes, grown.read_model_bytes, grown.sealed_bytes, grown.bytes].map(terabytes);
        const cells = cellsFor(grown.events, rebuild.all, REBUILD_WITHIN_HOURS * 3_600);
        return [large(perMonth), years, large(grown.charges), large(grown.events), ...sizes, cells];
      }),
    ),
  );
}

function wholeLogTable({ rebuild, verify_seconds_per_million, log_read_per_second, dense }: MeasuredCosts): string {
  return table(
    ['Events', 'Log and all that follows from it', 'Reading it once', '`audit verify`', '`projections rebuild`, all'],
    LOG_EVENTS.map((events) => [
      large(events),
      terabytes((bytesOf(dense) / dense.events) * events),
      duration(secondsFor(events, log_read_per_second)),
      duration((events / 1e6) * verify_seconds_per_million),
      duration(secondsFor(events, rebuild.all)),
    ]),
  );
}

function rebuildsTable({ rebuild, rebuilds }: MeasuredCosts): string {
  const named: readonly (readonly [string, number])[] = [...Object.entries(rebuild.alone), ['all, from one reading', rebuild.all]];
  return [
    table(
      ['Rebuild of', 'Events/s'],
      named.map(([name, rate]) => [name, hundreds(rate)]),
    ),
    table(
      ['Log', 'Events', 'All read models, events/s'],
      rebuilds.map(({ log, events, per_second }) => [log, whole(events), hundreds(per_second)]),
    ),
  ].join('\n\n');
}

function billionTodayTable({ rebuild, postgres_us_per_rebuilt_event }: MeasuredCosts): string {
  return table(
    ['Cells', 'Events in each', 'Hours', 'Cores, all cells'],
    CELLS.map((cells) => [
      cells,
      large(BILLION / cells),
      hours(secondsFor(BILLION / cells, rebuild.all)),
      cells * coresFor(1, rebuild.all, postgres_us_per_rebuilt_event),
    ]),
  );
}

function billionDesignsTable({ rebuild, postgres_us_per_rebuilt_event: postgres, dense }: MeasuredCosts): string {
  const rate = (name: string, processes: number, perSecond: number): readonly Cell[] => [
    name,
    hundreds(perSecond),
    hours(secondsFor(BILLION, perSecond)),
    coresFor(processes, perSecond, postgres),
  ];
  const backup = restoreSeconds((bytesOf(dense) / dense.events) * BILLION, COPY_BYTES_PER_SECOND, eventsOfDay(100e6, dense), rebuild.all);
  return table(
    ['One cell of 1,000,000,000 events', 'Events/s', 'Hours', 'Cores'],
    [
      rate('today: one process', 1, rebuild.all),
      rate('a process for each projection', Object.keys(rebuild.alone).length, slowestOf(Object.values(rebuild.alone))),
      ...SHARES.map((processes) =>
        rate(`${processes} processes that share the streams out`, processes, sharedOut(processes, rebuild.all, rebuild.reading)),
      ),
      ['a base backup a day old, copied at 200 MB/s, and catching up', '–', hours(backup), coresFor(1, rebuild.all, postgres)],
    ],
  );
}

function recoveryTable({ rebuild }: MeasuredCosts): string {
  return table(
    ['Events/s', ...AWAY_SECONDS.map((away) => `projector away ${duration(away)}`)],
    EVENT_RATES.map((rate) => [whole(rate), ...AWAY_SECONDS.map((away) => duration(catchUpSeconds(rate, away, rebuild.all)))]),
  );
}

type Cell = string | number;

const table = (head: readonly string[], rows: readonly (readonly Cell[])[]): string =>
  [head, head.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n');

const whole = (value: number): string => Math.round(value).toLocaleString('en-US');
const hundreds = (value: number): string => whole(Math.round(value / 100) * 100);
const oneDigit = (value: number): string => value.toFixed(1);
const percent = (share: number): string => `${Math.round(share * 100)} %`;
const hours = (seconds: number): string => oneDigit(seconds / 3_600);

function large(value: number): string {
  if (value >= 1e9) return `${significant(value / 1e9)} bn`;
  return value >= 1e6 ? `${significant(value / 1e6)} M` : whole(value);
}

const terabytes = (bytes: number): string => (bytes >= 1e12 ? `${significant(bytes / 1e12)} TB` : `${significant(bytes / 1e9)} GB`);

const significant = (value: number): string => Number(value.toPrecision(2)).toLocaleString('en-US');

function duration(seconds: number): string {
  if (seconds === Infinity) return 'never';
  if (seconds < 1) return '< 1 s';
  if (seconds < 100) return `${significant(seconds)} s`;
  if (seconds < 3_600) return `${significant(seconds / 60)} min`;
  return `${significant(seconds / 3_600)} h`;
}
