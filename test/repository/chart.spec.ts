import { execFile } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { promisify } from 'node:util';
import { Ajv } from 'ajv';
import { describe, expect, it } from '@jest/globals';
import { parse, parseAllDocuments } from 'yaml';
import { ENVIRONMENT, readConfig } from '../../src/app/config.js';
import { STATEMENT_BYTES_MAX } from '../../src/domain/reconciliation/statements.dto.js';
import { parseHolidays } from '../../src/domain/calendar/holidays-file.js';

const CHART = 'deploy/helm/chargebook';
const RENDERED = 'deploy/helm/chargebook.rendered.yaml';
const read = (path: string): string => readFileSync(path, 'utf8');

interface Container {
  readonly image: string;
  readonly env: readonly { readonly name: string; readonly value: string }[];
  readonly envFrom: readonly { readonly secretRef: { readonly name: string } }[];
  readonly ports: readonly { readonly name: string; readonly containerPort: number }[];
  readonly [probe: `${string}Probe`]: {
    readonly httpGet: { readonly path: string; readonly port: string };
    readonly periodSeconds: number;
    readonly failureThreshold: number;
  };
}

const objects: any[] = parseAllDocuments(read(RENDERED)).map((document) => document.toJS() as unknown);
const named = (kind: string, name: string): any => objects.find((each) => each.kind === kind && each.metadata.name === name);
const secret = named('Secret', 'chargebook').stringData as Record<string, string>;
const helm = [process.env.HELM_PATH, '/usr/local/bin/helm', '/usr/bin/helm'].find((path) => path !== undefined && existsSync(path));

describe('the Helm chart', () => {
  it('schema accepts the defaults and the values for tests, and rejects wrong values', () => {
    const validate = new Ajv({ strict: false }).compile(JSON.parse(read(`${CHART}/values.schema.json`)) as object);
    const defaults = parse(read(`${CHART}/values.yaml`)) as { ingress: object };
    expect([validate(defaults), validate.errors]).toEqual([true, null]);
    expect([validate(parse(read(`${CHART}/ci/values.yaml`))), validate.errors]).toEqual([true, null]);
    for (const wrong of [{ publicUrl: 'https://x/' }, { replicas: 2 }, { ingress: { ...defaults.ingress, paths: ['/metrics'] } }]) {
      expect([wrong, validate({ ...defaults, ...wrong })]).toEqual([wrong, false]);
    }
  });

  it.each([
    ['api', 'api', 'http'],
    ['background', 'projector,worker', 'metrics'],
  ])('%s: the service accepts the environment of its pods, and probes call its health endpoints', (component, roles, port) => {
    const deployment = named('Deployment', `chargebook-${component}`);
    const { spec, metadata } = deployment.spec.template;
    const [container] = spec.containers as [Container];
    const environment = { ...secret, ...Object.fromEntries(container.env.map(({ name, value }) => [name, value])) };
    expect(container.envFrom).toEqual([{ secretRef: { name: 'chargebook' } }]);
    expect(Object.keys(environment).filter((name) => !(name in ENVIRONMENT.shape))).toEqual([]);
    const config = readConfig(environment);
    expect([config.production, [...config.roles].join(), config.publicUrl]).toEqual([true, roles, 'https://pay.example.com']);
    const listens = component === 'api' ? Number(/ PORT=(\d+)/.exec(read('Dockerfile'))![1]) : config.metricsPort;
    expect(container.ports).toEqual([{ name: port, containerPort: listens }]);
    expect(container.livenessProbe!.httpGet).toEqual({ path: '/health/live', port });
    expect(container.readinessProbe!.httpGet).toEqual({ path: '/health/ready', port });
    expect(container.startupProbe!.httpGet).toEqual({ path: '/health/live', port });
    // Kubernetes kills by the clock: later than any process that works on a busy node needs for a response, or for a start.
    const patience = ({ periodSeconds, failureThreshold }: Container['startupProbe'] & object): number => periodSeconds * failureThreshold;
    expect(patience(container.livenessProbe!)).toBeGreaterThanOrEqual(120);
    expect(patience(container.startupProbe!)).toBeGreaterThanOrEqual(3_600);
    expect(spec).toMatchObject({ automountServiceAccountToken: false, securityContext: { runAsNonRoot: true } });
    expect(container).toMatchObject({ securityContext: { readOnlyRootFilesystem: true, allowPrivilegeEscalation: false } });
    // The service ends within 15 s of SIGTERM, which comes when preStop is over.
    expect(spec.terminationGracePeriodSeconds).toBeGreaterThanOrEqual(15 + 3);
    // Every selector of these pods matches their labels.
    const budget = named('PodDisruptionBudget', `chargebook-${component}`).spec;
    for (const selector of [
      deployment.spec.selector.matchLabels,
      named('Service', `chargebook-${component}`).spec.selector,
      budget.selector.matchLabels,
    ])
      expect(metadata.labels).toMatchObject(selector);
    expect(deployment.spec.replicas).toBeGreaterThan(budget.minAvailable as number);
  });

  it('the ingress accepts the largest body that the service accepts, with the fields of a form', () => {
    const size = named('Ingress', 'chargebook').metadata.annotations['nginx.ingress.kubernetes.io/proxy-body-size'] as string;
    const [, limit] = /client_max_body_size (\w+);/.exec(read('docs/scaling.md'))!;
    for (const each of [size, limit!]) expect([each, Number(/^(\d+)m$/.exec(each)?.[1]) * 1_048_576 > STATEMENT_BYTES_MAX]).toEqual([each, true]);
  });

  it('mounts holidays that the service reads', () => {
    expect(parseHolidays(named('ConfigMap', 'chargebook-holidays').data['holidays.json'] as string, 'holidays.json')).toEqual([
      { country: 'ID', year: 2026, days: ['2026-08-17'] },
    ]);
  });

  it('ingress serves every path but metrics', () => {
    const { paths } = named('Ingress', 'chargebook').spec.rules[0].http as { paths: { path: string }[] };
    const open = paths.map(({ path }) => path);
    const controllers = readdirSync('src', { recursive: true, encoding: 'utf8' }).filter(
      (file) => file.endsWith('.controller.ts') || /(health|metrics)\.ts$/.test(file),
    );
    const served = controllers.flatMap((file) => {
      const text = read(`src/${file}`);
      return [...text.matchAll(/@Controller\((?:'([^']*)')?\)/g)].flatMap(([, prefix]) =>
        prefix === undefined ? [...text.matchAll(/@Get\((?:'([^']*)')?\)/g)].map(([, path = '']) => path) : [prefix],
      );
    });
    expect(served.length).toBeGreaterThan(15);
    const first = new Set(served.map((path) => `/${path.split('/')[0]}`));
    first.delete('/metrics');
    expect(new Set(open)).toEqual(first);
  });

  (helm === undefined ? it.skip : it)(
    `renders as it stands beside it, and passes lint${helm === undefined ? ' (skipped: HELM_PATH names none)' : ''}`,
    async () => {
      const run = promisify(execFile);
      const values = ['-f', `${CHART}/ci/values.yaml`];
      expect((await run(helm!, ['lint', CHART, ...values])).stdout).toContain('0 chart(s) failed');
      const { stdout } = await run(helm!, ['template', 'chargebook', CHART, ...values]);
      expect(parseAllDocuments(stdout).map((document) => document.toJS() as unknown)).toEqual(objects);
      await expect(run(helm!, ['template', 'chargebook', CHART])).rejects.toThrow('secrets.DATABASE_URL, or secrets.existingSecret');
    },
  );
});
