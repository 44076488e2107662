import type { Dispute } from '../../../../projections/disputes/dispute-reads.js';
import type { DisputeStatus } from '../../../../projections/disputes/disputes.js';
import { formatAmount } from '../../../platform/text/format.js';
import { html, type Html } from '../../../platform/html/html.js';
import { chargeStream } from '../../../ledger/events/charge.events.js';
import { settlementStream } from '../../../ledger/events/settlement.events.js';
import type { RecordHistory } from './charge-records.js';
import { code, details, lifeLine, money, status, table, userText, type LifeStep } from '../shared/components.js';
import type { ConsolePages } from '../shared/console-pages.js';
import { disputeMoney, type DisputeMoney, type DisputeMove } from './dispute-money.js';
import { partHistory } from './history-page.js';
import { recordLines, type RecordLines } from './record-lines.js';
import { timeLeft } from './record-tables.js';

export interface DisputeSources {
  readonly dispute: Dispute;
  /** Code of its charge; undefined while the charge's row is not projected yet. */
  readonly chargeCode: string | undefined;
  readonly history: RecordHistory;
  readonly lines: RecordLines;
  /** Milliseconds since the epoch. */
  readonly now: number;
}

export const disputeTitle = ({ amount, currency }: Dispute): string => `Dispute of ${formatAmount(amount, currency)}`;

/** A dispute: its steps, its reason, deadline, evidence, held and lost amounts, and history. */
export function disputePage(pages: ConsolePages, { dispute, chargeCode, history, lines, now }: DisputeSources): Html {
  const sums = disputeMoney(dispute.id, history.items);
  return html`<p class="lead">${STANDING[dispute.dispute_status](dispute)}</p>
    ${disputeLife(pages, dispute)} ${disputeDetails(pages, dispute, chargeCode, now)} ${moneySection(pages, dispute, sums)}
    ${evidenceSection(pages, dispute)} ${recordLines(pages, lines)} ${partHistory(pages, chargeStream(dispute.charge_id), history)}`;
}

/** The steps of a dispute's life: opened, answered, decided. */
function disputeLife(pages: ConsolePages, dispute: Dispute): Html {
  const { merchant_id, dispute_status: is, due_by, challenged_on, submitted_on, won_on, lost_on, lost_reason } = dispute;
  const at = (moment: string | null): Html | string | undefined => (moment === null ? undefined : pages.time(moment, merchant_id));
  const isEnded = is === 'WON' || is === 'LOST';
  const steps: LifeStep[] = [{ name: 'Opened', on: at(dispute.opened_on), note: userText(dispute.reason) }];
  if (challenged_on !== null) steps.push({ name: 'Answered', on: at(challenged_on) });
  else if (!isEnded) steps.push({ name: 'Answered', note: html`before ${pages.time(due_by, merchant_id)}` });
  if (submitted_on !== null || is === 'UNDER_REVIEW') steps.push({ name: 'Received by the processor', on: at(submitted_on) });
  if (is === 'WON') steps.push({ name: 'Won', on: at(won_on) });
  else if (is === 'LOST')
    steps.push({ name: 'Lost', on: at(lost_on), note: lost_reason === null ? undefined : LOST_WORDS[lost_reason], tone: 'bad' });
  else steps.push({ name: 'Decided' });
  return lifeLine(steps);
}

const STANDING: Readonly<Record<DisputeStatus, (dispute: Dispute) => string>> = {
  INQUIRY: () => 'The processor asks, and no money is held. The merchant may answer until it is due.',
  ACTION_REQUIRED: () => 'The merchant answers with evidence, or accepts. A dispute without an answer before it is due is lost.',
  UNDER_REVIEW: ({ submitted_on }) =>
    submitted_on === null
      ? 'The merchant has answered. The processor has not received the answer yet.'
      : 'The merchant has answered. The processor decides.',
  WON: ({ is_final }) =>
    `Won: the held amount belongs to the merchant again. ${is_final ? 'It cannot be reopened.' : 'It may be reopened at a later stage.'}`,
  LOST: ({ lost_reason }) => `Lost: the held amount went to the customer. ${lost_reason === null ? '' : LOST_WORDS[lost_reason]}`,
};

const LOST_WORDS: Readonly<Record<NonNullable<Dispute['lost_reason']>, string>> = {
  ACCEPTED: 'The merchant has accepted it.',
  LAPSED: 'The merchant did not answer before it was due.',
  DECIDED: 'The processor decided it.',
};

