import { createRequire } from 'node:module';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import type { EventStoreDBClient } from '@eventstore/db-client';

const LIBRARY = '@eventstore/db-client';
/** Private files of the library that src imports, and why: decision 16. */
const PRIVATE: Readonly<Record<string, { readonly names: readonly string[]; readonly why: string }>> = {
  'dist/Client/parseConnectionString.js': {
    names: ['parseConnectionString'],
    why: 'EventStoreDBClient.connectionString() keeps what it has read to itself',
  },
  'generated/streams_pb.js': { names: ['ReadReq', 'BatchAppendResp'], why: 'messages of the protocol' },
  'generated/shared_pb.js': { names: ['Empty', 'StreamIdentifier', 'WrongExpectedVersion'], why: 'messages of the protocol' },
};

const require = createRequire(import.meta.url);

/** Paths below the library that a file of src imports. */
function privateImports(directory: string): readonly (readonly [file: string, path: string])[] {
  return readdirSync(directory, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts'))
    .map((name) => join(directory, name))
    .flatMap((file) => [...readFileSync(file, 'utf8').matchAll(/'@eventstore\/db-client\/([^']+)'/g)].map(([, path]) => [file, path!] as const));
}

/** Returns the module, or an error message for the person that updates the library. */
function load(path: string): Record<string, unknown> | string {
  const { version } = require(`${LIBRARY}/package.json`) as { version: string };
  try {
    return require(`${LIBRARY}/${path}`) as Record<string, unknown>;
  } catch (error) {
    return `${LIBRARY} ${version} has no file ${path} any more, which src imports: see docs/decisions/0016 (${(error as Error).message.split('\n')[0]})`;
  }
}

describe('imports from the EventStoreDB client library', () => {
  it('code imports only the public interface and the private files that are listed here', () => {
    const imported = [...privateImports('src'), ...privateImports('projections'), ...privateImports('tools')];
    expect(imported.filter(([, path]) => !(path in PRIVATE))).toEqual([]);
    expect(new Set(imported.map(([, path]) => path))).toEqual(new Set(Object.keys(PRIVATE)));
  });

  it.each(Object.entries(PRIVATE))('private file still exports its names: %s', (path, { names }) => {
    const found = load(path);
    expect(found).toEqual(expect.any(Object));
    expect(names.filter((name) => typeof (found as Record<string, unknown>)[name] !== 'function')).toEqual([]);
  });

  it('reads a connection string into the options that the engine uses', () => {
    const { parseConnectionString } = load('dist/Client/parseConnectionString.js') as { parseConnectionString: (text: string) => unknown };
    const url =
      'esdb+discover://user:p%40ss@a:1,b:2?tls=true&tlsCAFile=/ca&userCertFile=/crt&userKeyFile=/key&connectionName=x' +
      '&keepAliveInterval=1&keepAliveTimeout=2&maxDiscoverAttempts=3&discoveryInterval=4&gossipTimeout=5';
    expect(parseConnectionString(url)).toEqual({
      dnsDiscover: true,
      defaultCredentials: { username: 'user', password: 'p@ss' },
      hosts: [
        { address: 'a', port: 1 },
        { address: 'b', port: 2 },
      ],
      tls: true,
      tlsCAFile: '/ca',
      userCertFile: '/crt',
      userKeyFile: '/key',
      connectionName: 'x',
      keepAliveInterval: 1,
      keepAliveTimeout: 2,
      maxDiscoverAttempts: 3,
      discoveryInterval: 4,
      gossipTimeout: 5,
    });
  });

  it('offers the search for a leader to classes that extend its client', async () => {
    const { EventStoreDBClient: Client } = require(LIBRARY) as { EventStoreDBClient: typeof EventStoreDBClient };
    class Search extends Client {
      uri = () => this.resolveUri();
    }
    expect(await new Search({ endpoint: { address: 'a', port: 1 } }, { insecure: true }).uri()).toBe('a:1');
  });
});
