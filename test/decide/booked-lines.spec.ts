import { describe, it } from '@jest/globals';
import { bookedLines, type BookPart } from '../../src/domain/reconciliation/days/booked-lines.decider.js';
import type { DayCloseEvent } from '../../src/ledger/events/day-close.events.js';
import { given } from '../support/given.js';

const NOW = '2026-11-30T08:15:30.123+00:00';
const OF = { source: 'test-bca', mode: 'test', day: '2026-11-11' } as const;
const ROW = { movement: 'UNKNOWN', reversed: false, line_source: 'test-bca', line_key: 'k', amount: 10, fee: 0, tax: 0 } as const;
const rows = [{ ...ROW, batch_source: null, batch: null, processor: null, event_id: null, item_id: 'i' }];
const givenLines = given(bookedLines);

const part = (part: number, parts: number, n = 1): BookPart => ({ kind: 'book-part', ...OF, n, part, parts, currency: 'IDR', rows, now: NOW });
const booked = (part: number, parts: number, n = 1): DayCloseEvent => ({
  type: 'BankLinesBooked',
  data: { merchant_id: null, ...OF, n, part, parts, currency: 'IDR', rows, booked_on: NOW },
});
const opened = (n: number): DayCloseEvent => ({
  type: 'DayCloseOpened',
  data: {
    ...{ merchant_id: null, ...OF, n, matcher: 2, closings: [], lines_stream: 'recon-test-bca' },
    ...{ person_id: 'p', key_id: 'k', reason: 'why', opened_on: NOW },
  },
});

describe('the booked lines of a bank day', () => {
  it('books a bank day part by part, each once', () => {
    givenLines().when(part(1, 2)).then(booked(1, 2));
    givenLines().when(part(2, 2)).isRefused('part-out-of-order');
    givenLines().when(part(2, 1)).isRefused('part-out-of-order');
    givenLines().when(part(1, 0)).isRefused('parts-differ');
    givenLines(booked(1, 2)).when(part(1, 2)).doesNothing();
    givenLines(booked(1, 2)).when(part(2, 2)).then(booked(2, 2));
    givenLines(booked(1, 2)).when(part(2, 3)).isRefused('parts-differ');
    givenLines(booked(1, 2), booked(2, 2)).when(part(2, 2)).doesNothing();
  });

  it('books a close of the first version behind its opening, and no part of one that has ended', () => {
    const before = [opened(1), booked(1, 1), opened(2)];
    givenLines(...before)
      .when(part(1, 1, 1))
      .isRefused('close-ended');
    givenLines(...before)
      .when(part(1, 1, 2))
      .then(booked(1, 1, 2));
    givenLines(...before, booked(1, 2, 2))
      .when(part(2, 2, 2))
      .then(booked(2, 2, 2));
  });
});
