import { describe, expect, it } from '@jest/globals';
import { INQUIRY_VERDICTS, PAY_VERDICTS, REFUND_VERDICTS, STATUS_NOT_FOUND, TRANSFER_STATUSES, verdictOf } from '../../../src/rails/snap/outcomes.js';
import { railFacts, RESULT_OF_WORD } from '../../support/rail-facts.js';

const facts = railFacts('outcomes').snap as Record<'pay' | 'status' | 'inquireName' | 'refund 78', Record<string, string>>;
/** Returns the result for a text of outcomes.json, which begins with the word of a result and may add details: `not-now, rail red`. */
const isOf = (text: string): string => RESULT_OF_WORD[/^[a-z-]+/.exec(text)![0]]!;

describe('outcomes of SNAP, code by code', () => {
  it.each(Object.entries(facts.pay))('payment verdict of %s', (key, text) => {
    const verdict = PAY_VERDICTS[key]!;
    expect(verdict.is).toBe(isOf(text));
    // The line of 401:* in outcomes.json lists the cases that turn the rail red.
    const report = key === '401:*' ? undefined : /\b(red|alarm)\b/.exec(text)?.[1];
    expect(verdict.report).toBe(report);
  });

  it('payment: the cases of 401 that are told apart, and no other code', () => {
    const more = Object.keys(PAY_VERDICTS).filter((key) => !(key in facts.pay));
    expect(more).toEqual(['401:00', '401:01', '401:03']);
    expect(more.map((key) => PAY_VERDICTS[key]!.report)).toEqual(['red', undefined, 'red']);
    expect(facts.pay['401:*']).toBe('not-now; 401:01 renews the token once, 401:00 and 401:03 turn the rail red');
  });

  it('payment: every code that is not listed is unknown', () => {
    for (let http = 100; http < 600; http += 1) {
      for (let number = 0; number < 100; number += 1) {
        const caseCode = String(number).padStart(2, '0');
        const wanted = facts.pay[`${http}:${caseCode}`] ?? facts.pay[`${http}:*`] ?? 'unknown';
        expect(verdictOf(PAY_VERDICTS, http, caseCode).is).toBe(isOf(wanted));
      }
    }
  });

  it('status: every listed status has its meaning', () => {
    const byStatus: Record<string, string> = {};
    for (const [key, meaning] of Object.entries(facts.status)) {
      for (const status of key.replace('200 latestTransactionStatus ', '').split('|')) byStatus[status] = meaning;
    }
    const { [STATUS_NOT_FOUND]: notFound, '*': others, ...statuses } = byStatus;
    expect(TRANSFER_STATUSES).toEqual(statuses);
    expect(notFound).toBe('not-found');
    expect(others).toMatch(/^unknown, never not-found/);
  });

  it('name inquiry: only the listed refusals end a payout', () => {
    const refusals = Object.entries(facts.inquireName).filter(([, text]) => text.startsWith('payout FAILED'));
    expect(Object.keys(INQUIRY_VERDICTS).sort()).toEqual(refusals.map(([key]) => key).sort());
    expect(new Set(Object.values(INQUIRY_VERDICTS).map(({ is }) => is))).toEqual(new Set(['rejected']));
  });

  it.each(Object.entries(facts['refund 78']))('refund verdict of %s', (key, text) => {
    if (key !== '*' && text !== 'done') expect(REFUND_VERDICTS[key]?.is).toBe(isOf(text));
    else expect(REFUND_VERDICTS[key]).toBeUndefined();
  });

  it('refund: no other code', () => {
    expect(Object.keys(REFUND_VERDICTS).filter((key) => !(key in facts['refund 78']))).toEqual([]);
    expect(verdictOf(REFUND_VERDICTS, 404, '01').is).toBe('unknown');
  });
});
