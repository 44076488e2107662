import { Command } from 'commander';
import { setFee } from '../../merchants/merchant.handlers.js';
import type { Fee } from '../../ledger/money.js';
import * as argument from '../arguments.js';
import type { Cli } from '../cli.js';

interface Options {
  readonly merchant: string;
  readonly channel?: string;
  readonly payouts?: string;
  readonly percentage?: number;
  readonly fixed?: number;
}

export const feeSet = (cli: Cli): Command =>
  new Command('set')
    .description('set a merchant’s fee for a channel, or for payouts in a currency, from now on')
    .requiredOption('--merchant <id>', 'as "merchant list" shows it', argument.merchantId)
    .option('--channel <code>', 'for charges on this channel, such as qr_qris', argument.upperCase)
    .option('--payouts <currency>', 'for payouts in this currency', argument.upperCase)
    .option('--percentage <rate>', 'of the amount: 0.7 means 0.7 %', argument.percentage)
    .option('--fixed <amount>', 'minor units', argument.minorUnits)
    .action(async ({ merchant, channel, payouts, percentage, fixed }: Options, command: Command) => {
      if ((channel === undefined) === (payouts === undefined)) command.error('error: name either --channel or --payouts');
      if ((percentage === undefined) === (fixed === undefined)) command.error('error: name either --percentage or --fixed');
      const of = channel !== undefined ? ({ kind: 'charge', channel_code: channel } as const) : ({ kind: 'payout', currency: payouts! } as const);
      const fee: Fee = percentage !== undefined ? { type: 'PERCENTAGE', value: percentage } : { type: 'FIXED', value: fixed! };
      await cli.withStores(({ shell }) => setFee(shell, merchant, of, fee));
      await cli.answer({ merchant_id: merchant, of, fee }, () => {
        const amount = fee.type === 'FIXED' ? `${fee.value} minor units` : `${fee.value} %`;
        return `The fee ${channel !== undefined ? `on ${channel}` : `of payouts in ${payouts}`} is ${amount} from now on.`;
      });
    });
