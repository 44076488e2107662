import type { ChargeRow } from '../../../../projections/charges/charges-table.js';
import type { KnownCustomer } from '../../../../projections/customers/customers.js';
import type { ExceptionalPayment } from '../../../../projections/audit/exceptional-payments.js';
import type { Settlement } from '../../../../projections/settlements/settlements.js';
import { settlementsCsv } from '../../finance-api/audit-csv.js';
import { toSettlement } from '../../finance-api/lists.js';
import type { ShownEvent } from '../../../ledger/published/shown-event.js';
import { csvOf, type Csv } from '../../../platform/http/answer-list.js';
import { csvOfDto } from '../../../platform/http/csv-of-dto.js';
import type { ShownPayout } from './lists.js';
import { DeliveryDto } from '../../../domain/webhooks/webhooks.dto.js';

export const chargeCsv = csvOf<ChargeRow>([
  ...(['id', 'code', 'reference_id', 'merchant_id', 'amount', 'currency', 'channel_code', 'action_flow', 'status', 'fee_amount'] as const),
  ...(['net_amount', 'settlement_status', 'description', 'created_on', 'updated_on', 'expires_on', 'paid_on', 'settlement_date'] as const),
  ...(['settlement_on', 'failed_on', 'failure_reason'] as const),
]);

/** Leaves out the names and numbers of bank accounts, as events do. */
export const payoutCsv = csvOf<ShownPayout>([
  ...(['id', 'merchant_id', 'amount', 'fee_amount', 'net_amount', 'currency', 'payout_status', 'bank_name', 'description'] as const),
  ...(['created_on', 'submitted_on', 'paid_on', 'updated_on', 'pending_reason'] as const),
]);

export const settlementCsv: Csv<Settlement> = {
  columns: settlementsCsv.columns,
  cells: (settlement) => settlementsCsv.cells(toSettlement(settlement)),
};

export const customerCsv = csvOf<KnownCustomer>(['id', 'merchant_id', 'created_on', 'updated_on']);

export const paymentCsv = csvOf<ExceptionalPayment>(['ordinal', 'charge_id', 'code', 'merchant_id', 'reason', 'amount', 'currency', 'received_on']);

export const deliveryCsv = csvOfDto(DeliveryDto, 'response_code', 'latency_ms', 'attempts');

const EVENT_COLUMNS = [
  ...(['position', 'stream', 'revision', 'id', 'type', 'occurred_on', 'merchant_id', 'actor', 'correlation_id', 'causation_id'] as const),
] as const satisfies readonly (keyof ShownEvent)[];

/** The event's data is one column with JSON. */
export const eventCsv: Csv<ShownEvent> = {
  columns: [...EVENT_COLUMNS, 'data'],
  cells: (event) => [...EVENT_COLUMNS.map((column) => event[column]), JSON.stringify(event.data)],
};
