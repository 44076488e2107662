import type { PipeTransform } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import { HttpProblem, type Problem } from '../problem.js';
import { UUID } from '../text/uuid.js';

/** Returns `text` in lower case when it is a UUID of any version. */
export function parseUuid(text: string): string | undefined {
  const id = text.length === 36 ? text.toLowerCase() : '';
  return UUID.test(id) ? id : undefined;
}

/** Returns the position in the log, 1 or more, of at most 15 digits; undefined for any other text. */
export const parsePosition = (text: string): number | undefined => (/^[1-9]\d{0,14}$/.test(text) ? Number(text) : undefined);

/** The same answer for an unknown, a foreign and a malformed id. */
export const noSuchRecord = (): Problem => new HttpProblem('not-found', 'There is no such record.');

/** Returns the record that was looked for. @throws Problem not-found when there is none */
export function mustExist<Found>(found: Found | undefined): Found {
  if (found === undefined) throw noSuchRecord();
  return found;
}

/** Handles the failure of a change that does not find its record: while reads lag, the record may exist and not be visible yet. */
export const unlessShownYet =
  (reply: FastifyReply, what: string) =>
  (error: unknown): never => {
    throw reply.hasHeader('ledger-lag') ? new HttpProblem('unavailable', `The ${what} cannot be read yet.`) : error;
  };

/** `@Param('id', RecordId) id: string`: a UUID in lower case; a malformed id has the same answer as an unknown one. */
export const RecordId: PipeTransform<string, string> = {
  transform(value) {
    const id = parseUuid(value);
    if (id === undefined) throw noSuchRecord();
    return id;
  },
};
