import { Command, InvalidArgumentError, Option } from 'commander';
import { isDay, momentIn } from '../../ledger/days.js';
import { merchantStream } from '../../ledger/events/merchant.events.js';
import { milliseconds } from '../../ledger/time.js';
import type { EventStore } from '../../platform/event-store/event-store.js';
import { exactJson } from '../../platform/http/validation/exact-json.js';
import { csvRow } from '../../platform/text/csv.js';
import { addressName } from '../../point-in-time/moment-id.js';
import type { LastEvent, Moment } from '../../point-in-time/moments.js';
import {
  AMOUNTS,
  RECORD_KINDS,
  type AnswerRecord,
  type AnswerTotal,
  type RecordKind,
  type WhatIfAnswer,
} from '../../point-in-time/what-if/answer.js';
import { ANY, storedScenario, type Period, type Scenario, type StoredScenario } from '../../point-in-time/what-if/scenario.js';
import * as argument from '../arguments.js';
import type { Cli } from '../cli.js';
import { CommandFailed } from '../failures.js';
import { jsonOf } from '../json-file.js';
import { table } from '../output.js';
import { systemUser } from '../system-user.js';
import { addressesOf, built, requireBuildable, withMoments, type MomentsContext } from '../with-moments.js';

interface Options {
  /** A day, or a time. */
  readonly from?: string;
  readonly to?: string;
  readonly format?: 'csv';
  readonly open?: true;
}

/** Records that are written at a time. */
const PAGE_RECORDS = 1_000;

export const whatIf = (cli: Cli): Command =>
  new Command('what-if')
    .description('price past records with other fees, and compare; nothing is changed')
    .argument('<scenario>', 'JSON: name, charge_fees, payout_fees, dispute_fees')
    .option('--from <time>', 'for records created from then on: a day of the books, or a time; default: all', dayOrTime)
    .option('--to <time>', 'and before then; default: now', dayOrTime)
    .addOption(argument.oneOf(new Option('--format <format>', 'csv: a row per charge, payout and dispute'), ['csv']))
    .option('--open', 'keep it: the whole service at these prices, below /at/<position>~<name>')
    .addHelpText(
      'after',
      `\nExample of a scenario:\n  {"name": "QRIS at 0.6 %", "charge_fees": [{"merchant": "*", "channel": "qr_qris", "fee": {"type": "PERCENTAGE", "value": 0.6}}]}`,
    )
    .action(async (file: string, { from, to, format, open: isKept }: Options, command: Command) => {
      const { readScenario, isFault } = await import('../../point-in-time/what-if/scenario.dto.js');
      const { answerWhatIf } = await import('../../point-in-time/what-if/what-if.js');
      const scenario = readScenario(await jsonOf(file));
      if (isFault(scenario)) return command.error(`error: ${file}: ${scenario.at || '/'}: ${scenario.detail}`);
      await withMoments(cli, async (context) => {
        const { config, eventStore: store, clockGuard } = context;
        const unknown = await unknownMerchant(store, scenario);
        if (unknown !== undefined) command.error(`error: ${file}: /${unknown}/merchant: There is no such merchant.`);
        const { booksTimeZone: timeZone } = config;
        const now = clockGuard.clock();
        const period = periodOf(from, to, timeZone);
        if (to !== undefined && period.toMs > now) command.error('error: --to must not be in the future');
        if (period.fromMs >= Math.min(period.toMs, now)) command.error(`error: --from must be before ${to === undefined ? 'now' : '--to'}`);
        const progress = cli.progress('events');
        const { answer, last } = await answerWhatIf({
          ...{ store, scenario, period, timeZone, signal: cli.signal },
          onProgress: (events) => progress.advance(events),
        }).finally(() => progress.end());
        const stored = storedScenario(scenario, period);
        const moment = isKept ? await keep(cli, context, last, stored) : null;
        const { name, from: fromTime, to: toTime } = stored;
        const head: Head = { name, from: fromTime, to: toTime, position: last?.ordinal ?? 0, moment };
        if (format === 'csv') await writeCsv(cli, answer);
        else if (cli.json) await writeJson(cli, head, answer);
        else await cli.out.write(`${inWords(head, answer)}\n`);
        if (moment && !cli.json) await cli.note(addressesOf(context, moment));
      });
    });

/** Opens the moment in which the scenario applies, and waits until it can be read. @throws CommandFailed */
async function keep(cli: Cli, context: MomentsContext, last: LastEvent | null, scenario: StoredScenario): Promise<Moment> {
  if (!last) throw new CommandFailed('the log has no events');
  const other = { name: addressName(scenario.name), scenario };
  return requireBuildable(await built(cli, context, await context.moments.open(last, `cli:${systemUser()}`, other)));
}

