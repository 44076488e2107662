import { isIP } from 'node:net';
import { availableParallelism } from 'node:os';
import { resolve } from 'node:path';
import type { Settings } from '../ledger/injection-tokens.js';
import { ConfigError } from '../platform/config-error.js';

export type Role = 'api' | 'projector' | 'worker';

/** The environment, checked once at start. design.md's list; README explains each. */
export interface Config extends Settings {
  readonly production: boolean;
  readonly host: string;
  readonly port: number;
  /** Absolute. */
  readonly dataDir: string;
  /** Absent: the embedded Postgres under `dataDir`. */
  readonly databaseUrl: string | undefined;
  /** A replica of that Postgres, for the reads of the read models. Absent: they are read where they are written. */
  readonly readDatabaseUrl: string | undefined;
  /** Absent: the embedded engine in that Postgres. */
  readonly eventStoreUrl: string | undefined;
  /** Without a trailing slash. Absent: the listening address. */
  readonly publicUrl: string | undefined;
  /** 32 bytes. Absent: made once in `dataDir`; refused in production. */
  readonly encryptionKey: Buffer | undefined;
  readonly roles: ReadonlySet<Role>;
  /** True when `ROLES` was given: then nothing is handed to a child process. */
  readonly rolesGiven: boolean;
  readonly cores: number;
  /** How many processes with `api` share Postgres: the more, the fewer connections each takes. */
  readonly apiProcesses: number;
  /** 0: off. */
  readonly rateLimitPerSecond: number;
  /** Addresses and networks of the proxies before us. */
  readonly trustedProxies: readonly string[];
  readonly webhookRetrySeconds: readonly number[];
  readonly settlementIntervalSeconds: number;
  readonly logLevel: string;
}

const ROLES: readonly Role[] = ['api', 'projector', 'worker'];
const LOG_LEVELS = ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'];
const WEBHOOK_RETRIES = [5, 300, 1800, 7200, 18000, 36000, 50400, 72000, 86400];

