import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { Webhook } from 'standardwebhooks';
import { nextAttemptMs } from '../../../src/domain/webhooks/schedule.js';
import { SignatureKeyEncryption } from '../../../src/domain/webhooks/signature-key-encryption.js';
import { keyHint, signedHeaders, signingBytes, UnusableKey, verificationSecret } from '../../../src/domain/webhooks/signing.js';

const SETTINGS = { seed: 20260131, numRuns: 200 };
const ID = '2e8c4b5c-d0cd-5a18-9083-c06d0ba105ea';
const nowSeconds = (): number => Math.floor(Date.now() / 1000);

describe('signing', () => {
  it('the Standard Webhooks library verifies every signature, for every key that may be set', () => {
    const whsec = fc.uint8Array({ minLength: 24, maxLength: 64 }).map((bytes) => `whsec_${Buffer.from(bytes).toString('base64')}`);
    const plain = fc.string({ unit: 'grapheme', minLength: 16, maxLength: 100 }).filter((text) => !text.startsWith('whsec_'));
    fc.assert(
      fc.property(fc.oneof(whsec, plain), fc.json(), (key, body) => {
        const bytes = signingBytes(key);
        const verified = new Webhook(verificationSecret(bytes)).verify(body, signedHeaders([bytes], ID, nowSeconds(), body));
        expect(verified).toEqual(JSON.parse(body));
      }),
      SETTINGS,
    );
  });

  it('matches the example of the specification', () => {
    const key = signingBytes('whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw');
    // The example of the Standard Webhooks specification.
    expect(signedHeaders([key], 'msg_p5jXN8AQM9LWM0D4loKWxJek', 1614265330, '{"test": 2432232314}')).toEqual({
      'webhook-id': 'msg_p5jXN8AQM9LWM0D4loKWxJek',
      'webhook-timestamp': '1614265330',
      'webhook-signature': 'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=',
    });
  });

  it('accepts a whsec_ key with and without padding, and no other spelling', () => {
    const bytes = Buffer.alloc(25, 7);
    const padded = `whsec_${bytes.toString('base64')}`;
    expect(signingBytes(padded)).toEqual(bytes);
    expect(signingBytes(padded.replace(/=+$/, ''))).toEqual(bytes);
    for (const broken of [
      'whsec_',
      `${padded} `,
      padded.replace('Bw', '-_'),
      `whsec_${Buffer.alloc(23).toString('base64')}`,
      `whsec_${Buffer.alloc(65).toString('base64')}`,
    ]) {
      expect(() => signingBytes(broken)).toThrow(UnusableKey);
    }
  });

  it('hints at a key without revealing it', () => {
    expect(keyHint('a plain key of some length')).toBe('…ngth');
  });
});

describe('encrypted keys', () => {
  const encryption = new SignatureKeyEncryption(Buffer.alloc(32, 1));
  it('encrypted keys decrypt for their merchant and under their secret only', () => {
    const encrypted = encryption.encrypt('merchant', Buffer.from('a key of some length'));
    expect(encryption.decrypt('merchant', encrypted).toString()).toBe('a key of some length');
    expect(() => encryption.decrypt('other', encrypted)).toThrow();
    expect(() => new SignatureKeyEncryption(Buffer.alloc(32, 2)).decrypt('merchant', encrypted)).toThrow();
    expect(() =>
      encryption.decrypt(
        'merchant',
        encrypted.replace(/.$/, (last) => (last === 'A' ? 'Q' : 'A')),
      ),
    ).toThrow();
  });

  it('the stored form of a key never changes', () => {
    const merchant = '0198c0de-0000-4000-8000-000000000001';
    const stored = 'tViWPaiWzIbhtaIa07SZW-_fHaju7wFjzoLFhwMdsU7zjyjLsmEP-YMCM85ceiJlFg';
    const key = Buffer.from('a key of the merchant');
    const atRest = new SignatureKeyEncryption(Buffer.alloc(32, 7));
    expect(atRest.encrypt(merchant, key)).toBe(stored);
    expect(atRest.decrypt(merchant, stored)).toEqual(key);
  });

  it('encrypted keys are equal only for the same key of the same merchant', () => {
    const [a, b] = [Buffer.from('one key of some length'), Buffer.from('two key of some length')];
    expect(encryption.encrypt('merchant', a)).toBe(encryption.encrypt('merchant', a));
    expect(new Set([encryption.encrypt('merchant', a), encryption.encrypt('merchant', b), encryption.encrypt('other', a)]).size).toBe(3);
  });
});

describe('the schedule', () => {
  it('retries once per number', () => {
    expect([1, 2, 3].map((attempt) => nextAttemptMs({ attempt, retry_after_seconds: null }, [5, 300], 0, 0))).toEqual([5_000, 300_000, null]);
    expect(nextAttemptMs({ attempt: 1, retry_after_seconds: 60 }, [], 0, 0)).toBeNull();
  });

  it('retries never early, at most a tenth late, and as late as the receiver asks, a day at most', () => {
    const latest = nextAttemptMs({ attempt: 1, retry_after_seconds: null }, [100], 0, 1 - Number.EPSILON)!;
    expect(latest).toBeGreaterThan(109_900);
    expect(latest).toBeLessThanOrEqual(110_001);
    expect(nextAttemptMs({ attempt: 1, retry_after_seconds: 600 }, [100], 0, 0.5)).toBe(600_000);
    expect(nextAttemptMs({ attempt: 1, retry_after_seconds: 10 }, [100], 0, 0)).toBe(100_000);
    expect(nextAttemptMs({ attempt: 1, retry_after_seconds: 999_999_999 }, [100], 0, 0)).toBe(86_400_000);
  });
});
