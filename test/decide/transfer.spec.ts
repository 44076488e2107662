import { describe, expect, it } from '@jest/globals';
import type { PayoutAttempted, TransferEvent, TransferStreamEvent } from '../../src/ledger/events/transfer.events.js';
import { timestamp } from '../../src/ledger/time.js';
import type { TransferTerms } from '../../src/domain/payouts/transfer/remote-bank.js';
import { transfer, type TransferCommand } from '../../src/domain/payouts/transfer/transfer.decider.js';
import { nextInquiryAt, quietUntil, settledAt } from '../../src/domain/payouts/transfer/transfer-times.js';
import { given } from '../support/given.js';

type Command<Kind> = Extract<TransferCommand, { kind: Kind }>;

const givenTransfer = given(transfer);
const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
/** 15:00 in Jakarta. */
const START = Date.parse('2026-03-02T08:00:00Z');
const when = (ms: number): string => timestamp(START + ms);
const of = { payout_id: 'p1', merchant_id: 'm1', currency: 'IDR' };
const terms: TransferTerms = {
  settle_after: 900,
  quiet_hours: [],
  inquiry_window_days: 30,
  reference_window_days: 7,
  pay_again: true,
  on_name_difference: 'wait',
  whole_units_only: true,
};
const now = when(0);

const checked = (match: 'EXACT' | 'DIFFERENT' = 'EXACT'): TransferEvent => ({
  type: 'BeneficiaryChecked',
  data: { ...of, rail: 'bca', match, name_masked: 'S***', checked_on: now },
});
const accepted: TransferEvent = { type: 'BeneficiaryAccepted', data: { ...of, accepted_by: 'sari', accepted_on: now } };
const attempted = (attempt = 1, ms = 0, change: Partial<PayoutAttempted> = {}): TransferEvent => ({
  type: 'PayoutAttempted',
  data: {
    ...{ ...of, attempt, rail: 'bca', partner_reference: '177', external_id: `e${attempt}`, bank_code: '014' },
    ...{ day: '2026-03-02', at: when(ms), ...change },
  },
});
const closed = (attempt = 1): TransferEvent => ({ type: 'PayoutAttemptClosed', data: { ...of, attempt, code: '4031414', closed_on: now } });
const decided = (
  verdict: 'paid' | 'failed' | 'returned',
  by: 'inquiry' | 'refusal' | 'name-check' = 'inquiry',
  code: string | null = null,
): TransferEvent => ({
  type: 'PayoutDecided',
  data: { ...of, verdict, code, by, decided_by: null, evidence: null, decided_on: now },
});
const held = (reason: 'not-found' | 'no-answer' | 'contradiction', evidence: string, ms = 0): TransferEvent => ({
  type: 'PayoutHeld',
  data: { ...of, reason, evidence, held_on: when(ms) },
});

/** The attempt as it is computed before the call to the bank; `seen` is the revision that it is based on. */
const attempt = (seen: number, change: Partial<Command<'attempt'>> = {}): Command<'attempt'> => ({
  ...{ kind: 'attempt', seen, rail: 'bca', partner_reference: '177', external_id: 'e1', bank_code: '014', terms, now },
  ...change,
});
/** Twice "not found", a minute apart, the second time at `ms`. */
const notFound = (ms: number, apart = MINUTE) => ({ first_sent: when(ms - apart), second_sent: when(ms) });
const again = (ms: number, change: Partial<Command<'attempt'>> = {}): Command<'attempt'> =>
  attempt(1, { external_id: 'e2', not_found: notFound(ms), now: when(ms + SECOND), ...change });
const hold = (ms: number, change: Partial<Command<'hold-not-found'>> = {}): Command<'hold-not-found'> => ({
  ...{ kind: 'hold-not-found', seen: 1, terms: { ...terms, pay_again: false }, not_found: notFound(ms), now: when(ms + SECOND) },
  ...change,
});
const tell = (seen: number, status: 'paid' | 'failed' | 'returned'): TransferCommand => ({ kind: 'tell-status', seen, status, now });
const refused = (seen: number, of = 1): TransferCommand => ({ kind: 'refuse-attempt', seen, attempt: of, code: '4031418', now });

/** Time from an attempt to the second "not found" that counts: 15 minutes to the first, and a minute between them. */
const COUNTS = 15 * MINUTE + MINUTE;

