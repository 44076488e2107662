import { describe, expect, it } from '@jest/globals';
import type { FastifyRequest } from 'fastify';
import { entityTag, ifMatch, ifNoneMatch } from '../../../src/platform/http/entity-tag.js';

const match = (header?: string) => ifMatch({ headers: { 'if-match': header } } as unknown as FastifyRequest);
const noneMatch = (header?: string) => ifNoneMatch({ headers: { 'if-none-match': header } } as unknown as FastifyRequest);

describe('entity tags', () => {
  it('If-Match names the versions that a change may meet', () => {
    expect(match(undefined)).toBeNull();
    expect(match('*')).toBe('*');
    expect(match(entityTag(3))).toEqual([3]);
    expect(match('"1", "2" ,,"30"')).toEqual([1, 2, 30]);
    expect(match('W/"3"')).toEqual([]);
    expect(match('"3", W/"4"')).toEqual([3]);
    expect(match('"of-another,service", "5"')).toEqual([5]);
  });

  it('If-None-Match accepts weak tags', () => {
    expect(noneMatch('W/"3", "4"')).toEqual([3, 4]);
    expect(noneMatch('*')).toBe('*');
  });

  it.each(['3', '"3', '3"', '', ',', '"3" "4"', '"a"', '"-1"', '"1.0"', '"99999999999999999999"', '*, "3"', 'w/"3"', `"${'x'.repeat(10_000)}`])(
    'If-Match names no version when malformed: %s',
    (header) => {
      expect(match(header)).toEqual([]);
    },
  );
});
