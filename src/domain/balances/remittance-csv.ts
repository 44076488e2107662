import { csvRow } from '../../platform/csv.js';
import type { RemittanceAdvice } from './remittance-advice.js';

const OF_SETTLEMENT = ['settlement_id', 'settlement_number', 'settled_on', 'settlement_net_amount', 'used_before', 'used_here', 'left'] as const;
const OF_LINE = ['kind', 'record_id', 'charge_id', 'code', 'reference_id', 'gross_amount', 'fee_amount', 'net_amount'] as const;

/** A row a line, with its settlement's figures. */
export async function* remittanceCsv({ settlements }: RemittanceAdvice): AsyncGenerator<string> {
  yield csvRow([...OF_SETTLEMENT, ...OF_LINE]);
  for await (const { lines, settlement_id, settlement_number, settled_on, net_amount, used_before, used_here, left } of settlements) {
    const settlement = [settlement_id, settlement_number, settled_on, net_amount, used_before, used_here, left];
    for await (const page of lines) yield page.map((line) => csvRow([...settlement, ...OF_LINE.map((column) => line[column])])).join('');
  }
}
