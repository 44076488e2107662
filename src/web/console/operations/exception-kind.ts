import type { Html } from '../../../platform/html/html.js';
import { duration, type Column } from '../shared/components.js';
import { SHOWN_MAX } from './exceptions.js';

/** A kind of exception: its title, meaning and rows. */
export interface ExceptionKind {
  readonly id: string;
  readonly title: string;
  readonly count: number;
  /** There are more than `count`, the number of those that were read. */
  readonly isMore: boolean;
  readonly hint: string;
  /** Order of the rows in words. */
  readonly order: string;
  readonly columns: readonly Column[];
  readonly rows: readonly (readonly (Html | string | number)[])[];
  /** Address of the whole list. */
  readonly all?: string;
}

export const AGE: Column = { title: 'Age', isFigure: true };

export const ageSince = (moment: string, now: number): string => duration((now - Date.parse(moment)) / 1_000);

/** Returns the shown items. `found` has one more item than SHOWN_MAX when there are more. */
export function shown<Item>(found: readonly Item[]): { readonly items: readonly Item[]; readonly count: number; readonly isMore: boolean } {
  const items = found.slice(0, SHOWN_MAX);
  return { items, count: items.length, isMore: found.length > items.length };
}
