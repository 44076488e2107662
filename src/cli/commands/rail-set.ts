import { Command, Option } from 'commander';
import type { RailSet } from '../../ledger/events/rail.events.js';
import { RAIL_KINDS, wordsOf } from '../../rails/settings/rail-kinds.js';
import { SNAP_PROFILE_NAMES } from '../../rails/snap/profiles.js';
import * as argument from '../arguments.js';
import type { Cli } from '../cli.js';
import { withRails } from '../with-rails.js';

interface Options {
  readonly kind?: RailSet['kind'];
  readonly profile?: string;
  readonly mode?: RailSet['mode'];
  readonly base?: string;
  readonly credentials?: string;
  readonly allowPrivate?: boolean;
  readonly tls?: RailSet['tls'];
  readonly onNameDifference?: RailSet['on_name_difference'];
}

export const railSet = (cli: Cli): Command =>
  new Command('set')
    .description('create a rail to a payment provider or a bank, or change one; settings without an option are kept')
    .argument('<name>', '1 to 40 characters of a-z, 0-9 and -; part of the address of its notifications', argument.railName)
    .addOption(argument.oneOf(new Option('--kind <kind>', 'xendit receives payments, snap sends payouts'), RAIL_KINDS))
    .addOption(argument.oneOf(new Option('--profile <name>', 'dialect of SNAP'), SNAP_PROFILE_NAMES))
    .addOption(argument.oneOf(new Option('--mode <mode>', 'sandbox serves test merchants, live serves live ones'), ['live', 'sandbox']))
    .option('--base <url>', 'address of the provider, if it is not published', argument.baseUrl)
    .option('--credentials <file>', 'JSON that only its owner can read (chmod 600)')
    .option('--allow-private', 'allow a private address and http as the base; sandbox only')
    .addOption(argument.oneOf(new Option('--tls <version>', 'the minimum version of TLS (default: 1.3)'), ['1.2', '1.3']))
    .addOption(
      argument.oneOf(
        new Option('--on-name-difference <what>', "for a payout to an account with another holder's name: wait for a person (default), or pay"),
        ['wait', 'pay'],
      ),
    )
    .action(async (name: string, { kind, profile, mode, base, credentials, allowPrivate, tls, onNameDifference }: Options) => {
      const { setRail } = await import('../../rails/settings/rail.commands.js');
      const { readCredentialsFile } = await import('../../rails/settings/credentials-file.js');
      const change = {
        ...(kind !== undefined && { kind }),
        ...(profile !== undefined && { profile }),
        ...(mode !== undefined && { mode }),
        ...(base !== undefined && { base_url: base }),
        ...(allowPrivate !== undefined && { allow_private: allowPrivate }),
        ...(tls !== undefined && { tls }),
        ...(onNameDifference !== undefined && { on_name_difference: onNameDifference }),
      };
      const rail = await withRails(cli, ({ deps }) =>
        setRail(deps, name, change, credentials === undefined ? null : (of) => readCredentialsFile(credentials, of)),
      );
      if (rail.tls === '1.2') await cli.note('warning: SNAP allowed TLS 1.2 until 2026-06-30; ask the provider for 1.3');
      const { name: _, allowed: __, ...settings } = rail;
      await cli.answer({ rail: name, ...settings }, () =>
        [
          `Rail ${name} is ${wordsOf(rail)} at ${rail.base_url}.`,
          `It is not used until it has a route: run "rail check ${name}", then "rail route", or "merchant rail" for one merchant.`,
        ].join('\n'),
      );
    });
