import type { Config } from './config.js';

export type StoreConfig = Pick<Config, 'dataDir' | 'databaseUrl' | 'eventStoreUrl'>;

/** Names the stores of a configuration, without credentials. */
export function storesInWords({ dataDir, databaseUrl, eventStoreUrl }: StoreConfig): string {
  const database = databaseUrl === undefined ? `${dataDir} (DATA_DIR)` : `${addressOf(databaseUrl)} (DATABASE_URL)`;
  return eventStoreUrl === undefined ? database : `${database}, events in ${addressOf(eventStoreUrl)} (EVENTSTORE_URL)`;
}

/** Several hosts, which `URL` does not accept, are as valid. */
const addressOf = (url: string): string => url.replace(/^([\w+]+:\/\/)(?:[^/?#]*@)?([^?#]*).*$/s, '$1$2');
