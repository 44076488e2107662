import type pg from 'pg';
import { connectTimeoutMs } from './connect-timeout.js';
import { columnTypes } from './binary/column-types.js';

export interface ConnectionOptions {
  readonly url: string;
  /** Shown in pg_stat_activity; says which part of the service a session belongs to. */
  readonly applicationName: string;
  /** Longest time for a statement, ms; 0: no limit (replays, index builds). Default 4,000, so that a loss is noticed within 5 s. */
  readonly statementTimeoutMs?: number;
  /** Further server settings of these sessions, by name. */
  readonly settings?: Readonly<Record<string, string>>;
}

const STATEMENT_TIMEOUT_MS = 4_000;
/** The server cancels first and says why; the client gives up this much later, when the server says nothing any more. */
const SILENCE_AFTER_TIMEOUT_MS = 500;

/**
 * Settings of every session. The server, too, finds out within 15 s that we are gone (host lost, no FIN),
 * so that locks of a lost process do not outlive it by hours. Compiling a statement (jit) takes tens of milliseconds
 * and never pays for ours. The default search path begins with a schema named like the user, and a user may be named `ledger`
 * like the projection: then tables of the migrations would be looked for there.
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
 * For who is elected: what a paused process holds in the middle of a transaction is given back before its successor gives up.
 * None of these transactions waits for anything but the database.
 */
export const SUCCEEDED_SOON = { idle_in_transaction_session_timeout: '5000' };

/** Our settings, and behind them (so they win) the `options` that the URL may carry itself. `pg` would take one or the other. */
function splitOptions(url: string, settings: Readonly<Record<string, string>> = {}): { readonly connectionString: string; readonly options: string } {
  const [address = '', query = ''] = url.split('?', 2);
  const parameters = new URLSearchParams(query);
  const ours = Object.entries({ ...SESSION_SETTINGS, ...settings }).map(([name, value]) => `-c ${name}=${value}`);
  const options = [...ours, ...parameters.getAll('options')].join(' ');
  parameters.delete('options');
  return { connectionString: parameters.size > 0 ? `${address}?${parameters.toString()}` : address, options };
}

/** What every connection of ours has in common, pooled or dedicated. */
export function clientConfig(options: ConnectionOptions): pg.ClientConfig {
  const statementTimeoutMs = options.statementTimeoutMs ?? STATEMENT_TIMEOUT_MS;
  return {
    ...splitOptions(options.url, options.settings),
    application_name: options.applicationName,
    types: columnTypes,
    connectionTimeoutMillis: connectTimeoutMs(),
    keepAlive: true,
    keepAliveInitialDelayMillis: 5_000,
    ...(statementTimeoutMs > 0 && {
      statement_timeout: statementTimeoutMs,
      query_timeout: statementTimeoutMs + SILENCE_AFTER_TIMEOUT_MS,
    }),
  };
}
