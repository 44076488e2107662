const { default: Sequencer } = require('@jest/test-sequencer');

/** The files that take longest, the longest first. Begun at the end, each would keep the other workers idle. */
const LONGEST = [
  'system/first-start',
  'read-models/statement-work',
  'system/starved-start',
  'cli/projections',
  'system/crash',
  'system/evidence-crash',
  'api/eventstoredb-cut-off',
  'system/workers',
  'system/processes',
  'system/embedded-postgres',
  'read-models/bounds',
  'read-models/matching-banks',
  'system/restore',
  'system/watchdog',
];
/** Files that start processes or fill read models take longer than others of their size. */
const KINDS = ['system', 'read-models', 'simulation', 'cli', 'client', 'api', 'contract'];
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
