import type { ClosedLoad, LogSize, PacedLoad } from './scaling-model.js';

/** A Postgres table after a measured log. */
export interface MeasuredTable {
  readonly name: string;
  readonly rows: number;
  /** Size without indexes. */
  readonly bytes: number;
  readonly index_bytes: number;
}

export interface MeasuredCosts {
  /** Cores of the machine, which also ran the load. */
  readonly cores: number;
  /** `BENCH_ONLY=creates npm run bench`, the median of five rounds. */
  readonly creates: readonly ClosedLoad[];
  /** `BENCH_ONLY=paced npm run bench`. */
  readonly paced: readonly PacedLoad[];
  /** `BENCH_ONLY=growth BENCH_ROWS=300000 BENCH_MERCHANTS=30 npm run bench`: about fifteen charges a day per account. */
  readonly dense: LogSize;
  /** Tables of that log, largest first. */
  readonly tables: readonly MeasuredTable[];
  /** `BENCH_ONLY=rebuild BENCH_ROWS=100000 npm run bench`: events per second, with comparison, indexes and switch. */
  readonly rebuild: {
    readonly alone: Readonly<Record<string, number>>;
    /** Rate of all projections from one reading. */
    readonly all: number;
    /** Rate of a process that only reads and decodes: that of `customers`, which has nothing to write in that log. */
    readonly reading: number;
  };
  /** Rebuilds of all read models for logs of several sizes: the first as above, the others by `BENCH_ONLY=growth`. */
  readonly rebuilds: readonly { readonly log: string; readonly events: number; readonly per_second: number }[];
  /** CPU of Postgres, µs, comparison included: 12.9 s for 273,000 events in the schedstat of its processes, on a busier machine. */
  readonly postgres_us_per_rebuilt_event: number;
  /** `BENCH_ONLY=growth` with 911,585 events. */
  readonly verify_seconds_per_million: number;
  /** Rate of one reader of the embedded engine's log that only parses it: `BENCH_ONLY=appends`. */
  readonly log_read_per_second: number;
}

/** Two cores of an AMD EPYC, Node 20.20, the embedded Postgres 18 with fsync, in November 2026, with nothing else on the machine. */
export const MEASURED: MeasuredCosts = {
  cores: 2,
  creates: [
    { in_flight: 1, per_second: 1_130, p50_ms: 0.7, p99_ms: 3.7, cpu_us: { api: 399, background: 133, postgres: 374, load: 77 } },
    { in_flight: 16, per_second: 3_940, p50_ms: 3.1, p99_ms: 17, cpu_us: { api: 176, background: 63, postgres: 123, load: 35 } },
    { in_flight: 64, per_second: 4_643, p50_ms: 11.9, p99_ms: 52.4, cpu_us: { api: 157, background: 56, postgres: 109, load: 37 } },
  ],
  paced: [
    { per_second: 242, p50_ms: 1.3, p99_ms: 8.5, cores: 0.58 },
    { per_second: 477, p50_ms: 1.1, p99_ms: 9.2, cores: 0.66 },
    { per_second: 998, p50_ms: 1.2, p99_ms: 21.4, cores: 0.91 },
    { per_second: 2_005, p50_ms: 1.9, p99_ms: 33.2, cores: 1.24 },
    { per_second: 2_479, p50_ms: 2.1, p99_ms: 55.6, cores: 1.31 },
    { per_second: 2_976, p50_ms: 2.7, p99_ms: 83.1, cores: 1.39 },
  ],
  dense: { charges: 299_999, events: 900_367, log_bytes: 1_003_773_952, read_model_bytes: 1_425_719_296, sealed_bytes: 209_379_328 },
  tables: [
    { name: 'event_store.events', rows: 900_706, bytes: 890_511_360, index_bytes: 113_205_248 },
    { name: 'outbox.notices', rows: 1_120_274, bytes: 155_181_056, index_bytes: 136_765_440 },
    { name: 'event_index.events', rows: 900_367, bytes: 115_949_568, index_bytes: 135_168_000 },
    { name: 'ledger.charges', rows: 299_999, bytes: 171_171_840, index_bytes: 76_505_088 },
    { name: 'ledger.journal', rows: 269_115, bytes: 128_950_272, index_bytes: 61_046_784 },
    { name: 'chain.events', rows: 900_367, bytes: 91_594_752, index_bytes: 57_794_560 },
    { name: 'recon.item_details', rows: 253_793, bytes: 36_552_704, index_bytes: 39_010_304 },
    { name: 'ledger.search_texts', rows: 299_999, bytes: 40_984_576, index_bytes: 40_583_168 },
    { name: 'recon.payments', rows: 546_890, bytes: 39_739_392, index_bytes: 32_301_056 },
    { name: 'chain.hashes', rows: 183, bytes: 59_908_096, index_bytes: 16_384 },
    { name: 'ledger.charge_counts', rows: 224_937, bytes: 32_432_128, index_bytes: 23_379_968 },
    { name: 'recon.item_states', rows: 253_793, bytes: 25_804_800, index_bytes: 24_576_000 },
    { name: 'recon.charges', rows: 299_999, bytes: 29_057_024, index_bytes: 11_649_024 },
    { name: 'ledger.settlement_lines', rows: 242_466, bytes: 22_618_112, index_bytes: 13_336_576 },
    { name: 'ledger.settlement_candidates', rows: 541, bytes: 6_168_576, index_bytes: 5_070_848 },
    { name: 'ledger.search_segments', rows: 1_426, bytes: 8_953_856, index_bytes: 98_304 },
  ],
  rebuild: {
    alone: { ledger: 21_698, customers: 116_361, outbox: 65_235, event_index: 74_858, recon: 34_923 },
    all: 14_923,
    reading: 116_361,
  },
  rebuilds: [
    { log: 'charges of one merchant, created and paid', events: 170_003, per_second: 14_923 },
    { log: '300 merchants, thin trade, settled and paid out', events: 521_380, per_second: 16_420 },
    { log: '30 merchants, settled and paid out', events: 911_585, per_second: 16_829 },
  ],
  postgres_us_per_rebuilt_event: 47,
  verify_seconds_per_million: 14.6,
  log_read_per_second: 199_788,
};
