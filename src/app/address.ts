import { once } from 'node:events';
import { createServer } from 'node:net';
import { ConfigError } from '../platform/process/config-error.js';
import type { Config } from './config.js';

type Address = Pick<Config, 'host' | 'port'>;

/** The service cannot listen on the address: it is taken, does not belong to this machine, or needs other permissions. */
const ADDRESS_CODES: ReadonlySet<unknown> = new Set(['EADDRINUSE', 'EADDRNOTAVAIL', 'EACCES', 'ENOTFOUND', 'EAI_AGAIN']);

/** Checked before anything is started, so that an operator who starts a second service reads the reason in one line. @throws ConfigError */
export async function requireFreeAddress(address: Address): Promise<void> {
  const probe = createServer();
  await toldApart(address, async () => {
    probe.listen({ host: address.host, port: address.port, exclusive: true });
    await once(probe, 'listening');
  });
  await new Promise((resolve) => probe.close(resolve));
}

/** Calls `listen`. @throws ConfigError when it fails because of the address */
export async function toldApart<T>({ host, port }: Address, listen: () => Promise<T>): Promise<T> {
  try {
    return await listen();
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (!ADDRESS_CODES.has(code)) throw error;
    throw new ConfigError(`HOST, PORT: cannot listen on ${host}:${port} (${code})`);
  }
}
