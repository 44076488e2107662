import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { badRequests } from '../support/bad-requests.js';
import { newFinanceKey } from '../support/finance.js';
import { newIdempotencyKey, startTestService, type TestService } from '../support/service.js';

let service: TestService;
const keys = { merchant: '', finance: '' };
beforeAll(async () => {
  service = await startTestService();
  keys.merchant = (await service.newMerchant()).key;
  keys.finance = (await newFinanceKey(service)).key;
});
afterAll(() => service.stop());

/** Clients rely on the codes, pointers and texts of refusals. A change must be intended (`jest -u`) and is reviewed. */
describe('refusals of bad requests', () => {
  const requests = badRequests();

  it('the list contains more than 300 requests, each with a unique name', () => {
    expect(requests.length).toBeGreaterThan(300);
    expect(new Set(requests.map(({ name }) => name)).size).toBe(requests.length);
  });

  it.each(requests)('$name', async ({ method, path, caller, body }) => {
    const answer = await service.call(method, path, {
      key: keys[caller],
      ...(body !== undefined && { body }),
      headers: newIdempotencyKey(),
    });
    expect(answer.headers.get('content-type')).toBe('application/problem+json; charset=utf-8');
    const { request_id, type, ...problem } = answer.body;
    expect(request_id).toBe(answer.headers.get('request-id'));
    expect(type).toBe(`${service.url}/problems/${problem.code}`);
    expect(problem).toMatchSnapshot();
  });
});
