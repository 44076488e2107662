import { describe, expect, it } from '@jest/globals';
import { disputeId, type DisputeClaim } from '../../src/domain/charges/disputes/charge-disputes.js';
import { charge, type ChargeCommand } from '../../src/domain/charges/charge.decider.js';
import { goneBackOf, type ExistingCharge } from '../../src/domain/charges/charge-state.js';
import type { ChargeEvent } from '../../src/ledger/events/charge.events.js';
import type { ChargeDisputeHeld, ChargeDisputeLost, ChargeDisputeWon, DisputeStage } from '../../src/ledger/events/dispute.events.js';
import type { ChargeRefundClaimed, RefundReserved } from '../../src/ledger/events/refund.events.js';
import { derivedId } from '../../src/ledger/ids/idempotency.js';
import { timestamp } from '../../src/ledger/time.js';
import { createCharge, termsOf } from '../support/create-charge.js';
import { given } from '../support/given.js';

const givenCharge = given(charge);
const at = (day: number, seconds = 0): string => timestamp(Date.UTC(2026, 1, day, 0, 0, seconds));
const now = at(5);
const due_by = at(12);
const of = { charge_id: 'c1', merchant_id: 'm1', currency: 'IDR' };
const dispute_id = disputeId('c1', 'D1');
const ofDispute = { ...of, dispute_id };

const processor = 'SIMULATOR';

const paid: ChargeEvent[] = [];
for (const command of [
  createCharge(of, termsOf('QR_QRIS'), { amount: 10_000 }, at(1)),
  { kind: 'pay', amount: 10_000, payment_reference: 'p1', now: at(1, 5), holidays: new Map() },
] satisfies ChargeCommand[]) {
  const decision = charge.decide(paid.reduce(charge.evolve, charge.initial), command);
  if ('events' in decision) paid.push(...decision.events);
}
/** A settlement has claimed it. */
const claimed: ChargeEvent = {
  type: 'ChargeSettlementClaimed',
  data: { ...of, settlement_number: 1, net_amount: 9_930, fee_amount: 70, claimed_on: at(3) },
};
const reversed: ChargeEvent = {
  type: 'ChargeReversed',
  data: { ...of, processor, amount: 10_000, fee_amount: 70, net_amount: 9_930, reason: 'r', claimed_in: null, reversed_on: at(4) },
};
const refunding = (refund_id: string, amount: number, fee_amount: number): ChargeEvent => {
  const amounts = { amount, fee_amount, net_amount: amount - fee_amount };
  const asked = { reason: null, reference_id: null, description: null, meta_data: {}, fingerprint: 'print', created_by: 'key_1' };
  const data: ChargeRefundClaimed = { ...of, refund_id, ...amounts, source: 'PENDING', reservation_id: null, ...asked, claimed_on: at(2) };
  return { type: 'ChargeRefundClaimed', data };
};
const moneyOf = (amount: number, fee_amount: number) => ({ amount, fee_amount, net_amount: amount - fee_amount });
const submitted = (refund_id: string, amount: number, fee_amount: number): ChargeEvent => ({
  type: 'ChargeRefundSubmitted',
  data: { ...of, refund_id, ...moneyOf(amount, fee_amount), submitted_on: at(2, 1) },
});

