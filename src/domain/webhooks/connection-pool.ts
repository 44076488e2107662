import type { Client } from 'undici';

/** Maximum connections per origin: the maximum concurrent deliveries to one endpoint. TOTAL_MAX bounds the memory. */
const PER_ORIGIN_MAX = 64;
const TOTAL_MAX = 512;
/** Maximum age of a reused connection, ms, so that a changed address of the name is looked up. */
const USED_FOR_MS = 30_000;

/** Open idle connections by origin. One stays until it is taken, the receiver closes it, or it has been idle for 4 s. */
export class ConnectionPool {
  readonly #kept = new Map<string, Client[]>();
  readonly #openedMs = new WeakMap<Client, number>();
  #count = 0;

  /** Takes an idle connection out of the pool, for the caller alone. */
  take(origin: string): Client | undefined {
    // The newest first, because the receiver is least likely to be closing it.
    for (let client = this.#pop(origin); client; client = this.#pop(origin)) {
      if (performance.now() - this.#openedMs.get(client)! < USED_FOR_MS) return client;
      letGo(client);
    }
    return undefined;
  }

  /** Watches a connection before it is opened: one that breaks is never handed out. */
  opened(origin: string, client: Client): void {
    this.#openedMs.set(client, performance.now());
    client.on('disconnect', () => {
      this.#openedMs.delete(client);
      this.#remove(origin, client);
      letGo(client);
    });
  }

  /** Returns a connection whose response was read to its end. */
  keep(origin: string, client: Client): void {
    const ofOrigin = this.#kept.get(origin) ?? [];
    if (!this.#openedMs.has(client) || this.#count >= TOTAL_MAX || ofOrigin.length >= PER_ORIGIN_MAX) return letGo(client);
    ofOrigin.push(client);
    this.#kept.set(origin, ofOrigin);
    this.#count += 1;
  }

  close(): void {
    for (const client of [...this.#kept.values()].flat()) letGo(client);
    this.#kept.clear();
    this.#count = 0;
  }

  #pop(origin: string): Client | undefined {
    const client = this.#kept.get(origin)?.at(-1);
    if (client) this.#remove(origin, client);
    return client;
  }

  #remove(origin: string, client: Client): void {
    const ofOrigin = this.#kept.get(origin);
    const at = ofOrigin?.lastIndexOf(client) ?? -1;
    if (at < 0) return;
    ofOrigin!.splice(at, 1);
    if (ofOrigin!.length === 0) this.#kept.delete(origin);
    this.#count -= 1;
  }
}

/** Not awaited: a receiver that keeps the connection open must not block the caller. */
export function letGo(client: Client): void {
  void client.destroy().catch(() => undefined);
}
