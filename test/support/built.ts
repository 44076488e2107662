import { fileURLToPath } from 'node:url';

/** Returns the file to which the run has compiled `path` (`build.mjs`), for a separate process. */
export const built = (path: string): string => fileURLToPath(new URL(`../../dist/tests/${path}`, import.meta.url));