const said: DisputeClaim = { reference: 'D1', stage: 'CHARGEBACK', amount: 10_000, reason_code: '10.4', reason: 'not me', due_by };
const open = (claim: Partial<DisputeClaim> = {}, moment = now): ChargeCommand => ({
  kind: 'open-dispute',
  claim: { ...said, ...claim },
  dispute_fee_amount: 500,
  now: moment,
});
const opened = (change: object = {}): ChargeEvent => ({
  type: 'ChargeDisputeOpened',
  data: {
    ...ofDispute,
    ...{ stage: 'CHARGEBACK', amount: 10_000, excess_amount: 0, reason_code: '10.4', reason: 'not me', due_by },
    ...{ reference: 'D1', refunded_amount: 0, dispute_fee_amount: 500, opened_on: now },
    ...change,
  },
});
const held = (change: Partial<ChargeDisputeHeld> = {}, number = 1): ChargeEvent => ({
  type: 'ChargeDisputeHeld',
  data: {
    ...ofDispute,
    hold_id: derivedId(change.dispute_id ?? dispute_id, `hold ${number}`),
    ...moneyOf(10_000, 70),
    excess_amount: 0,
    from: 'PENDING',
    held_on: now,
    ...change,
  },
});
const win = (stage: DisputeStage = 'CHARGEBACK', is_final = false, reference = 'D1'): ChargeCommand => ({
  kind: 'win-dispute',
  reference,
  stage,
  is_final,
  now,
});
const won = (change: Partial<ChargeDisputeWon> = {}, number = 1): ChargeEvent => ({
  type: 'ChargeDisputeWon',
  data: {
    ...ofDispute,
    processor,
    release_id: derivedId(dispute_id, `release ${number}`),
    ...{ stage: 'CHARGEBACK', is_final: false, ...moneyOf(10_000, 70), from: 'DISPUTED', to: 'PENDING', won_on: now },
    ...change,
  },
});
const lose = (stage: DisputeStage = 'CHARGEBACK', reference = 'D1'): ChargeCommand => ({ kind: 'lose-dispute', reference, stage, now });
const lost = (change: Partial<ChargeDisputeLost> = {}): ChargeEvent => ({
  type: 'ChargeDisputeLost',
  data: {
    ...ofDispute,
    processor,
    ...{ stage: 'CHARGEBACK', ...moneyOf(10_000, 70), lost_reason: 'DECIDED', dispute_fee_amount: 500, lost_on: now },
    ...change,
  },
});
const reopened = (change: object = {}): ChargeEvent => ({
  type: 'ChargeDisputeReopened',
  data: {
    ...ofDispute,
    ...{ stage: 'PRE_ARBITRATION', amount: 10_000, excess_amount: 0, reason_code: '10.4', reason: 'not me', due_by, reopened_on: now },
    ...change,
  },
});
const cancelled = (refund_id: string, amount: number, fee_amount: number, to: 'PENDING' | 'RETURNS' | 'PROCESSOR'): ChargeEvent => ({
  type: 'ChargeRefundCancelled',
  data: { ...of, processor, refund_id, ...moneyOf(amount, fee_amount), reason: 'CHARGE_DISPUTED', to, cancelled_by: 'System', cancelled_on: now },
});
const evidence = { evidence_id: 'e1', category: 'RECEIPT', media_type: 'image/png', size: 10, sha256: 'ab', added_by: 'key_1' } as const;
const added = (change: object = {}): ChargeEvent => ({
  type: 'ChargeDisputeEvidenceAdded',
  data: { ...ofDispute, ...evidence, added_on: now, ...change },
});
const challenged: ChargeEvent = {
  type: 'ChargeDisputeChallenged',
  data: { ...ofDispute, stage: 'CHARGEBACK', challenged_by: 'key_1', challenged_on: now },
};
const challenge = (moment = now): ChargeCommand => ({ kind: 'challenge-dispute', dispute_id, challenged_by: 'key_1', now: moment });
const step = (kind: 'accept-dispute' | 'lapse-dispute', moment = now): ChargeCommand => ({ kind, dispute_id, now: moment });

const chargeback = [...paid, opened(), held()];

