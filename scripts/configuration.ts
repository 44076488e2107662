import { ENVIRONMENT } from '../src/app/config.js';

type Variable = Exclude<keyof typeof ENVIRONMENT.shape, 'NODE_ENV'>;

/** Meaning of a variable, and the behaviour without one that has no default. */
interface Words {
  readonly meaning: string;
  readonly otherwise?: string;
}

/** Variables by group, in the order of the page. */
const GROUPS: readonly (readonly [title: string, Readonly<Partial<Record<Variable, Words>>>])[] = [
  [
    'Addresses',
    {
      HOST: { meaning: 'The address to listen on.' },
      PORT: { meaning: 'The port to listen on; 0 picks a free one.' },
      PUBLIC_URL: {
        meaning: 'The address under which clients reach the service; part of the addresses of payment pages.',
        otherwise: 'the listening address',
      },
      TRUSTED_PROXIES: {
        meaning:
          'Addresses and networks of the proxies in front of it, whose `X-Forwarded-For` it trusts ([sizing](operations-reference.md#sizing)).',
        otherwise: 'none',
      },
    },
  ],
  [
    'Stores and secrets',
    {
      DATA_DIR: { meaning: 'The folder of the embedded Postgres, the encryption key and `holidays.json`.' },
      DATABASE_URL: {
        meaning: 'Any Postgres ≥ 15 ([TLS, poolers, schema](operations-reference.md#the-address-of-postgres)).',
        otherwise: 'the embedded Postgres',
      },
      READ_DATABASE_URL: { meaning: 'A replica of that Postgres, for reads.', otherwise: 'reads use `DATABASE_URL`' },
      EVENTSTORE_URL: {
        meaning: '[KurrentDB, or EventStoreDB ≥ 23.10](eventstoredb.md); with `+discover` the DNS name of a cluster.',
        otherwise: 'the embedded engine in that Postgres',
      },
      POINT_IN_TIME_URL: {
        meaning: 'A database on the server for [past moments](projections.md#as-of-a-past-moment); not a pooler.',
        otherwise: '`DATABASE_URL`',
      },
      POINT_IN_TIME_MAX: { meaning: 'The maximum of open moments; 0 allows none.' },
      POINT_IN_TIME_DAYS: { meaning: 'The days after its last use on which a moment is closed.' },
      ENCRYPTION_KEY: {
        meaning: 'Required in production (`NODE_ENV=production`). Back it up, apart from the stores ([backup](operations.md#backup)).',
        otherwise: 'created once in `DATA_DIR`',
      },
    },
  ],
  [
    'Processes',
    {
      ROLES: {
        meaning: 'The tasks of this process: `api`, `projector`, `worker`.',
        otherwise: 'all; projector and worker in a child process if there are two cores',
      },
      API_PROCESSES: {
        meaning:
          'The number of processes with `api` that share Postgres; with more, each takes fewer [connections](operations-reference.md#connections). `--workers` sets it.',
      },
      RATE_LIMIT_PER_SECOND: {
        meaning: 'Requests of a merchant per process, and of an internet address without a key; bursts of twice that; 0 turns the limit off.',
      },
    },
  ],
  [
    'Payments and books',
    {
      CHARGE_TTL_SECONDS: { meaning: 'The time for which charges stay payable.', otherwise: 'QR 30 minutes, others 24 hours' },
      SETTLEMENT_INTERVAL_SECONDS: { meaning: 'The interval between settlements.' },
      DISPUTE_REMINDER_SECONDS: { meaning: 'The times before `due_by` at which a merchant is reminded of a dispute.' },
      BOOKS_TIMEZONE: { meaning: 'The time zone of the [months](closing.md) of the books; the same in every process.' },
    },
  ],
  [
    'Webhooks',
    {
      WEBHOOK_ALLOW_PRIVATE: { meaning: 'Allows endpoints in private networks.' },
      WEBHOOK_RETRY_SECONDS: { meaning: 'The delay before each retry.' },
    },
  ],
  [
    'Logs, metrics and traces',
    {
      LOG_LEVEL: { meaning: 'The lowest level that is logged.' },
      LOG_FORMAT: { meaning: '`text` has short lines for people.', otherwise: '`text` on a terminal, else `json`' },
      METRICS_PORT: {
        meaning: 'The port on which a process with projector or worker serves `/health/live`, `/health/ready` and `/metrics`.',
        otherwise: 'not served',
      },
      OTEL_EXPORTER_OTLP_ENDPOINT: {
        meaning: 'An OpenTelemetry collector that receives traces over HTTP, such as `http://collector:4318`.',
        otherwise: 'no traces',
      },
      OTEL_TRACES_SAMPLER_ARG: { meaning: 'The fraction of traces that is sent.' },
      SECURITY_CONTACT: {
        meaning: 'Your contact for security reports, served at [/.well-known/security.txt](operations-reference.md#security-contact).',
        otherwise: 'none, and 404 there',
      },
    },
  ],
];

const HEAD = `# Configuration

<!-- Written by "npm run generate" from src/app/config.ts. -->

For operators. The service reads its configuration from the environment, and in development also from a file \`.env\` in the current directory (\`NAME=value\` lines). An invalid value stops the start with one line that names it; a blank value counts as absent.

\`holidays.json\` in \`DATA_DIR\`, such as \`{"ID":["2026-12-25"]}\`, is recorded in the log once, before it has any holidays; later \`calendar set\` changes them, and a file that differs is a warning.
`;

/** Returns the text of docs/configuration.md: every variable with its meaning, valid values and default. */
export function configurationPage(): string {
  const groups = GROUPS.map(
    ([title, variables]) => `## ${title}

| Variable | Meaning | Values | Default |
|---|---|---|---|
${Object.entries(variables)
  .map(([name, words]) => rowOf(name as Variable, words))
  .join('\n')}
`,
  );
  return [HEAD, ...groups].join('\n');
}

function rowOf(name: Variable, { meaning, otherwise }: Words): string {
  const schema = ENVIRONMENT.shape[name];
  const fallback = String(schema.parse(undefined) ?? '');
  if ((fallback === '') !== (otherwise !== undefined)) throw new Error(`${name}: either it has a default, or words for its absence`);
  return `| \`${name}\` | ${meaning} | ${(schema.description ?? 'any text').replaceAll('|', '\\|')} | ${otherwise ?? `\`${fallback}\``} |`;
}
