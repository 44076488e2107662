import type { ProcessorRoutes } from '../../domain/charges/remote/remote-processor.js';
import { payoutUse } from '../../ledger/channels.js';
import type { LoadedStream } from '../../ledger/streams/fold-stream.js';
import type { MerchantRail } from '../../domain/merchants/known-merchants.js';
import type { BankRoute, BankRoutes } from '../../domain/payouts/transfer/remote-bank.js';
import { StoreUnavailable, type EventStore } from '../../platform/event-store/event-store.js';
import { pause, unlessAborted } from '../../platform/async/waiting.js';
import { adaptersOf, isAllowed, openOutbound, type Adapters, type AdapterSurroundings, type CredentialsInForce } from './rail-adapters.js';
import { fingerprintsOf } from '../settings/credentials-file.js';
import type { Outbound } from '../calls/outbound.js';
import type { RailCredentials } from '../settings/rail-credentials.js';
import type { RailRoutes } from '../settings/rail-routes.js';
import { RailConditions, type RailCondition, type SharedConditions } from './rail-health.js';
import { loadRails } from '../settings/rail.commands.js';
import { rails, routeKey, servedBy, type Rail, type Rails, type StoredCredentials } from '../settings/rails.decider.js';

export interface RailRegistryOptions extends Omit<AdapterSurroundings, 'report'> {
  readonly store: Pick<EventStore, 'read'>;
  readonly credentials: Pick<RailCredentials, 'read'>;
  readonly shared: Pick<SharedConditions, 'say' | 'leave'>;
  /** Returns the merchant's own route. */
  readonly ownRoute: (merchantId: string, use: string) => MerchantRail | undefined;
  readonly conditions: RailConditions;
  readonly onError: (message: string, fields: { readonly err: unknown; readonly rail?: string }) => void;
}

/** A rail that is ready to be called, or has no adapters because it cannot be used. */
interface OpenRail {
  readonly rail: Rail;
  /** Settings on which the connections depend, and those on which the adapters depend. */
  readonly reached: string;
  readonly made: string;
  readonly outbound: Outbound | undefined;
  readonly adapters: Adapters;
}

const LOOK_EVERY_MS = 1_000;
const SAY_EVERY_MS = 20_000;
/** Longer than any call: the time for calls under way on connections that are no longer used. */
const CLOSED_AFTER_MS = 90_000;

/**
 * The rails of this process. It follows changes of the rails within two seconds, builds the adapters that call providers, and routes charges and
 * payouts to them. A rail whose adapters cannot be built is red, and receives nothing new.
 */