describe('a dispute that the processor opens', () => {
  it('a new dispute holds its amount: from pending, or from returns once a settlement has claimed the charge', () => {
    givenCharge(...paid)
      .when(open())
      .then(opened(), held());
    givenCharge(...paid, claimed)
      .when(open())
      .then(opened(), held({ from: 'RETURNS' }));
    givenCharge(...paid)
      .when(open({ amount: 4_000 }))
      .then(opened({ amount: 4_000 }), held({ ...moneyOf(4_000, 28) }));
  });

  it('opens a dispute once, whatever its outcome', () => {
    givenCharge(...chargeback)
      .when(open())
      .doesNothing();
    givenCharge(...chargeback, won())
      .when(open())
      .doesNothing();
    givenCharge(...chargeback, lost())
      .when(open({ stage: 'PRE_ARBITRATION' }))
      .doesNothing();
    givenCharge(...chargeback, won({ is_final: true }))
      .when(open({ stage: 'PRE_ARBITRATION' }))
      .doesNothing();
  });

  it('refuses a dispute of an unpaid charge; of a reversed charge it records the whole amount as excess', () => {
    givenCharge(paid[0]!).when(open()).isRefused('charge-not-paid');
    givenCharge().when(open()).isRefused('charge-not-found');
    givenCharge(...paid, reversed)
      .when(open())
      .then(opened({ excess_amount: 10_000 }));
  });

  it('an inquiry moves no money and leaves refunds alone', () => {
    const inquiry = opened({ stage: 'INQUIRY' });
    givenCharge(...paid, refunding('r1', 4_000, 28))
      .when(open({ stage: 'INQUIRY' }))
      .then(inquiry);
    givenCharge(...paid, inquiry)
      .when(lose('INQUIRY'))
      .then(lost({ stage: 'INQUIRY', ...moneyOf(0, 0), dispute_fee_amount: 0 }));
    givenCharge(...paid, inquiry)
      .when(win('INQUIRY'))
      .then(won({ stage: 'INQUIRY', ...moneyOf(0, 0) }));
  });

  it('a new dispute cancels waiting refunds and holds the amount that other refunds leave', () => {
    givenCharge(...paid, refunding('r1', 4_000, 28), refunding('r2', 1_000, 7), submitted('r2', 1_000, 7))
      .when(open())
      .then(
        cancelled('r1', 4_000, 28, 'PENDING'),
        opened({ excess_amount: 1_000, refunded_amount: 1_000 }),
        held({ ...moneyOf(9_000, 63), excess_amount: 1_000 }),
      );
    givenCharge(...paid, refunding('r1', 4_000, 28), claimed)
      .when(open())
      .then(cancelled('r1', 4_000, 28, 'RETURNS'), opened(), held({ from: 'RETURNS' }));
    givenCharge(...paid, refunding('r1', 4_000, 28), reversed)
      .when(open())
      .then(cancelled('r1', 4_000, 28, 'PROCESSOR'), opened({ excess_amount: 10_000 }));
  });

  it('a dispute holds no more than is left of the charge, and records the excess', () => {
    givenCharge(...chargeback)
      .when(open({ reference: 'D2', amount: 12_000 }))
      .then(opened({ dispute_id: disputeId('c1', 'D2'), reference: 'D2', amount: 12_000, excess_amount: 12_000 }));
  });
});

