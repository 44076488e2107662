import { Transform } from 'class-transformer';
import { contentsOf } from '../../platform/http/validation/validation.js';
import { isObject } from '../../platform/http/validation/validation.js';

/** Decorators of lists and maps. They accept words in any case, as the decorators of single fields do. */

/** ASCII letters only: `toUpperCase` would also make `ı` an I. */
const inAscii =
  (change: (text: string) => string) =>
  (text: string): string =>
    /^[\x20-\x7e]*$/.test(text) ? change(text) : text;
const upper = inAscii((text) => text.toUpperCase());
const lower = inAscii((text) => text.toLowerCase());
const ifText = (item: unknown): unknown => (typeof item === 'string' ? upper(item) : item);

/** Converts the items of a list to upper case. */
export const ItemsInAnyCase = (): PropertyDecorator =>
  Transform(({ value }) => {
    const items = contentsOf(value);
    return Array.isArray(items) ? items.map(ifText) : items;
  });

/** Converts the values of a map to upper case. */
export const ValuesInAnyCase = (): PropertyDecorator =>
  Transform(({ value }) => {
    const map = contentsOf(value);
    return isObject(map) ? Object.fromEntries(Object.entries(map).map(([key, item]) => [key, ifText(item)])) : map;
  });

/** Converts the keys of a map. A key whose converted form is present as well stays as it is, and validation rejects it as written. */
export const KeysInAnyCase = (to: 'upper' | 'lower'): PropertyDecorator =>
  Transform(({ value }) => {
    const map = contentsOf(value);
    if (!isObject(map)) return map;
    const change = to === 'upper' ? upper : lower;
    const taken = new Set<string>();
    const nameOf = (key: string): string => {
      const wanted = change(key);
      const name = wanted !== key && (Object.hasOwn(map, wanted) || taken.has(wanted)) ? key : wanted;
      taken.add(name);
      return name;
    };
    return Object.fromEntries(Object.entries(map).map(([key, item]) => [nameOf(key), item]));
  });