describe('the account to be paid', () => {
  const check: TransferCommand = { kind: 'check-name', of, rail: 'bca', match: 'EXACT', name_masked: 'S***', now };

  it('checks the account name once, before any attempt', () => {
    givenTransfer().when(check).then(checked());
    givenTransfer(checked()).when(check).doesNothing();
    givenTransfer().when(attempt(-1)).isRefused('name-not-checked');
  });

  it('waits for an operator when the account name differs, unless the rail pays regardless', () => {
    const accept: TransferCommand = { kind: 'accept-name', accepted_by: 'sari', now };
    givenTransfer().when(accept).isRefused('name-not-checked');
    givenTransfer(checked()).when(accept).doesNothing();
    givenTransfer(checked('DIFFERENT')).when(attempt(0)).isRefused('name-differs');
    givenTransfer(checked('DIFFERENT')).when(accept).then(accepted);
    givenTransfer(checked('DIFFERENT'), accepted).when(accept).doesNothing();
    givenTransfer(checked('DIFFERENT'), accepted).when(attempt(1)).then(attempted());
    givenTransfer(checked('DIFFERENT'))
      .when(attempt(0, { terms: { ...terms, on_name_difference: 'pay' } }))
      .then(attempted());
  });

  it('fails a payout to an account that does not exist, unless an attempt is open', () => {
    const reject = (seen: number): TransferCommand => ({ kind: 'reject-account', seen, code: '4041511', now });
    givenTransfer(checked())
      .when(reject(0))
      .then(decided('failed', 'name-check', '4041511'));
    givenTransfer(checked(), attempted()).when(reject(1)).isRefused('another-attempt-open');
    givenTransfer(checked(), decided('failed', 'name-check', '4041511'))
      .when(reject(1))
      .doesNothing();
  });
});

describe('an attempt', () => {
  it('stores an attempt before the call, at the revision that the worker read', () => {
    givenTransfer(checked()).when(attempt(0)).then(attempted());
    givenTransfer(checked(), attempted()).when(attempt(0)).isRefused('changed-meanwhile');
    givenTransfer(checked(), attempted()).when(attempt(1)).isRefused('not-settled');
  });

  it('refuses an attempt in quiet hours, after a verdict, and while an operator has to decide', () => {
    givenTransfer(checked())
      .when(attempt(0, { terms: { ...terms, quiet_hours: [{ from: '14:30', to: '15:30' }] } }))
      .isRefused('quiet-hours');
    givenTransfer(checked(), attempted(), decided('failed')).when(attempt(2)).isRefused('already-decided');
    givenTransfer(checked(), attempted(), held('not-found', ''))
      .when({ ...again(COUNTS), seen: 2 })
      .isRefused('already-held');
  });

  it('an attempt that the bank refused leaves only its reference behind', () => {
    const close: TransferCommand = { kind: 'close-attempt', seen: 1, attempt: 1, code: '4031414', now };
    givenTransfer(checked(), attempted()).when(close).then(closed());
    givenTransfer(checked(), attempted(), attempted(2))
      .when({ ...close, seen: 2 })
      .isRefused('not-the-open-attempt');
    const [event] = [attempted(2)];
    givenTransfer(checked(), attempted(), closed())
      .when(attempt(2, { external_id: 'e2' }))
      .then(event);
    givenTransfer(checked(), attempted(), closed())
      .when(attempt(2, { partner_reference: '178' }))
      .isRefused('not-the-same-reference');
    givenTransfer(checked(), attempted(), closed())
      .when(attempt(2, { rail: 'bri' }))
      .isRefused('not-the-same-reference');
  });
});