/** @throws ConfigError */
export function readConfig(env: Readonly<Record<string, string | undefined>>): Config {
  const value = (name: string): string | undefined => {
    const text = env[name]?.trim();
    return text === undefined || text === '' ? undefined : text;
  };
  const integer = (name: string, fallback: number, min: number, max: number): number => {
    const text = value(name);
    if (text === undefined) return fallback;
    if (!/^\d{1,15}$/.test(text) || Number(text) < min || Number(text) > max) {
      throw new ConfigError(`${name} must be a whole number from ${min} to ${max}, not "${text}"`);
    }
    return Number(text);
  };
  const boolean = (name: string): boolean => {
    const text = value(name)?.toLowerCase() ?? 'false';
    if (text !== 'true' && text !== 'false') throw new ConfigError(`${name} must be true or false, not "${text}"`);
    return text === 'true';
  };
  const url = (name: string, protocols: readonly string[]): string | undefined => {
    const text = value(name);
    if (text === undefined) return undefined;
    const protocol = /^([a-z+]+:)\/\/[^\s]+$/i.exec(text)?.[1]?.toLowerCase();
    if (!protocol || !protocols.includes(protocol)) {
      throw new ConfigError(`${name} must be a URL that begins with ${protocols.map((p) => `${p}//`).join(' or ')}`);
    }
    return text;
  };
  const publicUrl = (): string | undefined => {
    const text = url('PUBLIC_URL', ['http:', 'https:']);
    if (text === undefined) return undefined;
    if (!URL.canParse(text) || /[?#]/.test(text)) throw new ConfigError(`PUBLIC_URL must be an address without query or fragment, not "${text}"`);
    return text.replace(/\/+$/, '');
  };
  const production = env['NODE_ENV'] === 'production';
  const roles = value('ROLES')
    ?.split(',')
    .map((role) => role.trim().toLowerCase());
  const unknownRole = roles?.find((role) => !(ROLES as readonly string[]).includes(role));
  if (unknownRole !== undefined) throw new ConfigError(`ROLES must be a list of ${ROLES.join(', ')}; "${unknownRole}" is none`);
  const logLevel = value('LOG_LEVEL')?.toLowerCase() ?? 'info';
  if (!LOG_LEVELS.includes(logLevel)) throw new ConfigError(`LOG_LEVEL must be one of ${LOG_LEVELS.join(', ')}, not "${logLevel}"`);

  if (value('READ_DATABASE_URL') !== undefined && value('DATABASE_URL') === undefined) {
    throw new ConfigError('READ_DATABASE_URL is a replica of DATABASE_URL, which is not given');
  }

  return {
    production,
    host: value('HOST') ?? '127.0.0.1',
    port: integer('PORT', 3000, 0, 65_535),
    dataDir: resolve(value('DATA_DIR') ?? '.data'),
    databaseUrl: url('DATABASE_URL', ['postgres:', 'postgresql:']),
    readDatabaseUrl: url('READ_DATABASE_URL', ['postgres:', 'postgresql:']),
    eventStoreUrl: url('EVENTSTORE_URL', ['esdb:', 'esdb+discover:']),
    publicUrl: publicUrl(),
    encryptionKey: encryptionKey(value('ENCRYPTION_KEY'), production),
    roles: new Set((roles as Role[] | undefined) ?? ROLES),
    rolesGiven: roles !== undefined,
    cores: availableParallelism(),
    apiProcesses: integer('API_PROCESSES', 1, 1, 1_000),
    rateLimitPerSecond: integer('RATE_LIMIT_PER_SECOND', 100, 0, 1_000_000),
    trustedProxies: networks('TRUSTED_PROXIES', value('TRUSTED_PROXIES')),
    webhookAllowPrivate: boolean('WEBHOOK_ALLOW_PRIVATE'),
    webhookRetrySeconds: secondsList('WEBHOOK_RETRY_SECONDS', value('WEBHOOK_RETRY_SECONDS')) ?? WEBHOOK_RETRIES,
    chargeTtlSeconds: value('CHARGE_TTL_SECONDS') === undefined ? undefined : integer('CHARGE_TTL_SECONDS', 0, 1, 31_536_000),
    settlementIntervalSeconds: integer('SETTLEMENT_INTERVAL_SECONDS', 60, 1, 86_400),
    logLevel,
  };
}

/** Of docker-compose.yml, which everybody can read. */
export const PUBLISHED_ENCRYPTION_KEY = 'Y2hhcmdlYm9vayBkZXZlbG9wbWVudCBrZXkgISEhISE=';

function encryptionKey(text: string | undefined, production: boolean): Buffer | undefined {
  if (text === undefined) {
    if (production) throw new ConfigError('ENCRYPTION_KEY is required in production: base64 of 32 random bytes');
    return undefined;
  }
  const key = parseEncryptionKey('ENCRYPTION_KEY', text);
  if (production && key.equals(Buffer.from(PUBLISHED_ENCRYPTION_KEY, 'base64'))) {
    throw new ConfigError('ENCRYPTION_KEY is the one that docker-compose.yml publishes, which is no secret: make one with "openssl rand -base64 32"');
  }
  return key;
}

/** @param name of the variable that holds `text`. @throws ConfigError */
export function parseEncryptionKey(name: string, text: string): Buffer {
  const key = Buffer.from(text, 'base64');
  if (key.length !== 32 || key.toString('base64').replace(/=+$/, '') !== text.replace(/=+$/, '')) {
    throw new ConfigError(`${name} must be base64 of exactly 32 bytes`);
  }
  return key;
}

function networks(name: string, text: string | undefined): string[] {
  const items = text?.split(',').map((item) => item.trim()) ?? [];
  for (const item of items) {
    const [address = '', bits = '1', ...more] = item.split('/');
    const most = { 0: 0, 4: 32, 6: 128 }[isIP(address)]!;
    // A network of 0 bits is everybody: then anybody says who he is.
    if (!/^\d{1,3}$/.test(bits) || Number(bits) < 1 || Number(bits) > most || more.length > 0) {
      throw new ConfigError(`${name} must be a list of addresses and networks, such as 10.0.0.0/8,192.0.2.7; "${item}" is none`);
    }
  }
  return items;
}

function secondsList(name: string, text: string | undefined): number[] | undefined {
  if (text === undefined) return undefined;
  const items = text.split(',').map((item) => item.trim());
  if (items.length > 50 || items.some((item) => !/^\d{1,7}(\.\d{1,3})?$/.test(item))) {
    throw new ConfigError(`${name} must be a list of at most 50 numbers of seconds, such as 5,300,1800`);
  }
  return items.map(Number);
}
