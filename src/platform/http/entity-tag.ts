import { applyDecorators } from '@nestjs/common';
import { ApiHeader, ApiResponse } from '@nestjs/swagger';
import type { FastifyReply, FastifyRequest } from 'fastify';

/** Entity tags of records that count their versions (RFC 9110, 8.8.3): version 3 is `"3"`. */
export const entityTag = (version: number): string => `"${version}"`;

/** The versions that `If-Match` or `If-None-Match` names; null: the header is missing; `*`: any version. */
export type NamedVersions = readonly number[] | '*' | null;

/** Versions for a change: only strong tags name a version (13.1.1). A malformed list names none, so that a mistyped condition never holds. */
export function ifMatch(request: FastifyRequest): NamedVersions {
  return namedVersions(request.headers['if-match'], /^"(\d{1,9})"$/);
}

/** Versions for a read: weak tags count too (13.1.2), because a compressing proxy makes ours weak. */
export function ifNoneMatch(request: FastifyRequest): NamedVersions {
  return namedVersions(request.headers['if-none-match'], /^(?:W\/)?"(\d{1,9})"$/);
}

/**
 * Answers a read with the version of the record in its ETag. Returns false when the client already has that version (If-None-Match): the answer is
 * then 304, without a body.
 */
export function isNewVersion(request: FastifyRequest, reply: FastifyReply, version: number): boolean {
  reply.header('ETag', entityTag(version));
  const known = ifNoneMatch(request);
  if (known !== '*' && !known?.includes(version)) return true;
  reply.status(304);
  return false;
}

/** Returns whether the client has the representation with this entity tag: If-None-Match names it, compared weakly (13.1.2). */
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

/** The header of an answer, for the OpenAPI document. */
export const ETAG = { ETag: { description: 'Version of the record.', schema: { type: 'string' }, example: '"3"' } };

/** Documents a read that answers 304. */
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
