import { EventEmitter, once } from 'node:events';
import { connect, createServer, type AddressInfo, type Server as TcpServer, type Socket } from 'node:net';
import { Metadata, Server, ServerCredentials, status, type ServerDuplexStream, type ServerWritableStream } from '@grpc/grpc-js';
import gossip from '@eventstore/db-client/generated/gossip_pb.js';
import { GossipService } from '@eventstore/db-client/generated/gossip_grpc_pb.js';
import { ServerFeaturesService } from '@eventstore/db-client/generated/serverfeatures_grpc_pb.js';
import serverFeatures from '@eventstore/db-client/generated/serverfeatures_pb.js';
import shared from '@eventstore/db-client/generated/shared_pb.js';
import googleStatus from '@eventstore/db-client/generated/status_pb.js';
import { StreamsService } from '@eventstore/db-client/generated/streams_grpc_pb.js';
import streams from '@eventstore/db-client/generated/streams_pb.js';
import googleAny from 'google-protobuf/google/protobuf/any_pb.js';
import googleEmpty from 'google-protobuf/google/protobuf/empty_pb.js';

/** An event as the server keeps it: bytes. */
export interface StoredEvent {
  readonly stream: string;
  readonly revision: number;
  readonly position: bigint;
  /** Ticks of .NET since 1970, 100 ns each. */
  readonly created: bigint;
  readonly id: string;
  readonly type: string;
  readonly isJson: boolean;
  readonly data: Uint8Array;
  readonly metadata: Uint8Array;
}

type ProposedEvent = Pick<StoredEvent, 'id' | 'type' | 'isJson' | 'data' | 'metadata'>;

/** A fault of an append. With `before` the append is not written, with `after` it is. */
export type AppendFault =
  /** Every connection of this node breaks. */
  | 'cut-before'
  | 'cut-after'
  /** No answer ever comes. */
  | 'silent-before'
  | 'silent-after'
  /** The node gave up waiting for the others. */
  | 'timeout-before'
  | 'timeout-after'
  | 'busy'
  | 'denied'
  /** The node learns in the middle of it that another leads. */
  | 'not-leader'
  | 'answered-twice'
  /** The answer of an index that does not have the event yet. */
  | 'without-position';

/** Numbers of the real server: EventStore.Core/Services/Transport/Grpc/Enumerators.cs, 23.10. */
const LIVE_EVENTS_AHEAD_MAX = 32;
const READ_BATCH_SIZE = 32;
const APPEND_BYTES_MAX = 1_048_576;
const NO_STREAM = -1;
/** Bytes of a record beside the texts of its event: of the lengths, flags, ids and numbers that the server writes. */
const RECORD_BYTES = 69;
/** Records differ in size by more than their texts, so that no log of another history has its records at the same positions. */
const RECORD_BYTES_SPREAD = 97;
const TICKS_PER_MS = 10_000n;

/** The log that the nodes of a cluster share. Each append is one turn of the event loop: replication is instant here. */
export class EventStoreDBLog extends EventEmitter<{ appended: [StoredEvent] }> {
  readonly events: StoredEvent[] = [];
  readonly #streams = new Map<string, StoredEvent[]>();
  #position = 0n;
  /** Records ever written, the lost ones included. */
  #written = 0;

  constructor() {
    super();
    this.setMaxListeners(0);
  }

  stream(name: string): readonly StoredEvent[] {
    return this.#streams.get(name) ?? [];
  }

