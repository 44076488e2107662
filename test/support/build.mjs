// Compiles the programs that tests start as separate processes, once a run, and only changed sources: a process that compiles for
// itself takes twice as long to start, and a run starts some hundred and fifty.
import { transform, version } from '@swc/core';
import fs from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../..', import.meta.url));
export const BUILD = join(root, 'dist/tests');
const FOLDERS = ['src', 'projections', 'tools', 'test/support'];

export async function build() {
  const configFile = join(root, '.swcrc');
  const settings = `${version} ${await fs.readFile(configFile, 'utf8')}`;
  const stamp = join(BUILD, '.settings');
  if ((await fs.readFile(stamp, 'utf8').catch(() => undefined)) !== settings) await fs.rm(BUILD, { recursive: true, force: true });
  const entries = await Promise.all(FOLDERS.map((folder) => fs.readdir(join(root, folder), { recursive: true, withFileTypes: true })));
  await Promise.all(
    entries.flat().map(async (entry) => {
      if (!entry.isFile() || entry.name.endsWith('.mjs')) return;
      const source = join(entry.parentPath, entry.name);
      const target = join(BUILD, source.slice(root.length)).replace(/\.ts$/, '.js');
      const [from, to] = await Promise.all([fs.stat(source), fs.stat(target).catch(() => undefined)]);
      if (to && Math.trunc(to.mtimeMs) === Math.trunc(from.mtimeMs)) return;
      const text = await fs.readFile(source);
      const code = source.endsWith('.ts')
        ? (await transform(text.toString(), { filename: source, cwd: root, root, configFile, swcrc: false, sourceMaps: false })).code
        : text;
      await fs.mkdir(dirname(target), { recursive: true });
      // Two runs in one directory may build at once: each file is there whole, or not at all.
      const draft = `${target}.${process.pid}`;
      await fs.writeFile(draft, code);
      await fs.utimes(draft, from.mtime, from.mtime);
      await fs.rename(draft, target);
    }),
  );
  await fs.writeFile(stamp, settings);
}
