import { parseArgs } from 'node:util';
import { ConfigError } from '../platform/process/config-error.js';

export interface StartArguments {
  /** Number of API processes behind one port; undefined: this process serves requests itself. */
  readonly workers: number | undefined;
  /** Creates a demo month before the service starts, unless there is one. */
  readonly demo: boolean;
  /** Prints the usage only. */
  readonly help: boolean;
}

export const USAGE = `Usage: npm start -- [--workers N] [--demo]

Starts Chargebook. Settings come from the environment, in development also from a file .env: docs/configuration.md lists them.

  --workers N   N processes (1 to 64) serve requests behind one port, beside one that projects and settles
  --demo        create a month of eight merchants first, if there are none yet
  --help        print this

The command line is another program: npm run -s cli -- --help
`;

const WORKERS_MAX = 64;

/** Parses the arguments after `npm start --`. @throws ConfigError with one line for the operator */
export function readArguments(args: readonly string[]): StartArguments {
  const options = { workers: { type: 'string' }, demo: { type: 'boolean' }, help: { type: 'boolean', short: 'h' } } as const;
  const { tokens } = parseArgs({ args: [...args], options, strict: false, allowPositionals: true, tokens: true });
  let workers: number | undefined;
  let demo = false;
  let help = false;
  for (const token of tokens) {
    if (token.kind === 'option' && token.name === 'demo' && token.value === undefined) demo = true;
    else if (token.kind === 'option' && token.name === 'help' && token.value === undefined) help = true;
    else if (token.kind !== 'option' || token.name !== 'workers')
      throw new ConfigError(`unknown argument "${args[token.index]!}"; there are --workers N, --demo and --help`);
    else if (workers !== undefined) throw new ConfigError('--workers is given twice');
    else workers = count(token.value);
  }
  return { workers, demo, help };
}

function count(text: string | undefined): number {
  if (text !== undefined && /^\d{1,3}$/.test(text) && Number(text) >= 1 && Number(text) <= WORKERS_MAX) return Number(text);
  throw new ConfigError(`--workers must be a whole number from 1 to ${WORKERS_MAX}${text === undefined ? '' : `, not "${text}"`}`);
}
