import { execFile } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, it } from '@jest/globals';
import { parse } from 'yaml';

const PROFILE = 'observability';
const FOLDERS = ['deploy/prometheus', 'deploy/grafana', 'deploy/otel', 'deploy/tempo'];

interface Service {
  readonly image: string;
  readonly build?: string;
  readonly profiles?: readonly string[];
  readonly environment?: Readonly<Record<string, string>>;
  readonly command?: readonly string[];
  readonly volumes?: readonly string[];
  readonly ports?: readonly string[];
}

const read = (path: string): string => readFileSync(path, 'utf8');
const yaml = <Content>(path: string): Content => parse(read(path)) as Content;
const compose = read('docker-compose.yml');
const { services } = parse(compose, { merge: true }) as { services: Record<string, Service> };
const watchers = Object.entries(services).filter(([, { profiles }]) => profiles?.includes(PROFILE));
/** The services that run without any profile, and are scraped. */
const watched = Object.entries(services).filter(([, { build, profiles }]) => build !== undefined && profiles === undefined);
/** Host path and container path of every file that a service of the profile is given. */
const mounts = watchers.flatMap(([name, { volumes = [] }]) =>
  volumes
    .map((volume) => volume.split(':'))
    .filter(([from]) => from!.startsWith('./'))
    .map(([from, to, mode]) => ({ name, from: from!.slice(2), to: to!, mode })),
);
const fileAt = (name: string, path: string): string | undefined =>
  mounts
    .filter((mount) => mount.name === name && `${path}/`.startsWith(`${mount.to}/`))
    .map(({ from, to }) => from + path.slice(to.length))
    .find((file) => existsSync(file));
const filesIn = (folder: string): string[] =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .map((name) => join(folder, name))
    .filter((path) => statSync(path).isFile());

const prometheus = yaml<{
  rule_files: string[];
  scrape_configs: {
    job_name: string;
    static_configs?: { targets: string[] }[];
    dns_sd_configs?: { names: string[]; port: number }[];
  }[];
}>('deploy/prometheus/prometheus.yml');
const collector = yaml<{
  receivers: { otlp: { protocols: { http: { endpoint: string } } } };
  processors: object;
  exporters: { otlp: { endpoint: string } };
  service: { pipelines: Record<string, Record<'receivers' | 'processors' | 'exporters', string[]>> };
}>('deploy/otel/collector.yml');
const tempo = yaml<{
  server: { http_listen_port: number };
  distributor: { receivers: { otlp: { protocols: { grpc: { endpoint: string } } } } };
}>('deploy/tempo/tempo.yml');
const { datasources } = yaml<{ datasources: { name: string; type: string; url: string; isDefault?: boolean }[] }>(
  'deploy/grafana/provisioning/datasources/chargebook.yml',
);
const portOf = (endpoint: string): number => Number(endpoint.slice(endpoint.lastIndexOf(':') + 1));

