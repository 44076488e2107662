import fs from 'node:fs';
import { fileURLToPath } from 'node:url';
import { transform } from '@swc/core';

const root = fileURLToPath(new URL('../..', import.meta.url));

const globals = new URL('./jest-globals.mjs', import.meta.url).href;
const isTypeScript = (url = '') => /^file:[^?]*\.ts(\?|$)/.test(url);

/** Our imports end in `.js`; beside each stands the `.ts` that is meant. */
export async function resolve(specifier, context, next) {
  if (specifier === '@jest/globals') return { url: globals, shortCircuit: true };
  if (/^\.{1,2}\/.*\.js$/.test(specifier) && isTypeScript(context.parentURL)) {
    const source = new URL(specifier.replace(/\.js$/, '.ts'), context.parentURL);
    if (fs.existsSync(source)) return { url: source.href, format: 'module', shortCircuit: true };
  }
  return next(specifier, context);
}

export async function load(url, context, next) {
  if (!isTypeScript(url)) return next(url, context);
  const filename = fileURLToPath(url);
  const { code } = await transform(await fs.promises.readFile(filename, 'utf8'), {
    filename,
    cwd: root,
    root,
    configFile: `${root}/.swcrc`,
    swcrc: false,
    sourceMaps: 'inline',
  });
  return { format: 'module', source: code, shortCircuit: true };
}
