import { beforeAll, describe, expect, it } from '@jest/globals';
import { readdirSync, readFileSync } from 'node:fs';
import { cruise, type ICruiseResult, type IForbiddenRuleType } from 'dependency-cruiser';

/**
 * The one rule: a folder imports only folders further down this list, and those on one line do not import each other.
 * A file belongs to the longest name that it begins with; a file that belongs to none is a fault.
 */
const FOLDERS: readonly (readonly string[])[] = [
  ['src/main.ts'],
  ['src/cli'],
  ['src/app'],
  ['src/console'],
  ['src/audit', 'src/checkout'],
  ['src/providers', 'src/rails'],
  ['src/recon'],
  ['src/recon/acts', 'src/recon/formats'],
  ['src/desk'],
  ['src/webhooks'],
  ['src/settlements'],
  ['src/disputes'],
  ['src/payouts'],
  ['src/books'],
  ['src/charges', 'src/customers', 'src/merchants'],
  ['src/accounts'],
  ['projections/books'],
  ['projections/desk'],
  [
    'projections/audit',
    'projections/charges',
    'projections/customers',
    'projections/disputes',
    'projections/payouts',
    'projections/recon',
    'projections/refunds',
    'projections/settlements',
    'projections/webhooks',
  ],
  ['projections/merchants'],
  ['src/ledger'],
  // What knows no charge.
  ['src/platform/http', 'src/platform/projector', 'src/platform/worker'],
  ['src/html', 'src/platform/auth', 'src/platform/event-store/embedded', 'src/platform/event-store/eventstoredb', 'src/platform/embedded-postgres'],
  ['src/platform/event-store'],
  ['src/platform/postgres'],
  ['src/platform/postgres/binary'],
  ['src/platform'],
];

const OURS = '^(src|projections)/';
const EVENTS = '^src/ledger/events/';
const MONEY = '^src/ledger/money\\.ts$';

/** What folders alone do not say. */
const RULES: IForbiddenRuleType[] = [
  { name: 'no cycle of files', severity: 'error', from: {}, to: { circular: true } },
  {
    name: 'money, time and the decider type are leaves',
    severity: 'error',
    from: { path: '^src/ledger/(money|time|decider)\\.ts$' },
    to: { path: OURS },
  },
  { name: 'events import events and money', severity: 'error', from: { path: EVENTS }, to: { pathNot: [EVENTS, MONEY] } },
  { name: 'postings know events only', severity: 'error', from: { path: '^src/ledger/postings\\.ts$' }, to: { pathNot: [EVENTS, MONEY] } },
  {
    name: 'deciders are pure: events, money, time and channels, no Nest, no I/O',
    severity: 'error',
    from: { path: '\\.decider\\.ts$' },
    to: {
      path: ['node_modules', '^src/(app|ledger|platform)/', '^projections/', '\\.handlers\\.ts$', '\\.controller\\.ts$'],
      pathNot: [EVENTS, '^src/ledger/(money|time|decider|channels|days)\\.ts$'],
      dependencyTypesNot: ['type-only'],
    },
  },
  { name: 'deciders use nothing of Node', severity: 'error', from: { path: '\\.decider\\.ts$' }, to: { dependencyTypes: ['core'] } },
  { name: 'the Merkle tree is pure', severity: 'error', from: { path: '^src/audit/merkle-tree\\.ts$' }, to: { path: OURS } },
  {
    name: 'controllers reach decisions through commands only',
    severity: 'error',
    from: { path: '\\.controller\\.ts$' },
    to: { path: '\\.decider\\.ts$' },
  },
  {
    name: 'OpenTelemetry is loaded only where it is wanted',
    severity: 'error',
    from: { pathNot: '^src/platform/tracing/opentelemetry\\.ts$' },
    to: { path: ['node_modules/@opentelemetry/', '^src/platform/tracing/opentelemetry\\.ts$'], dynamic: false },
  },
  {
    name: 'what finance reads decides nothing',
    severity: 'error',
    from: { path: '^src/(audit|books|console)/' },
    to: { path: ['\\.decider\\.ts$', '\\.handlers\\.ts$'] },
  },
];

const all = FOLDERS.flat();
/** The name in the list that `file` belongs to. */
const folderOf = (file: string): string | undefined =>
  all.filter((folder) => file === folder || file.startsWith(`${folder}/`)).sort((a, b) => b.length - a.length)[0];
const lineOf = (folder: string): number => FOLDERS.findIndex((line) => line.includes(folder));

describe('the architecture', () => {
  let result: ICruiseResult;
  beforeAll(async () => {
    const { output } = await cruise(['src', 'projections'], {
      tsPreCompilationDeps: true,
      doNotFollow: { path: 'node_modules' },
      validate: true,
      ruleSet: { forbidden: RULES },
    });
    result = output as ICruiseResult;
  });

  const ours = () => result.modules.filter(({ source }) => new RegExp(OURS).test(source));

  it('was looked at, and every file stands in a folder of the list', () => {
    expect(ours().length).toBeGreaterThan(300);
    expect(ours().filter(({ source }) => folderOf(source) === undefined)).toEqual([]);
    expect(all.filter((folder) => !ours().some(({ source }) => folderOf(source) === folder))).toEqual([]);
  });

  it('imports folders further down only', () => {
    const wrong = ours().flatMap(({ source, dependencies }) =>
      dependencies
        .map(({ resolved }) => ({ from: folderOf(source)!, to: folderOf(resolved), resolved }))
        .filter(({ from, to }) => to !== undefined && from !== to && lineOf(from) >= lineOf(to))
        .map(({ resolved }) => `${source} → ${resolved}`),
    );
    expect(wrong).toEqual([]);
  });

  it.each(RULES.map(({ name }) => name!))('%s', (name) => {
    const violations = result.summary.violations.filter(({ rule }) => rule.name === name);
    expect(violations.map(({ from, to }) => `${from} → ${to}`)).toEqual([]);
  });
});

describe('the buses of @nestjs/cqrs', () => {
  it('are the one for commands: reads are called, and events are followed in the log', () => {
    const sources = readdirSync('src', { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.ts'));
    const imported = sources.flatMap((file) =>
      [...readFileSync(`src/${file}`, 'utf8').matchAll(/import (?:type )?\{([^}]*)\} from '@nestjs\/cqrs'/g)].flatMap(([, names]) =>
        names!.split(',').map((name) => name.replace('type ', '').trim()),
      ),
    );
    expect(new Set(imported)).toEqual(new Set(['CqrsModule', 'CommandBus', 'Command', 'CommandHandler', 'ICommandHandler']));
  });
});
