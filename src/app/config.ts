import { isIP } from 'node:net';
import { availableParallelism } from 'node:os';
import { resolve } from 'node:path';
import { z } from 'zod';
import type { Settings } from '../ledger/ports/injection-tokens.js';
import { isTimeZone } from '../ledger/time.js';
import type { MomentLimits } from '../point-in-time/moments.js';
import { ConfigError } from '../platform/process/config-error.js';
import { isHttpUri } from '../platform/text/uri.js';
import { isSecurityContact } from './front-page/security-txt.js';

export type Role = 'api' | 'projector' | 'worker';

/** The environment, validated once at start; docs/configuration.md explains each variable. */
export interface Config extends Settings {
  readonly production: boolean;
  readonly host: string;
  readonly port: number;
  /** Port for health and metrics of a process with the role projector or worker; absent: not served. */
  readonly metricsPort: number | undefined;
  /** Endpoint for spans, and the share of traces that are recorded; absent: tracing is off. */
  readonly traces: { readonly endpoint: string; readonly ratio: number } | undefined;
  /** An absolute path. */
  readonly dataDir: string;
  /** Absent: the embedded Postgres in `dataDir`. */
  readonly databaseUrl: string | undefined;
  /** A replica of that Postgres for reads of the read models; absent: they are read from the primary. */
  readonly readDatabaseUrl: string | undefined;
  /** Absent: the embedded engine in that Postgres. */
  readonly eventStoreUrl: string | undefined;
  /** Without a trailing slash. Absent: the listening address. */
  readonly publicUrl: string | undefined;
  /** 32 bytes. Absent: generated once in `dataDir`; required in production. */
  readonly encryptionKey: Buffer | undefined;
  readonly roles: ReadonlySet<Role>;
  /** True when `ROLES` was given. Without `--workers`, no role then runs in a child process. */
  readonly rolesGiven: boolean;
  readonly cores: number;
  /** Number of processes with the role api that share Postgres. Each takes fewer connections when there are more. */
  readonly apiProcesses: number;
  /** 0 turns the limit off. */
  readonly rateLimitPerSecond: number;
  /** Addresses and networks of trusted proxies in front of the service. */
  readonly trustedProxies: readonly string[];
  readonly webhookRetrySeconds: readonly number[];
  readonly settlementIntervalSeconds: number;
  readonly disputeReminderSeconds: readonly number[];
  /** A database on the server for the databases of moments; absent: that of `databaseUrl`. */
  readonly pointInTimeUrl: string | undefined;
  readonly moments: MomentLimits;
  /** URIs; empty: the service serves no security.txt. */
  readonly securityContacts: readonly string[];
  readonly logLevel: string;
  /** JSON objects for programs, or short lines for people; undefined: lines on a terminal, otherwise objects. */
  readonly logFormat: (typeof LOG_FORMATS)[number] | undefined;
}

const ROLES = ['api', 'projector', 'worker'] as const satisfies readonly Role[];
const LOG_LEVELS = ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'] as const;
const LOG_FORMATS = ['json', 'text'] as const;
const WEBHOOK_RETRIES = [5, 300, 1800, 7200, 18000, 36000, 50400, 72000, 86400];

const wholeNumber = (min: number, max: number) =>
  z
    .string()
    .regex(/^\d{1,15}$/)
    .transform(Number)
    .pipe(z.number().min(min).max(max));
const numberFrom = (min: number, max: number, fallback: number) =>
  wholeNumber(min, max).default(fallback).describe(`a whole number from ${min} to ${max}`);
