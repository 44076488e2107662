import type pg from 'pg';
import type { AccountState, OpenPayout, PayoutApproval } from './account-state.js';
import type { Ending } from './finished-payouts.js';
import { PersistentMap } from './persistent-map.js';

/** The state of an account at one of its events. With it, a cold start need not read the events before. */
export interface AccountSnapshot {
  /** Id of the event at `state.revision`. When the stream has another event there, the snapshot belongs to another history. */
  readonly event_id: string;
  readonly state: AccountState;
}

/** Snapshots may be deleted at any time, in whole or in part. Neither method ever throws. */
export interface AccountSnapshots {
  find(stream: string): Promise<AccountSnapshot | undefined>;
  /** Returns false when it could not be written. */
  save(stream: string, snapshot: AccountSnapshot): Promise<boolean>;
}

/** Raise it with every change of AccountState or of its fold: snapshots of other versions are ignored. A golden snapshot in the tests holds both. */
export const SNAPSHOT_VERSION = 3;

export class PostgresAccountSnapshots implements AccountSnapshots {
  constructor(private readonly pool: pg.Pool) {}

  async find(stream: string): Promise<AccountSnapshot | undefined> {
    try {
      const { rows } = await this.pool.query<{ event_id: string; state: StoredState }>(
        'select event_id, state from account_snapshots where stream = $1 and version = $2',
        [stream, SNAPSHOT_VERSION],
      );
      const row = rows[0];
      return row && { event_id: row.event_id, state: fromStored(row.state) };
    } catch {
      // Without a snapshot the account is folded from the start: slower, never wrong.
      return undefined;
    }
  }

  async save(stream: string, { event_id, state }: AccountSnapshot): Promise<boolean> {
    try {
      // The snapshot with the higher revision is kept when two processes write one. A snapshot of another version is always replaced.
      await this.pool.query(
        `insert into account_snapshots as kept (stream, version, revision, event_id, state) values ($1, $2, $3, $4, $5)
         on conflict (stream) do update set version = excluded.version, revision = excluded.revision, event_id = excluded.event_id, state = excluded.state
          where kept.version <> excluded.version or kept.revision < excluded.revision`,
        [stream, SNAPSHOT_VERSION, state.revision, event_id, JSON.stringify(toStored(state))],
      );
      return true;
    } catch {
      return false;
    }
  }
}

type StoredOpen = readonly [
  id: string,
  status: OpenPayout['status'],
  amount: number,
  fee: number,
  requestedAt: number,
  approval: PayoutApproval | null,
];
type StoredReservation = readonly [id: string, reservationId: string, chargeId: string, amount: number, fee: number, reservedAt: number];
type StoredEnding = readonly [id: string, status: Ending['status'], finishedOn: string];

export interface StoredState {
  readonly revision: number;
  readonly owner: AccountState['owner'];
  readonly available: string;
  readonly reserved: string;
  readonly settlement_number: number;
  readonly open: readonly StoredOpen[];
  readonly younger: readonly StoredEnding[];
  readonly older: readonly StoredEnding[];
  readonly younger_since: string | null;
  readonly requested: { readonly day: string; readonly amount: string } | null;
  readonly reservations: readonly StoredReservation[];
}

export function toStored(state: AccountState): StoredState {
  const { revision, owner, available, reserved, settlement_number, open, finished, requested, reservations } = state;
  const endings = (map: PersistentMap<Ending>): StoredEnding[] =>
    Array.from(map.entries(), ([id, { status, finished_on }]) => [id, status, finished_on]);
  return {
    revision,
    owner,
    available: available.toString(),
    reserved: reserved.toString(),
    settlement_number,
    open: Array.from(open.entries(), ([id, payout]) => [id, payout.status, payout.amount, payout.fee_amount, payout.requested_at, payout.approval]),
    younger: endings(finished.younger),
    older: endings(finished.older),
    younger_since: finished.younger_since,
    requested: requested && { day: requested.day, amount: requested.amount.toString() },
    reservations: Array.from(reservations.entries(), ([id, of]) => [id, of.reservation_id, of.charge_id, of.amount, of.fee_amount, of.reserved_at]),
  };
}

export function fromStored(stored: StoredState): AccountState {
  const endings = (entries: readonly StoredEnding[]): PersistentMap<Ending> =>
    PersistentMap.from(entries.map(([id, status, finished_on]) => [id, { status, finished_on }]));
  return {
    revision: stored.revision,
    owner: stored.owner,
    available: BigInt(stored.available),
    reserved: BigInt(stored.reserved),
    settlement_number: stored.settlement_number,
    open: PersistentMap.from(
      stored.open.map(([id, status, amount, fee_amount, requested_at, approval]) => [
        id,
        { status, amount, fee_amount, net_amount: amount - fee_amount, requested_at, approval },
      ]),
    ),
    finished: { younger: endings(stored.younger), older: endings(stored.older), younger_since: stored.younger_since },
    requested: stored.requested && { day: stored.requested.day, amount: BigInt(stored.requested.amount) },
    reservations: PersistentMap.from(
      stored.reservations.map(([id, reservation_id, charge_id, amount, fee_amount, reserved_at]) => [
        id,
        { reservation_id, charge_id, amount, fee_amount, net_amount: amount - fee_amount, reserved_at },
      ]),
    ),
  };
}
