import { beforeAll, describe, expect, it } from '@jest/globals';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { cruise, type ICruiseResult, type IForbiddenRuleType } from 'dependency-cruiser';

/**
 * Wings of the source tree, top to bottom, and the rooms of each. A file imports only wings further down the list, and rooms
 * further down its own wing; those on one line do not import each other. A wing without rooms is one room.
 */
const WINGS: readonly (readonly Wing[])[] = [
  [{ path: 'src/main.ts' }],
  [{ path: 'src/service.ts' }],
  [{ path: 'src/cli' }],
  [{ path: 'tools' }],
  [{ path: 'src/app' }],
  [{ path: 'src/web', rooms: [['console'], ['finance-api', 'checkout']] }],
  [
    { path: 'src/rails', rooms: [[''], ['registry'], ['settings', 'inbox'], ['snap', 'xendit', 'simulator'], ['calls']] },
    { path: 'src/transparency-log' },
    { path: 'src/point-in-time' },
  ],
  [
    {
      path: 'src/domain',
      rooms: [
        ['reconciliation'],
        ['approvals'],
        ['webhooks'],
        ['settlements'],
        ['previews'],
        ['payouts'],
        ['balances'],
        ['charges'],
        ['calendar'],
        ['customers'],
        ['merchants'],
        ['operators'],
        ['accounts'],
      ],
    },
  ],
  [
    {
      path: 'projections',
      rooms: [
        ['balances'],
        ['approvals'],
        ['audit', 'charges', 'customers', 'disputes', 'payouts', 'reconciliation', 'refunds', 'settlements', 'webhooks'],
        ['merchants'],
      ],
    },
  ],
  [{ path: 'src/ledger' }],
  [
    {
      path: 'src/platform',
      rooms: [
        ['http', 'projector', 'worker'],
        ['html', 'auth', 'event-store/embedded', 'event-store/eventstoredb', 'embedded-postgres'],
        ['event-store'],
        ['postgres'],
        ['postgres/binary'],
        ['', 'async', 'process', 'spool', 'text'],
      ],
    },
  ],
];

interface Wing {
  readonly path: string;
  readonly rooms?: readonly (readonly string[])[];
}

/** One place in the order: how far down its line stands, for the wing and then for the room. */
interface Place {
  readonly path: string;
  readonly wing: string;
  readonly line: readonly [wing: number, room: number];
}

const PLACES: readonly Place[] = WINGS.flatMap((wings, wing) =>
  wings.flatMap(({ path, rooms = [['']] }) =>
    rooms.flatMap((line, room) => line.map((name) => ({ path: name === '' ? path : `${path}/${name}`, wing: path, line: [wing, room] as const }))),
  ),
);

/** Files of one folder that a reader can still survey. One command is one file, so the commands may be more. */
const FILES_MAX = 30;
const SURVEYED = /^(?!src\/cli\/commands$)/;
/** Files beside the rooms of a wing. */
const LOOSE_MAX = 12;
/** Folders between `src` and a file. */
const LEVELS_MAX = 3;

/** A factory and other files build them, each with another label or database; they have no state. */
const SHARED_VALUES: ReadonlySet<string> = new Set(['KeyWrapping', 'DecisionReads']);

/** A smaller file joins its one importer in the same room, … */
const LINES_MIN = 25;
/** … except a module, a migration, a controller or a command of the command line, … */
const OF_ITS_OWN = /\.(module|migrations|controller)\.ts$|^src\/cli\/commands\//;
/** … or one whose importer would exceed the maximum length of a file. */
const NO_ROOM = ['src/domain/merchants/string-interner.ts'];

const OURS = '^(src|projections|tools)/';
const EVENTS = '^src/ledger/events/';
const MONEY = '^src/ledger/(money|unreachable)\\.ts$';

