import type { ArgumentMetadata, PipeTransform } from '@nestjs/common';
import { Problem } from '../problems.js';
import { type DtoClass, Faults, planOf, QueryParameters } from './dto-plan.js';

/** Turns `@Body() dto: SomeDto` and `@Query() query: SomeQuery` into a checked, normalised instance of the class. */
export const DtoPipe: PipeTransform = {
  transform(value: unknown, { type, metatype, data }: ArgumentMetadata): unknown {
    // A body without a class is a public page's own business; elsewhere it does not start (http-app.ts).
    if ((type !== 'body' && type !== 'query') || data !== undefined || metatype === Object) return value;
    const plan = planOf(metatype as DtoClass);
    const faults = new Faults(type);
    const dto = type === 'query' ? plan.readQuery(value as QueryParameters, faults) : plan.readBody(value, '', faults);
    if (faults.list.length > 0) throw invalid(faults);
    return dto;
  },
};

/** The refusal of a request with `faults`. */
export function invalid(faults: Faults): Problem {
  const { list, source } = faults;
  const what = source === 'body' ? 'field' : 'query parameter';
  return new Problem('validation-failed', list.length === 1 ? `One ${what} is not valid.` : `${list.length} ${what}s are not valid.`, {
    errors: list,
  });
}
