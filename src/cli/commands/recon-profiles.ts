import { Argument, Command } from 'commander';
import * as argument from '../arguments.js';
import type { Cli } from '../cli.js';
import { SHIPPED_PROFILES, type ShippedProfile } from '../../domain/reconciliation/formats/shipped-profiles.js';

export const reconProfiles = (cli: Cli): Command =>
  new Command('profiles')
    .description("list the shipped profiles of processors' CSV files, each with its owner's document; with a name print that profile as JSON")
    .addArgument(
      argument.oneOf(
        new Argument('[name]', 'the profile to print, to be changed and set as "profile" of a source'),
        SHIPPED_PROFILES.map(({ name }) => name),
      ),
    )
    .action((name: string | undefined) => {
      const found = SHIPPED_PROFILES.find((shipped) => shipped.name === name);
      return found
        ? cli.answer(found.profile, () => JSON.stringify(found.profile, null, 2))
        : cli.answer({ profiles: SHIPPED_PROFILES.map(({ profile: _, ...shown }) => shown) }, () => SHIPPED_PROFILES.map(inWords).join('\n'));
    });

const inWords = ({ name, report, source, read_on }: ShippedProfile): string => `${name}\n  ${report}\n  ${source} Read on ${read_on}.`;
