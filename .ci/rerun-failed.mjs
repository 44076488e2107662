// Runs each spec file that failed once more, alone. A file that passes then is printed as flaky and does not fail the gate: the
// failure stays visible, and the file is mended before anything else is built. More than FLAKY_FILES_MAX are no chance.
// Usage: node .ci/rerun-failed.mjs REPORT COMMAND [ARGUMENT …]; REPORT is what jest --json wrote, the file's path is the last argument.
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { relative } from 'node:path';

const FLAKY_FILES_MAX = 2;

const [reportFile, command, ...args] = process.argv.slice(2);
process.exitCode = rerunFailed(JSON.parse(readFileSync(reportFile, 'utf8'))) ? 0 : 1;

/** True when every file that failed passes alone. */
function rerunFailed({ testResults, numRuntimeErrorTestSuites, wasInterrupted }) {
  const failed = testResults.filter(({ status }) => status === 'failed');
  // Jest failed, but no file did: the set-up, an option, a threshold. None of it is a matter of chance.
  if (failed.length === 0 || wasInterrupted) return refuse('no file to run again');
  if (numRuntimeErrorTestSuites > 0) return refuse('a file that cannot be loaded is not run again');
  if (failed.length > FLAKY_FILES_MAX) return refuse(`${failed.length} files failed, at most ${FLAKY_FILES_MAX} are run again`);
  return failed
    .map(({ name, assertionResults }) => {
      const passed = spawnSync(command, [...args, name], { stdio: 'inherit' }).status === 0;
      const tests = assertionResults.filter(({ status }) => status === 'failed').map(({ fullName }) => fullName);
      for (const test of tests) console.log(`${passed ? 'flaky' : 'failed twice'}: ${relative('.', name)} › ${test}`);
      return passed;
    })
    .every(Boolean);
}

function refuse(reason) {
  console.log(`not run again: ${reason}`);
  return false;
}