describe('a second attempt', () => {
  const first = [checked(), attempted()] as const;

  it('makes a second attempt when the bank knows of no transfer after its time of arrival', () => {
    givenTransfer(...first)
      .when(again(COUNTS))
      .then(attempted(2, COUNTS + SECOND));
  });

  it.each<[string, Command<'attempt'>, string]>([
    ['the first inquiry was sent too early', again(COUNTS - SECOND), 'not-settled'],
    ['they were too close to each other', again(COUNTS, { not_found: notFound(COUNTS, MINUTE - 1) }), 'not-settled'],
    ['the answer is old', again(COUNTS, { now: when(COUNTS + 11 * SECOND) }), 'not-settled'],
    ['the answer is of another time', again(COUNTS, { now: when(COUNTS - SECOND) }), 'not-settled'],
    [
      'one was sent in quiet hours',
      again(COUNTS, {
        terms: {
          ...terms,
          quiet_hours: [
            { from: '15:14', to: '15:15' },
            { from: '15:15', to: '15:16' },
          ],
        },
      }),
      'not-settled',
    ],
    ['the provider has not guaranteed a safe repeat', again(COUNTS, { terms: { ...terms, pay_again: false } }), 'may-not-pay-again'],
    ['the bank may have forgotten the first', again(6 * DAY), 'may-not-pay-again'],
    ['it would carry another reference', again(COUNTS, { partner_reference: '178' }), 'not-the-same-reference'],
    ['it would go to another bank', again(COUNTS, { rail: 'bri' }), 'not-the-same-reference'],
    ['no inquiry was sent', again(COUNTS, { not_found: undefined }), 'not-settled'],
  ])('refuses a second attempt when %s', (_, command, refusal) => {
    givenTransfer(...first)
      .when(command)
      .isRefused(refusal as 'not-settled');
  });

  it('refuses a third attempt that may be paid', () => {
    const two = [...first, attempted(2, COUNTS)];
    givenTransfer(...two)
      .when({ ...again(COUNTS + COUNTS), seen: 2 })
      .isRefused('may-not-pay-again');
    // The age is that of the newest.
    givenTransfer(...two)
      .when({ ...again(COUNTS + MINUTE), seen: 2 })
      .isRefused('not-settled');
  });
});

describe('a verdict', () => {
  it('stores the verdict of an inquiry once', () => {
    for (const status of ['paid', 'failed', 'returned'] as const) {
      givenTransfer(checked(), attempted()).when(tell(1, status)).then(decided(status));
      givenTransfer(checked(), attempted()).when(tell(0, status)).isRefused('changed-meanwhile');
      givenTransfer(checked(), attempted(), decided(status)).when(tell(2, status)).doesNothing();
      givenTransfer(checked()).when(tell(0, status)).isRefused('not-attempted');
    }
    givenTransfer(checked(), attempted(), held('not-found', '')).when(tell(2, 'paid')).then(decided('paid'));
  });

  it('a closed attempt accepts only the verdict "paid"', () => {
    givenTransfer(checked(), attempted(), closed()).when(tell(2, 'failed')).isRefused('not-attempted');
    givenTransfer(checked(), attempted(), closed()).when(tell(2, 'paid')).then(decided('paid'));
  });

  it('a refusal is a verdict only for the single open attempt', () => {
    givenTransfer(checked(), attempted())
      .when(refused(1))
      .then(decided('failed', 'refusal', '4031418'));
    givenTransfer(checked(), attempted(), closed(), attempted(2))
      .when(refused(3, 2))
      .then(decided('failed', 'refusal', '4031418'));
    givenTransfer(checked(), attempted(), attempted(2)).when(refused(2, 2)).isRefused('another-attempt-open');
    givenTransfer(checked(), attempted(), attempted(2)).when(refused(2, 1)).isRefused('not-the-open-attempt');
    givenTransfer(checked(), attempted(), decided('paid')).when(refused(2)).isRefused('already-decided');
  });

  it('a verdict is final: contradictions of the bank hold the payout, and a return of a paid one is recorded', () => {
    const first = [checked(), attempted()];
    givenTransfer(...first, decided('paid'))
      .when(tell(2, 'returned'))
      .then(decided('returned'));
    givenTransfer(...first, decided('paid'), decided('returned'))
      .when(tell(3, 'returned'))
      .doesNothing();
    givenTransfer(...first, decided('paid'))
      .when(tell(2, 'failed'))
      .then(held('contradiction', `Recorded as paid; an inquiry on ${now} returned failed.`));
    givenTransfer(...first, decided('failed'))
      .when(tell(2, 'paid'))
      .then(held('contradiction', `Recorded as failed; an inquiry on ${now} returned paid.`));
    givenTransfer(...first, decided('failed'), held('contradiction', 'x'))
      .when(tell(3, 'paid'))
      .doesNothing();
    const contradicted: TransferCommand = { kind: 'hold-contradiction', evidence: 'The payout is FAILED.', now };
    givenTransfer(...first, decided('paid'))
      .when(contradicted)
      .then(held('contradiction', 'The payout is FAILED.'));
  });
});