describe('a charge that is disputed', () => {
  const order = {
    ...{ refund_id: 'r9', amount: null, reason: null, reference_id: null, description: null, meta_data: {} },
    ...{ fingerprint: 'print', created_by: 'key_1' },
  };
  const refund: ChargeCommand = { kind: 'refund', merchant_id: 'm1', order, isRefundable: true, now };

  it('refuses refunds while a dispute past inquiry is open, and refunds the rest afterwards', () => {
    const partial = [...paid, opened({ amount: 4_000 }), held(moneyOf(4_000, 28))];
    givenCharge(...partial)
      .when(refund)
      .isRefused('charge-disputed');
    givenCharge(...partial, challenged)
      .when(refund)
      .isRefused('charge-disputed');
    const { source, reservation_id, claimed_on, ...six } = (refunding('r9', 6_000, 42) as { data: ChargeRefundClaimed }).data;
    givenCharge(...partial, lost(moneyOf(4_000, 28)))
      .when(refund)
      .then({ type: 'ChargeRefundClaimed', data: { ...six, source, reservation_id, claimed_on: now } });
    expect(claimed_on).not.toBe(now);
    givenCharge(...paid, opened({ stage: 'INQUIRY' }))
      .when({ ...refund, order: { ...order, amount: 10_001 } })
      .isRefused('refund-exceeds-charge');
  });

  it('declines a reserved refund of a disputed charge', () => {
    const { claimed_on, source, ...details } = (refunding('r9', 1_000, 7) as { data: ChargeRefundClaimed }).data;
    const reserved: RefundReserved = { ...details, reservation_id: 'v1', reserved_on: now };
    givenCharge(...paid, claimed, opened({ amount: 4_000 }), held({ ...moneyOf(4_000, 28), from: 'RETURNS' }))
      .when({ kind: 'claim-refund', reserved, now })
      .then({
        type: 'ChargeRefundDeclined',
        data: { ...of, refund_id: 'r9', ...moneyOf(1_000, 7), reservation_id: 'v1', reason: 'charge-disputed', declined_on: now },
      });
    expect([claimed_on, source]).toEqual([at(2), 'PENDING']);
  });

  it('settles and reverses a charge with the amount that its disputes leave', () => {
    const partial = [...paid, opened({ amount: 4_000 }), held(moneyOf(4_000, 28))];
    const listed = {
      ...{ settlement_id: 's1', merchant_id: 'm1', currency: 'IDR', settlement_number: 1 },
      line: { kind: 'charge' as const, record_id: 'c1', net_amount: 9_930, fee_amount: 70 },
    };
    givenCharge(...partial)
      .when({ kind: 'claim', listed, now })
      .then({ type: 'ChargeSettlementClaimed', data: { ...of, settlement_number: 1, net_amount: 5_958, fee_amount: 42, claimed_on: now } });
    givenCharge(...partial)
      .when({ kind: 'reverse', reason: 'r', now })
      .then({ type: 'ChargeReversed', data: { ...of, processor, ...moneyOf(6_000, 42), reason: 'r', claimed_in: null, reversed_on: now } });
  });

  it('gives the money of a failed refund to the disputes that lack it, the oldest first', () => {
    const second = { dispute_id: disputeId('c1', 'D2'), reference: 'D2' };
    const lacking = [
      ...paid,
      refunding('r1', 6_000, 42),
      submitted('r1', 6_000, 42),
      opened({ amount: 5_000, excess_amount: 1_000 }),
      held({ ...moneyOf(4_000, 28), excess_amount: 1_000 }),
      opened({ ...second, amount: 9_000, excess_amount: 9_000 }),
    ];
    const failRefund: ChargeCommand = { kind: 'fail-refund', refund_id: 'r1', reason: 'no', now };
    const failed = (to: 'PENDING' | 'RETURNS' | 'PROCESSOR'): ChargeEvent => ({
      type: 'ChargeRefundFailed',
      data: { ...of, processor, refund_id: 'r1', ...moneyOf(6_000, 42), reason: 'no', to, failed_on: now },
    });
    givenCharge(...lacking)
      .when(failRefund)
      .then(
        failed('PENDING'),
        held({ ...moneyOf(1_000, 7) }, 2),
        held({ dispute_id: second.dispute_id, ...moneyOf(5_000, 35), excess_amount: 4_000 }),
      );
    givenCharge(...lacking, claimed)
      .when(failRefund)
      .then(
        failed('RETURNS'),
        held({ ...moneyOf(1_000, 7), from: 'RETURNS' }, 2),
        held({ dispute_id: second.dispute_id, ...moneyOf(5_000, 35), excess_amount: 4_000, from: 'RETURNS' }),
      );
    givenCharge(...lacking, { ...reversed, data: { ...reversed.data, ...moneyOf(0, 0) } })
      .when(failRefund)
      .then(failed('PROCESSOR'));
  });
});

