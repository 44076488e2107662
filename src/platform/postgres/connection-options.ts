import pg from 'pg';
import { connectTimeoutMs } from './connect-timeout.js';
import { columnTypes } from './binary/column-types.js';
import { enterServer, SERVER_COLUMNS, type Server } from './servers.js';

export interface ConnectionOptions {
  readonly url: string;
  /** Shown in pg_stat_activity; identifies the part of the service that a session belongs to. */
  readonly applicationName: string;
  /** Longest time for a statement, ms; 0: no limit (replays, index builds). Default 4,000, so that a loss is noticed within 5 s. */
  readonly statementTimeoutMs?: number;
  /** Further server settings of these sessions, by name. */
  readonly settings?: Readonly<Record<string, string>>;
}

const STATEMENT_TIMEOUT_MS = 4_000;
/** The server cancels first and reports why; the client gives up this much later, when the server is silent. */
const SILENCE_AFTER_TIMEOUT_MS = 500;

/**
 * Settings of every session. The server, too, detects within 15 s that we are gone (host lost, no FIN), so that locks of a lost process do not
 * outlive it by hours. Compiling a statement (jit) takes tens of milliseconds and never pays for ours. The default search path begins with a schema
 * named like the user, and a user may be named `ledger` like the projection: then tables of the migrations would be searched there.
 */
const SESSION_SETTINGS = {
  jit: 'off',
  search_path: 'public',
  TimeZone: 'UTC',
  DateStyle: 'ISO',
  tcp_keepalives_idle: '5',
  tcp_keepalives_interval: '2',
  tcp_keepalives_count: '3',
  tcp_user_timeout: '10000',
  idle_in_transaction_session_timeout: '60000',
};

/**
 * Settings for elected processes: locks that a paused process holds in the middle of a transaction are released before its successor gives up.
 * None of these transactions waits for anything but the database.
 */
export const SUCCEEDED_SOON = { idle_in_transaction_session_timeout: '5000' };

/**
 * Returns the URL for the driver. The driver treats some sslmodes as `verify-full`, with a warning that its next version will not; here they mean
 * `verify-full` for good. With `uselibpqcompat=true` they mean the same as in libpq.
 */
function withStrictTls(url: string): string {
  const [address = '', query = ''] = url.split('?', 2);
  const parameters = new URLSearchParams(query);
  if (parameters.has('uselibpqcompat') || !VERIFYING.has(parameters.get('sslmode') ?? '')) return url;
  parameters.set('sslmode', 'verify-full');
  return `${address}?${parameters.toString()}`;
}
const VERIFYING: ReadonlySet<string> = new Set(['prefer', 'require', 'verify-ca']);

/** Returns the settings that `options` of the URL contain: they take precedence over ours. */
function namedInUrl(url: string): ReadonlySet<string> {
  const options = new URLSearchParams(url.split('?', 2)[1] ?? '').getAll('options').join(' ');
  const names = [...options.matchAll(/(?:^|\s)(?:-c\s*|--)([\w.-]+)=/g)].map(([, name = '']) => name.replaceAll('-', '_'));
  return new Set(names.map((name) => name.toLowerCase()));
}

/** Configuration of every connection of ours, pooled or dedicated. Each receives its settings once it is made: see `settle`. */
export function clientConfig(options: ConnectionOptions): pg.ClientConfig {
  const timeoutMs = statementTimeoutMs(options);
  return {
    connectionString: withStrictTls(options.url),
    application_name: options.applicationName,
    types: columnTypes,
    connectionTimeoutMillis: connectTimeoutMs(),
    keepAlive: true,
    keepAliveInitialDelayMillis: 5_000,
    ...(timeoutMs > 0 && { query_timeout: timeoutMs + SILENCE_AFTER_TIMEOUT_MS }),
  };
}

const statementTimeoutMs = (options: ConnectionOptions): number => options.statementTimeoutMs ?? STATEMENT_TIMEOUT_MS;

/**
 * Sends a new connection its settings, before any other statement. It uses a statement, because poolers reject, or leave out, the parameters at the
 * start of a connection (`options`, `statement_timeout`). @returns its server @throws a connection failure
 */
export async function settle(client: pg.ClientBase, options: ConnectionOptions): Promise<Server> {
  const timeoutMs = statementTimeoutMs(options);
  const wanted = { ...SESSION_SETTINGS, ...options.settings, ...(timeoutMs > 0 && { statement_timeout: String(timeoutMs) }) };
  const named = namedInUrl(options.url);
  const calls = Object.entries(wanted)
    .filter(([name]) => !named.has(name.toLowerCase()))
    .map(([name, value]) => `set_config(${pg.escapeLiteral(name)}, ${pg.escapeLiteral(value)}, false)`);
  // The driver honours it, and its types lack it.
  const text = `select ${[...calls, SERVER_COLUMNS].join(', ')}`;
  const bounded: pg.QueryConfig & { readonly query_timeout: number } = { text, query_timeout: connectTimeoutMs() };
  const { rows } = await client.query<{ server: string; accepts_writes: boolean }>(bounded);
  const server = { id: rows[0]!.server, acceptsWrites: rows[0]!.accepts_writes };
  enterServer(client, options.url, server);
  return server;
}

/** Opens a dedicated connection, with its settings. The caller ends it, also when this throws. @returns its server @throws a connection failure */
export async function connectSettled(client: pg.Client, options: ConnectionOptions): Promise<Server> {
  await client.connect();
  return settle(client, options);
}
