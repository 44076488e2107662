import { beforeAll, describe, expect, it } from '@jest/globals';
import { cruise, type ICruiseResult, type IForbiddenRuleType } from 'dependency-cruiser';

const RESOURCES = 'charges|payouts|accounts|settlements|customers|balances|merchants';
const LEAVES = '^src/(money|time|decider|channels|terms)\\.ts$';
const OURS = '^(src|projections)/';

/** Who may import whom (docs: CONTRIBUTING.md). Each rule forbids what is not listed in `pathNot`. */
const RULES: IForbiddenRuleType[] = [
  { name: 'no cycles', severity: 'error', from: {}, to: { circular: true } },
  { name: 'money, time and the decider type are leaves', severity: 'error', from: { path: '^src/(money|time|decider)\\.ts$' }, to: { path: OURS } },
  {
    name: 'events import events and money',
    severity: 'error',
    from: { path: '\\.events\\.ts$' },
    to: { pathNot: ['\\.events\\.ts$', '^src/money\\.ts$'] },
  },
  {
    name: 'postings know facts only',
    severity: 'error',
    from: { path: '^src/ledger/postings\\.ts$' },
    to: { pathNot: ['\\.events\\.ts$', '^src/money\\.ts$'] },
  },
  {
    name: 'deciders are pure: no Nest, no I/O, nothing of the platform',
    severity: 'error',
    from: { path: '\\.decider\\.ts$' },
    to: {
      path: ['node_modules', '^src/platform', '^src/ledger', '^src/core', '^src/config', '\\.handlers\\.ts$', '\\.controller\\.ts$', '^projections/'],
      dependencyTypesNot: ['type-only'],
    },
  },
  { name: 'deciders use nothing of Node', severity: 'error', from: { path: '\\.decider\\.ts$' }, to: { dependencyTypes: ['core'] } },
  { name: 'the Merkle tree is pure', severity: 'error', from: { path: '^src/audit/merkle-tree\\.ts$' }, to: { path: OURS } },
  { name: 'the platform knows nothing of ours', severity: 'error', from: { path: '^src/platform/' }, to: { path: OURS, pathNot: '^src/platform/' } },
  {
    name: 'projections know facts, the ledger and Postgres',
    severity: 'error',
    from: { path: '^projections/' },
    to: {
      path: OURS,
      pathNot: [
        '\\.events\\.ts$',
        LEAVES,
        '^src/ledger/',
        '^src/platform/(postgres|projector|event-store)/',
        '^src/webhooks/notices\\.ts$',
        '^projections/',
      ],
    },
  },
  {
    name: 'controllers reach decisions through commands only',
    severity: 'error',
    from: { path: '\\.controller\\.ts$' },
    to: { path: '\\.decider\\.ts$' },
  },
  {
    name: 'resources share facts only, and payouts act on the account',
    severity: 'error',
    from: { path: `^src/(${RESOURCES})/` },
    to: { path: `^src/(${RESOURCES})/`, pathNot: ['^src/$1/', '\\.events\\.ts$', '^src/accounts/'] },
  },
  {
    name: 'what finance reads, and statements, decide nothing',
    severity: 'error',
    from: { path: '^src/(audit|statements)/' },
    to: { path: ['\\.decider\\.ts$', '\\.handlers\\.ts$'] },
  },
  {
    name: 'the account knows facts only',
    severity: 'error',
    from: { path: '^src/accounts/' },
    to: { path: `^src/(${RESOURCES})/`, pathNot: ['^src/accounts/', '\\.events\\.ts$'] },
  },
  {
    name: 'the console reads: read models, the audit side, facts, and the helpers of pages',
    severity: 'error',
    from: { path: '^src/console/' },
    to: {
      path: OURS,
      pathNot: [
        '^src/console/',
        '^projections/',
        '^src/audit/',
        '^src/platform/',
        '^src/ledger/',
        '^src/pages/(assets|document|format|html|send-page)\\.ts$',
        '^src/merchants/known-merchants\\.ts$',
        '^src/core\\.ts$',
        '\\.events\\.ts$',
        LEAVES,
      ],
    },
  },
  { name: 'nothing is built upon the console', severity: 'error', from: { pathNot: '^src/(console/|app\\.module)' }, to: { path: '^src/console/' } },
];

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
  }, 60_000);

  it('was looked at', () => {
    expect(result.summary.totalCruised).toBeGreaterThan(50);
  });

  it.each(RULES.map(({ name }) => name!))('%s', (name) => {
    const violations = result.summary.violations.filter(({ rule }) => rule.name === name);
    expect(violations.map(({ from, to }) => `${from} → ${to}`)).toEqual([]);
  });
});
