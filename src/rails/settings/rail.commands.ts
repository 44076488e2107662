import { isDeepStrictEqual } from 'node:util';
import { decideOnStream } from '../../ledger/streams/decide-on-stream.js';
import { foldStream, type LoadedStream } from '../../ledger/streams/fold-stream.js';
import { systemContext } from '../../ledger/streams/new-event.js';
import type { Timestamp } from '../../ledger/time.js';
import { RAILS_STREAM, type RailSet } from '../../ledger/events/rail.events.js';
import type { RouteChange } from '../../domain/merchants/merchant.decider.js';
import { setMerchantRail } from '../../domain/merchants/merchant.commands.js';
import type { DirectoryDeps } from '../../domain/operators/directory.js';
import { railUseOf } from '../../ledger/channels.js';
import type { EventStore } from '../../platform/event-store/event-store.js';
import { fingerprintsOf } from './credentials-file.js';
import type { Credentials, RailCredentials } from './rail-credentials.js';
import {
  rails,
  refuseUse,
  servedBy,
  type Rail,
  type RailChange,
  type Rails,
  type RailsCommand,
  type RailsRefusal,
  type StoredCredentials,
} from './rails.decider.js';

/** Commands of operators on rails. Each throws RailRefused when the rules reject it, and StoreUnavailable or OutcomeUnknown like the store. */
export interface RailDeps extends DirectoryDeps {
  readonly credentials: RailCredentials;
  /** The operating system's user who gives the command. */
  readonly by: string;
}

/** Nothing was recorded. The message is for people. */
export class RailRefused extends Error {
  override readonly name = 'RailRefused';
  constructor(
    readonly refusal: RailsRefusal,
    detail: string,
  ) {
    super(detail);
  }
}

/** Reads all rails and routes; with `known`, only later events. */
export const loadRails = (store: Pick<EventStore, 'read'>, known?: LoadedStream<Rails>): Promise<LoadedStream<Rails>> =>
  foldStream(store, RAILS_STREAM, rails, known);

/**
 * Creates a rail, or changes it: omitted settings stay.
 * @param readCredentials reads the credentials for a rail of this kind and mode; null: the rail has them. Unchanged credentials count as null.
 */
export async function setRail(
  deps: RailDeps,
  name: string,
  change: RailChange,
  readCredentials: ((rail: Pick<RailSet, 'kind' | 'mode'>) => Promise<Credentials>) | null,
): Promise<Rail> {
  const known = (await loadRails(deps.store)).state.byName.get(name);
  const kind = change.kind ?? known?.kind;
  const mode = change.mode ?? known?.mode;
  const set = (credentials: StoredCredentials | null) => decidedRail(deps, name, { kind: 'set', rail: name, change, credentials });
  if (readCredentials === null || kind === undefined || mode === undefined) return set(null);
  const credentials = await readCredentials({ kind, mode });
  if (known && isDeepStrictEqual(await deps.credentials.read(name, known.credentials.version), credentials)) return set(null);
  return withStored(deps, name, credentials, 0, set);
}

/** Calls use the new credentials from now on; incoming messages may be signed with either, until the previous ones are retired. */
export async function rotateRail(
  deps: RailDeps,
  name: string,
  readCredentials: (rail: Pick<RailSet, 'kind' | 'mode'>) => Promise<Credentials>,
): Promise<Rail> {
  const known = await findRail(deps, name);
  const credentials = await readCredentials(known);
  if (isDeepStrictEqual(await deps.credentials.read(name, known.credentials.version), credentials)) return known;
  return withStored(deps, name, credentials, known.credentials.version, (stored) =>
    decidedRail(deps, name, { kind: 'rotate', rail: name, credentials: stored }),
  );
}

