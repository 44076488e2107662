import type { ClientBase } from 'pg';

/** Settings of a session that limit the time of a statement, and the time between two statements of a transaction. */
export const LIMITS = ['statement_timeout', 'idle_in_transaction_session_timeout'] as const;

/** Factors for both. */
export interface LongerLimits {
  readonly statement: number;
  readonly idleInTransaction: number;
}

/** Returns a statement that multiplies the present limits of the session, for the rest of the transaction. A limit of 0 is none, and stays so. */
export function lengthenLimits({ statement, idleInTransaction }: LongerLimits): string {
  const [ofStatement, ofIdle] = LIMITS;
  return `select ${lengthened(ofStatement, statement)}, ${lengthened(ofIdle, idleInTransaction)}`;
}

const lengthened = (name: string, times: number): string =>
  `set_config('${name}', (extract(epoch from current_setting('${name}')::interval) * ${1_000 * times})::bigint::text, true)`;

/** The part of a client's configuration that `pg` reads for each query: the client's own time limit is independent of the server's. */
interface Waiting {
  readonly connectionParameters: { query_timeout: number | string | false };
}

/** Runs `work` while the client waits this many times as long for each of its queries. */
export async function waitLonger<T>(client: ClientBase, times: number, work: () => Promise<T>): Promise<T> {
  const { connectionParameters } = client as unknown as Waiting;
  const { query_timeout } = connectionParameters;
  connectionParameters.query_timeout = Number(query_timeout) * times;
  return work().finally(() => (connectionParameters.query_timeout = query_timeout));
}
