import { describe, expect, it } from '@jest/globals';
import { Argument, Command, Option } from 'commander';
import * as argument from '../../../src/cli/arguments.js';
import { ApprovalPolicyContent } from '../../../src/domain/operators/approval-policy.dto.js';
import { faultsOfObject, readObject, type DtoClass } from '../../../src/platform/http/validation/validation.js';
import { SetSourceBody } from '../../../src/domain/reconciliation/sources.dto.js';

const MERCHANT = '0198c0de-7a5e-5c3a-9d2f-3f6f4a1b2c3d';
const FIXED = { type: 'FIXED', value: 100 };
const PROFILE = {
  ...{ delimiter: ',', encoding: 'UTF-8', decimal: '.', grouping: '', unit: 'Major', dates: 'DD/MM/YYYY', signs: 'WRITTEN' },
  columns: { booking_date: 'a', batch: 'b', reference: 'c', gross: 'd', amount: 'e', currency: 'f' },
};
const SOURCE = {
  ...{ mode: 'LIVE', name: 'xendit', reason: 'x', kind: 'processor', currencies: ['idr', 'Myr'], format: 'CSV', time_zone: 'Asia/Jakarta' },
  profile: { ...PROFILE, kinds: { Payment: 'payment', Back: 'REFUND' } },
  costs: { qr_qris: { type: 'fixed', value: 100 }, Wallet_OVO: FIXED },
};

function read(body: object, dto: DtoClass): { readonly given: unknown; readonly faults: readonly string[] } {
  const given = readObject(body, dto);
  return { given, faults: faultsOfObject(given).map(({ at, code }) => `${at} ${code}`) };
}

describe('words of lists and maps are accepted in any case', () => {
  it('accepts currencies, kinds of lines, channels and the other words of a source in any case', () => {
    const { given, faults } = read(SOURCE, SetSourceBody);
    expect(faults).toEqual([]);
    expect(given).toMatchObject({
      ...{ mode: 'live', kind: 'PROCESSOR', currencies: ['IDR', 'MYR'], format: 'csv' },
      profile: { encoding: 'utf-8', unit: 'major', signs: 'written', kinds: { Payment: 'PAYMENT', Back: 'REFUND' } },
    });
    expect((given as SetSourceBody).costs).toEqual({ QR_QRIS: FIXED, WALLET_OVO: FIXED });
  });

  it('accepts the merchant ids of a policy in any case', () => {
    const { given, faults } = read({ mode: 'Live', merchants: { [MERCHANT.toUpperCase()]: {} } }, ApprovalPolicyContent);
    expect(faults).toEqual([]);
    expect(Object.keys((given as ApprovalPolicyContent).merchants)).toEqual([MERCHANT]);
  });

  it.each([
    [{ costs: { QR_QRIS: FIXED, qr_qris: FIXED } }, '/costs/qr_qris wrong-format'],
    [{ costs: { qr_qris: FIXED, Qr_Qris: FIXED } }, '/costs/Qr_Qris wrong-format'],
    [{ costs: { qr_qrıs: FIXED } }, '/costs/qr_qrıs wrong-format'],
    [{ currencies: ['IDR', 'idr'] }, '/currencies/1 repeated'],
    [{ currencies: [7] }, '/currencies/0 wrong-format'],
    [{ currencies: 'idr' }, '/currencies wrong-type'],
    [{ costs: [] }, '/costs wrong-type'],
    [{ profile: { ...PROFILE, kinds: { Payment: 'pay' } } }, '/profile/kinds/Payment unknown-value'],
    [{ profile: { ...PROFILE, kinds: { Payment: 1 } } }, '/profile/kinds/Payment unknown-value'],
  ])('rejects a repeated word and a value that is no word: %j', (change, fault) => {
    expect(read({ ...SOURCE, ...change }, SetSourceBody).faults).toEqual([fault]);
  });
});

describe('words of the command line are accepted in any case', () => {
  const parsed = (...args: string[]): unknown => {
    const options: unknown[] = [];
    const silent = { writeErr: () => undefined };
    new Command()
      .exitOverride()
      .configureOutput(silent)
      .addArgument(argument.oneOf(new Argument('<kind>'), ['charge.paid']))
      .addOption(argument.oneOf(new Option('--mode <mode>'), ['live', 'test']))
      .option('--waive <answer>', '', argument.yesOrNo)
      .option('--roles <roles>', '', argument.rolesOrNone)
      .option('--rail <rail>', '', argument.railNameOrNone)
      .action((kind, given) => void options.push(kind, given))
      .parse(args, { from: 'user' });
    return options;
  };

  it('returns choices in their declared spelling, whatever the case of the input', () => {
    expect(parsed('CHARGE.paid', '--mode', 'LIVE', '--waive', 'Yes', '--roles', 'NONE', '--rail', 'None')).toEqual([
      'charge.paid',
      { mode: 'live', waive: true, roles: [], rail: 'none' },
    ]);
  });

  it.each([
    [['charge'], /Allowed choices are charge\.paid\.$/m],
    [['charge.payed'], /Did you mean charge\.paid\? Allowed choices are charge\.paid\./],
    [['charge.paid', '--mode', 'lvie'], /Allowed choices are live, test\.$/m],
    [['charge.paid', '--mode', 'lve'], /Did you mean live\?/],
    [['charge.paid', '--mode', 'lively'], /Allowed choices are live, test\./],
  ])('lists the allowed choices for an unknown word: %j', (args, message) => {
    expect(() => parsed(...args)).toThrow(message);
  });
});
