/**
 * `npm run judge:rails -- --charges 1000 --payouts 1000`: runs the API and the worker over simulated providers with every fault, kills
 * them every few seconds, and passes two midnights. At the end the faults stop, open charges and payouts get days to end, and the
 * providers' own records are compared with the books. Exits with 1 on a violation. `--json` prints one JSON document instead of the table.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { FAULTS } from '../../tools/provider-simulators/faults.js';
import { randomNumbers } from '../support/random-numbers.js';
import { readBooks, readTruth } from './books.js';
import { FastClock } from './fast-clock.js';
import { openHouse, routeShops, setFaults, type House } from './house.js';
import { MortalService } from './mortal-service.js';
import { PatientClient } from './patient-client.js';
import { settle } from './settling.js';
import { repeat, Traffic, Wanted } from './traffic.js';
import { judge, type Verdict } from './verdict.js';
import { DAY_MS } from '../../src/ledger/time.js';

const { values: options } = parseArgs({
  options: {
    charges: { type: 'string', default: '100' },
    payouts: { type: 'string', default: '100' },
    seed: { type: 'string', default: '1' },
    'fault-rate': { type: 'string', default: '0.1' },
    /** Mean time between two kills, seconds of the true clock. */
    'kill-every': { type: 'string', default: '5' },
    /** Merchants, each with separate accounts at a provider and at a bank: the rate limit of a rail bounds the speed of a run. */
    shops: { type: 'string', default: '8' },
    /** Seconds of the run's clock per second of the true clock. */
    speed: { type: 'string', default: '10' },
    json: { type: 'boolean', default: false },
  },
});
const [CHARGES, PAYOUTS, SEED, RATE, KILL_EVERY, SHOPS, SPEED] = (
  ['charges', 'payouts', 'seed', 'fault-rate', 'kill-every', 'shops', 'speed'] as const
).map((name) => Number(options[name])) as [number, number, number, number, number, number, number];

const CLI = fileURLToPath(new URL('../../dist/src/cli/main.js', import.meta.url));
/** Concurrent charges of each merchant. */
const CHARGES_AT_ONCE = 6;
const PAYOUTS_AT_ONCE = 3;
const DAYS = 3;
const JAKARTA_MS = 7 * 3_600_000;
const BEFORE_MIDNIGHT_MS = 60_000;
const KEY_IS_KNOWN_S = 3;
const TOLD_MAX = 30;

const tell = (line: string): void => void process.stderr.write(`${line}\n`);

interface Result extends Verdict {
  readonly minutes: number;
  readonly days: number;
  readonly kills: number;
  /** Number of processes that ended by themselves at their start. */
  readonly restarts: number;
  readonly asked: Wanted['asked'];
  /** Logged errors with their number. */
  readonly logged: readonly (readonly [message: string, times: number])[];
}

async function run(clock: FastClock): Promise<Result> {
  const began = Date.now();
  const house = await openHouse(clock, { shops: SHOPS, seed: SEED });
  const service = new MortalService(clock, house);
  const client = new PatientClient(service.url);
  try {
    await service.start();
    await clock.pause(KEY_IS_KNOWN_S);
    const wanted = new Wanted();
    const traffics = house.shops.map((shop, n) => new Traffic(shop, client, wanted, randomNumbers(SEED * 100 + n)));
    await Promise.all(traffics.map((traffic) => traffic.fund(Math.ceil(PAYOUTS / SHOPS))));
    await routeShops(house);
    await clock.pause(KEY_IS_KNOWN_S);
    await trade(clock, house, service, { traffics, wanted });
    const violations = [...wanted.wrong, ...(await settle({ clock, house, service, client, tell }))];
    const verdict = judge(readTruth(house), await readBooks(client, house), wanted.payouts);
    violations.push(...verdict.violations, ...(await verifyProjections(house)));
    const days = (Date.now() - began) / DAY_MS;
    return {
      lines: verdict.lines,
      violations,
      minutes: clock.minutes,
      days,
      kills: service.kills,
      restarts: service.restarts,
      asked: wanted.asked,
      logged: [...service.logged],
    };
  } finally {
    await service.stop();
    await client.close();
    await house.close();
  }
}

