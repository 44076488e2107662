import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import fsp from 'node:fs/promises';
import { createServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import pg from 'pg';
import { findBinaries, SERVER_ENVIRONMENT, type Binaries, type RunAs } from '../../src/platform/embedded-postgres/embedded-binaries.js';
import { dataArgument, ensureCluster, readPassword, serverUser, SUPERUSER } from '../../src/platform/embedded-postgres/embedded-cluster.js';
import { eventually } from './eventually.js';

export interface ReplicatedPostgres {
  readonly primaryUrl: string;
  readonly replicaUrl: string;
  stop(): Promise<void>;
}

/** A Postgres and a replica that streams from it: two servers, as an operator would have them on two machines. */
export async function startReplicatedPostgres(): Promise<ReplicatedPostgres> {
  const base = await fsp.mkdtemp(path.join(tmpdir(), 'chargebook-replica-'));
  const [primaryData, replicaData] = [path.join(base, 'primary'), path.join(base, 'replica')];
  const runAs = await serverUser(primaryData);
  const binaries = await findBinaries(runAs, base);
  await ensureCluster(base, primaryData, binaries, runAs);
  const password = readPassword(primaryData);
  const [primaryPort, replicaPort] = [await freePort(), await freePort()];
  const urlOf = (port: number): string => `postgres://${SUPERUSER}:${password}@127.0.0.1:${port}/postgres`;

  const primary = await startServer(binaries, runAs, primaryData, primaryPort, urlOf(primaryPort));
  await copyWhileItRuns(urlOf(primaryPort), primaryData, replicaData);
  await fsp.writeFile(path.join(replicaData, 'standby.signal'), '');
  const source = `host=127.0.0.1 port=${primaryPort} user=${SUPERUSER} password=${password}`;
  await fsp.appendFile(path.join(replicaData, 'postgresql.auto.conf'), `primary_conninfo = '${source}'\n`);
  await ownedBy(replicaData, runAs);
  const replica = await startServer(binaries, runAs, replicaData, replicaPort, urlOf(replicaPort));
  return {
    primaryUrl: urlOf(primaryPort),
    replicaUrl: urlOf(replicaPort),
    async stop() {
      for (const [server, port] of [
        [replica, replicaPort],
        [primary, primaryPort],
      ] as const) {
        await untilLeft(urlOf(port));
        const ended = once(server, 'exit');
        server.kill('SIGINT'); // a fast shutdown
        await ended;
      }
      await fsp.rm(base, { recursive: true, force: true });
    },
  };
}

/** A pool ends before its sessions do: a session that the server cuts off meanwhile is an unhandled error. */
async function untilLeft(url: string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  client.on('error', () => undefined);
  await client.connect();
  const others = `select 1 from pg_stat_activity where backend_type = 'client backend' and pid <> pg_backend_pid()`;
  await eventually(async () => (await client.query(others)).rowCount === 0, 2_000).catch(() => undefined);
  await client.end();
}

/** Copies the data as pg_basebackup does (Postgres manual, 25.3.3), which the package of the server lacks. */
async function copyWhileItRuns(url: string, from: string, to: string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    await client.query(`select pg_backup_start('replica', true)`);
    await fsp.cp(from, to, { recursive: true, filter: (file) => !/(^|\/)(postmaster\.(pid|opts)|\.s\.PGSQL\..*)$/.test(file) });
    const { rows } = await client.query<{ labelfile: string }>('select labelfile from pg_backup_stop(false)');
    await fsp.writeFile(path.join(to, 'backup_label'), rows[0]!.labelfile);
  } finally {
    await client.end();
  }
}

async function startServer(binaries: Binaries, runAs: RunAs, data: string, port: number, url: string): Promise<ChildProcess> {
  const settings = {
    listen_addresses: '127.0.0.1',
    port,
    unix_socket_directories: '',
    shared_buffers: '32MB',
    wal_level: 'replica',
    max_wal_senders: 3,
  };
  const flags = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
  const server = spawn(binaries.postgres, ['-D', dataArgument(data, runAs), ...flags], {
    ...runAs,
    cwd: data,
    env: SERVER_ENVIRONMENT,
    stdio: 'ignore',
  });
  await eventually(async () => {
    const client = new pg.Client({ connectionString: url });
    client.on('error', () => undefined);
    const isThere = await client.connect().then(
      () => true,
      () => false,
    );
    await client.end().catch(() => undefined);
    return isThere;
  }, 30_000);
  return server;
}

async function ownedBy(directory: string, { uid, gid }: RunAs): Promise<void> {
  await fsp.chmod(directory, 0o700);
  if (uid === undefined) return;
  await fsp.chown(directory, uid, gid!);
  for (const entry of await fsp.readdir(directory, { recursive: true })) await fsp.lchown(path.join(directory, entry), uid, gid!);
}

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}