  /** IndexWriter.CheckCommit. @param expected revision, -1: no stream, 'any' */
  append(stream: string, expected: number | 'any', proposed: readonly ProposedEvent[]): { written: StoredEvent } | { current: number } {
    const known = this.#streams.get(stream) ?? [];
    const current = known.length - 1;
    if (expected !== 'any' && expected < current) {
      const isThere = proposed.every(({ id }, index) => known[expected + 1 + index]?.id === id);
      return isThere ? { written: known[expected + proposed.length]! } : { current };
    }
    // At the current revision the server does not compare ids: it writes an event that it already has again.
    if (expected !== 'any' && expected > current) return { current };
    this.#streams.set(stream, known);
    for (const event of proposed) {
      // Like the real server, positions are places in the log in bytes.
      this.#written += 1;
      const texts = stream.length + event.type.length + event.data.length + event.metadata.length;
      this.#position += BigInt(RECORD_BYTES + ((this.#written * 31) % RECORD_BYTES_SPREAD) + texts);
      const stored = { ...event, stream, revision: known.length, position: this.#position, created: BigInt(Date.now()) * TICKS_PER_MS };
      known.push(stored);
      this.events.push(stored);
      this.emit('appended', stored);
    }
    return { written: known.at(-1)! };
  }

  /** Put back to an older state: without the newest `count` events, whose revisions and positions are used again. */
  lose(count: number): void {
    for (const { stream } of this.events.splice(Math.max(this.events.length - count, 0)).reverse()) this.#streams.get(stream)!.pop();
    this.#position = this.events.at(-1)?.position ?? 0n;
  }

  /** Place of the first event at or behind the position. @throws when the log reaches that far and no record begins there, as the server's reader. */
  indexFrom(position: bigint): number {
    const index = this.#indexOf(position);
    const at = this.events[index];
    if (at !== undefined && at.position !== position) throw new Error('Exception was thrown by handler.');
    return index;
  }

  #indexOf(position: bigint): number {
    let [low, high] = [0, this.events.length];
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (this.events[middle]!.position < position) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}

/**
 * One node that speaks EventStoreDB's gRPC interface as 23.10 does, as far as our engine needs it, on loopback.
 * Messages and semantics follow the server's source; faults are injected where they happen there.
 */
export class EventStoreDBServer {
  /** Asked for every append. */
  onAppend: (stream: string) => AppendFault | undefined = () => undefined;
  /** Another node that leads. */
  leader: EventStoreDBServer | undefined;
  /** No node leads: reads fail as they do during an election. */
  isLeaderless = false;
  /** Every event of a subscription comes twice. */
  sendsTwice = false;
  /** From a log without events, a subscription receives a checkpoint at the end of all numbers before it is caught up: 24.2 to 24.10. */
  sendsCheckpointOfNowhere = false;
  /** Subscriptions are kept open, and no event reaches them any more. */
  isMute = false;
  /** Subscriptions that were ended because their consumer was too slow. */
  tooSlow = 0;
  /** The address by which other nodes and clients find it. */
  address = '127.0.0.1';
  batchCalls = 0;
  /** Subscriptions that were caught up. */
  subscriptions = 0;
  /** Reads of any kind, subscriptions included. */
  reads = 0;
  /** Reads of the log forwards. */
  pages = 0;
  readonly #grpc = new Server({ 'grpc.max_receive_message_length': 17 * 1_048_576 });
  readonly #sockets = new Set<Socket>();
  #front: TcpServer | undefined;
  #grpcPort = 0;
  #port = 0;

