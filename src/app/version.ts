import { createRequire } from 'node:module';

const { version } = createRequire(import.meta.url)('#package.json') as { readonly version: string };

/** Version of this build, from package.json. */
export const VERSION = version;
