// A shop: sells one thing, sends the customer to the payment page, and delivers when the webhook reports the payment.
//   CHARGEBOOK_KEY=sk_test_… node examples/shop.mjs
// The service sends no webhooks to private addresses: the shop prints the command that forwards them to this machine. If SHOP_URL is its
// public address, it sets the webhook itself.
import { randomBytes, randomUUID } from 'node:crypto';
import { createServer } from 'node:http';
import { text } from 'node:stream/consumers';
import { createClient, dataOf, verifyWebhook, WebhookRefused } from '@chargebook/client';

const { CHARGEBOOK_URL = 'http://127.0.0.1:3000', CHARGEBOOK_KEY = '', PORT = '4000', SHOP_URL } = process.env;
const chargebook = createClient({ url: CHARGEBOOK_URL, key: CHARGEBOOK_KEY });
/** @type {Map<string, { charge: string | undefined, state: 'new' | 'delivered' }>} */
const orders = new Map();
let secret = '';

/** Creates one charge per order: the order's number is the Idempotency-Key, so that a second click pays the same charge. */
async function buy() {
  const order = `order-${randomUUID()}`;
  const charge = await dataOf(
    chargebook.POST('/v1/charges', {
      params: { header: { 'Idempotency-Key': order } },
      body: { amount: 2_500_000, currency: 'IDR', channel_code: 'QR_QRIS', action_flow: 'EMBEDDED', reference_id: order, description: 'A teapot' },
    }),
  );
  orders.set(order, { charge: charge.id, state: 'new' });
  return { order, pay_at: charge.action.embedded_url, simulate_at: charge.action.simulation_url };
}

/** @param {import('node:http').IncomingMessage} request */
async function hook(request) {
  const event = await verifyWebhook(secret, { headers: request.headers, body: await text(request) });
  const order = event.type === 'charge.succeeded' ? orders.get(event.data.reference_id) : undefined;
  // A webhook may come twice: the order stores that it was delivered.
  if (order) order.state = 'delivered';
}

const server = createServer((request, response) => {
  const answer = (/** @type {number} */ status, /** @type {object} */ body) =>
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
  const route = async () => {
    const path = request.url ?? '/';
    if (request.method === 'POST' && path === '/buy') return answer(201, await buy());
    if (request.method === 'POST' && path === '/hooks') return answer(200, (await hook(request)) ?? {});
    const order = orders.get(path.slice(1));
    return order ? answer(200, order) : answer(404, {});
  };
  route().catch((error) => {
    if (!(error instanceof WebhookRefused)) console.error(error);
    answer(error instanceof WebhookRefused ? 400 : 502, { error: error.message });
  });
});

server.listen(Number(PORT), '127.0.0.1', async () => {
  const address = /** @type {import('node:net').AddressInfo} */ (server.address());
  const url = SHOP_URL ?? `http://127.0.0.1:${address.port}`;
  secret = `whsec_${randomBytes(32).toString('base64')}`;
  if (SHOP_URL) {
    const body = { web_hook_uri: `${url}/hooks`, signature_key: secret, events: /** @type {['charge.succeeded']} */ (['charge.succeeded']) };
    secret = (await dataOf(chargebook.POST('/v1/merchants/me/web-hook', { body }))).verification_secret;
  } else console.log(`in another terminal: npm run -s cli -- listen --forward-to ${url}/hooks --key ${secret}`);
  console.log(`the shop is open: curl -X POST ${url}/buy`);
});