export class RailRegistry implements RailRoutes {
  readonly processors: ProcessorRoutes = {
    route: (merchantId, mode, channelCode) => this.#processorRoute(merchantId, mode, channelCode),
    named: (rail) => this.#open.get(rail)?.adapters.processor,
  };
  readonly banks: BankRoutes = {
    route: (merchantId, mode, currency) => this.#bankRoute(merchantId, mode, currency),
    named: (rail) => this.#open.get(rail)?.adapters.bank,
    begun: (rail) => bankRouteOf(this.#open.get(rail)),
  };
  readonly #ending = new AbortController();
  readonly #closing = new Set<Outbound>();
  #loaded: LoadedStream<Rails> = { state: rails.initial, newest: null };
  #open: ReadonlyMap<string, OpenRail> = new Map();
  #running: Promise<void> | undefined;
  #said = { text: '[]', atMs: -Infinity };

  constructor(private readonly options: RailRegistryOptions) {}

  /** Resolves when all rails that were set before are known. */
  async start(): Promise<void> {
    while (!(await this.#look()) && !this.#ending.signal.aborted) await pause(LOOK_EVERY_MS, this.#ending.signal);
    if (!this.#ending.signal.aborted) this.#running = this.#follow();
  }

  /** Reads the rails once, and does not follow their changes. @throws StoreUnavailable */
  async load(): Promise<void> {
    if (!(await this.#look())) throw new StoreUnavailable('the rails cannot be read');
  }

  async stop(): Promise<void> {
    this.#ending.abort();
    await this.#running;
    await this.options.shared.leave().catch(() => undefined);
    const outbounds = [...this.#closing, ...[...this.#open.values()].flatMap(({ outbound }) => outbound ?? [])];
    await Promise.all(outbounds.map((each) => each.close()));
  }

  /** The current rails, oldest first. */
  get rails(): readonly Rail[] {
    return [...this.#loaded.state.byName.values()];
  }

  get state(): Rails {
    return this.#loaded.state;
  }

  async #follow(): Promise<void> {
    while (!this.#ending.signal.aborted) {
      await pause(LOOK_EVERY_MS, this.#ending.signal);
      if (this.#ending.signal.aborted) return;
      // A store that does not answer must not keep the process from stopping.
      await unlessAborted(() => this.#look().then(() => this.#say()), this.#ending.signal).catch(() => undefined);
    }
  }

  /** Returns false when the log could not be read: the known rails stay in force. */
  async #look(): Promise<boolean> {
    try {
      this.#loaded = await loadRails(this.options.store, this.#loaded);
    } catch (err) {
      this.options.onError('cannot read the rails; the known rails stay in force', { err });
      return false;
    }
    const open = new Map<string, OpenRail>();
    for (const rail of this.rails) open.set(rail.name, await this.#opened(rail, this.#open.get(rail.name)));
    for (const [name, { outbound }] of this.#open) if (outbound && open.get(name)?.outbound !== outbound) this.#close(outbound);
    this.#open = open;
    return true;
  }

  async #opened(rail: Rail, known: OpenRail | undefined): Promise<OpenRail> {
    const { base_url, allow_private, tls } = rail;
    const reached = JSON.stringify([base_url, allow_private, tls]);
    const { credentials, previous_credentials, on_name_difference } = rail;
    const allowed = [...rail.allowed.keys()].filter((what) => isAllowed(rail, what, this.options.clock()));
    const made = JSON.stringify([reached, credentials, previous_credentials, on_name_difference, allowed]);
    if (known?.made === made && isUsable(known)) return { ...known, rail };
    try {
      const inForce = await this.#credentials(rail);
      const outbound = known?.reached === reached ? known.outbound : undefined;
      const opened = outbound ?? openOutbound(rail, this.#surroundings());
      const adapters = adaptersOf(rail, inForce, opened, this.#surroundings());
      this.options.conditions.unusable(rail.name, null);
      return { rail, reached, made, outbound: opened, adapters };
    } catch (err) {
      const code = err instanceof CredentialsMissing ? err.code : 'cannot-be-opened';
      if (known?.made !== made) this.options.onError('a rail cannot be used', { rail: rail.name, err });
      this.options.conditions.unusable(rail.name, code);
      return { rail, reached, made, outbound: known?.reached === reached ? known.outbound : undefined, adapters: {} };
    }
  }

  #surroundings(): AdapterSurroundings {
    return { ...this.options, report: (report) => this.options.conditions.report(report) };
  }

  async #credentials({ name, credentials, previous_credentials }: Rail): Promise<CredentialsInForce> {
    const read = async (stored: StoredCredentials) => {
      const found = await this.options.credentials.read(name, stored.version);
      if (!found) throw new CredentialsMissing('credentials-missing', `version ${stored.version} of the credentials is not there`);
      const [now, then] = [fingerprintsOf(found), stored.fingerprints].map((all) => all.map(({ field, sha256 }) => `${field} ${sha256}`).sort());
      if (now!.join() !== then!.join()) throw new CredentialsMissing('credentials-differ', `version ${stored.version} of the credentials is another`);
      return found;
    };
    // Without the previous ones calls continue; messages signed with them are rejected.
    const previous = previous_credentials && (await read(previous_credentials).catch(() => null));
    return { current: await read(credentials), previous: previous ?? undefined };
  }

  #close(outbound: Outbound): void {
    this.#closing.add(outbound);
    setTimeout(() => {
      if (this.#closing.delete(outbound)) void outbound.close();
    }, CLOSED_AFTER_MS).unref();
  }

  /** Reports to the other processes the conditions that calls of this one have met. */
  async #say(): Promise<void> {
    const { conditions, shared } = this.options;
    const met = new Map<string, readonly RailCondition[]>(this.rails.map(({ name }) => [name, conditions.of(name)]));
    const all = [...met].filter(([, each]) => each.length > 0);
    const text = JSON.stringify(all);
    const isOld = performance.now() - this.#said.atMs > SAY_EVERY_MS;
    if (text === this.#said.text && (all.length === 0 || !isOld)) return;
    try {
      await shared.say(new Map(all));
      this.#said = { text, atMs: performance.now() };
    } catch (err) {
      this.options.onError('cannot publish the state of the rails', { err });
    }
  }

  #routed(merchantId: string, mode: 'test' | 'live', use: string): { readonly open: OpenRail; readonly merchant_name_id: string | null } | undefined {
    const own = this.options.ownRoute(merchantId, use);
    const open = this.#open.get(own?.rail ?? this.state.routes.get(routeKey(mode, use)) ?? '');
    // Checked when the route was set, and again here, because live money must never use a sandbox.
    if (!open || servedBy(open.rail) !== mode) return undefined;
    return { open, merchant_name_id: own?.merchant_name_id ?? null };
  }

  #processorRoute(merchantId: string, mode: 'test' | 'live', channelCode: string): ReturnType<ProcessorRoutes['route']> {
    const routed = this.#routed(merchantId, mode, channelCode);
    if (!routed) return undefined;
    const { processor } = routed.open.adapters;
    if (!processor) return isUsable(routed.open) ? undefined : 'unusable';
    return { processor, merchant_name_id: routed.merchant_name_id, is_stopped: isStopped(routed.open, 'create') };
  }

  #bankRoute(merchantId: string, mode: 'test' | 'live', currency: string): BankRoute | undefined {
    return bankRouteOf(this.#routed(merchantId, mode, payoutUse(currency))?.open);
  }
}

/** False while its credentials cannot be read, or make no adapter. */
const isUsable = ({ adapters }: OpenRail): boolean => (adapters.processor ?? adapters.bank) !== undefined;

/** True when an operator has paused the rail, or the circuit of `endpoint` refuses calls. */
const isStopped = ({ rail, outbound }: OpenRail, endpoint: string): boolean => rail.paused !== null || (outbound?.isOpen(endpoint) ?? false);

function bankRouteOf(open: OpenRail | undefined): BankRoute | undefined {
  const bank = open?.adapters.bank;
  return open && bank && { bank, is_stopped: isStopped(open, 'pay'), is_on_trial: open.outbound?.isOnTrial('pay') ?? false };
}

class CredentialsMissing extends Error {
  override readonly name = 'CredentialsMissing';
  constructor(
    readonly code: 'credentials-missing' | 'credentials-differ',
    message: string,
  ) {
    super(message);
  }
}
