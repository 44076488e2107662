import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ServerCredentials } from '@grpc/grpc-js';
import { afterAll, afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { discoverLeader } from '../../src/platform/event-store/eventstoredb/eventstoredb-discovery.js';
import { EventStoreDBEventStore } from '../../src/platform/event-store/eventstoredb/eventstoredb-event-store.js';
import { certificate } from '../support/certificate.js';
import { newEvent } from '../support/events.js';
import { EventStoreDBServer } from '../support/eventstoredb-server.js';

const IN_ONE_ATTEMPT = { maxDiscoverAttempts: 1, gossipTimeout: 1 };
const INSECURE = { insecure: true };

describe('the search for the leader of a cluster', () => {
  let follower: EventStoreDBServer;
  let leader: EventStoreDBServer;
  const at = ({ port }: { port: number }) => ({ address: '127.0.0.1', port });

  beforeEach(async () => {
    leader = await EventStoreDBServer.start();
    follower = await EventStoreDBServer.start(leader.log);
    follower.leader = leader;
  });
  afterEach(() => Promise.all([leader.stop(), follower.stop()]));

  it('finds the leader by the gossip of a follower', async () => {
    expect(await discoverLeader({ endpoints: [at(follower)], ...IN_ONE_ATTEMPT }, INSECURE)).toEqual(at(leader));
    expect(await discoverLeader({ discover: at(follower), ...IN_ONE_ATTEMPT }, INSECURE)).toEqual(at(leader));
  });

  it('asks no failed node while another one answers', async () => {
    let asked = 0;
    const broken = createServer((socket) => {
      asked += 1;
      socket.destroy();
    });
    await once(broken.listen(0, '127.0.0.1').unref(), 'listening');
    const failed = at(broken.address() as AddressInfo);
    // The library asks nodes in random order: ten searches that never reach this one are no chance.
    for (let search = 0; search < 10; search += 1) {
      expect(await discoverLeader({ endpoints: [failed, at(follower)], ...IN_ONE_ATTEMPT }, INSECURE, failed)).toEqual(at(leader));
    }
    expect(asked).toBe(0);
    broken.close();
  });

  it('asks a failed node when no other one answers', async () => {
    await follower.refuse();
    expect(await discoverLeader({ endpoints: [at(leader), at(follower)], ...IN_ONE_ATTEMPT }, INSECURE, at(leader))).toEqual(at(leader));
    expect(await discoverLeader({ endpoints: [at(leader)], ...IN_ONE_ATTEMPT }, INSECURE, at(leader))).toEqual(at(leader));
    await follower.accept();
  });

  it('the search for the leader fails when no node answers', async () => {
    await leader.refuse();
    await expect(discoverLeader({ endpoints: [at(leader)], ...IN_ONE_ATTEMPT }, INSECURE)).rejects.toThrow('Failed to discover');
    await leader.accept();
  });
});

describe('a cluster with TLS', () => {
  const directory = mkdtempSync(join(tmpdir(), 'chargebook-tls-'));
  const { key, cert } = certificate('localhost');
  const tls = ServerCredentials.createSsl(null, [{ private_key: Buffer.from(key), cert_chain: Buffer.from(cert) }]);
  const authority = join(directory, 'ca.crt');
  writeFileSync(authority, cert);
  let node: EventStoreDBServer;

  beforeEach(async () => {
    node = await EventStoreDBServer.start(undefined, tls);
    node.address = 'localhost';
  });
  afterEach(() => node.stop());
  afterAll(() => rmSync(directory, { recursive: true }));

  it('connects to a cluster with TLS by the authority of tlsCAFile', async () => {
    const host = `localhost:${node.port}`;
    const store = new EventStoreDBEventStore({ url: `esdb://${host},${host}?tlsCAFile=${encodeURIComponent(authority)}` });
    expect(await store.append('a', 'no-stream', [newEvent()])).toMatchObject({ ok: true, revision: 0 });
    await store.close();
  });

  it('rejects a cluster with TLS without its authority', async () => {
    const endpoints = [{ address: 'localhost', port: node.port }];
    await expect(discoverLeader({ endpoints, ...IN_ONE_ATTEMPT }, {})).rejects.toThrow('Failed to discover');
  });
});