/** Trades on three days, with faults and kills. Before each further day the clock jumps to a minute before midnight in Jakarta. */
async function trade(
  clock: FastClock,
  house: House,
  service: MortalService,
  { traffics, wanted }: { readonly traffics: readonly Traffic[]; readonly wanted: Wanted },
): Promise<void> {
  const random = randomNumbers(SEED + 7);
  await setFaults(house.shops, Object.fromEntries(FAULTS.map((name) => [name, RATE])));
  for (let day = 1; day <= DAYS; day += 1) {
    const killing = new AbortController();
    const killer = service.killOnAndOn(KILL_EVERY, random, killing.signal);
    await Promise.all(
      traffics.map((traffic) =>
        Promise.all([
          repeat(partOf(CHARGES, day), CHARGES_AT_ONCE, () => traffic.charge()),
          repeat(partOf(PAYOUTS, day), PAYOUTS_AT_ONCE, () => traffic.payout()),
        ]),
      ),
    );
    killing.abort();
    await killer;
    const { charges, payouts, unanswered } = wanted.asked;
    tell(`${clock.minutes.toFixed(1)} min: day ${day}, ${charges} charges, ${payouts} payouts, ${unanswered} unanswered, ${service.kills} kills`);
    if (day < DAYS) await service.jump(untilMidnight() - BEFORE_MIDNIGHT_MS);
  }
  await setFaults(house.shops, Object.fromEntries(FAULTS.map((name) => [name, 0])));
}

/** Number of charges or payouts of one shop on one day. */
const partOf = (all: number, day: number): number => Math.floor((all * day) / (SHOPS * DAYS)) - Math.floor((all * (day - 1)) / (SHOPS * DAYS));

/** Time until midnight in Jakarta, ms. */
const untilMidnight = (): number => DAY_MS - ((Date.now() + JAKARTA_MS) % DAY_MS);

/** Runs `projections verify` by the true clock, so that nothing times out; the command makes no decision that depends on the time. */
async function verifyProjections({ env }: House): Promise<string[]> {
  const { LD_PRELOAD: _, ...own } = process.env;
  const child = spawn(process.execPath, [CLI, 'projections', 'verify'], { env: { ...own, ...env }, stdio: ['ignore', 'pipe', 'pipe'] });
  const said: string[] = [];
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => said.push(String(chunk)));
  const [code] = (await once(child, 'close')) as [number | null];
  return code === 0 ? [] : [`projections verify ended with ${code}: ${said.join('')}`];
}

function print({ lines, violations, minutes, days, kills, restarts, asked, logged }: Result): void {
  const line = (...cells: readonly string[]): void =>
    void process.stdout.write(`${cells.map((cell, n) => (n === 0 ? cell.padEnd(40) : cell.padStart(16))).join(' ')}\n`);
  process.stdout.write(
    `${asked.charges} charges, ${asked.payouts} payouts, ${asked.refunds} refunds wanted; seed ${SEED}, faults ${RATE}, ${kills} kills, ${restarts} other ends, ${minutes.toFixed(1)} min, ${days.toFixed(1)} days\n\n`,
  );
  line('', 'in truth', 'sum', 'in the books', 'sum');
  for (const { what, truth, books } of lines) line(what, ...(truth ?? ['', '']).map(String), ...books.map(String));
  for (const [message, times] of logged) process.stdout.write(`\nlogged ${times} times: ${message}`);
  process.stdout.write(`\n\n${violations.length} violations\n`);
  for (const each of violations.slice(0, TOLD_MAX)) process.stdout.write(`${each}\n`);
}

const entered = FastClock.enter(SPEED);
if (entered instanceof FastClock) {
  const result = await run(entered);
  if (options.json) process.stdout.write(`${JSON.stringify(result, null, 2)}\n`);
  else print(result);
  process.exitCode = result.violations.length === 0 ? 0 : 1;
} else {
  const [code] = (await once(entered, 'exit')) as [number | null];
  process.exitCode = code ?? 1;
}