/** Rules that the order of folders does not express. */
const RULES: IForbiddenRuleType[] = [
  { name: 'no cycle of files', severity: 'error', from: {}, to: { circular: true } },
  {
    name: 'money, time and the decider type are leaves',
    severity: 'error',
    from: { path: '^src/ledger/(money|time|decider|unreachable)\\.ts$' },
    to: { path: OURS },
  },
  { name: 'events import events and money', severity: 'error', from: { path: EVENTS }, to: { pathNot: [EVENTS, MONEY] } },
  { name: 'postings know events only', severity: 'error', from: { path: '^src/ledger/postings\\.ts$' }, to: { pathNot: [EVENTS, MONEY] } },
  {
    name: 'deciders are pure: events, money and its written form, time and channels, no Nest, no I/O',
    severity: 'error',
    from: { path: '\\.decider\\.ts$' },
    to: {
      path: ['node_modules', '^src/(app|ledger|platform)/', '^projections/', '\\.(handlers|commands|controller)\\.ts$'],
      pathNot: [EVENTS, '^src/ledger/(money|time|decider|channels|days|unreachable)\\.ts$', '^src/platform/text/format\\.ts$'],
      dependencyTypesNot: ['type-only'],
    },
  },
  { name: 'deciders use nothing of Node', severity: 'error', from: { path: '\\.decider\\.ts$' }, to: { dependencyTypes: ['core'] } },
  { name: 'the Merkle tree is pure', severity: 'error', from: { path: '^src/transparency-log/merkle-tree\\.ts$' }, to: { path: OURS } },
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
    from: { path: '^src/(web/(console|finance-api)|transparency-log|domain/balances)/' },
    to: { path: '\\.(decider|handlers|commands)\\.ts$' },
  },
];

/** Modules that make decisions. */
const DECIDING = /^src\/(domain|rails|app\/workers)\//;
/** Modules there that read projections for responses, pages and messages only. */
const ANSWERING: ReadonlySet<string> = new Set([
  'src/domain/balances/explain.ts',
  'src/domain/balances/forecasts.ts',
  'src/domain/balances/remittance-advice.ts',
  'src/domain/balances/remittance-advices.ts',
  'src/domain/balances/statement-reads.ts',
  'src/domain/charges/charge-history.ts',
  'src/domain/payouts/payout-history.ts',
  'src/domain/previews/previews.ts',
  'src/domain/reconciliation/as-of.ts',
  'src/domain/reconciliation/cash/cash-forecasts.ts',
  'src/domain/reconciliation/breaks/batch-suggestions.ts',
  'src/domain/reconciliation/breaks/break-detail.ts',
  'src/domain/reconciliation/breaks/match-lists.ts',
  'src/domain/reconciliation/breaks/proposed-breaks.ts',
  'src/domain/reconciliation/breaks/suggestions.ts',
  'src/domain/reconciliation/days/day-lists.ts',
  'src/domain/reconciliation/source-lists.ts',
  'src/domain/webhooks/delivery-feed.ts',
  'src/domain/webhooks/delivery-log.ts',
  'src/domain/webhooks/rendering.ts',
  'src/domain/webhooks/trace-deliveries.ts',
  'src/domain/webhooks/webhook-deliveries.ts',
]);

const isIn = (file: string, path: string): boolean => file === path || file.startsWith(`${path}/`);
/** The place with the longest path that `file` begins with. */
const placeOf = (file: string): Place | undefined => PLACES.filter(({ path }) => isIn(file, path)).sort((a, b) => b.path.length - a.path.length)[0];
const mayImport = (from: Place, to: Place): boolean =>
  from === to || (from.line[0] === to.line[0] ? from.wing === to.wing && from.line[1] < to.line[1] : from.line[0] < to.line[0]);

