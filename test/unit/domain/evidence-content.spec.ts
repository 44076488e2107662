import { describe, expect, it } from '@jest/globals';
import { disagreement, EVIDENCE_MEDIA_TYPES, type EvidenceMediaType } from '../../../src/domain/charges/disputes/evidence-content.js';

const FILES: Readonly<Record<EvidenceMediaType, Buffer>> = {
  'application/pdf': Buffer.from('%PDF-1.7\n…'),
  'image/png': Buffer.from('89504e470d0a1a0a0000000d', 'hex'),
  'image/jpeg': Buffer.from('ffd8ffe000104a46', 'hex'),
  'text/plain': Buffer.from('Left at the door.\r\n\tSigned: Ōe Kenzaburō 😀\f'),
};

describe('a file of evidence', () => {
  it.each(EVIDENCE_MEDIA_TYPES.flatMap((type) => EVIDENCE_MEDIA_TYPES.map((content) => [type, content] as const)))(
    'declared as %s and made as %s: accepted only when both types are the same',
    (type, content) => {
      expect(disagreement(FILES[content], type) === undefined).toBe(type === content);
    },
  );

  it.each([
    ['nothing', Buffer.alloc(0)],
    ['a zero byte', Buffer.from('a\0b')],
    ['an escape sequence', Buffer.from('\x1b[2J')],
    ['UTF-16', Buffer.from('\ufeffa', 'utf16le')],
    ['Latin-1', Buffer.from('caf\xe9', 'latin1')],
    ['a program', Buffer.from('7f454c4602010100', 'hex')],
    ['an archive', Buffer.from('504b0304', 'hex')],
  ])('rejects %s as text', (_, bytes) => {
    expect(disagreement(bytes, 'text/plain')).toEqual(expect.any(String));
  });

  it.each(EVIDENCE_MEDIA_TYPES)('rejects an empty file, and one cut off within its beginning, as %s', (type) => {
    expect(disagreement(Buffer.alloc(0), type)).toBe('The file is empty.');
    if (type !== 'text/plain') expect(disagreement(FILES[type].subarray(0, 2), type)).toEqual(expect.any(String));
  });
});
