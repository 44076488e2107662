import type { PipeTransform } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import { Problem } from '../problems.js';
import { UUID } from '../uuid.js';

/** `text` in lower case when it is a UUID of any version. */
export function parseUuid(text: string): string | undefined {
  const id = text.length === 36 ? text.toLowerCase() : '';
  return UUID.test(id) ? id : undefined;
}

/** The one answer for an id that is unknown, somebody else's or malformed. */
export const noSuchRecord = (): Problem => new Problem('not-found', 'There is no such record.');

/** What a change that does not find its record throws: while reads are behind, it may be there and not be shown yet. */
export const unlessShownYet =
  (reply: FastifyReply, what: string) =>
  (error: unknown): never => {
    throw reply.hasHeader('ledger-lag') ? new Problem('unavailable', `The ${what} cannot be read yet.`) : error;
  };

/** `@Param('id', RecordId) id: string`: a UUID in lower case; a malformed one answers what an unknown one does. */
export const RecordId: PipeTransform<string, string> = {
  transform(value) {
    const id = parseUuid(value);
    if (id === undefined) throw noSuchRecord();
    return id;
  },
};
