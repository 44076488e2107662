import { describe, expect, it } from '@jest/globals';
import { compareNames, maskedName } from '../../../src/domain/payouts/transfer/beneficiary-name.js';

describe('names of account holders', () => {
  it.each([
    ['Toko Melati', 'TOKO MELATI', 'EXACT'],
    ['PT. Kopi Kita', 'KOPI KITA, PT', 'EXACT'],
    ['José Fernández', 'JOSE FERNANDEZ', 'EXACT'],
    ['Dr. Siti Aminah, S.H.', 'SITI AMINAH', 'EXACT'],
    ['Søren Łukasz Straße', 'SOREN LUKASZ STRASSE', 'EXACT'],
    ['Đặng Þór', 'DANG THOR', 'EXACT'],
    ['好运来', '好运来', 'EXACT'],
    ['好运来', '好运到', 'DIFFERENT'],
    ["Ma'ruf Amin", 'MARUF AMIN', 'EXACT'],
    ['Bapak H. Budi Santoso', 'BUDI SANTOSO', 'EXACT'],
    ['Siti-Aminah', 'SITI AMINAH', 'EXACT'],
    ['Siti Aminah', 'SITI NUR AMINAH', 'CLOSE'],
    ['Siti Nur Aminah', 'SITI AMINAH', 'CLOSE'],
    ['Aminah Siti', 'SITI AMINAH', 'CLOSE'],
    ['Siti Siti', 'SITI AMINAH', 'DIFFERENT'],
    ['Siti Aminah', 'BUDI SANTOSO', 'DIFFERENT'],
    ['Siti Aminah', 'SITI AMINAN', 'DIFFERENT'],
    // Nothing but a title is a name all the same.
    ['Ibu', 'IBU', 'EXACT'],
    ['Ibu', 'BUDI', 'DIFFERENT'],
    ['...', 'BUDI', 'DIFFERENT'],
    ['', '', 'DIFFERENT'],
  ])('%s and %s: %s', (given, held, match) => {
    expect(compareNames(given, held)).toBe(match);
    expect(compareNames(held, given)).toBe(match);
  });

  it('masks each word of a name but its first letter, and shows at most eight words', () => {
    expect(maskedName('SITI NUR AMINAH')).toBe('S*** N*** A***');
    expect(maskedName('  ')).toBe('');
    expect(maskedName('a '.repeat(200)).split(' ')).toHaveLength(8);
  });
});
