import { readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { readEvent } from '../../../src/ledger/catalogue.js';
import { onlyLinesOf } from '../../../src/ledger/published/lines-of.js';
import type { RecordedEvent } from '../../../src/platform/event-store/event-store.js';

type Line = { readonly record_id: string; readonly charge_id?: string };
/** The record in whose history the line is shown: a refund's line in that of its charge. */
const shownIn = ({ record_id, charge_id = record_id }: Line): string => charge_id;

describe('a settlement in the history of one record', () => {
  it.each([1, 2])('written in version %i shows the lines of this record only, and is read again as it is', (version) => {
    const { event } = JSON.parse(readFileSync(new URL(`../../golden/FundsSettled.${version}.json`, import.meta.url), 'utf8')) as {
      event: RecordedEvent;
    };
    const { lines } = event.data as { readonly lines: readonly Line[] };
    expect(lines.length).toBeGreaterThan(1);
    for (const id of lines.map(shownIn)) {
      const shown = onlyLinesOf(id, event);
      expect((shown.data as { readonly lines: readonly Line[] }).lines).toMatchObject(lines.filter((line) => shownIn(line) === id));
      expect(readEvent(shown)).toBe(shown);
    }
    expect(onlyLinesOf('nobody', event).data).toMatchObject({ lines: [] });
  });
});