function disputeDetails(pages: ConsolePages, dispute: Dispute, chargeCode: string | undefined, now: number): Html {
  const { merchant_id, charge_id, currency } = dispute;
  const at = (moment: string | null): Html | string => pages.time(moment, merchant_id);
  return details([
    ['Status', status(dispute.dispute_status)],
    ['Stage', dispute.stage],
    ['Reason', html`${userText(dispute.reason)} ${dispute.reason_code !== '' && html`(${userText(dispute.reason_code)})`}`],
    ['To be answered until (UTC)', at(dispute.due_by)],
    ['Left', timeLeft(dispute, now)],
    ['Merchant', pages.merchant(merchant_id)],
    ['Charge', pages.charge(charge_id, chargeCode)],
    ['In dispute', money(dispute.amount, currency)],
    [dispute.dispute_status === 'LOST' ? 'Lost' : 'Held', money(dispute.held_amount, currency)],
    ['Beyond the rest of the charge', money(dispute.excess_amount, currency)],
    ['Refunded before it was opened', money(dispute.refunded_amount, currency)],
    ['Fee, if lost', money(dispute.fee_amount, currency)],
    ['Opened (UTC)', at(dispute.opened_on)],
    ['Answered (UTC)', at(dispute.challenged_on)],
    ['Answer received by the processor (UTC)', at(dispute.submitted_on)],
    ...(dispute.won_on === null ? [] : [['Won (UTC)', at(dispute.won_on)] as const]),
    ...(dispute.lost_on === null ? [] : [['Lost (UTC)', at(dispute.lost_on)] as const]),
    ['Changed (UTC)', html`${at(dispute.updated_on)} by ${pages.actor(dispute.updated_by)}`],
    ['Reference at the processor', userText(dispute.reference)],
    ['Id', code(dispute.id)],
  ]);
}

const MOVE_WORDS: Readonly<Record<DisputeMove['what'], string>> = {
  HELD: 'Held',
  RELEASED: 'The merchant’s again',
  LOST: 'Lost to the customer',
  FEE: 'Fee of the dispute',
};

function moneySection(pages: ConsolePages, { merchant_id, currency }: Dispute, { moves, net_lost, fee_lost, dispute_fee }: DisputeMoney): Html {
  const { links } = pages;
  return html`<section aria-labelledby="money">
    <h2 id="money">Held amounts and costs</h2>
    ${details([
      ['The merchant has lost', money(net_lost, currency)],
      ['Lost by the platform, of the charge’s fee', money(fee_lost, currency)],
      ['The merchant pays for the dispute', money(dispute_fee, currency)],
    ])}
    ${table(
      'Its money, step by step',
      [
        { title: 'What' },
        { title: 'On (UTC)' },
        { title: 'Amount', isFigure: true },
        { title: 'Part of the charge’s fee', isFigure: true },
        { title: 'Part of the merchant', isFigure: true },
        { title: 'In the account by' },
        { title: 'Event', isFigure: true },
      ],
      moves.map(({ what, on, amount, fee_amount, net_amount, settlement, position }) => [
        MOVE_WORDS[what],
        pages.time(on, merchant_id),
        money(amount, currency),
        money(fee_amount, currency),
        money(net_amount, currency),
        settlement === null
          ? '–'
          : html`<a href="${links.history(settlementStream(merchant_id, currency, settlement))}">settlement ${settlement}</a>`,
        html`<a href="${links.event(position)}">${position}</a>`,
      ]),
      'Nothing was held.',
    )}
  </section>`;
}

function evidenceSection(pages: ConsolePages, { evidence: files, merchant_id }: Dispute): Html {
  return html`<section aria-labelledby="evidence">
    <h2 id="evidence">Evidence</h2>
    ${table(
      'Files that the merchant has added',
      [
        { title: 'Category' },
        { title: 'Type' },
        { title: 'Bytes', isFigure: true },
        { title: 'Added (UTC)' },
        { title: 'By' },
        { title: 'Is' },
        { title: 'SHA-256' },
      ],
      files.map(({ category, media_type, size, added_on, added_by, erased, sha256 }) => [
        category,
        media_type,
        size,
        pages.time(added_on, merchant_id),
        pages.actor(added_by),
        erased ? 'erased' : 'kept',
        code(sha256),
      ]),
      'The merchant has added none.',
    )}
    <p class="hint">Names and contents are the merchant’s, and may be about persons: the merchant alone reads them, and the processor gets them.</p>
  </section>`;
}
