// `node --import ./test/support/typescript.mjs file.ts` runs our TypeScript without a build, for tests that need a separate process
// (to kill it, or to race it with another). Jest compiles by the same compiler and settings.
import { register } from 'node:module';

register('./typescript-hooks.mjs', import.meta.url);
