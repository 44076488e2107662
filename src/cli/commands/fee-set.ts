import { Command } from 'commander';
import type { MerchantFeeSet } from '../../ledger/events/merchant.events.js';
import { setFee } from '../../domain/merchants/merchant.commands.js';
import type { Fee } from '../../ledger/money.js';
import * as argument from '../arguments.js';
import type { Cli } from '../cli.js';
import { proposedInstead, withProposing, type MayPropose } from '../propose.js';

interface Options extends MayPropose {
  readonly merchant: string;
  readonly channel?: string;
  readonly payouts?: string;
  readonly dispute?: string;
  readonly percentage?: number;
  readonly fixed?: number;
}

export const feeSet = (cli: Cli): Command =>
  withProposing(
    new Command('set')
      .description('set a merchant’s fee for a channel, for payouts or for lost disputes in a currency, from now on')
      .requiredOption('--merchant <id>', 'as "merchant list" shows it', argument.merchantId)
      .option('--channel <code>', 'for charges on this channel, such as qr_qris', argument.upperCase)
      .option('--payouts <currency>', 'for payouts in this currency', argument.upperCase)
      .option('--dispute <currency>', 'for a dispute in this currency that is lost: --fixed only', argument.upperCase)
      .option('--percentage <rate>', 'of the amount: 0.7 means 0.7 %', argument.percentage)
      .option('--fixed <amount>', 'minor units', argument.minorUnits),
  ).action(async ({ merchant, channel, payouts, dispute, percentage, fixed, ...proposing }: Options, command: Command) => {
    const named = [channel, payouts, dispute].filter((each) => each !== undefined);
    if (named.length !== 1) command.error('error: set one of --channel, --payouts and --dispute');
    if ((percentage === undefined) === (fixed === undefined)) command.error('error: set either --percentage or --fixed');
    const subject = subjectOf(channel, payouts, dispute!);
    const fee: Fee = percentage !== undefined ? { type: 'PERCENTAGE', value: percentage } : { type: 'FIXED', value: fixed! };
    const isProposed = await cli.withStores(async ({ deps }) => {
      const content = { merchant_id: merchant, of: subject.of, fee };
      if (await proposedInstead(cli, deps.store, 'FEE', content, proposing)) return true;
      await setFee(deps, merchant, subject.of, fee);
      return false;
    });
    if (isProposed) return;
    await cli.answer({ merchant_id: merchant, of: subject.of, fee }, () => {
      const amount = fee.type === 'FIXED' ? `${fee.value} minor units` : `${fee.value} %`;
      return `The fee ${subject.text} is ${amount} from now on.`;
    });
  });

function subjectOf(
  channel: string | undefined,
  payouts: string | undefined,
  dispute: string,
): { readonly of: MerchantFeeSet['of']; readonly text: string } {
  if (channel !== undefined) return { of: { kind: 'charge', channel_code: channel }, text: `on ${channel}` };
  if (payouts !== undefined) return { of: { kind: 'payout', currency: payouts }, text: `of payouts in ${payouts}` };
  return { of: { kind: 'dispute', currency: dispute }, text: `of a lost dispute in ${dispute}` };
}
