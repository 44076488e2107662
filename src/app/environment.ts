import { existsSync } from 'node:fs';
import { type Config, readConfig } from './config.js';

/**
 * The process's configuration. In development a file `.env` in the current directory is read too; what the environment holds already
 * goes before it. @throws ConfigError; an Error when the file cannot be read
 */
export function readEnvironment(): Config {
  if (process.env.NODE_ENV !== 'production' && existsSync('.env')) process.loadEnvFile();
  return readConfig(process.env);
}
