import type { Payout } from '../../../../projections/payouts/payouts.js';
import { html, type Html } from '../../../platform/html/html.js';
import type { PendingReason } from '../../../domain/payouts/pending-reason.js';
import { status, statusLink } from '../shared/components.js';
import type { ConsolePages } from '../shared/console-pages.js';
import { payoutPage, type Links } from '../shared/links.js';
import { unreachable } from '../../../ledger/unreachable.js';

/** Reasons for which a payout is pending, in words. */
const WAITS_FOR: Readonly<Record<PendingReason, string>> = {
  approval: 'Operators must approve it.',
  'no-rail': 'No rail pays out this merchant’s currency: an operator must set a route.',
  'bank-unknown': 'The rail knows no bank with this name: the merchant cancels the payout, and sets bank_code.',
  'beneficiary-differs': 'The bank has the account under another name: an operator accepts it, or the merchant cancels it.',
  'rail-paused': 'The rail is paused.',
  'quiet-hours': 'The rail accepts no payouts at this hour. The payout continues automatically.',
  'rail-unavailable': 'The rail cannot be reached.',
  'awaiting-bank': 'The bank has received the payout. It continues automatically.',
  'waiting-rail': 'The bank does not accept it at the moment: its limits are reached, or the house account there has too little money.',
  'outcome-unknown': 'The bank’s answer about its result is overdue; inquiries continue.',
  held: 'No rule decides it: an operator must find the result in the bank’s statement. Never pay it by hand.',
};

/** Returns the page on which an operator can act on the reason, or see it. */
function placeOf(links: Links, { id }: Pick<Payout, 'id'>, reason: PendingReason): readonly [address: string, words: string] | undefined {
  switch (reason) {
    case 'approval':
      return [links.to(payoutPage(id)), 'To its approval'];
    case 'no-rail':
    case 'rail-paused':
    case 'quiet-hours':
    case 'rail-unavailable':
    case 'waiting-rail':
      return [links.now('rails'), 'To the rails'];
    case 'held':
      return [`${links.to('exceptions')}#held-payouts`, 'To payouts that no rule decides'];
    case 'bank-unknown':
    case 'beneficiary-differs':
    case 'awaiting-bank':
    case 'outcome-unknown':
      return undefined;
    default:
      return unreachable(reason);
  }
}

/** The reason for a list, with a link to the page on which an operator can act. */
export function waitingTag({ links }: Pick<ConsolePages, 'links'>, payout: Pick<Payout, 'id'>, reason: PendingReason | null): Html | false {
  if (reason === null) return false;
  const place = placeOf(links, payout, reason);
  return place ? statusLink(reason, place[0]) : status(reason);
}

/** The reason for the payout's own page. `isThere`: this page is the target of the reason's link. */
export function waitingWords({ links }: Pick<ConsolePages, 'links'>, payout: Pick<Payout, 'id'>, reason: PendingReason, isThere = false): Html {
  const place = isThere ? undefined : placeOf(links, payout, reason);
  return html`${status(reason)} ${WAITS_FOR[reason]} ${place && html`<a href="${place[0]}">${place[1]}</a>`}`;
}
