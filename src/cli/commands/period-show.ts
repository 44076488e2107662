import { Command, Option } from 'commander';
import type { ClosedPeriodDto } from '../../web/finance-api/periods.dto.js';
import * as argument from '../arguments.js';
import type { Cli } from '../cli.js';
import { CommandFailed } from '../failures.js';
import { table } from '../output.js';
import { ServiceClient, withOperatorOptions, type ServiceOptions } from '../service-client.js';

export const periodShow = (cli: Cli): Command =>
  withOperatorOptions(
    new Command('show')
      .description('show a closed month: its books as closed and as corrected; exit 1 if the closed books have changed')
      .argument('<month>', 'such as 2026-01', argument.month)
      .addOption(argument.oneOf(new Option('--mode <mode>', 'mode of the books'), ['live', 'test']).makeOptionMandatory()),
  ).action(async (month: string, { mode, ...options }: ServiceOptions & { readonly mode: string }) => {
    const service = await ServiceClient.ofOperator(cli, options);
    const period = await service.get<ClosedPeriodDto>(`/audit/periods/${encodeURIComponent(month)}?Mode=${mode}`);
    await cli.answer(period, () => inWords(period));
    if (!period.digest_holds) throw new CommandFailed(`the digest is ${period.digest_now} now: the books differ from the closed ones`);
  });

function inWords({ as_closed, as_corrected, breaks, suspense, ...period }: ClosedPeriodDto): string {
  const rows = as_corrected.flatMap(({ currency, accounts }) => {
    const closed = totals(as_closed.find((each) => each.currency === currency)?.accounts ?? []);
    return [...totals(accounts)].map(([account, balance]) => [currency, account, `${closed.get(account) ?? 0n}`, `${balance}`]);
  });
  const { mode, month, time_zone, closed_on, proposal_id, position, head, digest, digest_holds } = period;
  return [
    `${mode} ${month} (${time_zone}), closed ${closed_on} by proposal ${proposal_id}, up to event ${position}.`,
    `Head ${head.hash}`,
    `Digest ${digest}${digest_holds ? ', which holds' : ''}`,
    table(['currency', 'account', 'as closed', 'as corrected'], rows),
    ...breaks.map(({ kind, currency, count, amount }) => `Break ${kind}: ${count}${currency === null ? '' : `, ${currency} ${amount}`}`),
    ...suspense.map(({ age, currency, count, amount }) => `In suspense for ${age} banking days: ${count}, ${currency} ${amount}`),
  ].join('\n');
}

/** Adds up the accounts of all merchants by account. A figure above 2^53 is rounded; --json prints it as the service sent it. */
function totals(accounts: ClosedPeriodDto['as_closed'][number]['accounts']): Map<string, bigint> {
  const sums = new Map<string, bigint>();
  for (const { account, balance, debit, credit } of accounts)
    if (BigInt(debit) !== 0n || BigInt(credit) !== 0n) sums.set(account, (sums.get(account) ?? 0n) + BigInt(balance));
  return sums;
}
