import { describe, expect, it } from '@jest/globals';
import { existsSync, readFileSync } from 'node:fs';
import { parse } from 'yaml';
import { ENVIRONMENT, PUBLISHED_ENCRYPTION_KEY, readConfig } from '../../src/app/config.js';
import { EventStoreDBEventStore } from '../../src/platform/event-store/eventstoredb/eventstoredb-event-store.js';

interface Service {
  readonly image: string;
  readonly build?: string;
  readonly profiles?: readonly string[];
  readonly environment?: Readonly<Record<string, string>>;
  readonly depends_on?: Readonly<Record<string, { readonly condition: string }>>;
  readonly healthcheck?: { readonly test?: readonly string[]; readonly disable?: boolean };
  readonly volumes?: readonly string[];
  readonly ports?: readonly string[];
  readonly entrypoint?: readonly string[];
}

const read = (path: string): string => readFileSync(path, 'utf8');
/** As compose does with nothing set. */
const text = read('docker-compose.yml').replaceAll(/\$\{\w+:-([^}]*)\}/g, '$1');
const file = parse(text, { merge: true }) as { services: Record<string, Service>; volumes: Record<string, null> };
const services = Object.entries(file.services);
const ours = services.filter(([, { build }]) => build !== undefined);
const dockerfile = read('Dockerfile');

