import type { Logger } from 'pino';
import type { RemoteProcessor } from '../../domain/charges/remote/remote-processor.js';
import { milliseconds, type Clock } from '../../ledger/time.js';
import type { RemoteBank } from '../../domain/payouts/transfer/remote-bank.js';
import type { ResolveName } from '../../platform/http/edge/address-guard.js';
import { Outbound, type CallObserver } from '../calls/outbound.js';
import { systemRailClock } from '../calls/rail-clock.js';
import type { RailCalls } from '../calls/rail-calls.js';
import type { Credentials } from '../settings/rail-credentials.js';
import { offerOf } from '../settings/rail-kinds.js';
import type { RailReport } from '../calls/rail-report.js';
import type { Rail } from '../settings/rails.decider.js';
import type { SnapCredentials } from '../snap/credentials.js';
import { SnapBank } from '../snap/snap-bank.js';
import { SnapProcessor } from '../snap/snap-processor.js';
import { XENDIT_PER_SECOND, XenditProcessor, type XenditCredentials } from '../xendit/xendit-processor.js';
import { unreachable } from '../../ledger/unreachable.js';

/** Services of the process that adapters use. */
export interface AdapterSurroundings {
  readonly clock: Clock;
  readonly resolve: ResolveName;
  readonly log: Pick<Logger, 'info' | 'warn'>;
  /** Returns digits that no other call of the rail has on this day in Jakarta. */
  readonly newExternalId: (rail: string) => Promise<string>;
  /** Returns the URL of a charge's hosted page. */
  readonly returnUrl: (chargeId: string) => string;
  readonly observe: (rail: string) => CallObserver;
  readonly report: (report: RailReport) => void;
}

/** The sides of a rail; it has at least one of both. */
export interface Adapters {
  readonly processor?: RemoteProcessor;
  readonly bank?: RemoteBank;
}

/** Calls to a provider; `skewMs` is how far its clock is ahead of ours, when known. */
export type GuardedCalls = RailCalls & { readonly skewMs: number | null };

/** Calls per second of one endpoint; SNAP documents no rate. */
const SNAP_PER_SECOND = 5;

/** @throws ForbiddenAddress when the base may not be called */
export function openOutbound({ name, kind, mode, base_url, allow_private, tls }: Rail, around: AdapterSurroundings): Outbound {
  return new Outbound({
    rail: name,
    base: base_url,
    allowPrivate: allow_private,
    tls,
    perSecond: kind === 'xendit' ? XENDIT_PER_SECOND[mode] : SNAP_PER_SECOND,
    needsClock: kind === 'snap',
    resolve: around.resolve,
    clock: systemRailClock,
    log: around.log,
    observer: around.observe(name),
    random: Math.random,
  });
}

export interface CredentialsInForce {
  readonly current: Credentials;
  readonly previous: Credentials | undefined;
}

/** @throws Error when a key cannot be read */
export function adaptersOf(rail: Rail, credentials: CredentialsInForce, calls: GuardedCalls, around: AdapterSurroundings): Adapters {
  switch (rail.kind) {
    case 'xendit':
      return { processor: xenditProcessor(rail, credentials, calls, around) };
    case 'snap':
      return snapAdapters(rail, credentials, calls, around);
    default:
      return unreachable(rail.kind);
  }
}

function xenditProcessor(rail: Rail, { current, previous }: CredentialsInForce, calls: GuardedCalls, around: AdapterSurroundings): RemoteProcessor {
  const credentials = { current: current as unknown as XenditCredentials, previous: previous as unknown as XenditCredentials | undefined };
  return new XenditProcessor({
    name: rail.name,
    mode: rail.mode,
    calls,
    credentials: () => credentials,
    allowedChannels: () => allowedChannels(rail, around.clock()),
    returnUrl: around.returnUrl,
    clock: around.clock,
    report: around.report,
  });
}

function snapAdapters(rail: Rail, { current, previous }: CredentialsInForce, calls: GuardedCalls, around: AdapterSurroundings): Adapters {
  const uses = offerOf(rail.kind, rail.profile)?.uses ?? [];
  const options = {
    name: rail.name,
    profile: rail.profile!,
    mode: rail.mode,
    base: rail.base_url,
    calls,
    credentials: current as unknown as SnapCredentials,
    previous: previous as unknown as SnapCredentials | undefined,
    newExternalId: () => around.newExternalId(rail.name),
    clock: around.clock,
    report: around.report,
  };
  const pays = uses.some((use) => use.startsWith('payout.'));
  return {
    ...(pays && {
      bank: new SnapBank({ ...options, pay_again: isAllowed(rail, 'pay-again', around.clock()), on_name_difference: rail.on_name_difference }),
    }),
    ...(uses.includes('QR_QRIS') && { processor: new SnapProcessor(options) }),
  };
}

const CHANNEL = 'channel:';

function allowedChannels(rail: Rail, now: number): ReadonlySet<string> {
  const allowed = [...rail.allowed.keys()].filter((what) => what.startsWith(CHANNEL) && isAllowed(rail, what, now));
  return new Set(allowed.map((what) => what.slice(CHANNEL.length)));
}

/** `now`: ms since the epoch. */
export function isAllowed({ allowed }: Rail, what: string, now: number): boolean {
  const allowance = allowed.get(what);
  return allowance !== undefined && (allowance.until === null || now < milliseconds(allowance.until));
}