  constructor(readonly log = new EventStoreDBLog()) {
    this.#grpc.addService(StreamsService, {
      read: (call: ReadCall) => void this.#read(call),
      batchAppend: (call: BatchCall) => this.#batchAppend(call),
    });
    this.#grpc.addService(ServerFeaturesService, {
      getSupportedMethods: (_: unknown, answer: (error: null, methods: serverFeatures.SupportedMethods) => void) => answer(null, supportedMethods()),
    });
    this.#grpc.addService(GossipService, {
      read: (_: unknown, answer: (error: null, info: gossip.ClusterInfo) => void) => answer(null, this.#clusterInfo()),
    });
  }

  /** @param tls absent: without TLS. */
  static async start(log?: EventStoreDBLog, tls = ServerCredentials.createInsecure()): Promise<EventStoreDBServer> {
    const server = new EventStoreDBServer(log);
    server.#grpcPort = await new Promise<number>((resolve, reject) => {
      server.#grpc.bindAsync('127.0.0.1:0', tls, (error, port) => (error ? reject(error) : resolve(port)));
    });
    await server.accept();
    return server;
  }

  get url(): string {
    return `esdb://127.0.0.1:${this.#port}?tls=false`;
  }

  get port(): number {
    return this.#port;
  }

  /** Number of open connections from clients. */
  get connections(): number {
    return this.#sockets.size / 2;
  }

  /** Takes connections, always at the same port. */
  async accept(): Promise<void> {
    this.#front = createServer((client) => {
      const upstream = connect(this.#grpcPort, '127.0.0.1');
      for (const [from, to] of [
        [client, upstream],
        [upstream, client],
      ] as const) {
        this.#sockets.add(from);
        from.setNoDelay();
        from.pipe(to);
        from.on('error', () => undefined);
        from.on('close', () => {
          this.#sockets.delete(from);
          to.destroy();
        });
      }
    });
    this.#front.listen(this.#port, '127.0.0.1');
    await once(this.#front, 'listening');
    this.#port = (this.#front.address() as AddressInfo).port;
  }

  /** Breaks every connection, and takes new ones. */
  cut(): void {
    for (const socket of this.#sockets) socket.resetAndDestroy();
  }

  /** Breaks every connection, and takes none until `accept`. */
  async refuse(): Promise<void> {
    const closed = once(this.#front!, 'close');
    this.#front!.close();
    this.cut();
    await closed;
  }

  async stop(): Promise<void> {
    if (this.#front!.listening) await this.refuse();
    this.#grpc.forceShutdown();
  }

  #clusterInfo(): gossip.ClusterInfo {
    const info = new gossip.ClusterInfo();
    const leader = this.leader ?? this;
    const { LEADER, FOLLOWER } = gossip.MemberInfo.VNodeState;
    for (const node of new Set([this, leader])) {
      const endPoint = new gossip.EndPoint();
      endPoint.setAddress(node.address);
      endPoint.setPort(node.port);
      const member = new gossip.MemberInfo();
      member.setInstanceId(uuid('00000000-0000-4000-8000-000000000000'));
      member.setState(node === leader ? LEADER : FOLLOWER);
      member.setIsAlive(true);
      member.setHttpEndPoint(endPoint);
      info.addMembers(member);
    }
    return info;
  }

  #batchAppend(call: BatchCall): void {
    this.batchCalls += 1;
    call.on('error', () => undefined);
    call.on('data', (request: streams.BatchAppendReq) => this.#append(call, request));
    call.on('end', () => call.end());
  }

  /** Appends come whole: no append of ours is larger than a message. */
  #append(call: BatchCall, request: streams.BatchAppendReq): void {
    const options = request.getOptions()!;
    const stream = textOf(options.getStreamIdentifier()!.getStreamName_asU8());
    if (this.leader) return failNotLeader(call, this.leader);
    const fault = this.onAppend(stream);
    if (fault === 'not-leader') return failNotLeader(call, this.leader ?? this);
    if (fault === 'cut-before') return this.cut();
    if (fault === 'silent-before') return;

    const answer = (set: (response: streams.BatchAppendResp) => void): void => {
      const response = new streams.BatchAppendResp();
      response.setCorrelationId(request.getCorrelationId());
      response.setStreamIdentifier(options.getStreamIdentifier());
      set(response);
      call.write(response);
      if (fault === 'answered-twice') call.write(response);
    };
    const answerError = (name: string, message: string, details: Uint8Array): void =>
      answer((response) => {
        const any = new googleAny.Any();
        any.pack(details, name);
        const error = new googleStatus.Status();
        error.setMessage(message);
        error.setDetails(any);
        response.setError(error);
      });
    const answerTimeout = (): void => answerError('event_store.client.Timeout', 'Timeout', new shared.Timeout().serializeBinary());

    if (fault === 'timeout-before') return answerTimeout();
    if (fault === 'busy') return answerError('google.protobuf.Empty', 'Server Is Busy', new googleEmpty.Empty().serializeBinary());
    if (fault === 'denied') return answerError('event_store.client.AccessDenied', 'AccessDenied', new shared.AccessDenied().serializeBinary());

    const events = request.getProposedMessagesList().map(proposedEvent);
    const bytes = events.reduce((sum, { type, data, metadata }) => sum + 2 * type.length + data.length + metadata.length, 0);
    if (bytes > APPEND_BYTES_MAX) {
      const exceeded = new shared.MaximumAppendSizeExceeded();
      exceeded.setMaxappendsize(APPEND_BYTES_MAX);
      return answerError('event_store.client.MaximumAppendSizeExceeded', 'MaximumAppendSizeExceeded', exceeded.serializeBinary());
    }
    const result = this.log.append(stream, expectedRevision(options), events);
    if (fault === 'cut-after') return this.cut();
    if (fault === 'silent-after') return;
    if (fault === 'timeout-after') return answerTimeout();
    if ('current' in result) {
      const wrong = new shared.WrongExpectedVersion();
      if (result.current === NO_STREAM) wrong.setCurrentNoStream(new googleEmpty.Empty());
      else wrong.setCurrentStreamRevision(String(result.current));
      if (options.hasNoStream()) wrong.setExpectedNoStream(new googleEmpty.Empty());
      else wrong.setExpectedStreamPosition(options.getStreamPosition());
      return answerError('event_store.client.WrongExpectedVersion', 'WrongExpectedVersion', wrong.serializeBinary());
    }
    answer((response) => {
      const success = new streams.BatchAppendResp.Success();
      success.setCurrentRevision(String(result.written.revision));
      const position = new shared.AllStreamPosition();
      const place = fault === 'without-position' ? String(2n ** 64n - 1n) : String(result.written.position);
      position.setCommitPosition(place);
      position.setPreparePosition(place);
      success.setPosition(position);
      response.setSuccess(success);
    });
  }

  async #read(call: ReadCall): Promise<void> {
    this.reads += 1;
    call.on('error', () => undefined);
    const options = call.request.getOptions()!;
    if (this.isLeaderless) return fail(call, status.UNKNOWN, 'No leader info available in response');
    if (this.leader && call.metadata.get('requires-leader')[0] === 'true') return failNotLeader(call, this.leader);
    try {
      if (options.hasSubscription()) await this.#subscription(call, options);
      else if (options.hasStream()) await this.#readStream(call, options);
      else await this.#readAll(call, options);
    } catch (error) {
      fail(call, status.UNKNOWN, (error as Error).message);
    }
  }

  async #readStream(call: ReadCall, options: streams.ReadReq.Options): Promise<void> {
    const which = options.getStream()!;
    const name = which.getStreamIdentifier()!;
    const events = this.log.stream(textOf(name.getStreamName_asU8()));
    if (events.length === 0) {
      const notFound = new streams.ReadResp.StreamNotFound();
      notFound.setStreamIdentifier(name);
      const response = new streams.ReadResp();
      response.setStreamNotFound(notFound);
      call.write(response);
      return void call.end();
    }
    const from = which.hasRevision() ? Number(which.getRevision()) : undefined;
    const chosen =
      options.getReadDirection() === streams.ReadReq.Options.ReadDirection.FORWARDS
        ? events.slice(from ?? 0)
        : events.slice(0, (from ?? Infinity) + 1).reverse();
    await send(call, chosen.slice(0, Number(options.getCount())).map(eventResponse));
    call.end();
  }

  /** ReadAllBackwardsFiltered, from the end; ReadAllForwardsFiltered, from the event at the position on, to the end of the log. */
  async #readAll(call: ReadCall, options: streams.ReadReq.Options): Promise<void> {
    const isForwards = options.getReadDirection() === streams.ReadReq.Options.ReadDirection.FORWARDS;
    if (isForwards) this.pages += 1;
    const from = options.getAll()!.getPosition()?.getCommitPosition();
    const { events } = this.log;
    const asked = isForwards ? events.slice(from === undefined ? 0 : this.log.indexFrom(BigInt(from))) : events.toReversed();
    await send(call, asked.filter(filterOf(options)).slice(0, Number(options.getCount())).map(eventResponse));
    call.end();
  }

  /** Enumerators.AllSubscriptionFiltered: pages until the end of the log, then appended events, with a buffer of 32. */
  async #subscription(call: ReadCall, options: streams.ReadReq.Options): Promise<void> {
    const matches = filterOf(options);
    const filter = options.getFilter();
    // Without a filter there are no checkpoints.
    const interval = filter ? filter.getMax() * filter.getCheckpointintervalmultiplier() : Infinity;
    const after = options.getAll()!.getPosition()?.getCommitPosition();
    // The event at the position is known to the client. A position behind the end of the log is accepted.
    let index = after === undefined ? 0 : this.log.indexFrom(BigInt(after)) + 1;
    let considered = 0;
    const responsesOf = (event: StoredEvent): streams.ReadResp[] => {
      const responses = matches(event) ? [eventResponse(event)] : [];
      if (this.sendsTwice) responses.push(...responses);
      considered += 1;
      if (considered % interval === 0) responses.push(checkpoint(event.position));
      return responses;
    };
    const confirmation = new streams.ReadResp();
    confirmation.setConfirmation(new streams.ReadResp.SubscriptionConfirmation());
    call.write(confirmation);
    while (index < this.log.events.length && !isOver(call) && !this.isMute) {
      const page = this.log.events.slice(index, index + READ_BATCH_SIZE);
      index += page.length;
      await send(call, page.flatMap(responsesOf));
    }
    if (isOver(call)) return;
    if (this.sendsCheckpointOfNowhere && this.log.events.length === 0) call.write(checkpoint(2n ** 64n - 1n));
    const caughtUp = new streams.ReadResp();
    caughtUp.setCaughtUp(new streams.ReadResp.CaughtUp());
    call.write(caughtUp);
    this.subscriptions += 1;

    const waiting: StoredEvent[] = [];
    let isSending = false;
    const pump = async (): Promise<void> => {
      isSending = true;
      for (let event; (event = waiting.shift()) && !isOver(call);) await send(call, responsesOf(event));
      isSending = false;
    };
    const onAppended = (event: StoredEvent): void => {
      if (this.isMute) return;
      waiting.push(event);
      if (waiting.length > LIVE_EVENTS_AHEAD_MAX) {
        leave();
        this.tooSlow += 1;
        fail(call, status.ABORTED, 'Operation timed out: Consumer too slow to handle event while live. Client resubscription required.');
      } else if (!isSending) void pump();
    };
    const leave = (): void => void this.log.off('appended', onAppended);
    this.log.on('appended', onAppended);
    for (const event of ['cancelled', 'close', 'error']) call.on(event, leave);
    if (isOver(call)) leave();
  }
}