describe('docker-compose.yml', () => {
  it('publishes no key that production would take', () => {
    const keys = services.flatMap(([, { environment }]) => environment?.['ENCRYPTION_KEY'] ?? []);
    expect(new Set(keys)).toEqual(new Set([PUBLISHED_ENCRYPTION_KEY]));
  });

  it('serves no metrics through its public port', () => {
    const [, entry] = /^:3000 \{\n(.*)^\}/ms.exec(read('deploy/Caddyfile'))!;
    expect(entry).toMatch(/^\t@metrics path \/metrics\*\n\trespond @metrics 404$/m);
  });

  it('declares the promised services, and EventStoreDB nodes of the version that CI runs', () => {
    expect(services.filter(([, { profiles }]) => profiles === undefined).map(([name]) => name)).toEqual([
      'postgres',
      'eventstore',
      'api-1',
      'api-2',
      'worker',
      'entry',
    ]);
    const nodes = services.filter(([, { image }]) => image.startsWith('docker.kurrent.io/kurrent-lts/kurrentdb:'));
    expect(nodes.map(([, { profiles = [] }]) => profiles)).toEqual([[], ['cluster'], ['cluster'], ['cluster']]);
    // CI tests this version; without secondary indexes, a copy of its files is a backup.
    expect(read('.github/workflows/ci.yml')).toContain(`image: ${nodes[0]![1].image}\n`);
    for (const [, { environment }] of nodes) expect(environment).toMatchObject({ KURRENTDB_SECONDARY_INDEXING__ENABLED: 'false' });
    expect(text).not.toMatch(/\$\{/);
  });

  it.each(ours)('%s has an environment that the service accepts, without unknown names', async (_, { environment = {} }) => {
    expect(Object.keys(environment).filter((name) => !(name in ENVIRONMENT.shape))).toEqual([]);
    expect(readConfig({ ...environment, NODE_ENV: 'development' }).databaseUrl).toBeDefined();
    const ENCRYPTION_KEY = Buffer.alloc(32, 7).toString('base64');
    expect(readConfig({ ...environment, ENCRYPTION_KEY, NODE_ENV: 'production' }).databaseUrl).toBeDefined();
    // The certificate is in the container.
    await new EventStoreDBEventStore({ url: environment.EVENTSTORE_URL!.replace('&tlsCAFile=/certs/ca/ca.crt', '') }).close();
    // Whom it talks to is there.
    const hosts = ['DATABASE_URL', 'READ_DATABASE_URL', 'EVENTSTORE_URL'].flatMap((name) => environment[name]?.match(/[\w-]+(?=:\d+)/g) ?? []);
    expect(hosts.length).toBeGreaterThan(0);
    for (const host of hosts.filter((each) => !/^(chargebook|admin)$/.test(each))) expect(Object.keys(file.services)).toContain(host);
  });

  it('probes processes without an API at their metrics port', () => {
    const background = ours.filter(([, { environment }]) => environment?.ROLES === 'projector,worker');
    expect(background).toHaveLength(2);
    for (const [, { environment, healthcheck }] of background) {
      expect(healthcheck!.test!.join(' ')).toContain(`http://127.0.0.1:${environment!.METRICS_PORT}/health/ready`);
    }
  });

  it.each(services)('%s waits only for services that exist, share its profile and have a health check', (_, { depends_on = {}, profiles = [] }) => {
    const others = Object.keys(depends_on);
    expect(others.map((name) => file.services[name]?.profiles ?? [])).toEqual(others.map(() => profiles));
    for (const [name, { condition }] of Object.entries(depends_on)) {
      const other = file.services[name];
      if (condition === 'service_healthy') {
        expect(other!.healthcheck?.disable).toBeUndefined();
        expect(other!.build !== undefined || other!.healthcheck?.test !== undefined).toBe(true);
      } else expect(condition).toMatch(/^service_(started|completed_successfully)$/);
    }
  });

  it('mounts files that exist and volumes that are declared, none of them in both profiles', () => {
    const users = new Map<string, Set<string>>();
    for (const [, { volumes = [], profiles = ['none'] }] of services) {
      for (const [source = ''] of volumes.map((volume) => volume.split(':'))) {
        if (source.startsWith('./')) expect([source, existsSync(source)]).toEqual([source, true]);
        else users.set(source, new Set([...(users.get(source) ?? []), ...profiles]));
      }
    }
    expect(new Set(users.keys())).toEqual(new Set(Object.keys(file.volumes)));
    for (const profiles of users.values()) expect(profiles.size).toBe(1);
  });

  it('sends requests to processes that serve them, and publishes no port twice', () => {
    const entries = services.filter(([, { image }]) => image.startsWith('caddy:'));
    expect(entries).toHaveLength(2);
    for (const [, { environment }] of entries) {
      for (const upstream of environment!.UPSTREAMS!.split(' ')) {
        const [host, port] = upstream.split(':') as [string, string];
        expect(file.services[host]!.environment!.ROLES).toBe('api');
        expect(dockerfile).toContain(` PORT=${port} `);
      }
    }
    const published = services.flatMap(([, { ports = [] }]) => ports.map((port) => port.split(':')[1]));
    expect(new Set(published).size).toBe(published.length);
  });
});

describe('the Dockerfile', () => {
  it('copies only files that exist and are not ignored', () => {
    const allowed = new Set(
      read('.dockerignore')
        .split('\n')
        .filter((line) => line.startsWith('!'))
        .map((line) => line.slice(1)),
    );
    const copied = [...dockerfile.matchAll(/^COPY (?!--from)(.+) \S+$/gm)]
      .flatMap(([, sources]) => sources!.split(' '))
      .map((path) => path.replace('./', ''));
    expect(copied.length).toBeGreaterThan(5);
    for (const path of copied) expect([path, existsSync(path), allowed.has(path)]).toEqual([path, true, true]);
    for (const path of allowed) expect(copied).toContain(path);
  });

  it('runs the command of npm start, not as root, and asks the service for its readiness', () => {
    const { scripts, bin } = JSON.parse(read('package.json')) as { scripts: Record<string, string>; bin: { chargebook: string } };
    const [, entrypoint] = /^ENTRYPOINT (\[.*\])$/m.exec(dockerfile)!;
    expect((JSON.parse(entrypoint!) as string[]).join(' ')).toBe(scripts.start);
    expect(dockerfile).toContain(`/app/${bin.chargebook}`);
    expect(dockerfile.lastIndexOf('\nUSER node\n')).toBeGreaterThan(dockerfile.lastIndexOf('\nFROM '));
    const [, check] = /HEALTHCHECK .*\\\n +CMD (\[.*\])$/m.exec(dockerfile)!;
    expect(JSON.parse(check!) as string[]).toEqual(['node', '-e', expect.stringContaining('/health/ready')]);
  });
});
