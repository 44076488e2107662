import { once } from 'node:events';
import { createServer } from 'node:net';
import { ConfigError } from '../platform/config-error.js';
import type { Config } from './config.js';

type Address = Pick<Config, 'host' | 'port'>;

/** The address cannot be listened on: taken, not of this machine, or not ours to take. */
const ADDRESS_CODES: ReadonlySet<unknown> = new Set(['EADDRINUSE', 'EADDRNOTAVAIL', 'EACCES', 'ENOTFOUND', 'EAI_AGAIN']);

/** Before anything is started: whoever has started a second service reads why it ends in one line. @throws ConfigError */
export async function requireFreeAddress(address: Address): Promise<void> {
  const probe = createServer();
  await toldApart(address, async () => {
    probe.listen({ host: address.host, port: address.port, exclusive: true });
    await once(probe, 'listening');
  });
  await new Promise((resolve) => probe.close(resolve));
}

/** Listens as `listen` does. @throws ConfigError where the address is the reason that it fails */
export async function toldApart<T>({ host, port }: Address, listen: () => Promise<T>): Promise<T> {
  try {
    return await listen();
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (!ADDRESS_CODES.has(code)) throw error;
    throw new ConfigError(`HOST, PORT: cannot listen on ${host}:${port} (${code})`);
  }
}
