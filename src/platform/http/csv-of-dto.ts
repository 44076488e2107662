import type { Type } from '@nestjs/common';
import { DECORATORS } from '@nestjs/swagger';
import type { Cell, Csv } from './answer-list.js';

/** Returns a column for each property of an answer, in the order of its class, except `hidden`: these include every property with several values. */
export function csvOfDto<Item extends Readonly<Record<Exclude<keyof Item, Hidden>, Cell>>, Hidden extends string = never>(
  dto: Type<Item>,
  ...hidden: readonly Hidden[]
): Csv<Omit<Item, Hidden>> {
  const properties = Reflect.getMetadata(DECORATORS.API_MODEL_PROPERTIES_ARRAY, dto.prototype as object) as readonly `:${string}`[];
  const columns = properties.map((property) => property.slice(1)).filter((name) => !hidden.some((each) => each === name));
  return { columns, cells: (item) => columns.map((column) => item[column as keyof typeof item]) };
}