const url = (...protocols: readonly string[]) =>
  z
    .string()
    .regex(/^[a-z+]+:\/\/\S+$/i)
    .refine((text) => protocols.includes(text.slice(0, text.indexOf('//')).toLowerCase()))
    .optional()
    .describe(`a URL that begins with ${protocols.map((protocol) => `${protocol}//`).join(' or ')}`);
const listOf = <Item extends z.ZodType<unknown, string>>(item: Item, max = 1_000) =>
  z
    .string()
    .transform((text) => text.split(',').map((each) => each.trim()))
    .pipe(z.array(item).max(max));

/** Valid values and the default of each variable (also used for a blank one), with a description for error messages. */
export const ENVIRONMENT = z.object({
  NODE_ENV: z.string().optional(),
  HOST: z.string().default('127.0.0.1'),
  PORT: numberFrom(0, 65_535, 3000),
  METRICS_PORT: wholeNumber(0, 65_535).optional().describe('a whole number from 0 to 65535'),
  OTEL_EXPORTER_OTLP_ENDPOINT: url('http:', 'https:'),
  OTEL_TRACES_SAMPLER_ARG: z
    .string()
    .regex(/^(?:0(?:\.\d{1,6})?|1(?:\.0{1,6})?)$/)
    .transform(Number)
    .default(1)
    .describe('a number from 0 to 1'),
  DATA_DIR: z.string().default('.data'),
  DATABASE_URL: url('postgres:', 'postgresql:'),
  READ_DATABASE_URL: url('postgres:', 'postgresql:'),
  EVENTSTORE_URL: url('esdb:', 'esdb+discover:', 'kurrentdb:', 'kurrentdb+discover:'),
  PUBLIC_URL: url('http:', 'https:')
    .refine((text) => text === undefined || (isHttpUri(text) && !/[?#]/.test(text)))
    .transform((text) => text?.replace(/\/+$/, ''))
    .describe('a URL that begins with http:// or https://, without query or fragment'),
  ENCRYPTION_KEY: z.string().refine(isEncryptionKey).optional().describe('base64 of exactly 32 bytes'),
  ROLES: listOf(z.string().toLowerCase().pipe(z.enum(ROLES)))
    .optional()
    .describe(`a list of ${ROLES.join(', ')}`),
  RATE_LIMIT_PER_SECOND: numberFrom(0, 1_000_000, 100),
  TRUSTED_PROXIES: listOf(z.string().refine(isNetwork)).default([]).describe('a list of addresses and networks, such as 10.0.0.0/8,192.0.2.7'),
  CHARGE_TTL_SECONDS: wholeNumber(1, 31_536_000).optional().describe('a whole number from 1 to 31536000'),
  SETTLEMENT_INTERVAL_SECONDS: numberFrom(1, 86_400, 60),
  WEBHOOK_ALLOW_PRIVATE: z
    .stringbool({ truthy: ['true'], falsy: ['false'] })
    .default(false)
    .describe('true or false'),
  WEBHOOK_RETRY_SECONDS: listOf(
    z
      .string()
      .regex(/^\d{1,7}(\.\d{1,3})?$/)
      .transform(Number),
    50,
  )
    .default(WEBHOOK_RETRIES)
    .describe('a list of at most 50 numbers of seconds, such as 5,300,1800'),
  DISPUTE_REMINDER_SECONDS: listOf(wholeNumber(1, 31_536_000), 10)
    .default([259_200, 86_400])
    .describe('a list of at most 10 whole numbers of seconds, such as 259200,86400'),
  BOOKS_TIMEZONE: z.string().refine(isTimeZone).default('UTC').describe('UTC or an IANA time zone such as Asia/Jakarta'),
  API_PROCESSES: numberFrom(1, 1_000, 1),
  POINT_IN_TIME_URL: url('postgres:', 'postgresql:'),
  POINT_IN_TIME_MAX: numberFrom(0, 100, 4),
  POINT_IN_TIME_DAYS: numberFrom(1, 3_650, 7),
  SECURITY_CONTACT: listOf(z.string().refine(isSecurityContact), 10)
    .default([])
    .describe('a list of at most 10 addresses, such as mailto:security@example.com,https://example.com/security'),
  LOG_LEVEL: z
    .string()
    .toLowerCase()
    .pipe(z.enum(LOG_LEVELS))
    .default('info')
    .describe(`one of ${LOG_LEVELS.join(', ')}`),
  LOG_FORMAT: z
    .string()
    .toLowerCase()
    .pipe(z.enum(LOG_FORMATS))
    .optional()
    .describe(`one of ${LOG_FORMATS.join(', ')}`),
});
type Variable = keyof typeof ENVIRONMENT.shape;

/** Error messages do not repeat these values: a URL may contain a password. */
const CONFIDENTIAL: ReadonlySet<Variable> = new Set<Variable>([
  'DATABASE_URL',
  'READ_DATABASE_URL',
  'EVENTSTORE_URL',
  'POINT_IN_TIME_URL',
  'ENCRYPTION_KEY',
]);

/** @throws ConfigError */
export function readConfig(env: Readonly<Record<string, string | undefined>>): Config {
  const given = Object.fromEntries(Object.keys(ENVIRONMENT.shape).map((name) => [name, env[name]?.trim() || undefined]));
  const { data: read, error } = ENVIRONMENT.safeParse(given);
  if (error) throw wrongValue(error.issues[0]!.path as [Variable, number?], given);
  const production = read.NODE_ENV === 'production';
  if (read.READ_DATABASE_URL !== undefined && read.DATABASE_URL === undefined) {
    throw new ConfigError('READ_DATABASE_URL needs DATABASE_URL, of which it is a replica');
  }
  if (production && read.ENCRYPTION_KEY === undefined) throw new ConfigError('ENCRYPTION_KEY is required in production: base64 of 32 random bytes');
  const encryptionKey = read.ENCRYPTION_KEY === undefined ? undefined : Buffer.from(read.ENCRYPTION_KEY, 'base64');
  if (production && encryptionKey?.equals(Buffer.from(PUBLISHED_ENCRYPTION_KEY, 'base64'))) {
    throw new ConfigError('ENCRYPTION_KEY is the public example of docker-compose.yml: create a secret one with "openssl rand -base64 32"');
  }
  return {
    production,
    host: read.HOST,
    port: read.PORT,
    metricsPort: read.METRICS_PORT,
    traces:
      read.OTEL_EXPORTER_OTLP_ENDPOINT === undefined
        ? undefined
        : { endpoint: read.OTEL_EXPORTER_OTLP_ENDPOINT, ratio: read.OTEL_TRACES_SAMPLER_ARG },
    dataDir: resolve(read.DATA_DIR),
    databaseUrl: read.DATABASE_URL,
    readDatabaseUrl: read.READ_DATABASE_URL,
    eventStoreUrl: read.EVENTSTORE_URL,
    publicUrl: read.PUBLIC_URL,
    encryptionKey,
    roles: new Set(read.ROLES ?? ROLES),
    rolesGiven: read.ROLES !== undefined,
    cores: availableParallelism(),
    apiProcesses: read.API_PROCESSES,
    rateLimitPerSecond: read.RATE_LIMIT_PER_SECOND,
    trustedProxies: read.TRUSTED_PROXIES,
    webhookAllowPrivate: read.WEBHOOK_ALLOW_PRIVATE,
    webhookRetrySeconds: read.WEBHOOK_RETRY_SECONDS,
    chargeTtlSeconds: read.CHARGE_TTL_SECONDS,
    settlementIntervalSeconds: read.SETTLEMENT_INTERVAL_SECONDS,
    disputeReminderSeconds: read.DISPUTE_REMINDER_SECONDS,
    booksTimeZone: read.BOOKS_TIMEZONE,
    pointInTimeUrl: read.POINT_IN_TIME_URL,
    moments: { max: read.POINT_IN_TIME_MAX, days: read.POINT_IN_TIME_DAYS },
    securityContacts: read.SECURITY_CONTACT,
    logLevel: read.LOG_LEVEL,
    logFormat: read.LOG_FORMAT,
  };
}

/** @param item index of the invalid item in the variable's list */
function wrongValue([name, item]: [Variable, number?], given: Readonly<Record<string, string | undefined>>): ConfigError {
  const rule = `${name} must be ${ENVIRONMENT.shape[name].description}`;
  const value = given[name]!;
  if (CONFIDENTIAL.has(name)) return new ConfigError(rule);
  return new ConfigError(item === undefined ? `${rule}, not "${value}"` : `${rule}; "${value.split(',')[item]!.trim()}" is none`);
}

/** The public key in docker-compose.yml. */
export const PUBLISHED_ENCRYPTION_KEY = 'Y2hhcmdlYm9vayBkZXZlbG9wbWVudCBrZXkgISEhISE=';

function isEncryptionKey(text: string): boolean {
  const key = Buffer.from(text, 'base64');
  return key.length === 32 && key.toString('base64').replace(/=+$/, '') === text.replace(/=+$/, '');
}

/** @param name of the variable that contains `text` @throws ConfigError */
export function parseEncryptionKey(name: string, text: string): Buffer {
  if (!isEncryptionKey(text)) throw new ConfigError(`${name} must be base64 of exactly 32 bytes`);
  return Buffer.from(text, 'base64');
}

/**
 * Accepts an address, or a network of 1 bit or more: with a network of 0 bits, any client could claim any address. Not done with zod, which does not
 * accept IPv4-mapped IPv6 networks.
 */
function isNetwork(text: string): boolean {
  const [address = '', bits = '1', ...more] = text.split('/');
  const most = { 0: 0, 4: 32, 6: 128 }[isIP(address)]!;
  return /^\d{1,3}$/.test(bits) && Number(bits) >= 1 && Number(bits) <= most && more.length === 0;
}
