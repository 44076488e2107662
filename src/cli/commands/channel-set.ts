import { Command } from 'commander';
import { loadMerchants } from '../../domain/merchants/load-merchants.js';
import { setChannel } from '../../domain/merchants/merchant.commands.js';
import * as argument from '../arguments.js';
import type { Cli } from '../cli.js';
import { proposedInstead, withProposing, type MayPropose } from '../propose.js';
import { table } from '../output.js';

interface Options extends MayPropose {
  readonly merchant: string;
  readonly enabled?: boolean;
  readonly min?: number;
  readonly max?: number;
  readonly settlement?: string;
}

export const channelSet = (cli: Cli): Command =>
  withProposing(
    new Command('set')
      .description('change a payment channel for one merchant; settings without an option are kept')
      .argument('<code>', 'such as qr_qris', argument.upperCase)
      .requiredOption('--merchant <id>', 'as "merchant list" shows it', argument.merchantId)
      .option('--enabled <yes|no>', 'whether the merchant can use it', argument.yesOrNo)
      .option('--min <amount>', 'minimum amount, minor units', argument.minorUnits)
      .option('--max <amount>', 'maximum amount, minor units', argument.minorUnits)
      .option('--settlement <cycle>', 'T+n, where n is a number of banking days', argument.upperCase),
  ).action(async (code: string, { merchant, enabled, min, max, settlement, ...proposing }: Options) => {
    const channel = await cli.withStores(async ({ deps, eventStore }) => {
      const change = {
        ...(enabled !== undefined && { enabled }),
        ...(min !== undefined && { min_amount: min }),
        ...(max !== undefined && { max_amount: max }),
        ...(settlement !== undefined && { settlement_cycle: settlement }),
      };
      const content = { merchant_id: merchant, channel_code: code, ...change };
      if (await proposedInstead(cli, eventStore, 'CHANNEL', content, proposing)) return undefined;
      await setChannel(deps, merchant, code, change);
      return (await loadMerchants(eventStore)).channelTerms(merchant, code)!;
    });
    if (!channel) return;
    const { enabled: isEnabled, currency, min_amount, max_amount, settlement_cycle, fee } = channel;
    await cli.answer({ merchant_id: merchant, channel_code: code, enabled: isEnabled, currency, min_amount, max_amount, settlement_cycle, fee }, () =>
      table(
        ['channel', 'enabled', 'currency', 'min amount', 'max amount', 'settlement'],
        [[code, isEnabled ? 'yes' : 'no', currency, min_amount, max_amount, settlement_cycle]],
      ),
    );
  });
