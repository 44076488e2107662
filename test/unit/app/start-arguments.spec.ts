import { describe, expect, it } from '@jest/globals';
import { ConfigError } from '../../../src/platform/process/config-error.js';
import { readArguments, USAGE } from '../../../src/app/start-arguments.js';

describe('the arguments of the start', () => {
  it.each<[string[], number | undefined, boolean]>([
    [[], undefined, false],
    [['--workers', '1'], 1, false],
    [['--workers=64'], 64, false],
    [['--demo', '--workers=2'], 2, true],
  ])('reads %j', (args, workers, demo) => {
    expect(readArguments(args)).toEqual({ workers, demo, help: false });
  });

  it.each([['--help'], ['-h']])('prints the usage with %s, whatever the other arguments', (argument) => {
    expect(readArguments(['--demo', argument])).toMatchObject({ help: true });
    for (const name of ['--workers', '--demo', '--help']) expect(USAGE).toContain(name);
  });

  it.each([
    [['--workers', '0'], '--workers must be a whole number from 1 to 64, not "0"'],
    [['--workers', '65'], '--workers must be a whole number from 1 to 64, not "65"'],
    [['--workers', '1e1'], '--workers must be a whole number from 1 to 64, not "1e1"'],
    [['--workers=-1'], '--workers must be a whole number from 1 to 64, not "-1"'],
    [['--workers'], '--workers must be a whole number from 1 to 64'],
    [['--workers=2', '--workers=2'], '--workers is given twice'],
    [['--wrokers', '2'], 'unknown argument "--wrokers"; there are --workers N, --demo and --help'],
    [['--demo=yes'], 'unknown argument "--demo=yes"; there are --workers N, --demo and --help'],
    [['-w2'], 'unknown argument "-w2"; there are --workers N, --demo and --help'],
    [['2'], 'unknown argument "2"; there are --workers N, --demo and --help'],
  ])('rejects %j in one line', (args, line) => {
    expect(() => readArguments(args)).toThrow(new ConfigError(line));
  });
});
