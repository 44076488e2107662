import { Command } from 'commander';
import * as argument from '../arguments.js';
import type { Cli } from '../cli.js';
import { proposedInstead, withProposing, type MayPropose } from '../propose.js';
import { withRails } from '../with-rails.js';

interface Options extends MayPropose {
  readonly merchant: string;
  readonly use: string;
  readonly rail: string;
  readonly merchantNameId?: string;
}

export const merchantRail = (cli: Cli): Command =>
  withProposing(
    new Command('rail')
      .description("route a merchant's charges on a channel, or its payouts in a currency, from now on")
      .requiredOption('--merchant <id>', 'as "merchant list" shows it', argument.merchantId)
      .requiredOption('--use <use>', 'a channel such as qr_qris, or payout.<currency>', argument.railUse)
      .requiredOption('--rail <name>', 'name of the rail, or none: use the route of the merchant\'s mode ("rail route")', argument.railNameOrNone)
      .option('--merchant-name-id <id>', "the merchant's name at the provider", argument.name),
  ).action(async ({ merchant, use, rail: name, merchantNameId, ...proposing }: Options) => {
    const rail = argument.railOrNull(name);
    const { routeMerchant } = await import('../../rails/settings/rail.commands.js');
    const merchant_name_id = merchantNameId ?? null;
    const isProposed = await withRails(cli, async ({ deps }) => {
      const content = { merchant_id: merchant, use, rail, merchant_name_id };
      if (await proposedInstead(cli, deps.store, 'RAIL', content, proposing)) return true;
      await routeMerchant(deps, merchant, { use, rail, merchant_name_id });
      return false;
    });
    if (isProposed) return;
    await cli.answer({ merchant_id: merchant, use, rail, merchant_name_id }, () =>
      rail === null ? `${use} uses the route of the merchant's mode.` : `${use} uses rail ${rail} from now on.`,
    );
  });
