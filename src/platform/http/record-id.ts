import type { PipeTransform } from '@nestjs/common';
import { Problem } from '../problems.js';
import { UUID } from '../uuid.js';

/** `text` in lower case when it is a UUID of any version. */
export function parseUuid(text: string): string | undefined {
  const id = text.length === 36 ? text.toLowerCase() : '';
  return UUID.test(id) ? id : undefined;
}

/** The one answer for an id that is unknown, somebody else's or malformed. */
export const noSuchRecord = (): Problem => new Problem('not-found', 'There is no such record.');

/** `@Param('id', RecordId) id: string`: a UUID in lower case; a malformed one answers what an unknown one does. */
export const RecordId: PipeTransform<string, string> = {
  transform(value) {
    const id = parseUuid(value);
    if (id === undefined) throw noSuchRecord();
    return id;
  },
};