/** Stores them first, so that the credentials that the log puts in force exist; removes them again when the rules reject the command. */
async function withStored(
  { credentials: kept }: RailDeps,
  name: string,
  credentials: Credentials,
  newest: number,
  decide: (stored: StoredCredentials) => Promise<Rail>,
): Promise<Rail> {
  const version = await kept.add(name, credentials, newest);
  try {
    return await decide({ version, fingerprints: fingerprintsOf(credentials) });
  } catch (error) {
    if (error instanceof RailRefused) await kept.remove(name, version);
    throw error;
  }
}

/** The previous credentials are no longer accepted, and are deleted. */
export async function retireOldCredentials(deps: RailDeps, name: string): Promise<Rail> {
  const rail = await decidedRail(deps, name, { kind: 'retire-old', rail: name });
  await deps.credentials.removeUpTo(name, rail.credentials.version - 1);
  return rail;
}

/** A paused rail receives nothing new; work under way is finished. */
export const switchRail = (deps: RailDeps, name: string, kind: 'pause' | 'resume'): Promise<Rail> => decidedRail(deps, name, { kind, rail: name });

export interface AllowanceChange {
  readonly what: string;
  readonly until: Timestamp | null;
  readonly evidence: string;
}

export const allowOnRail = (deps: RailDeps, name: string, allowance: AllowanceChange): Promise<Rail> =>
  decidedRail(deps, name, { kind: 'allow', rail: name, ...allowance });

export const withdrawAllowance = (deps: RailDeps, name: string, { what, evidence }: Omit<AllowanceChange, 'until'>): Promise<Rail> =>
  decidedRail(deps, name, { kind: 'withdraw', rail: name, what, evidence });

/** Sets the rail of merchants of `mode` without their own route. */
export async function setRoute(deps: RailDeps, mode: 'live' | 'test', use: string, rail: string | null): Promise<void> {
  const { newest } = await loadRails(deps.store);
  // Without any rail there is no route to remove, and no stream to decide on.
  if (newest === null && rail === null) return;
  await decided(deps, { kind: 'route', mode, use, rail });
}

/** @throws DirectoryRefused, too. `rail` null: the merchant uses the route of its mode. */
export async function routeMerchant(
  deps: RailDeps,
  merchantId: string,
  { use, rail: name, merchant_name_id }: { readonly use: string; readonly rail: string | null; readonly merchant_name_id: string | null },
): Promise<void> {
  const rail = await railForUse(deps, name, use);
  await setMerchantRail(deps, merchantId, { use, rail, merchant_name_id }, deps.by);
}

/** Target of a merchant's route; null: the route of its mode. @throws RailRefused when the rail does not exist, or does not offer this use */
export async function railForUse(deps: Pick<RailDeps, 'store'>, name: string | null, use: string): Promise<RouteChange['rail']> {
  const rail = name === null ? null : await findRail(deps, name);
  const refused = rail && refuseUse(rail, railUseOf(use) ?? use);
  if (refused) throw new RailRefused(refused.refusal, refused.detail);
  return rail && { name: rail.name, serves: servedBy(rail) };
}

/** @throws RailRefused when there is no such rail. */
export async function findRail({ store }: Pick<RailDeps, 'store'>, name: string): Promise<Rail> {
  const found = (await loadRails(store)).state.byName.get(name);
  if (!found) throw new RailRefused('rail-not-found', `There is no rail ${name}; "rail list" shows them.`);
  return found;
}

type Unsigned<Command> = Command extends unknown ? Omit<Command, 'by' | 'now'> : never;

async function decidedRail(deps: RailDeps, name: string, command: Unsigned<RailsCommand>): Promise<Rail> {
  const rail = (await decided(deps, command)).byName.get(name);
  if (!rail) throw new Error(`rail ${name} does not exist after a command to it`);
  return rail;
}

async function decided({ store, clock, by }: RailDeps, command: Unsigned<RailsCommand>): Promise<Rails> {
  const outcome = await decideOnStream(store, clock, RAILS_STREAM, rails, (now) => ({ ...command, by, now }), systemContext());
  if ('refusal' in outcome) throw new RailRefused(outcome.refusal, outcome.detail);
  return outcome.state;
}
