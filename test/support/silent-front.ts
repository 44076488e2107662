import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type NetConnectOpts, type Socket } from 'node:net';
import { pipeline, Transform, type TransformCallback } from 'node:stream';
import { eventually } from './eventually.js';

/**
 * A network between a client and a server on this machine, which can fall silent: connections stay, new ones are made, and no byte
 * arrives. When it heals, the bytes sent meanwhile arrive late, as TCP sends them again.
 */
export class SilentFront {
  #isSilent = false;
  readonly #held: (() => void)[] = [];
  readonly #sockets = new Set<Socket>();
  readonly #server;

  private constructor(private readonly to: NetConnectOpts) {
    this.#server = createServer((client) => {
      const upstream = connect(this.to);
      for (const socket of [client, upstream]) {
        this.#sockets.add(socket);
        socket.setNoDelay();
        socket.once('close', () => this.#sockets.delete(socket));
      }
      for (const [from, to] of [
        [client, upstream],
        [upstream, client],
      ] as const) {
        const wire = new Transform({ transform: (bytes: Buffer, _, done) => this.#pass(bytes, done) });
        pipeline(from, wire, to, () => undefined);
      }
    });
  }

  static async to(server: NetConnectOpts): Promise<SilentFront> {
    const front = new SilentFront(server);
    front.#server.listen(0, '127.0.0.1');
    await once(front.#server, 'listening');
    return front;
  }

  get port(): number {
    return (this.#server.address() as AddressInfo).port;
  }

  fallSilent(): void {
    this.#isSilent = true;
  }

  /** Resolves when it is silent and has held back bytes. */
  heldBack(): Promise<void> {
    return eventually(() => this.#held.length > 0);
  }

  heal(): void {
    this.#isSilent = false;
    for (const pass of this.#held.splice(0)) pass();
  }

  async stop(): Promise<void> {
    this.heal();
    const closed = once(this.#server, 'close');
    this.#server.close();
    for (const socket of this.#sockets) socket.destroy();
    await closed;
  }

  #pass(bytes: Buffer, done: TransformCallback): void {
    if (this.#isSilent) this.#held.push(() => this.#pass(bytes, done));
    else done(null, bytes);
  }
}
