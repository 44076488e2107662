// Jest's own runner, with specs and Jest's own parts loaded by Node itself: what is tested is loaded as in production, and once a
// process. Jest would evaluate Nest and all others anew for each file, which took as long as the tests.
import { createRequire } from 'node:module';
import { pathToFileURL } from 'node:url';
import circus from 'jest-circus/runner';

const require = createRequire(import.meta.url);
/** Jest keeps there who follows the tests: for one spec each. */
const FOLLOWERS = Symbol.for('EVENT_HANDLERS');
let globals;
let loaded = 0;

/** What `@jest/globals` stands for in the spec that runs. */
export const inForce = () => globals;

export default async function runSpec(globalConfig, config, environment, runtime, testPath, sendMessageToJest) {
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
  // Node maps stacks to our TypeScript itself.
  Error.prepareStackTrace = undefined;
  return circus.default(globalConfig, config, environment, runtime, testPath, sendMessageToJest);
}
