import { describe, expect, it } from '@jest/globals';
import { BANK_FILES } from '../../support/bank-files.js';
import { ACCOUNT, checked, RULES } from '../../support/statement-files.js';

const rules = {
  ...RULES,
  currencies: ['EUR', 'SEK'],
  isAccount: (account: string) => account.startsWith(ACCOUNT),
};

describe('files as banks and processors write them', () => {
  const cases = BANK_FILES.map((each) => [each.format, each.trait, each] as const);

  it.each(cases.filter(([, , { amounts }]) => amounts))('accepts a %s file: %s', async (format, _, { file, profile, amounts }) => {
    for (const size of [7, 65_536]) {
      const { lines } = await checked(format, file, { rules, size, ...(profile && { profile }) });
      expect(lines.map(({ amount }) => amount)).toEqual(amounts);
      expect(new Set(lines.map(({ line_key }) => line_key)).size).toBe(lines.length);
    }
  });

  it.each(cases.filter(([, , each]) => each.refused))('rejects a %s file: %s', async (format, _, { file, profile, refused }) => {
    await expect(checked(format, file, { rules, ...(profile && { profile }) })).rejects.toMatchObject(refused!);
  });
});
