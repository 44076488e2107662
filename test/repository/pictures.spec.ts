import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { FOLDER, PICTURES } from '../../scripts/picture-list.js';

/** Width and height of a PNG file: the first two figures of its header. */
function sizeOf(file: string): { width: number; height: number } {
  const bytes = readFileSync(`${FOLDER}/${file}`);
  return { width: bytes.readUInt32BE(16), height: bytes.readUInt32BE(20) };
}

describe('the pictures of the documentation', () => {
  it('docs/images has the pictures that npm run pictures takes, each in its size', () => {
    const taken = PICTURES.map(({ file, width, height }) => ({ file, width, height })).sort((a, b) => (a.file < b.file ? -1 : 1));
    expect(
      readdirSync(FOLDER)
        .sort()
        .map((file) => ({ file, ...sizeOf(file) })),
    ).toEqual(taken);
  });

  it('a page of the documentation shows each picture', () => {
    const pages = [
      'README.md',
      ...readdirSync('docs')
        .filter((name) => name.endsWith('.md'))
        .map((name) => `docs/${name}`),
    ];
    const texts = pages.map((page) => readFileSync(page, 'utf8'));
    expect(PICTURES.filter(({ file }) => !texts.some((text) => text.includes(`images/${file}`))).map(({ file }) => file)).toEqual([]);
  });
});
