import type { Html } from '../../../platform/html/html.js';
import { duration, type Column } from '../components.js';
import { SHOWN_MAX } from './exceptions.js';

/** Each kind of exception: how it is called, what it means, and its rows. */
export interface ExceptionKind {
  readonly id: string;
  readonly title: string;
  readonly count: number;
  /** More than `count`, which says how many were looked at. */
  readonly isMore: boolean;
  readonly hint: string;
  /** Of the rows. */
  readonly order: string;
  readonly columns: readonly Column[];
  readonly rows: readonly (readonly (Html | string | number)[])[];
  /** Where all of them are. */
  readonly all?: string;
}

export const AGE: Column = { title: 'Age', isFigure: true };

export const ageSince = (moment: string, now: number): string => duration((now - Date.parse(moment)) / 1_000);

/** `found` holds one more than is shown where there are more. */
export function shown<Item>(found: readonly Item[]): { readonly items: readonly Item[]; readonly count: number; readonly isMore: boolean } {
  const items = found.slice(0, SHOWN_MAX);
  return { items, count: items.length, isMore: found.length > items.length };
}
