const { default: Sequencer } = require('@jest/test-sequencer');

/** What takes longest, the longest first: begun at the end, each would keep the other workers idle. */
const LONGEST = [
  'client/dotnet',
  'unit/openapi-portability',
  'cli/projections',
  'browser/console',
  'system/workers',
  'system/embedded-postgres',
  'system/crash',
  'system/first-start',
  'browser/pages',
  'api/eventstoredb',
  'api/eventstoredb-cut-off',
  'system/readme',
  'unit/payout-worker',
  'read-models/matching-banks',
  'system/processes',
  'system/evidence-crash',
  'api/xendit-charges',
  'system/restore',
  'api/payouts',
  'simulation/simulation',
  'api/remote-charges',
  'read-models/matching',
  'contract/embedded-event-store',
  'contract/eventstoredb-faults',
  'system/key-traces',
  'system/failing-disk',
  'api/pages',
  'read-models/search',
  'system/logs',
  'contract/eventstoredb-event-store',
  'unit/snap-all-faults',
];
/** What starts processes takes longer than others of its size. */
const KINDS = ['system', 'simulation', 'cli', 'api'];
const rank = ({ path }) => {
  const name = path.slice(path.lastIndexOf('/test/') + '/test/'.length).replace(/\.spec\.ts$/, '');
  const place = LONGEST.indexOf(name);
  if (place !== -1) return place;
  const kind = KINDS.indexOf(name.split('/')[0]);
  return LONGEST.length + (kind === -1 ? KINDS.length : kind);
};

/** By the time that each took before, as Jest does; on a first run, as above, and else by size. */
module.exports = class extends Sequencer {
  async sort(tests) {
    const sorted = await super.sort(tests);
    return sorted.every(({ duration }) => duration !== undefined) ? sorted : sorted.sort((a, b) => rank(a) - rank(b));
  }
};
