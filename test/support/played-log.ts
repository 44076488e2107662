import type { LedgerEvent } from '../../src/ledger/catalogue.js';
import { derivedId } from '../../src/ledger/ids/idempotency.js';
import { Log } from './histories.js';
import type { MovingEvent } from './ledger-oracle.js';

/** Ids of a played history, which are short, as those of a log. */
export function idOf(short: string): string {
  return derivedId('played', short);
}

function asInLog(event: MovingEvent): LedgerEvent {
  const text = JSON.stringify(event, (name, value: unknown) =>
    (name.endsWith('_id') || name === 'record_id') && typeof value === 'string' && /^[a-z]\d+$/.test(value) ? idOf(value) : value,
  );
  return JSON.parse(text) as LedgerEvent;
}

/** Events of a played history as a log has them: with ids that are UUIDs, a second apart. */
export function logOf(events: readonly MovingEvent[]): Log {
  const log = new Log();
  const all = events.map(asInLog);
  for (const merchant_id of new Set(all.map(({ data }) => data.merchant_id))) if (merchant_id !== null) log.register(merchant_id);
  for (const event of all) {
    log.clockMs += 1_000;
    const { data, type } = event as unknown as { type: string; data: Record<string, string> };
    const ofAccount =
      ['FundsSettled', 'RefundReserved', 'RefundReleased', 'RefundConfirmed', 'AccountAdjusted'].includes(type) || /^Payout(?!Re[gt])/.test(type);
    const stream = ofAccount
      ? `account-${data.merchant_id}-${data.currency}`
      : type === 'HouseAdjusted'
        ? `house-${data.mode}-${data.currency}`
        : type.startsWith('Settlement')
          ? `settlement-${data.settlement_number}`
          : type.startsWith('Payout')
            ? `payout-${data.payout_id}`
            : `charge-${data.charge_id}`;
    log.add(event, stream, 'System');
  }
  return log;
}
