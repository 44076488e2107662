import type { Client } from 'undici';

/** Of one origin, as many as deliveries of one endpoint are under way at once; of all, so that memory is bounded. */
const PER_ORIGIN_MAX = 64;
const TOTAL_MAX = 512;
/** A connection is used for so long: a name that has come to lead elsewhere is looked up again. */
const USED_FOR_MS = 30_000;

/** Connections that have answered and are open, by origin, until one is taken, the receiver closes it or it was idle for 4 s. */
export class ConnectionPool {
  readonly #kept = new Map<string, Client[]>();
  readonly #openedMs = new WeakMap<Client, number>();
  #count = 0;

  /** One that was kept, for the caller alone. */
  take(origin: string): Client | undefined {
    // The newest first: the receiver is least about to close it.
    for (let client = this.#pop(origin); client; client = this.#pop(origin)) {
      if (performance.now() - this.#openedMs.get(client)! < USED_FOR_MS) return client;
      letGo(client);
    }
    return undefined;
  }

  /** Watches a connection that is about to be opened: one that breaks is never given out. */
  opened(origin: string, client: Client): void {
    this.#openedMs.set(client, performance.now());
    client.on('disconnect', () => {
      this.#openedMs.delete(client);
      this.#remove(origin, client);
      letGo(client);
    });
  }

  /** Gives back one whose answer was read to its end. */
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

/** Not awaited: a receiver that does not let go must not hold us. */
export function letGo(client: Client): void {
  void client.destroy().catch(() => undefined);
}
