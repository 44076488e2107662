import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { createSecureContext, TLSSocket } from 'node:tls';
import pg from 'pg';
import type { Certified } from './certificate.js';

const SSL_REQUEST = 80_877_103;
/** Parameters that PgBouncer accepts at the start of a connection, unless it is configured to ignore more. */
const TAKEN = new Set(['user', 'database', 'application_name', 'client_encoding', 'datestyle', 'timezone', 'standard_conforming_strings']);

/** A proxy of a Postgres: accepts the start of a connection as a pooler in session mode does, and forwards the other bytes unchanged. */
export class Pooler {
  readonly #sockets = new Set<Socket>();

  private constructor(
    private readonly server: Server,
    private behind: pg.Client,
  ) {}

  /** @param certified offers TLS with it, which ends here */
  static async before(url: string, certified?: Certified): Promise<Pooler> {
    // The driver's client, which reads the URL.
    const behind = new pg.Client({ connectionString: url });
    const server = createServer((client) => pooler.#begin(client, certified));
    const pooler = new Pooler(server, behind);
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    return pooler;
  }

  /** @param query of the URL, with its question mark */
  url(query = ''): string {
    const { user, password, database } = this.behind;
    const { port } = this.server.address() as AddressInfo;
    return `postgres://${user}:${encodeURIComponent(String(password))}@127.0.0.1:${port}/${database}${query}`;
  }

  /** Forwards new connections to the Postgres at `url`, as after a failover; open ones stay where they are. */
  moveTo(url: string): void {
    this.behind = new pg.Client({ connectionString: url });
  }

  async stop(): Promise<void> {
    for (const socket of this.#sockets) socket.destroy();
    this.server.close();
    await once(this.server, 'close');
  }

  #kept<Kept extends Socket>(socket: Kept): Kept {
    this.#sockets.add(socket);
    socket.on('error', () => socket.destroy());
    socket.once('close', () => this.#sockets.delete(socket));
    return socket;
  }

  #begin(client: Socket, certified?: Certified): void {
    this.#kept(client).once('data', (bytes: Buffer) => {
      if (bytes.readInt32BE(4) !== SSL_REQUEST) return this.#start(client, bytes);
      client.write(certified ? 'S' : 'N');
      const next = certified ? this.#kept(new TLSSocket(client, { isServer: true, secureContext: createSecureContext(certified) })) : client;
      next.once('data', (start: Buffer) => this.#start(next, start));
    });
  }

  #start(client: Socket, bytes: Buffer): void {
    const words = bytes.subarray(8, bytes.readInt32BE(0)).toString().split('\0');
    const names = words.filter((name, place) => place % 2 === 0 && name !== '');
    const refused = names.find((name) => !TAKEN.has(name.toLowerCase()));
    if (refused !== undefined) return void client.end(errorResponse(`unsupported startup parameter: ${refused}`));
    const { host, port } = this.behind;
    const upstream = this.#kept(host.startsWith('/') ? connect(`${host}/.s.PGSQL.${port}`) : connect(port, host));
    upstream.write(bytes);
    client.pipe(upstream).pipe(client);
    client.once('close', () => upstream.destroy());
    upstream.once('close', () => client.destroy());
  }
}

function errorResponse(message: string): Buffer {
  const body = Buffer.from(`SFATAL\0VFATAL\0C08P01\0M${message}\0\0`);
  const head = Buffer.alloc(5);
  head.write('E');
  head.writeInt32BE(body.length + 4, 1);
  return Buffer.concat([head, body]);
}