type BatchCall = ServerDuplexStream<streams.BatchAppendReq, streams.BatchAppendResp>;
type ReadCall = ServerWritableStream<streams.ReadReq, streams.ReadResp>;

async function send(call: ReadCall, responses: readonly streams.ReadResp[]): Promise<void> {
  for (const response of responses) {
    if (isOver(call)) return;
    if (call.write(response)) continue;
    const wakers = ['drain', 'cancelled', 'close', 'error'] as const;
    await new Promise<void>((resolve) => {
      const wake = (): void => {
        for (const event of wakers) call.off(event, wake);
        resolve();
      };
      for (const event of wakers) call.on(event, wake);
    });
  }
}

const isOver = (call: ReadCall): boolean => call.cancelled || call.writableEnded || call.destroyed;

function fail(call: BatchCall | ReadCall, code: status, message: string, metadata = new Metadata()): void {
  call.emit('error', Object.assign(new Error(message), { code, details: message, metadata }));
}

function failNotLeader(call: BatchCall | ReadCall, leader: EventStoreDBServer): void {
  const metadata = new Metadata();
  metadata.set('exception', 'not-leader');
  metadata.set('leader-endpoint-host', '127.0.0.1');
  metadata.set('leader-endpoint-port', String(leader.port));
  fail(call, status.NOT_FOUND, 'Leader info available', metadata);
}

