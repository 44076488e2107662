import { describe, expect, it } from '@jest/globals';
import { IsOptional, IsString, validateSync } from 'class-validator';
import fc from 'fast-check';
import { CreateChargeBody } from '../../../src/domain/charges/charges.dto.js';
import { CreateCustomerBody, UpdateCustomerBody } from '../../../src/domain/customers/customers.dto.js';
import { fulfilsRules } from '../../../src/platform/http/validation/dto-rules.js';
import { readObject, RequestPipe } from '../../../src/platform/http/validation/validation.js';
import { AddressBody, OrderBody, OrdersQuery } from '../../support/edge-app.dto.js';

const SEED = 88;
/** Each is right for some field, and wrong for most. */
const VALUES = [
  ...[undefined, null, true, 'true', 0, 1, 10_000, 1.5, -1, '', 'IDR', 'idr', 'XXX', 'qr_qris', 'payload', 'order.paid', 'a\u0000b', '\ud800'],
  ...['0198c0de-7a5e-5c3a-9d2f-3f6f4a1b2c3d', '2026-01-31T08:15:30.123+00:00', 'https://shop.example.com/1', 'x'.repeat(501)],
  ...[[], ['order.paid'], [1], {}, { table: '7' }, { table: 7 }, { line1: 'Jalan Kopi' }, { country: 'ID', street: 'Kopi' }, { country: 'YY' }],
];

/** The errors that class-validator finds in it. */
const errorsIn = (object: object) => validateSync(object, { whitelist: true, forbidNonWhitelisted: true, stopAtFirstError: true });

/** Objects of a class, about half of them right: `right` with some of its fields changed, and names that it does not know. */
const objectsOf = (dto: new () => object, right: object) =>
  fc
    .dictionary(fc.constantFrom(...Object.keys(right), 'unknown', 'constructor'), fc.constantFrom(...VALUES), { maxKeys: 3 })
    .map((changed) => readObject({ ...right, ...changed }, dto) as object);

const ORDER = { amount: 1, currency: 'IDR', reference_id: 'a', description: null, metadata: { a: 'b' } };
const CUSTOMER = { name: 'Sari', shipping: { name: 'Sari', address: { line1: 'Jalan Kopi', country: 'ID' } }, metadata: {} };
const CLASSES: readonly [dto: new () => object, right: object][] = [
  [OrderBody, { ...ORDER, channel_code: 'wallet_ovo', address: { line1: 'Jalan Kopi', country: 'ID' }, events: [] }],
  [CreateChargeBody, { ...ORDER, channel_code: 'qr_qris', action_flow: 'payload', return_url: 'https://shop.example.com' }],
  [CreateCustomerBody, CUSTOMER],
  [UpdateCustomerBody, { ...CUSTOMER, id: '0198c0de-7a5e-5c3a-9d2f-3f6f4a1b2c3d' }],
  [AddressBody, { line1: 'Jalan Kopi', country: 'ID' }],
  [OrdersQuery, { Currency: 'IDR', Id: '0198c0de-7a5e-5c3a-9d2f-3f6f4a1b2c3d', OrderBy: 'AMOUNT', IsDescending: 'true' }],
];

class Tagged {
  @IsOptional()
  @IsString({ each: true })
  tags?: string[];
}

describe('the rules of a class', () => {
  it.each(CLASSES)('fulfilsRules accepts exactly the objects in which class-validator finds no error: %p', (dto, right) => {
    const answers = new Set<boolean>();
    const holds = (object: object): void => {
      const isRight = errorsIn(object).length === 0;
      answers.add(isRight);
      expect(fulfilsRules(object)).toBe(isRight);
    };
    fc.assert(fc.property(objectsOf(dto, right), holds), { seed: SEED, numRuns: 2_000 });
    expect(answers).toEqual(new Set([true, false]));
  });

  it('fulfilsRules asks class-validator about rules of an unknown kind', async () => {
    expect(fulfilsRules(Object.assign(new Tagged(), { tags: ['a'] }))).toBe(false);
    const read = async (tags: unknown) => new RequestPipe().transform({ tags }, { type: 'body', metatype: Tagged });
    await expect(read(null)).resolves.toBeInstanceOf(Tagged);
    await expect(read(1)).rejects.toThrow('One field is not valid.');
  });
});