describe('the architecture', () => {
  let result: ICruiseResult;
  beforeAll(async () => {
    const { output } = await cruise(['src', 'projections', 'tools'], {
      tsPreCompilationDeps: true,
      doNotFollow: { path: 'node_modules' },
      validate: true,
      ruleSet: { forbidden: RULES },
    });
    result = output as ICruiseResult;
  });

  const ours = () => result.modules.filter(({ source }) => new RegExp(OURS).test(source));

  it('every file has a place, and every place has a file', () => {
    expect(ours().length).toBeGreaterThan(300);
    const files = ours().map(({ source }) => source);
    expect(files.filter((file) => placeOf(file) === undefined)).toEqual([]);
    expect(PLACES.filter((place) => !files.some((file) => placeOf(file) === place)).map(({ path }) => path)).toEqual([]);
  });

  it('a file imports only from rooms and wings further down', () => {
    const wrong = ours().flatMap(({ source, dependencies }) =>
      dependencies
        .filter(({ resolved }) => new RegExp(OURS).test(resolved))
        .filter(({ resolved }) => !mayImport(placeOf(source)!, placeOf(resolved)!))
        .map(({ resolved }) => `${source} → ${resolved}`),
    );
    expect(wrong).toEqual([]);
  });

  it(`folders have at most ${FILES_MAX} files, and files are at most ${LEVELS_MAX} folders below src`, () => {
    const folders = ours().map(({ source }) => dirname(source));
    const full = [...new Set(folders)].filter((folder) => SURVEYED.test(folder) && folders.filter((each) => each === folder).length > FILES_MAX);
    expect(full).toEqual([]);
    expect(folders.filter((folder) => folder.split('/').length > LEVELS_MAX + 1)).toEqual([]);
  });

  it(`ledger and platform have at most ${LOOSE_MAX} files beside their rooms`, () => {
    const loose = (wing: string) => ours().filter(({ source }) => dirname(source) === wing);
    for (const wing of ['src/ledger', 'src/platform']) expect([wing, loose(wing).length <= LOOSE_MAX]).toEqual([wing, true]);
  });

  it(`lets files of fewer than ${LINES_MIN} lines join their one importer`, () => {
    const importers = (file: string) => ours().filter(({ dependencies }) => dependencies.some(({ resolved }) => resolved === file));
    const small = ours()
      .map(({ source }) => source)
      .filter((file) => !OF_ITS_OWN.test(file) && readFileSync(file, 'utf8').split('\n').length <= LINES_MIN)
      .filter((file) => importers(file).length === 1 && placeOf(importers(file)[0]!.source) === placeOf(file));
    expect(small).toEqual(NO_ROOM);
  });

  /** A limit that is declared twice may be changed in one place only; the code around the decider then follows another rule than the decider. */
  it('declares the limits of deciders once: other files import them', () => {
    const deciders = ours().filter(({ source }) => source.endsWith('.decider.ts'));
    const rules = new Set(deciders.flatMap(({ source, dependencies }) => [source, ...dependencies.map(({ resolved }) => resolved)]));
    const declaredIn = new Map<string, string[]>();
    for (const { source } of ours()) {
      for (const [, limit] of readFileSync(source, 'utf8').matchAll(/^(?:export )?const ([A-Z][A-Z0-9_]* = [\d_ *]+);$/gm)) {
        declaredIn.set(limit!, [...(declaredIn.get(limit!) ?? []), source]);
      }
    }
    const ofDeciders = [...declaredIn].filter(([, files]) => files.some((file) => rules.has(file)));
    expect(ofDeciders.length).toBeGreaterThan(20);
    expect(ofDeciders.filter(([, files]) => files.length > 1)).toEqual([]);
  });

  it('every module that reads a projection for a decision is in the table of docs/projections.md, with the event that it waits for', () => {
    const table = readFileSync('docs/projections.md', 'utf8').split('## Decisions that read a read model')[1]!.split('\n## ')[0]!;
    const listed = [...table.matchAll(/\]\(\.\.\/(src\/[^)]+\.ts)\)/g)].map(([, file]) => file!);
    const readers = ours().filter(({ source, dependencies }) => {
      const reads = dependencies.some(({ resolved, dependencyTypes }) => isIn(resolved, 'projections') && !dependencyTypes.includes('type-only'));
      return reads && DECIDING.test(source) && !ANSWERING.has(source) && !source.endsWith('.controller.ts') && !source.endsWith('.dto.ts');
    });
    expect([...new Set(listed)].sort()).toEqual(expect.arrayContaining(readers.map(({ source }) => source)));
    expect(listed.filter((file) => !existsSync(file))).toEqual([]);
    expect([...ANSWERING].filter((file) => !existsSync(file))).toEqual([]);
  });

  it('the serving process loads tools only by dynamic imports', () => {
    const loaded = ours().flatMap(({ source, dependencies }) =>
      dependencies
        .filter(({ resolved, dynamic, dependencyTypes }) => isIn(resolved, 'tools') && !dynamic && !dependencyTypes.includes('type-only'))
        // The command line names the tools' options in its help.
        .filter(() => !isIn(source, 'tools') && !isIn(source, 'src/cli'))
        .map(({ resolved }) => `${source} → ${resolved}`),
    );
    expect(loaded).toEqual([]);
  });

  it.each(RULES.map(({ name }) => name!))('dependency rule: %s', (name) => {
    const violations = result.summary.violations.filter(({ rule }) => rule.name === name);
    expect(violations.map(({ from, to }) => `${from} → ${to}`)).toEqual([]);
  });
});

