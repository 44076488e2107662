// A nightly job: compares a shop's orders with the ledger, and exits with 1 if they differ.
//   CHARGEBOOK_KEY=sk_test_… node examples/reconcile.mjs orders.csv 2026-01-31T00:00:00+07:00 2026-02-01T00:00:00+07:00
// orders.csv has a line for each order that is paid according to the shop: its number, and the amount in minor units, such as order-1001,10000.
import { readFile } from 'node:fs/promises';
import { createClient, dataOf } from '@chargebook/client';

const { CHARGEBOOK_URL = 'http://127.0.0.1:3000', CHARGEBOOK_KEY = '' } = process.env;
const [file, DateFrom, DateTo] = process.argv.slice(2);
if (!file || !DateFrom || !DateTo) {
  console.error('usage: reconcile.mjs orders.csv FROM TO');
  process.exit(2);
}
const chargebook = createClient({ url: CHARGEBOOK_URL, key: CHARGEBOOK_KEY });

const lines = (await readFile(file, 'utf8')).split('\n').filter((line) => line.trim() !== '');
const orders = new Map(lines.map((line) => /** @type {[string, number]} */ ([line.split(',')[0]?.trim() ?? '', Number(line.split(',')[1])])));

/** Paid amounts by order; an order that was paid twice counts twice. */
const paid = new Map();
for (let PageNumber = 1, pages = 1; PageNumber <= pages; PageNumber += 1) {
  const query = /** @type {const} */ ({ Status: 'SUCCEEDED', OrderBy: 'CREATED_ON', DateFrom, DateTo, PageNumber, PageSize: 100 });
  const page = await dataOf(chargebook.GET('/v1/charges', { params: { query } }));
  pages = page.page_count;
  for (const { reference_id, amount } of page.items) paid.set(reference_id, (paid.get(reference_id) ?? 0) + amount);
}

const differences = [...new Set([...orders.keys(), ...paid.keys()])].flatMap((order) => {
  const [expected = 0, found = 0] = [orders.get(order), paid.get(order)];
  return expected === found ? [] : [`${order}: the shop has ${expected}, the ledger ${found}`];
});
for (const difference of differences) console.log(difference);
console.log(`${orders.size} orders, ${differences.length} differences`);
process.exitCode = differences.length > 0 ? 1 : 0;