describe('the profile "observability" of docker-compose.yml', () => {
  it('runs Prometheus, a collector, a store of traces and Grafana, each with a fixed version, published to this machine only', () => {
    expect(watchers.map(([name]) => name)).toEqual(['prometheus', 'collector', 'tempo', 'grafana']);
    for (const [name, { image, ports = [] }] of watchers) {
      expect([name, image]).toEqual([name, expect.stringMatching(/^[a-z]+\/[a-z-]+:v?\d+\.\d+\.\d+$/)]);
      for (const port of ports) expect([name, port]).toEqual([name, expect.stringMatching(/^127\.0\.0\.1:\d+:\d+$/)]);
    }
  });

  it('mounts every observability file of deploy, read-only', () => {
    const given = mounts.flatMap(({ from }) => (statSync(from).isFile() ? [from] : filesIn(from)));
    const made = FOLDERS.flatMap(filesIn).filter((file) => !file.endsWith('.test.yml'));
    expect(given.sort()).toEqual(made.sort());
    expect(mounts.filter(({ mode }) => mode !== 'ro')).toEqual([]);
    for (const file of made) expect([file, parse(read(file))]).toEqual([file, expect.any(Object)]);
  });

  it('starts each program with a configuration that it mounts', () => {
    for (const [name, { command = [] }] of watchers) {
      const named = command.flatMap((argument) => /config(?:\.file)?=(.+)$/.exec(argument)?.[1] ?? []);
      for (const path of named) expect([name, path, fileAt(name, path)]).toEqual([name, path, expect.any(String)]);
    }
    for (const name of ['collector', 'tempo']) expect(services[name]!.command?.join()).toContain('.yml');
    // The image reads its configuration from this path.
    expect(fileAt('prometheus', '/etc/prometheus/prometheus.yml')).toBe('deploy/prometheus/prometheus.yml');
  });

  it('scrapes every process of the stack where it has metrics, and nothing else', () => {
    const asked = prometheus.scrape_configs.flatMap(({ static_configs = [], dns_sd_configs = [] }) => [
      ...static_configs.flatMap(({ targets }) => targets),
      ...dns_sd_configs.flatMap(({ names, port }) => names.map((name) => `${name}:${port}`)),
    ]);
    const [, apiPort] = / PORT=(\d+) /.exec(read('Dockerfile'))!;
    const answering = watched.map(([name, { environment }]) => `${name}:${environment!.ROLES === 'api' ? apiPort : environment!.METRICS_PORT}`);
    expect(answering).toHaveLength(3);
    expect(asked.sort()).toEqual(answering.sort());
  });

  it('loads the alert rules, which know its jobs', () => {
    expect(prometheus.rule_files.map((file) => fileAt('prometheus', `/etc/prometheus/${file}`))).toEqual(['deploy/prometheus/chargebook.rules.yml']);
    const [, jobs] = /up\{job=~"([^"]+)"\}/.exec(read('deploy/prometheus/chargebook.rules.yml'))!;
    for (const { job_name } of prometheus.scrape_configs) expect(job_name).toMatch(new RegExp(`^(?:${jobs})$`));
  });

  it('sends traces from the service to Tempo by addresses that are listened on', () => {
    const endpoint = /OTEL_EXPORTER_OTLP_ENDPOINT=(\S+) docker compose --profile observability up/;
    for (const text of [compose, read('docs/operations.md')]) {
      const { hostname, port, protocol } = new URL(endpoint.exec(text)![1]!);
      expect([hostname, Number(port), protocol]).toEqual(['collector', portOf(collector.receivers.otlp.protocols.http.endpoint), 'http:']);
    }
    for (const [, { environment }] of watched) expect(environment!.OTEL_EXPORTER_OTLP_ENDPOINT).toBe('${OTEL_EXPORTER_OTLP_ENDPOINT:-}');
    expect(collector.exporters.otlp.endpoint).toBe(`tempo:${portOf(tempo.distributor.receivers.otlp.protocols.grpc.endpoint)}`);
    for (const pipeline of Object.values(collector.service.pipelines)) {
      for (const kind of ['receivers', 'processors', 'exporters'] as const) {
        expect(Object.keys(collector[kind])).toEqual(expect.arrayContaining(pipeline[kind]));
      }
    }
  });

  it('shows the dashboard over existing data sources', () => {
    expect(datasources.map(({ type, url }) => [type, url])).toEqual([
      ['prometheus', `http://prometheus:${services.prometheus!.ports![0]!.split(':')[2]}`],
      ['tempo', `http://tempo:${tempo.server.http_listen_port}`],
    ]);
    const { templating } = JSON.parse(read('deploy/grafana/chargebook.json')) as { templating: { list: { type: string; query: string }[] } };
    const wanted = templating.list.filter(({ type }) => type === 'datasource').map(({ query }) => query);
    expect(wanted).toEqual(datasources.filter(({ isDefault }) => isDefault).map(({ type }) => type));
    const { providers } = yaml<{ providers: { options: { path: string } }[] }>('deploy/grafana/provisioning/dashboards/chargebook.yml');
    const home = services.grafana!.environment!.GF_DASHBOARDS_DEFAULT_HOME_DASHBOARD_PATH!;
    expect(fileAt('grafana', home)).toBe('deploy/grafana/chargebook.json');
    expect(providers.map(({ options }) => options.path)).toEqual([home.slice(0, home.lastIndexOf('/'))]);
  });

  const promtool = [process.env.PROMTOOL_PATH, '/usr/bin/promtool'].find((path) => path !== undefined && existsSync(path));
  (promtool === undefined ? it.skip : it)(`passes promtool${promtool === undefined ? ' (skipped: PROMTOOL_PATH names none)' : ''}`, async () => {
    expect((await promisify(execFile)(promtool!, ['check', 'config', 'deploy/prometheus/prometheus.yml'])).stdout).toContain('SUCCESS');
  });
});
