// Jest's own runner, with specs and Jest's own parts loaded by Node itself: the tested code is loaded as in production, and once a
// process. Jest would evaluate Nest and all other modules anew for each file, which took as long as the tests.
import { createRequire } from 'node:module';
import { pathToFileURL } from 'node:url';
import circus from 'jest-circus/runner';

/** Jest keeps there who follows the tests: for one spec each. */
const FOLLOWERS = Symbol.for('EVENT_HANDLERS');
/** Jest keeps there the tests of a spec, under another symbol of this name for each spec. */
const STATE = 'JEST_STATE_SYMBOL';
let globals;
let loaded = 0;

/** The globals that `@jest/globals` exports to the running spec. */
export const inForce = () => globals;

export default async function runSpec(globalConfig, config, environment, runtime, testPath, sendMessageToJest) {
  // A `require` refers to the modules that it has loaded: one for all specs would keep Jest's parts of each, and by them its tests.
  const require = createRequire(import.meta.url);
  runtime.requireInternalModule = (path) => {
    delete globalThis[FOLLOWERS];
    delete require.cache[path];
    return require(path);
  };
  runtime.setGlobalsForRuntime = (those) => {
    globals = those;
  };
  runtime.unstable_shouldLoadAsEsm = () => true;
  // A spec that runs again in the same process (--watch) is evaluated again.
  runtime.unstable_importModule = (path) => import(`${pathToFileURL(path)}?load=${++loaded}`);
  // A test without an assertion cannot fail for its purpose.
  environment.handleTestEvent = ({ name }) => {
    if (name === 'test_fn_start') globals.expect.hasAssertions();
  };
  // Node maps stacks to our TypeScript itself.
  Error.prepareStackTrace = undefined;
  try {
    return await circus.default(globalConfig, config, environment, runtime, testPath, sendMessageToJest);
  } finally {
    forget();
  }
}

/**
 * Frees the objects that a spec has used, services included. They would stay in memory: in the state that Jest leaves behind, and because
 * Node keeps the test or hook in which a module was first loaded.
 */
function forget() {
  for (const symbol of Object.getOwnPropertySymbols(globalThis)) {
    if (symbol.description !== STATE) continue;
    empty(globalThis[symbol].rootDescribeBlock);
    delete globalThis[symbol];
  }
}

function empty({ hooks, children }) {
  for (const hook of hooks) hook.fn = undefined;
  for (const child of children) {
    if (child.type === 'describeBlock') empty(child);
    else child.fn = undefined;
  }
}
