import type { ClientBase } from 'pg';
import { handling, type HandledBy, type LedgerReadModel } from '../../src/ledger/read-model.js';
import { Table } from '../../src/platform/postgres/binary/table.js';
import { unreachable } from '../../src/ledger/unreachable.js';

const table = new Table('payments', {
  /** Ordinal of its event. */
  ordinal: 'bigint not null primary key',
  reference: 'text collate "C" not null',
  currency: 'text collate "C" not null',
  amount: 'bigint not null',
});

/** Amounts of payments by the names that processors use: our code of the charge, and their own reference of the payment. */
export const payments: LedgerReadModel = {
  name: 'payments',
  version: 1,
  ddl: (schema) => table.ddl(schema),
  indexes: (schema) => [`create index payments_by_reference on ${schema}.payments (reference)`],

  async apply(tx, schema, batch) {
    await table.add(tx, schema, batch.filter(isOfPayment).map(rowOf));
  },
};

const isOfPayment = handling({ charges: { except: ['unpaid charges', 'settlement claims', 'refunds', 'ChargeReversed'] } });
type OfPayment = HandledBy<typeof isOfPayment>;

function rowOf(event: OfPayment): { ordinal: number; reference: string; currency: string; amount: number } {
  const { ordinal } = event;
  const { currency, amount } = event.data;
  switch (event.type) {
    case 'ChargeCreated':
      return { ordinal, reference: event.data.code, currency, amount };
    case 'ChargePaid':
    case 'ChargePaymentUnmatched':
      return { ordinal, reference: event.data.payment_reference, currency, amount };
    default:
      return unreachable(event);
  }
}

/** Returns the amounts, minor units, of the known references in a currency; the largest one for a reference with several payments. */
export async function findPaidAmounts(db: Pick<ClientBase, 'query'>, currency: string, references: readonly string[]): Promise<Map<string, number>> {
  const { rows } = await db.query<{ reference: string; amount: bigint }>({
    name: 'payments: amounts',
    text: 'select reference, max(amount) as amount from recon.payments where reference = any($1) and currency = $2 group by reference',
    values: [references, currency],
  });
  return new Map(rows.map(({ reference, amount }) => [reference, Number(amount)]));
}
