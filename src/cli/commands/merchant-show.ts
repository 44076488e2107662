import { Command } from 'commander';
import type { Fee } from '../../ledger/money.js';
import { loadMerchants } from '../../domain/merchants/load-merchants.js';
import * as argument from '../arguments.js';
import type { Cli } from '../cli.js';
import { CommandFailed } from '../failures.js';
import { table } from '../output.js';

export const merchantShow = (cli: Cli): Command =>
  new Command('show')
    .description('show a merchant and its terms: channels with limits, settlement cycles and fees, fees of payouts and disputes, and its own rails')
    .argument('<merchant>', 'its id', argument.merchantId)
    .action(async (merchantId: string) => {
      const known = await cli.withStores(({ eventStore }) => loadMerchants(eventStore));
      const merchant = known.merchant(merchantId);
      if (!merchant) throw new CommandFailed(`there is no merchant ${merchantId}`);
      const { id, name, email, country, mode, default_currency, timezone, created_on } = merchant;
      const channels = known.channels(id).map(({ code, enabled, currency, min_amount, max_amount, settlement_cycle, fee }) => ({
        ...{ channel_code: code, enabled, currency, min_amount, max_amount, settlement_cycle, fee },
      }));
      const currencies = known
        .currencies(id)
        .map((currency) => ({ currency, payout_fee: known.payoutFee(id, currency) ?? null, dispute_fee: known.disputeFee(id, currency) }));
      const rails = known.ownRails([id]).map(({ merchant_id: _, ...own }) => own);
      const shown = { merchant_id: id, name, email, country, mode, default_currency, timezone, created_on, channels, currencies, rails };
      await cli.answer(shown, () =>
        [
          `${name} (${id}), ${mode}, ${country}, ${timezone}, registered ${created_on}.`,
          '',
          table(
            ['channel', 'enabled', 'currency', 'least', 'most', 'settled', 'fee'],
            channels.map((each) => [
              ...[each.channel_code, each.enabled ? 'yes' : 'no', each.currency, each.min_amount, each.max_amount],
              ...[each.settlement_cycle, feeWords(each.fee)],
            ]),
          ),
          '',
          table(
            ['currency', 'fee of a payout', 'fee of a lost dispute'],
            currencies.map(({ currency, payout_fee, dispute_fee }) => [currency, payout_fee ? feeWords(payout_fee) : 'none', dispute_fee]),
          ),
          ...(rails.length === 0
            ? []
            : [
                '',
                table(
                  ['rail for', 'rail'],
                  rails.map(({ use, rail }) => [use, rail]),
                ),
              ]),
        ].join('\n'),
      );
    });

const feeWords = ({ type, value }: Fee): string => (type === 'PERCENTAGE' ? `${value} %` : String(value));