describe('the end of a dispute', () => {
  it('the processor ends a dispute, and a repeat of the outcome does nothing', () => {
    givenCharge(...chargeback)
      .when(win('CHARGEBACK', true))
      .then(won({ is_final: true }));
    givenCharge(...chargeback, claimed)
      .when(win())
      .then(won({ to: 'RETURNS' }));
    givenCharge(...chargeback, won())
      .when(win())
      .doesNothing();
    givenCharge(...chargeback, challenged)
      .when(lose())
      .then(lost());
    givenCharge(...chargeback, lost())
      .when(lose())
      .doesNothing();
  });

  it('refuses an outcome for a stage that was not opened', () => {
    givenCharge(...paid)
      .when(win())
      .isRefused('dispute-not-opened');
    givenCharge(...paid)
      .when(lose())
      .isRefused('dispute-not-opened');
    givenCharge(...chargeback)
      .when(win('PRE_ARBITRATION'))
      .isRefused('dispute-not-opened');
    givenCharge(...chargeback)
      .when(lose('PRE_ARBITRATION'))
      .isRefused('dispute-not-opened');
    givenCharge(...chargeback, won())
      .when(win('PRE_ARBITRATION'))
      .isRefused('dispute-not-opened');
  });

  it('a win returns the money of an earlier loss, and a stage that was won cannot be lost', () => {
    givenCharge(...chargeback, lost())
      .when(win())
      .then(won({ from: 'PROCESSOR' }));
    givenCharge(...chargeback, lost())
      .when(win('ARBITRATION', true))
      .then(won({ from: 'PROCESSOR', stage: 'ARBITRATION', is_final: true }));
    givenCharge(...chargeback, won())
      .when(lose())
      .doesNothing();
    givenCharge(...chargeback, lost(), won({ from: 'PROCESSOR', stage: 'ARBITRATION' }))
      .when(lose())
      .doesNothing();
  });

  it('a merchant accepts a dispute only while action is required', () => {
    givenCharge(...chargeback)
      .when(step('accept-dispute'))
      .then(lost({ lost_reason: 'ACCEPTED' }));
    givenCharge(...chargeback, lost({ lost_reason: 'ACCEPTED' }))
      .when(step('accept-dispute'))
      .doesNothing();
    for (const events of [[lost()], [won()], [challenged]]) {
      givenCharge(...chargeback, ...events)
        .when(step('accept-dispute'))
        .isRefused('dispute-not-answerable');
    }
    givenCharge(...paid, opened({ stage: 'INQUIRY' }))
      .when(step('accept-dispute'))
      .isRefused('dispute-not-answerable');
    givenCharge(...paid)
      .when(step('accept-dispute'))
      .isRefused('dispute-not-found');
  });

  it('a dispute lapses when it is unanswered at its due date', () => {
    givenCharge(...chargeback)
      .when(step('lapse-dispute', at(11, 86_399)))
      .doesNothing();
    givenCharge(...chargeback)
      .when(step('lapse-dispute', due_by))
      .then(lost({ lost_reason: 'LAPSED', lost_on: due_by }));
    for (const events of [[challenged], [won()], [lost()]]) {
      givenCharge(...chargeback, ...events)
        .when(step('lapse-dispute', due_by))
        .doesNothing();
    }
    givenCharge(...paid, opened({ stage: 'INQUIRY' }))
      .when(step('lapse-dispute', due_by))
      .doesNothing();
  });

  it('charges the dispute fee once', () => {
    const again = [...chargeback, lost(), won({ from: 'PROCESSOR' }), reopened(), held({}, 2)];
    givenCharge(...again)
      .when(lose('PRE_ARBITRATION'))
      .then(lost({ stage: 'PRE_ARBITRATION', dispute_fee_amount: 0 }));
  });
});

