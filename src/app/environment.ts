import { existsSync, readFileSync } from 'node:fs';
import { parseEnv } from 'node:util';
import { textOf } from '../platform/text/text-file.js';
import { type Config, readConfig } from './config.js';

/**
 * Reads the process's configuration. In development it also reads a file `.env` in the current directory; the environment takes precedence. @throws
 * ConfigError; an Error when the file cannot be read
 */
export function readEnvironment(): Config {
  if (process.env.NODE_ENV !== 'production' && existsSync('.env')) {
    const inFile = parseEnv(textOf(readFileSync('.env'), '.env'));
    for (const [name, value] of Object.entries(inFile)) process.env[name] ??= value;
  }
  return readConfig(process.env);
}
