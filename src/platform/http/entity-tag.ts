import { applyDecorators } from '@nestjs/common';
import { ApiHeader, ApiResponse } from '@nestjs/swagger';
import type { FastifyReply, FastifyRequest } from 'fastify';

/** Entity tags of records that count their versions (RFC 9110, 8.8.3): version 3 is `"3"`. */
export const entityTag = (version: number): string => `"${version}"`;

/** What `If-Match` or `If-None-Match` names; null: the header is not there; `*`: any version. */
export type NamedVersions = readonly number[] | '*' | null;

/** Of a change: only strong tags name a version (13.1.1). What is no list of tags names none, so that a mistyped condition never holds. */
export function ifMatch(request: FastifyRequest): NamedVersions {
  return namedVersions(request.headers['if-match'], /^"(\d{1,9})"$/);
}

/** Of a read: a weak tag does as well (13.1.2), which is what a compressing proxy makes of ours. */
export function ifNoneMatch(request: FastifyRequest): NamedVersions {
  return namedVersions(request.headers['if-none-match'], /^(?:W\/)?"(\d{1,9})"$/);
}

/**
 * Answers a read with the version of the record in its ETag. False when the client has that version already (If-None-Match): the answer
 * is 304 then, without a body.
 */
export function isNewVersion(request: FastifyRequest, reply: FastifyReply, version: number): boolean {
  reply.header('ETag', entityTag(version));
  const known = ifNoneMatch(request);
  if (known !== '*' && !known?.includes(version)) return true;
  reply.status(304);
  return false;
}

/** Whether the client has the representation with this entity tag: If-None-Match names it, compared weakly (13.1.2). */
export function isKnown(request: FastifyRequest, tag: string): boolean {
  const known = tagsIn(request.headers['if-none-match']);
  return known === '*' || (known?.some((each) => opaque(each) === opaque(tag)) ?? false);
}

const opaque = (tag: string): string => tag.replace(/^W\//, '');

const TAG = /(?:W\/)?"[\x21\x23-\x7e\x80-\xff]*"/;
const TAG_LIST = new RegExp(`^(?:${TAG.source})?(?:[ \\t]*,[ \\t]*(?:${TAG.source})?)*$`);

function namedVersions(header: string | undefined, ours: RegExp): NamedVersions {
  const tags = tagsIn(header);
  return Array.isArray(tags) ? tags.flatMap((tag) => ours.exec(tag)?.[1] ?? []).map(Number) : tags;
}

function tagsIn(header: string | undefined): string[] | '*' | null {
  if (header === undefined) return null;
  const list = header.trim();
  if (list === '*') return '*';
  return TAG_LIST.test(list) ? (list.match(new RegExp(TAG, 'g')) ?? []) : [];
}

/** In the document: the header of an answer. */
export const ETAG = { ETag: { description: 'Version of the record.', schema: { type: 'string' }, example: '"3"' } };

/** In the document: a read that answers 304. */
export const IfNoneMatch = () =>
  applyDecorators(
    ApiHeader({
      name: 'If-None-Match',
      required: false,
      description: 'ETag of the record. Returns 304 while the record has that version.',
      schema: { type: 'string' },
      example: '"3"',
    }),
    ApiResponse({ status: 304, description: 'The record still has the version that If-None-Match names. The response has no body.', headers: ETAG }),
  );