describe('a dispute that comes back', () => {
  it('reopens a dispute at a later stage and holds its money again', () => {
    givenCharge(...chargeback, won())
      .when(open({ stage: 'PRE_ARBITRATION' }))
      .then(reopened(), held({}, 2));
    givenCharge(...paid, opened({ stage: 'INQUIRY' }))
      .when(open())
      .then(reopened({ stage: 'CHARGEBACK' }), held());
    givenCharge(...paid, opened({ stage: 'INQUIRY' }), lost({ stage: 'INQUIRY', ...moneyOf(0, 0), dispute_fee_amount: 0 }))
      .when(open({ amount: 4_000 }))
      .then(reopened({ stage: 'CHARGEBACK', amount: 4_000 }), held(moneyOf(4_000, 28)));
  });

  it('a later stage implies a win at the stage before, and late outcomes of that stage do nothing', () => {
    givenCharge(...chargeback, claimed, challenged)
      .when(open({ stage: 'PRE_ARBITRATION', amount: 4_000 }))
      .then(won({ to: 'RETURNS' }), reopened({ amount: 4_000 }), held({ ...moneyOf(4_000, 28), from: 'RETURNS' }, 2));
    const known = [...chargeback, won(), reopened(), held({}, 2)];
    for (const late of [win(), lose(), open()]) {
      givenCharge(...known)
        .when(late)
        .doesNothing();
    }
  });

  it('repeats of earlier outcomes do not reopen a dispute, even for a stage that was not lost here', () => {
    const wonLater = [...chargeback, lost({ lost_reason: 'LAPSED' }), won({ from: 'PROCESSOR', stage: 'PRE_ARBITRATION' })];
    for (const late of [open({ stage: 'PRE_ARBITRATION' }), win('PRE_ARBITRATION'), win(), lose('PRE_ARBITRATION'), lose(), open()]) {
      givenCharge(...wonLater)
        .when(late)
        .doesNothing();
    }
    givenCharge(...wonLater)
      .when(open({ stage: 'ARBITRATION' }))
      .then(reopened({ stage: 'ARBITRATION' }), held({}, 2));
  });
});

describe('a challenge', () => {
  it('accepts a challenge with evidence until the due date', () => {
    givenCharge(...chargeback, added())
      .when(challenge(due_by))
      .then({ ...challenged, data: { ...challenged.data, challenged_on: due_by } });
    givenCharge(...chargeback, added())
      .when(challenge(at(12, 1)))
      .isRefused('dispute-overdue');
    givenCharge(...chargeback)
      .when(challenge())
      .isRefused('evidence-missing');
    givenCharge(...chargeback, added(), { type: 'ChargeDisputeEvidenceErased', data: { ...ofDispute, erased_by: 'sari', erased_on: now } })
      .when(challenge())
      .isRefused('evidence-missing');
    givenCharge(...chargeback, lost())
      .when(challenge())
      .isRefused('dispute-not-answerable');
    givenCharge(...chargeback, added(), challenged)
      .when(challenge())
      .doesNothing();
  });

  it('submits a challenge once per stage', () => {
    const submit = (stage: DisputeStage): ChargeCommand => ({ kind: 'submit-dispute', dispute_id, stage, now });
    const handed: ChargeEvent = { type: 'ChargeDisputeSubmitted', data: { ...ofDispute, stage: 'CHARGEBACK', submitted_on: now } };
    const inReview = [...chargeback, added(), challenged];
    givenCharge(...inReview)
      .when(submit('CHARGEBACK'))
      .then(handed);
    givenCharge(...inReview, handed)
      .when(submit('CHARGEBACK'))
      .doesNothing();
    givenCharge(...inReview)
      .when(submit('PRE_ARBITRATION'))
      .doesNothing();
    for (const events of [[handed, won()], [won()], [lost()]]) {
      givenCharge(...inReview, ...events)
        .when(submit('CHARGEBACK'))
        .doesNothing();
    }
    const again = { ...challenged, data: { ...challenged.data, stage: 'PRE_ARBITRATION' as const } } as ChargeEvent;
    givenCharge(...inReview, handed, won(), reopened(), held({}, 2), again)
      .when(submit('PRE_ARBITRATION'))
      .then({ ...handed, data: { ...handed.data, stage: 'PRE_ARBITRATION' } });
  });
});

