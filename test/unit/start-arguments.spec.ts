import { describe, expect, it } from '@jest/globals';
import { ConfigError } from '../../src/platform/config-error.js';
import { readArguments } from '../../src/app/start-arguments.js';

describe('the arguments of the start', () => {
  it.each<[string[], number | undefined]>([
    [[], undefined],
    [['--workers', '1'], 1],
    [['--workers=64'], 64],
  ])('%j', (args, workers) => {
    expect(readArguments(args)).toEqual({ workers });
  });

  it.each([
    [['--workers', '0'], '--workers must be a whole number from 1 to 64, not "0"'],
    [['--workers', '65'], '--workers must be a whole number from 1 to 64, not "65"'],
    [['--workers', '1e1'], '--workers must be a whole number from 1 to 64, not "1e1"'],
    [['--workers=-1'], '--workers must be a whole number from 1 to 64, not "-1"'],
    [['--workers'], '--workers must be a whole number from 1 to 64'],
    [['--workers=2', '--workers=2'], '--workers is given twice'],
    [['--wrokers', '2'], 'unknown argument "--wrokers"; there is --workers N'],
    [['-w2'], 'unknown argument "-w2"; there is --workers N'],
    [['2'], 'unknown argument "2"; there is --workers N'],
  ])('refuses %j in one line', (args, line) => {
    expect(() => readArguments(args)).toThrow(new ConfigError(line));
  });
});