describe('a payout that no rule can decide', () => {
  const first = [checked(), attempted()] as const;

  it('holds a payout, and never fails it, when the bank knows of no transfer and another attempt is unsafe', () => {
    const says = `The bank knows of no transfer: asked on ${when(COUNTS - MINUTE)} and ${when(COUNTS)}, 1 open attempts.`;
    givenTransfer(...first)
      .when(hold(COUNTS))
      .then(held('not-found', says, COUNTS + SECOND));
    givenTransfer(...first)
      .when(hold(COUNTS, { terms }))
      .isRefused('may-pay-again');
    givenTransfer(...first)
      .when(hold(COUNTS - SECOND))
      .isRefused('not-settled');
    givenTransfer(...first, held('not-found', says))
      .when(hold(COUNTS, { seen: 2 }))
      .doesNothing();
    givenTransfer(checked())
      .when(hold(COUNTS, { seen: 0 }))
      .isRefused('not-attempted');
  });

  it('holds a payout when the bank stops answering inquiries', () => {
    const unanswered = (ms: number): TransferCommand => ({ kind: 'hold-unanswered', seen: 1, terms, now: when(ms) });
    givenTransfer(...first)
      .when(unanswered(30 * DAY - 1))
      .isRefused('may-still-answer');
    givenTransfer(...first)
      .when(unanswered(30 * DAY))
      .then(held('no-answer', `The bank did not report an outcome before ${when(30 * DAY)}, after which it answers no inquiries.`, 30 * DAY));
    givenTransfer(checked())
      .when({ ...unanswered(30 * DAY), seen: 0 } as TransferCommand)
      .isRefused('not-attempted');
  });

  it('an operator decides a held payout, as not paid only when it can no longer be paid', () => {
    const resolve = (verdict: 'paid' | 'failed', change: Partial<Command<'resolve'>> = {}): TransferCommand => ({
      ...{ kind: 'resolve', verdict, decided_by: 'sari', evidence: 'statement 7', is_final: false, inquiry_window_days: 30, now },
      ...change,
    });
    const byOperator = (verdict: 'paid' | 'failed', ms = 0): TransferEvent => ({
      type: 'PayoutDecided',
      data: { ...of, verdict, code: null, by: 'person', decided_by: 'sari', evidence: 'statement 7', decided_on: when(ms) },
    });
    const stuck = [...first, held('not-found', '')] as const;
    givenTransfer(...first)
      .when(resolve('paid'))
      .isRefused('not-held');
    givenTransfer(...stuck)
      .when(resolve('paid'))
      .then(byOperator('paid'));
    givenTransfer(...stuck)
      .when(resolve('failed'))
      .isRefused('may-still-be-paid');
    givenTransfer(...stuck)
      .when(resolve('failed', { is_final: true }))
      .then(byOperator('failed'));
    givenTransfer(...stuck, held('no-answer', ''))
      .when(resolve('failed'))
      .then(byOperator('failed'));
    givenTransfer(...stuck, byOperator('paid'))
      .when(resolve('failed', { is_final: true }))
      .isRefused('already-decided');
    const refused: TransferStreamEvent = {
      type: 'ProposalRefused',
      data: { merchant_id: of.merchant_id, proposal_id: 'p0', refusal: 'may-still-be-paid', detail: 'x', refused_on: now },
    };
    const proposed = byOperator('paid') as Extract<TransferEvent, { type: 'PayoutDecided' }>;
    givenTransfer(...stuck, refused)
      .when(resolve('paid', { proposal_id: 'p1' }))
      .then({ ...proposed, data: { ...proposed.data, proposal_id: 'p1' } });
  });
});