describe('evidence', () => {
  const add = (change: object = {}): ChargeCommand => ({ kind: 'add-evidence', dispute_id, evidence: { ...evidence, ...change }, now });

  it('adds each file of evidence once while the dispute can be answered, up to its bounds', () => {
    givenCharge(...chargeback)
      .when(add())
      .then(added());
    givenCharge(...chargeback, added(), challenged)
      .when(add())
      .doesNothing();
    // The same bytes, under another name and in another attempt.
    givenCharge(...chargeback, added(), challenged)
      .when(add({ evidence_id: 'e2', category: 'OTHER' }))
      .doesNothing();
    const another = (n: number, size = 10) => ({ evidence_id: `e${n}`, sha256: `hash ${n}`, size });
    givenCharge(...chargeback, added(), challenged)
      .when(add(another(2)))
      .isRefused('dispute-not-answerable');
    const ten = Array.from({ length: 10 }, (_, n) => added(another(n)));
    givenCharge(...chargeback, ...ten)
      .when(add(another(10)))
      .isRefused('evidence-limit-reached');
    const MiB = 1024 * 1024;
    givenCharge(...chargeback, added({ size: 15 * MiB }))
      .when(add(another(2, 5 * MiB)))
      .then(added(another(2, 5 * MiB)));
    givenCharge(...chargeback, added({ size: 15 * MiB }))
      .when(add(another(2, 5 * MiB + 1)))
      .isRefused('evidence-limit-reached');
  });

  it('erases all evidence of a dispute, whatever its outcome', () => {
    const erase: ChargeCommand = { kind: 'erase-evidence', dispute_id, erased_by: 'sari', now };
    const erased: ChargeEvent = { type: 'ChargeDisputeEvidenceErased', data: { ...ofDispute, erased_by: 'sari', erased_on: now } };
    givenCharge(...chargeback, added(), lost())
      .when(erase)
      .then(erased);
    givenCharge(...chargeback, added(), erased)
      .when(erase)
      .doesNothing();
    givenCharge(...chargeback)
      .when(erase)
      .doesNothing();
    // There is no second key.
    givenCharge(...chargeback, added(), erased)
      .when(add({ evidence_id: 'e2', sha256: 'cd' }))
      .isRefused('evidence-erased');
  });
});

describe('reminders', () => {
  const remind = (seconds_before: number, moment: string): ChargeCommand => ({ kind: 'remind-of-dispute', dispute_id, seconds_before, now: moment });
  const reminded = (seconds_before: number, reminded_on: string): ChargeEvent => ({
    type: 'ChargeDisputeDueSoon',
    data: { ...ofDispute, due_by, seconds_before, reminded_on },
  });

  it('sends each reminder once when it is due, and none that was due before the dispute opened', () => {
    givenCharge(...chargeback)
      .when(remind(259_200, at(8, 86_399)))
      .doesNothing();
    givenCharge(...chargeback)
      .when(remind(259_200, at(9)))
      .then(reminded(259_200, at(9)));
    givenCharge(...chargeback, reminded(259_200, at(9)))
      .when(remind(259_200, at(10)))
      .doesNothing();
    givenCharge(...chargeback, reminded(259_200, at(9)))
      .when(remind(86_400, at(11)))
      .then(reminded(86_400, at(11)));
    givenCharge(...chargeback, reminded(86_400, at(11)), won(), reopened())
      .when(remind(86_400, at(11, 1)))
      .then(reminded(86_400, at(11, 1)));
    givenCharge(...chargeback)
      .when(remind(86_400, due_by))
      .doesNothing();
    givenCharge(...chargeback, added(), challenged)
      .when(remind(86_400, at(11)))
      .doesNothing();
    givenCharge(...paid, opened({ due_by: at(6) }))
      .when(remind(259_200, at(5, 10)))
      .doesNothing();
  });
});

