import { fileURLToPath } from 'node:url';

/** Where the run has compiled `path` to (`build.mjs`), for a process of its own. */
export const built = (path: string): string => fileURLToPath(new URL(`../../dist/tests/${path}`, import.meta.url));
