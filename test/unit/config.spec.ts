import { describe, expect, it } from '@jest/globals';
import { parseHolidays } from '../../src/charges/holidays.js';
import { PUBLISHED_ENCRYPTION_KEY, readConfig } from '../../src/app/config.js';
import { ConfigError } from '../../src/platform/config-error.js';

describe('the environment', () => {
  it('has defaults that serve a first start', () => {
    expect(readConfig({})).toMatchObject({
      production: false,
      host: '127.0.0.1',
      port: 3000,
      databaseUrl: undefined,
      eventStoreUrl: undefined,
      publicUrl: undefined,
      encryptionKey: undefined,
      rateLimitPerSecond: 100,
      webhookAllowPrivate: false,
      webhookRetrySeconds: [5, 300, 1800, 7200, 18000, 36000, 50400, 72000, 86400],
      chargeTtlSeconds: undefined,
      trustedProxies: [],
      logLevel: 'info',
    });
    expect([...readConfig({}).roles]).toEqual(['api', 'projector', 'worker']);
  });

  it('reads every variable', () => {
    const key = Buffer.alloc(32, 7);
    const config = readConfig({
      PORT: '0',
      DATABASE_URL: 'postgres://u:p@db/x',
      EVENTSTORE_URL: 'esdb://admin:changeit@es:2113?tls=true',
      PUBLIC_URL: 'https://pay.example.com/',
      ENCRYPTION_KEY: key.toString('base64'),
      ROLES: 'API, worker',
      RATE_LIMIT_PER_SECOND: '0',
      WEBHOOK_ALLOW_PRIVATE: 'TRUE',
      WEBHOOK_RETRY_SECONDS: '0.5,1',
      CHARGE_TTL_SECONDS: '5',
      SETTLEMENT_INTERVAL_SECONDS: '1',
      LOG_LEVEL: 'WARN',
      API_PROCESSES: '3',
      TRUSTED_PROXIES: '10.0.0.0/8, 2001:db8::1',
    });
    expect(config).toMatchObject({ port: 0, publicUrl: 'https://pay.example.com', rateLimitPerSecond: 0, webhookAllowPrivate: true });
    expect(config).toMatchObject({
      webhookRetrySeconds: [0.5, 1],
      chargeTtlSeconds: 5,
      settlementIntervalSeconds: 1,
      logLevel: 'warn',
      apiProcesses: 3,
      trustedProxies: ['10.0.0.0/8', '2001:db8::1'],
    });
    expect([...config.roles]).toEqual(['api', 'worker']);
    expect(config.encryptionKey).toEqual(key);
  });

  it.each([
    ['PORT', '65536'],
    ['PORT', '3000x'],
    ['DATABASE_URL', 'mysql://x/y'],
    ['READ_DATABASE_URL', 'postgres://u:p@replica/x'],
    ['EVENTSTORE_URL', 'http://x'],
    ['PUBLIC_URL', 'pay.example.com'],
    ['PUBLIC_URL', 'https://pay.example.com/?a=b'],
    ['ENCRYPTION_KEY', Buffer.alloc(31).toString('base64')],
    ['ENCRYPTION_KEY', 'not base64 at all'],
    ['ROLES', 'api,judge'],
    ['RATE_LIMIT_PER_SECOND', '-1'],
    ['WEBHOOK_ALLOW_PRIVATE', 'yes'],
    ['WEBHOOK_RETRY_SECONDS', '5;10'],
    ['CHARGE_TTL_SECONDS', '0'],
    ['SETTLEMENT_INTERVAL_SECONDS', '0'],
    ['LOG_LEVEL', 'loud'],
    ['API_PROCESSES', '0'],
    ['TRUSTED_PROXIES', 'proxy.internal'],
    ['TRUSTED_PROXIES', '10.0.0.0/33'],
    ['TRUSTED_PROXIES', '0.0.0.0/0'],
  ])('refuses %s=%s with one line that names it', (name, value) => {
    const start = () => readConfig({ [name]: value });
    expect(start).toThrow(ConfigError);
    expect(start).toThrow(new RegExp(`^${name} .*$`));
  });

  it('wants an encryption key of its own in production', () => {
    expect(() => readConfig({ NODE_ENV: 'production' })).toThrow(/^ENCRYPTION_KEY/);
    for (const published of [PUBLISHED_ENCRYPTION_KEY, PUBLISHED_ENCRYPTION_KEY.replace('=', '')]) {
      expect(() => readConfig({ NODE_ENV: 'production', ENCRYPTION_KEY: published })).toThrow(/^ENCRYPTION_KEY is the one .*$/);
      expect(readConfig({ ENCRYPTION_KEY: published }).encryptionKey).toHaveLength(32);
    }
  });
});

describe('the holidays file', () => {
  it('lists days by country', () => {
    expect(parseHolidays('{"ID":["2026-12-25","2026-01-01"],"MY":[]}', 'holidays.json').get('ID')).toEqual(new Set(['2026-12-25', '2026-01-01']));
  });

  it.each(['[]', 'null', '{', '{"Indonesia":[]}', '{"ID":"2026-12-25"}', '{"ID":["2026-02-30"]}', '{"ID":["25.12.2026"]}', '{"ID":[20261225]}'])(
    'refuses %s with a line that names the file',
    (text) => {
      expect(() => parseHolidays(text, 'holidays.json')).toThrow(/^holidays\.json.*$/);
    },
  );
});
