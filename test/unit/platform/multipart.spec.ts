import { describe, expect, it } from '@jest/globals';
import { readMultipart } from '../../../src/platform/http/multipart.js';
import { pieces } from '../../support/statement-files.js';

const TYPE = 'multipart/form-data; boundary=----WebKitFormBoundaryx7';
const LINE = '------WebKitFormBoundaryx7';
const field = (name: string, value: string): string => `${LINE}\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`;
const file = (content: string, name = 'bank.xml'): string =>
  `${LINE}\r\nContent-Disposition: form-data; name="file"; filename="${name}"\r\nContent-Type: text/xml\r\n\r\n${content}\r\n`;
const END = `${LINE}--\r\n`;
/** Holds all that a boundary is made of. */
const CONTENT = `\r\n--\r\n${LINE.slice(0, -1)}\r\n\r\n--${'x'.repeat(100)}\r`;
const FORM = field('form_token', 'ab') + field('reason', 'zurück, "so"\r\n') + file(CONTENT) + END;

async function read(body: string | Buffer, size = 1_000, type = TYPE) {
  const { fields, file: sent } = await readMultipart(pieces(Buffer.from(body), size), type);
  if (sent === null) return { fields, content: null };
  const all: Buffer[] = [];
  for await (const piece of sent) all.push(piece);
  return { fields, content: Buffer.concat(all).toString() };
}

describe('a form with a file', () => {
  it('reads a form as it was sent, wherever its pieces end', async () => {
    for (let size = 1; size <= FORM.length; size += 1) {
      const said = { form_token: 'ab', reason: 'zurück, "so"\r\n' };
      expect({ size, ...(await read(FORM, size)) }).toEqual({ size, fields: said, content: CONTENT });
    }
  });

  it('accepts an empty file, no chosen file, and no file at all', async () => {
    expect(await read(field('a', '') + file('') + END)).toEqual({ fields: { a: '' }, content: '' });
    expect(await read(field('a', '1') + file('', '') + END)).toEqual({ fields: { a: '1' }, content: null });
    expect(await read(field('a', '1') + END)).toEqual({ fields: { a: '1' }, content: null });
    expect(await read(FORM, 50, 'multipart/form-data; boundary="----WebKitFormBoundaryx7"')).toMatchObject({ content: CONTENT });
  });

  it.each<[string, string | Buffer, string?]>([
    ['without a boundary', FORM, 'multipart/form-data'],
    ['with another boundary', FORM, 'multipart/form-data; boundary=y'],
    ['that is empty', ''],
    ['that ends within a field', field('a', '1').slice(0, -5)],
    ['that ends within its file', FORM.slice(0, -END.length - 10)],
    ['that ends within its last boundary', FORM.slice(0, -4)],
    ['with something in front', `x\r\n${FORM}`],
    ['with a part that has no name', `${LINE}\r\nContent-Type: text/plain\r\n\r\nx\r\n${END}`],
    ['with a part that has no head', `${LINE}\r\n\r\nx\r\n${END}`],
    ['with a boundary that does not end its line', `${field('a', '1')}${LINE}x`],
    ['with a field twice', field('a', '1') + field('a', '2') + END],
    ['with a field behind the file', file('x') + field('a', '1') + END],
    ['with two files', file('x') + file('y') + END],
    ['with very many fields', Array.from({ length: 21 }, (_, n) => field(`f${n}`, '')).join('') + END],
    ['with fields that are too long', field('a', 'x'.repeat(40_000)) + field('b', 'x'.repeat(40_000)) + END],
    ['with a head that is too long', `${LINE}\r\nX: ${'x'.repeat(9_000)}\r\n\r\n\r\n${END}`],
    ['with a field that is not UTF-8', Buffer.concat([Buffer.from(field('a', '').slice(0, -2)), Buffer.from([0xff]), Buffer.from(`\r\n${END}`)])],
  ])('rejects a form %s', async (...[, body, type]) => {
    await expect(read(body, 77, type)).rejects.toMatchObject({ code: 'malformed-request' });
  });
});