describe('the inquiry window of a bank', () => {
  const first = [checked(), attempted()] as const;
  const resolve = (verdict: 'paid' | 'failed', ms: number, change: Partial<Command<'resolve'>> = {}): TransferCommand => ({
    ...{ kind: 'resolve', verdict, decided_by: 'sari', evidence: 'mail of the bank', is_final: false, inquiry_window_days: 30, now: when(ms) },
    ...change,
  });
  const byOperator = (verdict: 'paid' | 'failed', ms: number): TransferEvent => ({
    type: 'PayoutDecided',
    data: { ...of, verdict, code: null, by: 'person', decided_by: 'sari', evidence: 'mail of the bank', decided_on: when(ms) },
  });
  const END = 30 * DAY;

  it.each(['paid', 'failed'] as const)(
    'an operator decides "%s" once the inquiry window has ended by the clock, whether or not the payout is held',
    (verdict) => {
      givenTransfer(...first)
        .when(resolve(verdict, END - 1))
        .isRefused('not-held');
      givenTransfer(...first)
        .when(resolve(verdict, END))
        .then(byOperator(verdict, END));
      givenTransfer(...first, held('not-found', ''))
        .when(resolve(verdict, END))
        .then(byOperator(verdict, END));
    },
  );

  it('the inquiry window starts with the newest open attempt, so an older one does not end a payout that may still be paid', () => {
    const twice = [...first, attempted(2, 6 * DAY)] as const;
    givenTransfer(...twice)
      .when(resolve('failed', END + 6 * DAY - 1))
      .isRefused('not-held');
    givenTransfer(...twice, held('not-found', ''))
      .when(resolve('failed', END + 6 * DAY - 1))
      .isRefused('may-still-be-paid');
    givenTransfer(...twice)
      .when(resolve('failed', END + 6 * DAY))
      .then(byOperator('failed', END + 6 * DAY));
  });

  it('the inquiry window is unknown without a rail or an open attempt: only the recorded reason of the hold counts', () => {
    const unknown = { inquiry_window_days: undefined };
    givenTransfer(...first)
      .when(resolve('failed', END, unknown))
      .isRefused('not-held');
    givenTransfer(...first, held('not-found', ''))
      .when(resolve('failed', END, unknown))
      .isRefused('may-still-be-paid');
    givenTransfer(...first, held('no-answer', ''))
      .when(resolve('failed', END, unknown))
      .then(byOperator('failed', END));
    givenTransfer(...first, closed())
      .when(resolve('failed', END))
      .isRefused('not-held');
    givenTransfer(checked()).when(resolve('failed', END)).isRefused('not-held');
  });
});

describe('the times of a bank', () => {
  it('an attempt counts as settled after a number of seconds, or at a time of the next day in Jakarta', () => {
    expect(settledAt(now, 900)).toBe(START + 15 * MINUTE);
    expect(settledAt(now, { next_day_at: '08:00' })).toBe(Date.parse('2026-03-03T01:00:00Z'));
    // 00:30 in Jakarta: the next day is the one after this night.
    expect(settledAt('2026-03-02T17:30:00.000+00:00', { next_day_at: '08:00' })).toBe(Date.parse('2026-03-04T01:00:00Z'));
  });

  it('a bank has quiet hours between two times of day, also over midnight', () => {
    const night = [{ from: '21:00', to: '08:00' }];
    const at = (text: string): number => Date.parse(`2026-03-02T${text}+07:00`);
    expect(quietUntil(at('20:59:59'), night)).toBeUndefined();
    expect(quietUntil(at('21:00:00'), night)).toBe(Date.parse('2026-03-03T08:00:00+07:00'));
    expect(quietUntil(at('07:59:59'), night)).toBe(at('08:00:00'));
    expect(quietUntil(at('08:00:00'), night)).toBeUndefined();
    expect(quietUntil(at('12:00:00'), [{ from: '11:30', to: '12:30' }])).toBe(at('12:30:00'));
  });

  it('asks the bank at once, after 10 s, 1 min and 10 min, hourly for a day, then daily, and when its answer begins to count', () => {
    const asked: number[] = [];
    for (let last: number | undefined; asked.length < 32;) {
      last = nextInquiryAt(START, START + 15 * MINUTE, last);
      asked.push(last - START);
    }
    const hours = Array.from({ length: 24 }, (_, n) => (n + 1) * HOUR);
    expect(asked).toEqual([0, 10 * SECOND, MINUTE, 10 * MINUTE, 15 * MINUTE, ...hours, 2 * DAY, 3 * DAY, 4 * DAY]);
  });
});
