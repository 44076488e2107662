import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { cp, mkdir, mkdtemp, readdir, rename, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { built } from '../support/built.js';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const run = promisify(execFile);

/** As after `npm install` of the tarball: unpacked, its command linked, its dependencies beside it. */
describe('the packed tarball', () => {
  let folder: string;

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'chargebook-packed-'));
    const source = join(folder, 'source');
    for (const name of ['package.json', 'LICENSE', 'README.md', 'docs', 'test/golden'])
      await cp(join(ROOT, name), join(source, name), { recursive: true });
    // Files that the run has compiled already, in the folders of the build.
    for (const name of ['src', 'projections', 'tools']) await cp(built(name), join(source, 'dist', name), { recursive: true });
    await cp(built('test/support'), join(source, 'dist/tests/test/support'), { recursive: true });
    await run('npm', ['pack', '--ignore-scripts', '--pack-destination', folder], { cwd: source });
    const [tarball] = (await readdir(folder)).filter((name) => name.endsWith('.tgz'));
    await run('tar', ['xzf', tarball!], { cwd: folder });
    const modules = join(folder, 'empty/node_modules');
    await mkdir(join(modules, '.bin'), { recursive: true });
    await rename(join(folder, 'package'), join(modules, 'chargebook'));
    await symlink(join(ROOT, 'node_modules'), join(modules, 'chargebook/node_modules'));
    await symlink('../chargebook/dist/src/cli/main.js', join(modules, '.bin/chargebook'));
    await run('chmod', ['+x', join(modules, '.bin/chargebook')]);
  });
  afterAll(() => rm(folder, { recursive: true, force: true }));

  it('the packed tarball contains only the files to run', async () => {
    const files = await readdir(join(folder, 'empty/node_modules/chargebook'), { recursive: true });
    expect(files).toEqual(
      expect.arrayContaining(['package.json', 'LICENSE', 'README.md', 'dist/src/cli/main.js', 'dist/src/main.js', 'docs/holidays.json']),
    );
    expect(
      files.filter(
        (file) => !file.startsWith('node_modules') && /^(?!dist\/(src|projections|tools)\b|dist$|docs\/holidays\.json$).*\/|\.(ts|map)$/.test(file),
      ),
    ).toEqual([]);
  });

  it('the packed tarball provides a command in an empty folder', async () => {
    const cwd = join(folder, 'empty');
    const chargebook = (...args: string[]): Promise<{ stdout: string }> =>
      run('npx', ['--no-install', 'chargebook', ...args], { cwd, env: { ...process.env, DATA_DIR: join(folder, 'data') } });
    expect((await chargebook('--version')).stdout).toMatch(/^\d+\.\d+\.\d+\n$/);
    const env = { ...process.env, DATA_DIR: join(folder, 'data'), PORT: '0' };
    const service = spawn(process.execPath, ['node_modules/chargebook/dist/src/main.js'], { cwd, env, stdio: ['ignore', 'pipe', 'inherit'] });
    for await (const line of createInterface(service.stdout)) if (line.includes('listening on')) service.kill('SIGTERM');
    expect(service.exitCode ?? (await once(service, 'exit'))[0]).toBe(0);
    const { stdout } = await chargebook('merchant', 'create', '--name', 'Kopi Kita', '--json');
    expect(JSON.parse(stdout)).toMatchObject({ api_key: expect.stringMatching(/^sk_test_/) });
    expect((await chargebook('merchant', 'list')).stdout).toContain('Kopi Kita');
  });
});
