import { applyDecorators } from '@nestjs/common';
import { IsInt } from 'class-validator';
import { describe, type Described, Read, rule } from './validators.js';

const INT32_MAX = 2 ** 31 - 1;

/** Clients in typed languages choose the width of the number by its format. */
const integerFrom = (minimum: number, maximum: number) => ({ type: 'integer', format: maximum > INT32_MAX ? 'int64' : 'int32', minimum, maximum });

/** Money: an integer in minor units, 1 … 2^53−1. `100.0` is 100; a string is never accepted. */
export function IsMinorUnits(options: Described = {}): PropertyDecorator {
  const maximum = Number.MAX_SAFE_INTEGER;
  return applyDecorators(
    describe(integerFrom(1, maximum), { example: 10000, ...options }),
    rule('wrong-type', 'Must be a number: an integer in minor units.', (value) => typeof value === 'number'),
    rule('out-of-range', `Must be from 1 to ${maximum}.`, (value: number) => value >= 1 && value <= maximum),
    rule('not-an-integer', 'Must be an integer in minor units: 10000 stands for 100.00.', Number.isInteger),
  );
}

/** In a body: a JSON number from 0 on, which may have a fraction. */
export function IsRate(options: Described = {}): PropertyDecorator {
  return applyDecorators(
    describe({ type: 'number', minimum: 0 }, options),
    rule('wrong-type', 'Must be a number.', (value) => typeof value === 'number'),
    rule('out-of-range', 'Must be 0 or more.', (value: number) => value >= 0),
  );
}

/** In a body: a JSON number without a fraction. */
export function IsInteger({ min, max, ...options }: Described & { readonly min: number; readonly max: number }): PropertyDecorator {
  return applyDecorators(
    describe(integerFrom(min, max), options),
    rule('wrong-type', 'Must be a number.', (value) => typeof value === 'number'),
    rule('out-of-range', `Must be from ${min} to ${max}.`, (value: number) => value >= min && value <= max),
    rule('not-an-integer', 'Must be an integer.', Number.isInteger),
  );
}

/** In a query: an integer in decimal digits. A value out of range is rejected, never clamped. */
export function IsQueryInteger({ min, max, ...options }: Described & { readonly min: number; readonly max: number }): PropertyDecorator {
  return applyDecorators(
    describe(integerFrom(min, max), options),
    Read((text) => (/^-?\d{1,16}$/.test(text) ? Number(text) : undefined)),
    IsInt({ message: 'Must be an integer.' }),
    rule('out-of-range', `Must be from ${min} to ${max}.`, (value: number) => value >= min && value <= max),
  );
}
