import { afterAll, describe, expect, it } from '@jest/globals';
import { startTestService, type TestService } from '../support/service.js';

describe('/.well-known/security.txt', () => {
  const started: TestService[] = [];
  const start = async (env: Record<string, string>): Promise<TestService> => {
    const service = await startTestService(env);
    started.push(service);
    return service;
  };
  afterAll(() => Promise.all(started.map((service) => service.stop())));

  it('returns the operator’s contact without a key, with an expiry in the future', async () => {
    const service = await start({ SECURITY_CONTACT: 'mailto:security@example.com', PUBLIC_URL: 'https://pay.example.com' });
    const { status, headers, text } = await service.call('GET', `${service.url}/.well-known/security.txt`);
    expect([status, headers.get('content-type')]).toEqual([200, 'text/plain; charset=utf-8']);
    const [contact, expires, canonical] = text.split('\n');
    expect([contact, canonical]).toEqual(['Contact: mailto:security@example.com', 'Canonical: https://pay.example.com/.well-known/security.txt']);
    expect(Date.parse(expires!.replace('Expires: ', ''))).toBeGreaterThan(Date.now());
  });

  it('returns 404 without a configured contact', async () => {
    const service = await start({});
    const { status, headers, body } = await service.call('GET', `${service.url}/.well-known/security.txt`);
    expect([status, headers.get('content-type'), body.type]).toEqual([
      404,
      'application/problem+json; charset=utf-8',
      expect.stringMatching(/\/problems\/not-found$/),
    ]);
  });
});