describe('commands', () => {
  // A preview decides as its request does, because both have the command from one function.
  it.each([
    ['src', 'request-payout'],
    ['src', 'reserve-refund'],
    ['src', 'claim-refund'],
    ['src', 'refund'],
    ['src/domain/charges', 'create'],
  ])('in %s one place makes the command %s', (wing, kind) => {
    const sources = readdirSync(wing, { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.ts'));
    // A type has `readonly` in front, or the brace behind.
    const made = new RegExp(`(?<!readonly )\\bkind: '${kind}',`, 'g');
    const places = sources.flatMap((file) => [...readFileSync(`${wing}/${file}`, 'utf8').matchAll(made)].map(() => file));
    expect(places).toHaveLength(1);
  });
});

describe('services', () => {
  it('a class that a room’s factory builds is built nowhere else', () => {
    const sources = ['src', 'tools'].flatMap((wing) =>
      readdirSync(wing, { recursive: true, encoding: 'utf8' })
        .filter((file) => file.endsWith('.ts'))
        .map((file) => ({ file: `${wing}/${file}`, text: readFileSync(`${wing}/${file}`, 'utf8') })),
    );
    const builtIn = ({ text }: { readonly text: string }) => [...text.matchAll(/\bnew ([A-Z]\w+)\(/g)].map(([, name]) => name!);
    const factories = sources.filter(({ file }) => file.endsWith('-services.ts'));
    const services = new Set(factories.flatMap(builtIn).filter((name) => !(name in globalThis) && !SHARED_VALUES.has(name)));
    expect(services.size).toBeGreaterThan(20);
    const places = [...services].map((name) => [name, sources.filter((source) => builtIn(source).includes(name)).map(({ file }) => file)] as const);
    expect(places.filter(([, files]) => files.length > 1)).toEqual([]);
  });
});

describe('the buses of @nestjs/cqrs', () => {
  it('@nestjs/cqrs provides the command bus only: reads are calls, and events are followed in the log', () => {
    const sources = readdirSync('src', { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.ts'));
    const imported = sources.flatMap((file) =>
      [...readFileSync(`src/${file}`, 'utf8').matchAll(/import (?:type )?\{([^}]*)\} from '@nestjs\/cqrs'/g)].flatMap(([, names]) =>
        names!.split(',').map((name) => name.replace('type ', '').trim()),
      ),
    );
    expect(new Set(imported)).toEqual(new Set(['CqrsModule', 'CommandBus', 'Command', 'CommandHandler', 'ICommandHandler']));
  });
});
