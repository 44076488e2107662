import { modeOfMerchant, merchantTarget, setBy, type RailRoute } from '../../domain/approvals/merchant-kinds.js';
import type { PayoutResolveContent } from '../../domain/approvals/proposal-contents.dto.js';
import { approvalsOfSettings, type ProposalKind } from '../../domain/approvals/proposal-kind.js';
import { refusedIn, targetOf } from '../../domain/approvals/proposal-target.js';
import { transferStream } from '../../ledger/events/transfer.events.js';
import { foldStream } from '../../ledger/streams/fold-stream.js';
import { merchant } from '../../domain/merchants/merchant.decider.js';
import { transfer } from '../../domain/payouts/transfer/transfer.decider.js';
import type { EventStore } from '../../platform/event-store/event-store.js';
import { inquiryWindowDays } from './inquiry-window.js';
import { RailRefused, railForUse } from './rail.commands.js';

/** The set of rails is decided in another stream, and read for each decision. */
export const railKind = (store: EventStore): ProposalKind<RailRoute> => ({
  approvalsOf: approvalsOfSettings(0),
  modeOf: modeOfMerchant,
  targetOf: ({ merchant_id, use, rail: name, merchant_name_id }, made) =>
    targetOf(merchantTarget(merchant_id), merchant, async (now) => {
      try {
        const rail = await railForUse({ store }, name, use);
        return { kind: 'set-rail' as const, use, rail, merchant_name_id, ...setBy(made), now };
      } catch (error) {
        if (!(error instanceof RailRefused)) throw error;
        return { refusal: error.refusal, detail: error.message };
      }
    }),
});

/** The outcome of a held payout. The payout worker passes it to the account in the same way as a bank's answer. */
export const payoutResolveKind = (store: EventStore): ProposalKind<PayoutResolveContent> => ({
  approvalsOf: approvalsOfSettings(0),
  modeOf: () => null,
  async targetOf({ payout_id, outcome, final_statement = false }, { proposal_id, reason }) {
    const stream = transferStream(payout_id);
    const { state } = await foldStream(store, stream, transfer);
    const merchant_id = state.of?.merchant_id ?? null;
    const verdict = outcome === 'paid' ? ('paid' as const) : ('failed' as const);
    const inquiry_window_days = state.rail === null ? undefined : await inquiryWindowDays(store, state.rail);
    const found = { verdict, decided_by: `proposal ${proposal_id}`, evidence: reason, is_final: final_statement, inquiry_window_days, proposal_id };
    return targetOf({ stream, refused: refusedIn(merchant_id) }, transfer, (now) => ({ kind: 'resolve' as const, ...found, now }));
  },
});
