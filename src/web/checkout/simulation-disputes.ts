import type { Dispute } from '../../domain/charges/disputes/dispute-state.js';
import { formatPrice } from '../../platform/text/format.js';
import { foreign, html, type Html } from '../../platform/html/html.js';
import { DISPUTE_STAGES, type DisputeStage } from '../../ledger/events/dispute.events.js';
import { inWords } from './components.js';
import { DISPUTE_OPENING, permittedDisputeOutcomes, stageAfter, type DisputeOutcome } from './outcomes.js';
import type { Payment } from './payment.js';
import { DISPUTE_DEFAULTS } from './simulation-request.js';
import { unreachable } from '../../ledger/unreachable.js';

/**
 * Disputes of a paid charge on its simulation page, the newest first, each with its possible outcomes; and a form to open one while there is money to
 * dispute.
 */
export function disputesSection({ created, disputes, reversed }: Payment): Html | false {
  if (reversed && disputes.length === 0) return false;
  return html`<section class="section" aria-labelledby="disputes">
    <h2 id="disputes">Disputes</h2>
    ${[...disputes].reverse().map((dispute) => {
      const { reference, currency } = dispute.opened;
      const price = formatPrice(dispute.amount, currency);
      return html`<h3>
          ${price}, ${inWords(dispute.stage)}, ${foreign(reference)} <span class="badge ${TONES[dispute.status]}">${dispute.status}</span>
        </h3>
        <div class="outcomes">${permittedDisputeOutcomes(dispute).map((outcome) => disputeForm(outcome, dispute))}</div>`;
    })}
    ${!reversed && html`<div class="outcomes">${openingForm(formatPrice(created.amount, created.currency))}</div>`}
  </section>`;
}

const TONES: Readonly<Record<Dispute['status'], string>> = {
  INQUIRY: 'warn',
  ACTION_REQUIRED: 'warn',
  UNDER_REVIEW: 'on',
  WON: 'good',
  LOST: 'bad',
};

const STAGE_TEXTS: Readonly<Record<DisputeStage, string>> = {
  INQUIRY: 'a question, no money is held',
  CHARGEBACK: 'the money is held',
  PRE_ARBITRATION: 'held again after it was won',
  ARBITRATION: 'the last stage',
};

function openingForm(price: string): Html {
  return html`<form class="outcome" method="post">
    <div>
      <h3>The customer disputes the payment</h3>
      <p>The bank asks for ${price} back. The rest of the charge is held until the decision; an inquiry holds nothing.</p>
    </div>
    <label class="field"
      >Stage
      <select name="stage">
        ${DISPUTE_STAGES.map(
          (stage) =>
            html`<option value="${stage}" ${stage === DISPUTE_DEFAULTS.stage && html`selected`}>${inWords(stage)}: ${STAGE_TEXTS[stage]}</option>`,
        )}
      </select></label
    >
    <label class="field">Reason (optional) <input name="reason" maxlength="255" autocomplete="off" placeholder="${DISPUTE_DEFAULTS.reason}" /></label>
    <label class="field"
      >Seconds to answer in
      <input name="due_in_seconds" inputmode="numeric" pattern="[0-9]+" required autocomplete="off" value="${DISPUTE_DEFAULTS.due_in_seconds}"
    /></label>
    <div class="presses"><button class="button danger" name="outcome" value="${DISPUTE_OPENING}">Open</button></div>
  </form>`;
}

function disputeForm(outcome: DisputeOutcome, dispute: Dispute): Html {
  const { title, text, press, tone } = wordsOf(outcome, dispute);
  return html`<form class="outcome" method="post">
    <div>
      <h4>${title}</h4>
      <p>${text}</p>
    </div>
    <input type="hidden" name="dispute_id" value="${dispute.opened.dispute_id}" />
    ${outcome === 'dispute-win' && html`<label class="choice"><input type="checkbox" name="final" value="true" /> For good: it cannot come back</label>`}
    <div class="presses"><button class="button ${tone}" name="outcome" value="${outcome}">${press}</button></div>
  </form>`;
}

function wordsOf(outcome: DisputeOutcome, dispute: Dispute): Record<'title' | 'text' | 'press' | 'tone', string> {
  const held = formatPrice(dispute.held.amount, dispute.opened.currency);
  const isQuestion = dispute.stage === 'INQUIRY';
  switch (outcome) {
    case 'dispute-reopen':
      return {
        title: `The bank brings it back: ${inWords(stageAfter(dispute) ?? dispute.stage)}`,
        text: 'The next stage begins. The rest of the charge is held again, and the merchant can answer.',
        press: 'Reopen',
        tone: 'danger',
      };
    case 'dispute-win':
      return {
        title: 'The merchant wins',
        text: isQuestion
          ? 'The question is answered.'
          : `${held} are the merchant’s again${dispute.status === 'LOST' ? ', although it was lost.' : '.'}`,
        press: 'Win',
        tone: 'primary',
      };
    case 'dispute-lose':
      return {
        title: 'The merchant loses',
        text: isQuestion
          ? 'The question ends; no money moves.'
          : `${held} go to the customer, and the merchant pays the fee of a lost dispute, if it has one.`,
        press: 'Lose',
        tone: 'danger',
      };
    default:
      return unreachable(outcome);
  }
}
