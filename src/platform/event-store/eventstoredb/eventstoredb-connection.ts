import { setMaxListeners } from 'node:events';
import { readFileSync } from 'node:fs';
import { Client, connectivityState, credentials, Metadata, status } from '@grpc/grpc-js';
import type { ChannelCredentials, ClientDuplexStream, ClientReadableStream } from '@grpc/grpc-js';
import { parseConnectionString, type ConnectionOptions } from '@eventstore/db-client/dist/Client/parseConnectionString.js';
import type { ChannelCredentialOptions, EndPoint } from '@eventstore/db-client';
import type { ReadReq } from '@eventstore/db-client/generated/streams_pb.js';
import { StoreUnavailable } from '../event-store.js';
import { appendAnswer, readAnswer, type AppendAnswer, type ReadAnswer } from './eventstoredb-messages.js';

/** Options of the client's connection string that this engine supports. All others would have no effect. */
const OPTIONS = new Set([
  'tls',
  'tlscafile',
  'usercertfile',
  'userkeyfile',
  'connectionname',
  'keepaliveinterval',
  'keepalivetimeout',
  'maxdiscoverattempts',
  'discoveryinterval',
  'gossiptimeout',
]);
/** Options that this engine supports with one value only, which may be given. Its deadlines are its own, and shorter than any default. */
const FIXED: Readonly<Partial<Record<string, RegExp>>> = { nodepreference: /^leader$/i, tlsverifycert: /^true$/i, defaultdeadline: /^\d+$/ };
const KEEPALIVE_INTERVAL_MS = 10_000;
/** A host that is lost silently is noticed within this and the interval. */
const KEEPALIVE_TIMEOUT_MS = 4_000;
const FIRST_RECONNECT_MS = 50;
const LONGEST_RECONNECT_MS = 1_000;
/** Maximum time for which a client that is closed waits for its connection. */
const CONNECTED_WITHIN_MS = 1_000;
/** An event may have 16 MB in the server's log, whichever client wrote it. */
const RECEIVED_BYTES_MAX = 17 * 1_048_576;
/** Bytes that the server may send before they are acknowledged: some milliseconds of reading. gRPC's own 64 KB are 80 events. */
const WINDOW_BYTES = 1_048_576;
const NEVER = -1;
/** Details that grpc-js gives a call that `cancel()` ended; a server's CANCELLED has other details. */
const CANCELLED_HERE = 'Cancelled on client';
const CLOSED = new StoreUnavailable('the event store is closed');
const SERVICE = '/event_store.client.streams.Streams';

export type BatchAppendCall = ClientDuplexStream<Buffer, AppendAnswer>;
export type ReadCall = ClientReadableStream<ReadAnswer>;

/** Invalid connection string; the message is one line without any of its secrets. */
export class InvalidConnectionString extends Error {
  override readonly name = 'InvalidConnectionString';
}

/** One connection to the node that is known as the leader. Over when that turns out wrong. */
export interface Session {
  readonly streams: Client;
  /** Aborts when the connection is given up, with the reason as an Error: calls that still run may reach a node that no longer leads. */
  readonly over: AbortSignal;
}

type Connected = Session & { readonly endpoint: EndPoint; readonly end: AbortController };

/**
 * Finds the leader and keeps a connection to it. The client library parses the connection string, discovers a cluster and defines the messages; the
 * channel is our own, because the library's waits up to two minutes before it connects again.
 */
export class EventStoreDBConnection {
  readonly #options: ConnectionOptions;
  readonly #certificates: ChannelCredentialOptions;
  readonly #credentials: ChannelCredentials;
  /** The leader that a previous leader named. */
  #namedLeader: EndPoint | undefined;
  #failed: EndPoint | undefined;
  #session: Promise<Connected> | undefined;
  #closed = false;

  /** Connects at its first use. @throws InvalidConnectionString */
  constructor(url: string) {
    this.#options = parse(url);
    this.#certificates = certificates(this.#options);
    this.#credentials = channelCredentials(this.#certificates);
  }

  /** Hosts of the connection string, without secrets, for people. */
  get address(): string {
    return this.#options.hosts.map(({ address, port }) => `${address}:${port}`).join(',');
  }

