import { once } from 'node:events';

export default async function globalTeardown() {
  const server = globalThis.testPostgresServer;
  if (!server || server.exitCode !== null) return;
  server.stdin.end();
  await once(server, 'exit');
}
