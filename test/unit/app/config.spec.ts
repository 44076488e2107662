import { describe, expect, it } from '@jest/globals';
import { readFileSync } from 'node:fs';
import { parseHolidays } from '../../../src/domain/calendar/holidays-file.js';
import { ENVIRONMENT, PUBLISHED_ENCRYPTION_KEY, readConfig } from '../../../src/app/config.js';
import { ConfigError } from '../../../src/platform/process/config-error.js';

describe('the environment', () => {
  it('defaults serve a first start', () => {
    expect(readConfig({})).toMatchObject({
      production: false,
      host: '127.0.0.1',
      port: 3000,
      metricsPort: undefined,
      traces: undefined,
      databaseUrl: undefined,
      eventStoreUrl: undefined,
      publicUrl: undefined,
      encryptionKey: undefined,
      rateLimitPerSecond: 100,
      webhookAllowPrivate: false,
      webhookRetrySeconds: [5, 300, 1800, 7200, 18000, 36000, 50400, 72000, 86400],
      chargeTtlSeconds: undefined,
      trustedProxies: [],
      securityContacts: [],
      logLevel: 'info',
      logFormat: undefined,
    });
    expect([...readConfig({}).roles]).toEqual(['api', 'projector', 'worker']);
  });

  it('reads every variable', () => {
    const key = Buffer.alloc(32, 7);
    const config = readConfig({
      PORT: '0',
      METRICS_PORT: '9464',
      OTEL_EXPORTER_OTLP_ENDPOINT: 'http://collector:4318',
      OTEL_TRACES_SAMPLER_ARG: '0.05',
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
      DISPUTE_REMINDER_SECONDS: '3600, 60',
      LOG_LEVEL: 'WARN',
      LOG_FORMAT: 'Text',
      API_PROCESSES: '3',
      SECURITY_CONTACT: 'mailto:security@example.com, https://example.com/report',
      BOOKS_TIMEZONE: 'Asia/Jakarta',
      TRUSTED_PROXIES: '10.0.0.0/8, 2001:db8::1',
    });
    expect(config).toMatchObject({
      port: 0,
      metricsPort: 9464,
      traces: { endpoint: 'http://collector:4318', ratio: 0.05 },
      publicUrl: 'https://pay.example.com',
      rateLimitPerSecond: 0,
      webhookAllowPrivate: true,
    });
    expect(config).toMatchObject({
      webhookRetrySeconds: [0.5, 1],
      disputeReminderSeconds: [3600, 60],
      chargeTtlSeconds: 5,
      settlementIntervalSeconds: 1,
      logLevel: 'warn',
      logFormat: 'text',
      apiProcesses: 3,
      booksTimeZone: 'Asia/Jakarta',
      securityContacts: ['mailto:security@example.com', 'https://example.com/report'],
      trustedProxies: ['10.0.0.0/8', '2001:db8::1'],
    });
    expect([...config.roles]).toEqual(['api', 'worker']);
    expect(config.encryptionKey).toEqual(key);
  });

  it.each([
    ['PORT', '65536'],
    ['METRICS_PORT', '-1'],
    ['OTEL_EXPORTER_OTLP_ENDPOINT', 'collector:4318'],
    ['OTEL_TRACES_SAMPLER_ARG', '1.5'],
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
    ['DISPUTE_REMINDER_SECONDS', '0'],
    ['BOOKS_TIMEZONE', 'Jakarta'],
    ['BOOKS_TIMEZONE', 'SST'],
    ['BOOKS_TIMEZONE', 'IST'],
    ['BOOKS_TIMEZONE', 'EST5EDT'],
    ['SECURITY_CONTACT', 'security@example.com'],
    ['SECURITY_CONTACT', 'http://example.com/report'],
    ['SECURITY_CONTACT', 'mailto:security@example.com,'],
    ['SECURITY_CONTACT', 'https://exa mple.com'],
    ['BOOKS_TIMEZONE', '+07:00'],
    ['DISPUTE_REMINDER_SECONDS', '86400;60'],
    ['LOG_LEVEL', 'loud'],
    ['API_PROCESSES', '0'],
    ['TRUSTED_PROXIES', 'proxy.internal'],
    ['TRUSTED_PROXIES', '10.0.0.0/33'],
    ['TRUSTED_PROXIES', '0.0.0.0/0'],
  ])('rejects %s=%s with one line that names it', (name, value) => {
    const start = () => readConfig({ [name]: value });
    expect(start).toThrow(ConfigError);
    expect(start).toThrow(new RegExp(`^${name} .*$`));
  });

  it.each([
    ['PORT', '70000', 'PORT must be a whole number from 0 to 65535, not "70000"'],
    ['DATABASE_URL', 'mysql://u:secret@x/y', 'DATABASE_URL must be a URL that begins with postgres:// or postgresql://'],
    ['ROLES', 'api,judge', 'ROLES must be a list of api, projector, worker; "judge" is none'],
    ['WEBHOOK_ALLOW_PRIVATE', 'yes', 'WEBHOOK_ALLOW_PRIVATE must be true or false, not "yes"'],
    ['LOG_LEVEL', 'loud', 'LOG_LEVEL must be one of trace, debug, info, warn, error, fatal, silent, not "loud"'],
    ['TRUSTED_PROXIES', '10.0.0.1, x', 'TRUSTED_PROXIES must be a list of addresses and networks, such as 10.0.0.0/8,192.0.2.7; "x" is none'],
    ['ENCRYPTION_KEY', 'c2VjcmV0', 'ENCRYPTION_KEY must be base64 of exactly 32 bytes'],
  ])('states the expected value of %s=%s, and repeats no secret', (name, value, line) => {
    expect(() => readConfig({ [name]: value })).toThrow(new ConfigError(line));
  });

  it('accepts a blank value as an absent one', () => {
    expect(readConfig({ PORT: ' ', ROLES: '', DATABASE_URL: '', CHARGE_TTL_SECONDS: '' })).toEqual(readConfig({}));
  });

  it('docs/configuration.md lists every variable once', () => {
    const page = readFileSync(new URL('../../../docs/configuration.md', import.meta.url), 'utf8');
    const listed = [...page.matchAll(/^\| `(\w+)` \|/gm)].map(([, name]) => name!);
    expect(listed.sort()).toEqual(
      Object.keys(ENVIRONMENT.shape)
        .filter((name) => name !== 'NODE_ENV')
        .sort(),
    );
  });

  it('requires an encryption key in production, and rejects the published one', () => {
    expect(() => readConfig({ NODE_ENV: 'production' })).toThrow(/^ENCRYPTION_KEY/);
    for (const published of [PUBLISHED_ENCRYPTION_KEY, PUBLISHED_ENCRYPTION_KEY.replace('=', '')]) {
      expect(() => readConfig({ NODE_ENV: 'production', ENCRYPTION_KEY: published })).toThrow(/^ENCRYPTION_KEY is the public example .*$/);
      expect(readConfig({ ENCRYPTION_KEY: published }).encryptionKey).toHaveLength(32);
    }
  });
});

describe('the holidays file', () => {
  it('lists days by country', () => {
    expect(parseHolidays('{"ID":["2026-12-25","2027-01-01","2026-01-01"],"MY":[]}', 'holidays.json')).toEqual([
      { country: 'ID', year: 2026, days: ['2026-01-01', '2026-12-25'] },
      { country: 'ID', year: 2027, days: ['2027-01-01'] },
    ]);
  });

  it('accepts countries in any case, each once', () => {
    expect(parseHolidays('{"id":["2026-12-25"]}', 'holidays.json')).toEqual([{ country: 'ID', year: 2026, days: ['2026-12-25'] }]);
    expect(() => parseHolidays('{"id":[],"ID":[]}', 'holidays.json')).toThrow('ID occurs twice');
  });

  it.each(['[]', 'null', '{', '{"Indonesia":[]}', '{"ID":"2026-12-25"}', '{"ID":["2026-02-30"]}', '{"ID":["25.12.2026"]}', '{"ID":[20261225]}'])(
    'rejects %s with a line that names the file',
    (text) => {
      expect(() => parseHolidays(text, 'holidays.json')).toThrow(/^holidays\.json.*$/);
    },
  );
});
