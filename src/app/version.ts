import { createRequire } from 'node:module';

const { version } = createRequire(import.meta.url)('#package.json') as { readonly version: string };

/** Of this build, as package.json has it. */
export const VERSION = version;
