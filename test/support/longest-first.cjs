const { default: Sequencer } = require('@jest/test-sequencer');

/** What starts processes takes longest, however short its file: alone at the end, it would keep one of two workers idle. */
const KINDS = ['system', 'simulation', 'cli', 'api'];
const rank = ({ path }) => {
  const found = KINDS.findIndex((kind) => path.includes(`/test/${kind}/`));
  return found === -1 ? KINDS.length : found;
};

/** By the time that each took before, as Jest does; on a first run, by kind and size. */
module.exports = class extends Sequencer {
  async sort(tests) {
    const sorted = await super.sort(tests);
    return sorted.every(({ duration }) => duration !== undefined) ? sorted : sorted.sort((a, b) => rank(a) - rank(b));
  }
};
