import { minorUnits } from '../text/amounts.js';
import { formatFigure } from '../text/format.js';

export interface TypedAmount {
  readonly currency: string;
  /** Minor units, positive. */
  readonly amount: number;
}

const CURRENCY_OF_SIGN: Readonly<Record<string, string>> = { RP: 'IDR', IDR: 'IDR', RM: 'MYR', MYR: 'MYR', S$: 'SGD', SGD: 'SGD' };
const SIGN = String.raw`(RP|IDR|RM|MYR|S\$|SGD)?`;
const TYPED = new RegExp(`^[-+−]?${SIGN}[-+−]?(\\d[\\d.,]*)$`);
const UNSIGNED = new RegExp(`^${SIGN}(\\d[\\d.,]*)$`);

/**
 * Reads an amount as a person types or copies it, in the form of each currency: `1.500` and `Rp 1.500,00` are 1,500 rupiah, `1,500.00` of MYR and SGD.
 * Without a currency it may be of several. The sign is ignored.
 * @returns none for any other text, and for an amount of 0 or whose minor units are no safe integer
 */
export function typedAmounts(text: string): TypedAmount[] {
  const [, sign, figure = ''] = TYPED.exec(text.replace(/\s/g, '').toUpperCase()) ?? [];
  const currencies = sign === undefined ? FORMS.keys() : [CURRENCY_OF_SIGN[sign]!];
  return [...currencies].flatMap((currency) => {
    const amount = amountOf(figure, currency);
    return amount === undefined || amount === 0 ? [] : [{ currency, amount }];
  });
}

/**
 * Reads an amount of one currency, 0 too, in the form in which it is shown, with or without the name of the currency.
 * @param currency upper case
 * @returns minor units; undefined for any other text, for an amount with a sign, and for an unknown currency
 */
export function amountIn(text: string, currency: string): number | undefined {
  const [, sign, figure = ''] = UNSIGNED.exec(text.replace(/\s/g, '').toUpperCase()) ?? [];
  return sign !== undefined && CURRENCY_OF_SIGN[sign] !== currency ? undefined : amountOf(figure, currency);
}

function amountOf(figure: string, currency: string): number | undefined {
  const known = FORMS.get(currency);
  return known?.form.test(figure) === true ? minorUnits(figure.replaceAll(known.group, '').replace(known.point, '.')) : undefined;
}

/** Separators of a currency, as its figures are shown: groups of three digits, or none. */
const FORMS = new Map(
  [...new Set(Object.values(CURRENCY_OF_SIGN))].map((currency) => {
    const shown = formatFigure(123_456, currency);
    const [group, point] = [shown.at(1)!, shown.at(-3)!];
    return [currency, { group, point, form: new RegExp(`^(?:\\d+|\\d{1,3}(?:\\${group}\\d{3})+)(?:\\${point}\\d{1,2})?$`) }];
  }),
);
