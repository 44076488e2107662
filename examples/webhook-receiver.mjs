// Receives webhooks: verifies each, handles each once and in order, and misses none.
//   CHARGEBOOK_KEY=sk_test_… node examples/webhook-receiver.mjs
// It prints the command that forwards them to this machine. If a webhook is set to its public address, CHARGEBOOK_SECRET is that
// webhook's verification_secret.
import { randomBytes } from 'node:crypto';
import { createServer } from 'node:http';
import { text } from 'node:stream/consumers';
import { createClient, dataOf, verifyWebhook, WebhookRefused } from '@chargebook/client';

const { CHARGEBOOK_URL = 'http://127.0.0.1:3000', CHARGEBOOK_KEY = '', CHARGEBOOK_SECRET, PORT = '4001', AFTER = '0' } = process.env;
const secret = CHARGEBOOK_SECRET ?? `whsec_${randomBytes(32).toString('base64')}`;
const chargebook = createClient({ url: CHARGEBOOK_URL, key: CHARGEBOOK_KEY });

/** Sequence of the last handled event. Store it with the data that events change, and change both in one transaction. */
let handled = Number(AFTER);
/** @param {{ readonly type: string, readonly sequence: number, readonly id: string }} event */
function handle({ type, sequence, id }) {
  if (sequence <= handled) return;
  handled = sequence;
  console.log(`${sequence} ${type} ${id}`);
}

/** Reads events that were sent while this program was down, or that were lost: the service keeps all events, from the first one on. */
async function catchUp() {
  for (;;) {
    const events = await dataOf(chargebook.GET('/v1/events', { params: { query: { After: handled, PageSize: 100 } } }));
    for (const event of events) handle(event);
    if (events.length < 100) return;
  }
}

/** Handles requests one after the other: two concurrent requests must not both find the same gap. */
let last = Promise.resolve();
/** @param {import('@chargebook/client').WebhookEvent} event */
async function take(event) {
  if (event.type === 'test') return console.log(`test ${event.id}`);
  const { sequence, previous_sequence } = event;
  // previous_sequence is the previous event among those that are sent to this address.
  if ((previous_sequence ?? 0) > handled) await catchUp();
  handle({ type: event.type, sequence, id: event.id });
}

const server = createServer((request, response) => {
  const receive = async () => {
    const event = await verifyWebhook(secret, { headers: request.headers, body: await text(request) });
    await (last = last.catch(() => undefined).then(() => take(event)));
    response.writeHead(204).end();
  };
  receive().catch((error) => {
    // Every response except 2xx causes a retry.
    response.writeHead(error instanceof WebhookRefused ? 400 : 500).end();
    console.error(error.message);
  });
});

await catchUp();
server.listen(Number(PORT), '127.0.0.1', () => {
  const url = `http://127.0.0.1:${/** @type {import('node:net').AddressInfo} */ (server.address()).port}`;
  if (!CHARGEBOOK_SECRET) console.log(`in another terminal: npm run -s cli -- listen --forward-to ${url} --key ${secret}`);
  console.log(`listening on ${url}`);
});
