import { describe, expect, it } from '@jest/globals';
import { SHEET_STYLE } from '../../../src/domain/balances/sheet.js';
import { STATEMENT_WORDS } from '../../../src/domain/balances/statement-words.js';
import { formatAmount, formatFigure } from '../../../src/platform/text/format.js';
import { movement, statement, writtenPage } from '../../support/statement-page.js';

describe('the page of a statement', () => {
  it.each([
    ['IDR', '2.982.780,00', '-1,50'],
    ['MYR', '2,982,780.00', '-1.50'],
    ['SGD', '2,982,780.00', '-1.50'],
  ])('writes amounts of %s as the console does: %s', async (currency, figure, negative) => {
    const page = await writtenPage(statement([movement('order-1')], currency));
    expect(page).toContain(`<td class="n">${figure}</td>`);
    expect(page).toContain(`<td class="n">${negative}</td>`);
    expect(formatAmount(298_278_000n, currency)).toContain(figure);
    for (const amount of [0n, 1n, -1n, 99n, -100n, 123_456n, 9_007_199_254_740_993n, -9_007_199_254_740_993n]) {
      expect(formatAmount(amount, currency).replace(/[^\d.,-]/g, '')).toBe(formatFigure(amount, currency));
    }
  });

  it('cuts off neither codes nor references', async () => {
    const reference = `order-${'x'.repeat(249)}`;
    const page = await writtenPage(statement([movement(reference), movement(null), movement('only', null)]));
    expect(page.match(/<span class="code">CHG_0123456789ABCDEF<\/span>/g)).toHaveLength(2);
    expect(page).toContain(`<bdi>${reference}</bdi>`);
    expect(SHEET_STYLE.text).not.toMatch(/ellipsis|\.ref[^}]*overflow: hidden/);
  });

  it('puts fewer movements on a sheet where references take several lines', async () => {
    const sheets = async (references: readonly string[]): Promise<number[]> =>
      (await writtenPage(statement(references.map((reference) => movement(reference)))))
        .split('<section')
        .slice(1)
        .map((sheet) => sheet.match(/<td class="ref">/g)?.length ?? 0);
    expect(await sheets(Array<string>(42).fill('order-1'))).toEqual([42]);
    expect(await sheets(Array<string>(43).fill('order-1'))).toEqual([42, 1]);
    expect(await sheets(Array<string>(43).fill('x'.repeat(30)))).toEqual([21, 21, 1]);
    expect(await sheets(Array<string>(7).fill('咖'.repeat(255)))).toEqual([3, 3, 1]);
    expect(await sheets([])).toEqual([0]);
  });

  it.each([
    ['en', 'Statement of account', 'Opening balance', 'Charge paid', 'Page 1 of 1'],
    ['id', 'Laporan rekening', 'Saldo awal', 'Pembayaran diterima', 'Halaman 1 dari 1'],
    ['ms', 'Penyata akaun', 'Baki awal', 'Bayaran diterima', 'Halaman 1 daripada 1'],
  ] as const)('page is in %s', async (language, ...words) => {
    const page = await writtenPage(statement([movement('order-1')]), language);
    expect(page).toContain(`<html lang="${language}">`);
    for (const word of words) expect(page).toContain(word);
    for (const [other, { openingBalance }] of Object.entries(STATEMENT_WORDS)) if (other !== language) expect(page).not.toContain(openingBalance);
  });
});