describe('the lines of a dispute', () => {
  const listed = (kind: 'dispute-hold' | 'dispute-release' | 'dispute-fee', record_id: string) => ({
    ...{ settlement_id: 's2', merchant_id: 'm1', currency: 'IDR', settlement_number: 2 },
    line: { kind, record_id, net_amount: 1, fee_amount: 0, charge_id: 'c1' },
  });
  const lineClaimed = (kind: 'dispute-hold' | 'dispute-release' | 'dispute-fee', record_id: string, net_amount: number): ChargeEvent => ({
    type: 'ChargeLineClaimed',
    data: { ...of, kind, record_id, settlement_number: 2, net_amount, claimed_on: now },
  });
  const hold_id = derivedId(dispute_id, 'hold 1');
  const release_id = derivedId(dispute_id, 'release 1');
  const history = [...paid, claimed, opened(), held({ from: 'RETURNS' }), lost(), won({ from: 'PROCESSOR', to: 'RETURNS' })];

  it.each([
    ['dispute-hold', hold_id, 9_930],
    ['dispute-release', release_id, 9_930],
    ['dispute-fee', dispute_id, 500],
  ] as const)('claims %s once, with its own amount', (kind, record_id, net_amount) => {
    const claim: ChargeCommand = { kind: 'claim', listed: listed(kind, record_id), now };
    const event = lineClaimed(kind, record_id, net_amount);
    givenCharge(...history)
      .when(claim)
      .then(event);
    givenCharge(...history, event)
      .when(claim)
      .doesNothing();
    givenCharge(...history, event)
      .when({ kind: 'claim', listed: { ...listed(kind, record_id), settlement_number: 3 }, now })
      .isRefused('charge-claimed-elsewhere');
  });

  it('a dispute that moves no money has no settlement lines', () => {
    for (const [kind, id] of [
      ['dispute-hold', hold_id],
      ['dispute-release', release_id],
      ['dispute-fee', dispute_id],
    ] as const) {
      givenCharge(...chargeback, won())
        .when({ kind: 'claim', listed: listed(kind, id), now })
        .isRefused('line-not-found');
    }
  });
});

describe('the fee that goes back', () => {
  it('the refunded fee follows the running total over refunds and holds', () => {
    const odd: ChargeEvent[] = [...paid, opened({ amount: 50 }), held(moneyOf(50, 0)), lost(moneyOf(50, 0))];
    const state = odd.reduce(charge.evolve, charge.initial) as ExistingCharge;
    expect(goneBackOf(state)).toEqual({ amount: 50, fee_amount: 0 });
    givenCharge(...odd)
      .when(open({ reference: 'D2', amount: 50 }))
      .then(
        opened({ dispute_id: disputeId('c1', 'D2'), reference: 'D2', amount: 50 }),
        held({ dispute_id: disputeId('c1', 'D2'), ...moneyOf(50, 1) }),
      );
  });

  it('claims a refund with its reserved fee, unless that fee no longer fits the amount that is left', () => {
    const reserve = (amount: number, fee_amount: number): ChargeCommand => {
      const { claimed_on: _, source: __, ...details } = (refunding('r9', amount, fee_amount) as { data: ChargeRefundClaimed }).data;
      const reserved: RefundReserved = { ...details, reservation_id: 'v1', reserved_on: now };
      return { kind: 'claim-refund', reserved, now };
    };
    const declined = (amount: number, fee_amount: number): ChargeEvent => ({
      type: 'ChargeRefundDeclined',
      data: { ...of, refund_id: 'r9', ...moneyOf(amount, fee_amount), reservation_id: 'v1', reason: 'refund-fee-out-of-bounds', declined_on: now },
    });
    const history = [...paid, claimed, refunding('r1', 4_000, 28)];
    for (const fee_amount of [41, 43]) {
      givenCharge(...history)
        .when(reserve(6_000, fee_amount))
        .then(declined(6_000, fee_amount));
    }
    const { data } = refunding('r9', 1_000, 42) as { data: ChargeRefundClaimed };
    givenCharge(...history)
      .when(reserve(1_000, 42))
      .then({ type: 'ChargeRefundClaimed', data: { ...data, source: 'AVAILABLE', reservation_id: 'v1', claimed_on: now } });
  });
});
