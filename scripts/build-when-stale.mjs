// Before a start: builds only when a source is newer than the last finished build, so that a second start is quick.
import { spawnSync } from 'node:child_process';
import { readdirSync, statSync, utimesSync, writeFileSync } from 'node:fs';

const STAMP = 'dist/.built';
const SOURCES = ['src', 'projections', 'tools', 'packages/client/src', 'package.json', 'nest-cli.json', 'tsconfig.json', 'tsconfig.build.json'];

const newest = (path) => {
  const stat = statSync(path);
  return stat.isDirectory() ? Math.max(stat.mtimeMs, ...readdirSync(path).map((name) => newest(`${path}/${name}`))) : stat.mtimeMs;
};
const built = statSync(STAMP, { throwIfNoEntry: false })?.mtimeMs ?? 0;
if (Math.max(...SOURCES.map(newest)) >= built) {
  const started = new Date();
  console.log('building … (once, and after each change of a source)');
  // The client as well: examples/ import it.
  for (const workspace of [[], ['--workspace', '@chargebook/client']]) {
    const { status } = spawnSync('npm', ['run', '-s', 'build', ...workspace], { stdio: 'inherit', shell: process.platform === 'win32' });
    if (status !== 0) process.exit(status ?? 1);
  }
  writeFileSync(STAMP, '');
  // A source that was saved while the build ran is newer than it.
  utimesSync(STAMP, started, started);
}
