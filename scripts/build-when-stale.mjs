// Before a start: builds only when a source is newer than the last finished build, so that a second start is quick.
import { spawnSync } from 'node:child_process';
import { readdirSync, statSync, utimesSync, writeFileSync } from 'node:fs';

const [major, minor] = process.versions.node.split('.').map(Number);
// The compiler's own error would not name the cause. The service checks again: an installed one is not built here.
if (major < 24 && !(major === 20 && minor >= 19) && !(major === 22 && minor >= 13)) {
  console.error(`error: Node.js ${process.versions.node} cannot run this; use 24, or one from 20.19 or 22.13 on`);
  process.exit(1);
}

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
