import type { LineKind } from '../../../ledger/events/account.events.js';
import { chargeStream } from '../../../ledger/events/charge.events.js';
import { payoutStream } from '../../../ledger/events/payout.events.js';
import { unreachable } from '../../../ledger/unreachable.js';
import type { Html } from '../../../platform/html/html.js';
import { idLink } from './components.js';
import type { ConsolePages } from './console-pages.js';

export const LINE_WORDS: Readonly<Record<LineKind, string>> = {
  CHARGE: 'Charge',
  REVERSAL: 'Reversal',
  RETURN: 'Payout that the bank returned',
  REFUND_RETURN: 'Refund that failed',
  DISPUTE_HOLD: 'Held for a dispute',
  DISPUTE_RELEASE: 'Released by a dispute',
  DISPUTE_FEE: 'Fee of a dispute',
};

interface SettlementLineName {
  readonly kind: LineKind;
  readonly record_id: string;
  /** null for a returned payout. */
  readonly charge_id: string | null;
  readonly code: string | null;
}

/** Links to the record of a settlement's line; of a hold, release or fee, to the history of the disputed charge. */
export function lineRecord(pages: ConsolePages, { kind, record_id, charge_id, code }: SettlementLineName): Html {
  const { links } = pages;
  switch (kind) {
    case 'CHARGE':
    case 'REVERSAL':
      return pages.charge(record_id, code ?? undefined);
    case 'RETURN':
      return idLink(record_id, links.history(payoutStream(record_id)));
    case 'REFUND_RETURN':
      return idLink(record_id, links.refund(record_id));
    case 'DISPUTE_HOLD':
    case 'DISPUTE_RELEASE':
    case 'DISPUTE_FEE':
      return idLink(record_id, links.history(chargeStream(charge_id!)));
    default:
      return unreachable(kind);
  }
}
