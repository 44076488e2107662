import type { Pool } from 'pg';
import type { EventStore } from '../../platform/event-store/event-store.js';
import type { Clock } from '../time.js';

/** Injection tokens that the whole service shares; `app.module.ts` provides them. */

/** The process's clock (`Clock` of time.ts): the time of events. */
export const CLOCK = Symbol('Clock');
/** The database's clock as this process estimates it (`Clock`). It decides whether moments have passed, so every process decides alike. */
export const COMMON_CLOCK = Symbol('CommonClock');
/** `pg.Pool` for reads of the read models; it may lead to a replica. Nothing is written there, and only tables of projections are read there. */
export const READ_POOL = Symbol('ReadPool');
/** `pg.Pool` for one request that reads across merchants: each connection waits for its turn, and is cancelled when the request is over. */
export const FINANCE_POOL = Symbol('FinancePool');
/** Pool for reads of the sealed log, which is that of the present also as of a past moment. */
export const CHAIN_POOL = Symbol('ChainPool');
/** `pg.Pool` on the database that accepts writes. */
export const PRIMARY_POOL = Symbol('PrimaryPool');
/** The service's secret, 32 bytes, which ENCRYPTION_KEY decrypts; each use derives its own key under a label. */
export const SECRET = Symbol('Secret');
/** Address at which clients reach the service (`PublicAddress`). */
export const PUBLIC_ADDRESS = Symbol('PublicAddress');
/** The parts of the checked environment that resources may read (`Settings`). */
export const CONFIG = Symbol('Config');

/** Logs a condition that needs an operator. */
export type OnError = (message: string, fields: Readonly<Record<string, unknown>>) => void;

/** Dependencies from which each room builds its services (`ServiceDeps`). */
export const SERVICE_DEPS = Symbol('ServiceDeps');

export interface ServiceDeps {
  readonly store: EventStore;
  /** Connects to the database that accepts writes. */
  readonly pool: Pool;
  /** Connects to the read models; it may lead to a replica. */
  readonly readPool: Pool;
  /** The service's secret, 32 bytes. */
  readonly secret: Buffer;
  /** The process's clock: the time of events. */
  readonly clock: Clock;
  readonly onError: OnError;
}

export interface Settings {
  readonly webhookAllowPrivate: boolean;
  /** Overrides every channel's own time-out. */
  readonly chargeTtlSeconds: number | undefined;
  /** IANA name of the time zone of the books' months. */
  readonly booksTimeZone: string;
}

/** `url` without a trailing slash. Set once the listening port is known when PUBLIC_URL was not given. */
export interface PublicAddress {
  url: string;
}
/**
 * Merchants, keys and operators by which requests are admitted, and the clock for it: as of now, also in an application that answers as of a past
 * moment (`KnownMerchants`, `Clock`).
 */
export const TODAYS_MERCHANTS = Symbol('TodaysMerchants');
export const TODAYS_CLOCK = Symbol('TodaysClock');
/** Rates of the console's sessions, shared with the applications as of past moments (`TokenBuckets`); null: no limit. */
export const SESSION_RATES = Symbol('SessionRates');
/** The payment processor in force (`Processor` of domain/charges/processor.ts). */
export const PROCESSOR = Symbol('Processor');