/** Accepts a day, or an RFC 3339 time with an offset. */
function dayOrTime(text: string): string {
  if (isDay(text)) return text;
  if (/^\d{4}-\d\d-\d\d$/.test(text)) throw new InvalidArgumentError('Must be a day that exists.');
  return argument.moment(text);
}

function periodOf(from: string | undefined, to: string | undefined, timeZone: string): Period {
  const at = (text: string): number => (isDay(text) ? momentIn(timeZone, text, '00:00') : milliseconds(text));
  return { fromMs: from === undefined ? -Infinity : at(from), toMs: to === undefined ? Infinity : at(to) };
}

/** Returns the place of a rule for a merchant that does not exist. */
async function unknownMerchant(store: Pick<EventStore, 'read'>, { charges, payouts, disputes }: Scenario): Promise<string | undefined> {
  for (const [list, { rules }] of Object.entries({ charge_fees: charges, payout_fees: payouts, dispute_fees: disputes })) {
    for (const [index, { merchant }] of rules.entries())
      if (merchant !== ANY && (await store.read(merchantStream(merchant), { limit: 1 })).length === 0) return `${list}/${index}`;
  }
  return undefined;
}

interface Head extends Pick<StoredScenario, 'name' | 'from' | 'to'> {
  readonly position: number;
  /** The moment in which the scenario applies; null: it is not kept. */
  readonly moment: Moment | null;
}

const LISTS: Readonly<Record<RecordKind, string>> = { CHARGE: 'charges', PAYOUT: 'payouts', DISPUTE: 'disputes' };

/** One document, of which only a page is in memory as text. */
async function writeJson(cli: Cli, head: Head, answer: WhatIfAnswer): Promise<void> {
  await cli.out.write(exactJson({ ...head, totals: answer.totals(), rows: answer.rows(), uncovered: answer.uncovered() }).slice(0, -1));
  for (const kind of RECORD_KINDS) {
    await cli.out.write(`,"${LISTS[kind]}":[`);
    let separator = '';
    for (const page of pagesOf(answer.records(kind))) {
      await cli.out.write(separator + page.map(exactJson).join(','));
      separator = ',';
    }
    await cli.out.write(']');
  }
  await cli.out.write('}\n');
}

async function writeCsv(cli: Cli, answer: WhatIfAnswer): Promise<void> {
  const columns = ['kind', 'id', 'code', 'mode', 'merchant_id', 'merchant_name', 'channel_code', 'currency', 'month', ...AMOUNTS] as const;
  await cli.out.write(csvRow(columns));
  for (const kind of RECORD_KINDS)
    for (const page of pagesOf(answer.records(kind)))
      await cli.out.write(page.map((record) => csvRow(columns.map((column) => record[column]))).join(''));
}

function* pagesOf(records: Iterable<AnswerRecord>): Generator<readonly AnswerRecord[], void, undefined> {
  let page: AnswerRecord[] = [];
  for (const record of records) {
    page.push(record);
    if (page.length < PAGE_RECORDS) continue;
    yield page;
    page = [];
  }
  if (page.length > 0) yield page;
}

const figures = ({ count, gross, fees_was, fees_would_be, fees_difference, net_would_be }: Omit<AnswerTotal, 'kind' | 'mode' | 'currency'>) => [
  ...[count, gross, fees_was, fees_would_be, fees_difference, net_would_be],
];

function inWords({ name, from, to, position }: Head, answer: WhatIfAnswer): string {
  const rows = answer
    .rows()
    .map((row) => [row.merchant_name, row.mode, row.channel_code ?? LISTS[row.kind], row.currency, row.month, ...figures(row)]);
  const totals = answer.totals().map((total) => ['all', total.mode, LISTS[total.kind], total.currency, null, ...figures(total)]);
  const uncovered = answer.uncovered();
  const bounds = [from !== null && `from ${from}`, to !== null && `until ${to}`].filter((bound) => bound !== false);
  const created = bounds.length === 0 ? '' : ` created ${bounds.join(' ')}`;
  return [
    `${name}: charges, payouts and disputes${created}, by the log up to event ${position}. Amounts are minor units.`,
    table(
      ['merchant', 'mode', 'of', 'currency', 'month', 'count', 'gross', 'fees were', 'would be', 'difference', 'net would be'],
      [...rows, ...totals],
    ),
    uncovered.length === 0
      ? 'Every payout and refund would have been covered.'
      : `Payouts and refunds that would not have been covered: ${uncovered.length}. They count as paid.`,
    ...(uncovered.length === 0
      ? []
      : [
          table(
            ['merchant', 'mode', 'kind', 'id', 'requested', 'currency', 'amount', 'missing'],
            uncovered.map((each) => [
              ...[each.merchant_name, each.mode, each.kind, each.id, each.requested_on, each.currency, each.amount, each.missing_amount],
            ]),
          ),
        ]),
  ].join('\n\n');
}