function supportedMethods(): serverFeatures.SupportedMethods {
  const methods = new serverFeatures.SupportedMethods();
  methods.setEventStoreServerVersion('23.10.6');
  for (const name of ['batchappend', 'read']) {
    const method = new serverFeatures.SupportedMethod();
    method.setServiceName('event_store.client.streams.streams');
    method.setMethodName(name);
    methods.addMethods(method);
  }
  return methods;
}

function expectedRevision(options: streams.BatchAppendReq.Options): number | 'any' {
  if (options.hasNoStream()) return NO_STREAM;
  return options.hasStreamPosition() ? Number(options.getStreamPosition()) : 'any';
}

function proposedEvent(message: streams.BatchAppendReq.ProposedMessage): ProposedEvent {
  const metadata = message.getMetadataMap();
  return {
    id: message.getId()!.getString(),
    type: metadata.get('type')!,
    isJson: metadata.get('content-type') === 'application/json',
    data: message.getData_asU8(),
    metadata: message.getCustomMetadata_asU8(),
  };
}

function eventResponse({ stream, revision, position, created, id, type, isJson, data, metadata }: StoredEvent): streams.ReadResp {
  const event = new streams.ReadResp.ReadEvent.RecordedEvent();
  const name = new shared.StreamIdentifier();
  name.setStreamName(Buffer.from(stream));
  event.setStreamIdentifier(name);
  event.setId(uuid(id));
  event.setStreamRevision(String(revision));
  event.setCommitPosition(String(position));
  event.setPreparePosition(String(position));
  event
    .getMetadataMap()
    .set('type', type)
    .set('content-type', isJson ? 'application/json' : 'application/octet-stream')
    .set('created', String(created));
  event.setData(data);
  event.setCustomMetadata(metadata);
  const read = new streams.ReadResp.ReadEvent();
  read.setEvent(event);
  read.setCommitPosition(String(position));
  const response = new streams.ReadResp();
  response.setEvent(read);
  return response;
}

function checkpoint(position: bigint): streams.ReadResp {
  const reached = new streams.ReadResp.Checkpoint();
  reached.setCommitPosition(String(position));
  reached.setPreparePosition(String(position));
  const response = new streams.ReadResp();
  response.setCheckpoint(reached);
  return response;
}

function filterOf(options: streams.ReadReq.Options): (event: StoredEvent) => boolean {
  const filter = options.getFilter();
  const [types, names] = [filter?.getEventType(), filter?.getStreamIdentifier()];
  const matcher = (expression: streams.ReadReq.Options.FilterOptions.Expression): ((text: string) => boolean) => {
    const regex = expression.getRegex();
    return regex === '' ? (text) => expression.getPrefixList().some((prefix) => text.startsWith(prefix)) : (text) => new RegExp(regex).test(text);
  };
  if (types) return ({ type }) => matcher(types)(type);
  return names ? ({ stream }) => matcher(names)(stream) : () => true;
}

function uuid(text: string): shared.UUID {
  const id = new shared.UUID();
  id.setString(text);
  return id;
}

function textOf(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString('utf8');
}