  /** @throws StoreUnavailable when no node of a cluster answers */
  session(): Promise<Session> {
    if (this.#closed) return Promise.reject(CLOSED);
    if (!this.#session) {
      const session = this.#connect();
      this.#session = session;
      session.catch(() => {
        if (this.#session === session) this.#session = undefined;
      });
    }
    return this.#session;
  }

  /** One call for all appends of the process: each message is an append, each answer names the append it is about. */
  batchAppend({ streams }: Session): BatchAppendCall {
    return quiet(streams.makeBidiStreamRequest(`${SERVICE}/BatchAppend`, asIs, appendAnswer, this.#metadata(), { deadline: Infinity }));
  }

  /** @param answerWithinMs absent: without a limit, as for a subscription. */
  read({ streams }: Session, request: ReadReq, answerWithinMs = Infinity): ReadCall {
    const deadline = answerWithinMs === Infinity ? Infinity : Date.now() + answerWithinMs;
    return quiet(streams.makeServerStreamRequest(`${SERVICE}/Read`, bytesOf, readAnswer, request, this.#metadata(), { deadline }));
  }

  /** Called with every failed call: it may mean that another node leads. */
  async failed(session: Session, error: unknown): Promise<void> {
    if (isCancelledHere(error)) return;
    const leader = leaderNamedIn(error);
    const isAway = codeOf(error) === status.UNAVAILABLE || codeOf(error) === status.CANCELLED;
    const current = await this.#session?.catch(() => undefined);
    if (!current || current !== session || !(leader || isAway)) return;
    // A single node's channel connects again by itself.
    if (!leader && this.#options.hosts.length === 1 && !this.#options.dnsDiscover && !this.#namedLeader) return;
    this.#namedLeader = leader;
    this.#failed = current.endpoint;
    this.#session = undefined;
    end(current, leader ? new Error(`another node leads: ${leader.address}:${leader.port}`) : (error as Error));
  }

  async close(): Promise<void> {
    this.#closed = true;
    const session = await this.#session?.catch(() => undefined);
    if (session) end(session, CLOSED);
  }

  async #connect(): Promise<Connected> {
    const endpoint = this.#namedLeader ?? (await this.#discover());
    const { keepAliveInterval = KEEPALIVE_INTERVAL_MS, keepAliveTimeout = KEEPALIVE_TIMEOUT_MS } = this.#options;
    const streams = new Client(`${endpoint.address}:${endpoint.port}`, this.#credentials, {
      // Otherwise the next connection would be the same broken one.
      'grpc.use_local_subchannel_pool': 1,
      'grpc.initial_reconnect_backoff_ms': FIRST_RECONNECT_MS,
      'grpc.max_reconnect_backoff_ms': LONGEST_RECONNECT_MS,
      'grpc.keepalive_time_ms': keepAliveInterval === NEVER ? Number.MAX_SAFE_INTEGER : keepAliveInterval,
      'grpc.keepalive_timeout_ms': keepAliveTimeout === NEVER ? Number.MAX_SAFE_INTEGER : keepAliveTimeout,
      'grpc.max_receive_message_length': RECEIVED_BYTES_MAX,
      'grpc-node.flow_control_window': WINDOW_BYTES,
    });
    const over = new AbortController();
    // Every subscription adds a listener.
    setMaxListeners(0, over.signal);
    const session = { streams, over: over.signal, endpoint, end: over };
    if (this.#closed) end(session, CLOSED);
    return session;
  }

  async #discover(): Promise<EndPoint> {
    const { hosts, dnsDiscover, discoveryInterval = 100, maxDiscoverAttempts = 10, gossipTimeout = 2 } = this.#options;
    if (hosts.length === 1 && !dnsDiscover) return hosts[0]!;
    const how = { discoveryInterval, maxDiscoverAttempts, gossipTimeout, nodePreference: 'leader' as const };
    const where = dnsDiscover ? { discover: hosts[0]! } : { endpoints: hosts };
    try {
      // Loads the whole library, which a single node does not need.
      const { discoverLeader } = await import('./eventstoredb-discovery.js');
      return await discoverLeader({ ...how, ...where }, this.#certificates, this.#failed);
    } catch (error) {
      throw new StoreUnavailable(`no node of ${this.address} answers`, { cause: error });
    }
  }

  #metadata(): Metadata {
    const { defaultCredentials: user, connectionName = 'chargebook', tls } = this.#options;
    const metadata = new Metadata();
    metadata.set('connection-name', connectionName);
    // Decisions depend on reads, and freshness on subscriptions.
    metadata.set('requires-leader', 'true');
    if (user && tls !== false) metadata.set('authorization', `Basic ${Buffer.from(`${user.username}:${user.password}`).toString('base64')}`);
    return metadata;
  }
}

/** @returns true when it is connected; false when it is not connected in time. */
export async function isReady({ streams, over }: Session, withinMs: number): Promise<boolean> {
  if (over.aborted) return false;
  const ready = new Promise<boolean>((resolve) => {
    streams.waitForReady(Date.now() + withinMs, (error) => resolve(!error));
  });
  return (await ready) && !over.aborted;
}

/** Returns gRPC's status code of a failed call. */
export function codeOf(error: unknown): number | undefined {
  const code = (error as { code?: unknown } | null)?.code;
  return typeof code === 'number' ? code : undefined;
}

export function isAccessDenied(error: unknown): boolean {
  return codeOf(error) === status.PERMISSION_DENIED || codeOf(error) === status.UNAUTHENTICATED;
}

/** A reader has cancelled its call, and the connection works; in a cluster, giving it up would end all other calls as well. */
function isCancelledHere(error: unknown): boolean {
  return codeOf(error) === status.CANCELLED && (error as { details?: unknown }).details === CANCELLED_HERE;
}

function leaderNamedIn(error: unknown): EndPoint | undefined {
  const { metadata } = error as { metadata?: Metadata };
  if (!(metadata instanceof Metadata) || metadata.get('exception')[0] !== 'not-leader') return undefined;
  const [address, port] = [metadata.get('leader-endpoint-host')[0], Number(metadata.get('leader-endpoint-port')[0])];
  return address !== undefined && Number.isInteger(port) ? { address: String(address), port } : undefined;
}

const asIs = (message: Buffer): Buffer => message;

const bytesOf = (request: ReadReq): Buffer => Buffer.from(request.serializeBinary());

/** A call that was cancelled fails once more, when it has no listener any longer. */
function quiet<Call extends { on(event: 'error', listener: () => void): unknown }>(call: Call): Call {
  call.on('error', () => undefined);
  return call;
}

/** gRPC leaves the connection of a client open that was closed while it connected, so such a client is closed once it has connected. */
function end({ streams, end }: Connected, why: Error): void {
  end.abort(why);
  if (streams.getChannel().getConnectivityState(false) !== connectivityState.CONNECTING) streams.close();
  else streams.waitForReady(Date.now() + CONNECTED_WITHIN_MS, () => streams.close());
}

function parse(url: string): ConnectionOptions {
  const [, base = '', query = ''] = /^([^?]*)\??(.*)$/s.exec(url)!;
  const pairs = query === '' ? [] : query.split('&');
  const heeded = pairs.filter((pair) => {
    const [name = '', value = ''] = pair.split('=');
    const option = name.toLowerCase().replace(/[_-]/g, '');
    const fixed = FIXED[option];
    // The library prints an option that it does not know, and the password with it.
    if (!fixed && !OPTIONS.has(option)) throw new InvalidConnectionString(`the option "${name}" is not supported`);
    if (fixed && !fixed.test(value)) throw new InvalidConnectionString(`this value of the option "${name}" is not supported`);
    return !fixed;
  });
  try {
    // KurrentDB is the later name of the same server.
    const options = parseConnectionString([base.replace(/^kurrentdb(?=[:+])/i, 'esdb'), ...(heeded.length > 0 ? [heeded.join('&')] : [])].join('?'));
    // Its patterns accept a user without a password as a host.
    if (options.hosts.some(({ address }) => address === '' || address.includes('@'))) throw new Error('expected username:password@host.');
    return options;
  } catch (error) {
    throw new InvalidConnectionString(/expected [^"]*$/.exec((error as Error).message)?.[0] ?? 'it cannot be read');
  }
}

function certificates({ tls, tlsCAFile, userCertFile, userKeyFile }: ConnectionOptions): ChannelCredentialOptions {
  if (tls === false) return { insecure: true };
  if ((userCertFile === undefined) !== (userKeyFile === undefined)) {
    throw new InvalidConnectionString('userCertFile and userKeyFile belong together');
  }
  return {
    ...(tlsCAFile !== undefined && { rootCertificate: contentOf('tlsCAFile', tlsCAFile) }),
    ...(userKeyFile !== undefined && { userKeyFile: contentOf('userKeyFile', userKeyFile) }),
    ...(userCertFile !== undefined && { userCertFile: contentOf('userCertFile', userCertFile) }),
  };
}

function contentOf(option: string, path: string): Buffer {
  try {
    return readFileSync(path);
  } catch {
    throw new InvalidConnectionString(`${option} "${path}" cannot be read`);
  }
}

function channelCredentials({ insecure, rootCertificate, userKeyFile, userCertFile }: ChannelCredentialOptions): ChannelCredentials {
  return insecure ? credentials.createInsecure() : credentials.createSsl(rootCertificate, userKeyFile, userCertFile);
}
