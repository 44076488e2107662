import { parseArgs } from 'node:util';
import { ConfigError } from '../platform/config-error.js';

export interface StartArguments {
  /** API processes behind one port; undefined: requests are served by this process. */
  readonly workers: number | undefined;
  /** A month is made up before the service starts, where there is none yet. */
  readonly demo: boolean;
}

const WORKERS_MAX = 64;

/** What stands behind `npm start --`. @throws ConfigError with one line for the operator. */
export function readArguments(args: readonly string[]): StartArguments {
  const options = { workers: { type: 'string' }, demo: { type: 'boolean' } } as const;
  const { tokens } = parseArgs({ args: [...args], options, strict: false, allowPositionals: true, tokens: true });
  let workers: number | undefined;
  let demo = false;
  for (const token of tokens) {
    if (token.kind === 'option' && token.name === 'demo' && token.value === undefined) demo = true;
    else if (token.kind !== 'option' || token.name !== 'workers')
      throw new ConfigError(`unknown argument "${args[token.index]!}"; there are --workers N and --demo`);
    else if (workers !== undefined) throw new ConfigError('--workers is given twice');
    else workers = count(token.value);
  }
  return { workers, demo };
}

function count(text: string | undefined): number {
  if (text !== undefined && /^\d{1,3}$/.test(text) && Number(text) >= 1 && Number(text) <= WORKERS_MAX) return Number(text);
  throw new ConfigError(`--workers must be a whole number from 1 to ${WORKERS_MAX}${text === undefined ? '' : `, not "${text}"`}`);
}
