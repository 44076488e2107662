// `node --import ./test/support/typescript.mjs file.ts` runs our TypeScript as it stands, for tests that need a process of its own
// (to be killed, or to race with another). Jest compiles by the same compiler and settings.
import { register } from 'node:module';

register('./typescript-hooks.mjs', import.meta.url);
