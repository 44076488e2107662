import { IsDefined, IsOptional, ValidateIf } from 'class-validator';
import { ApiProperty } from '@nestjs/swagger';
import { HistoryEventDto } from '../../ledger/dto/history-event.dto.js';
import { IsCountry, IsId, IsMetadata, IsNested, IsQueryBoolean, IsText } from '../../platform/http/validation/validators.js';
import { PageQuery } from '../../platform/http/pages.dto.js';
import { answeredDetails, type AnsweredDetails } from './customer-answer.js';
import type { CustomerChange, CustomerEventInClear } from './customer.decider.js';
import type { Address, CustomerDetails, Shipping, Tax } from '../../ledger/events/customer.events.js';
import { TimeField, UuidField } from '../../platform/http/answer-fields.js';

// RFC 5321's mailbox without its quoted forms, with letters of every script (RFC 6531); the domain has a dot.
export const EMAIL =
  /^(?!\.)(?!.*\.\.)[^\s@"(),:;<>[\]\\]{1,64}(?<!\.)@(?:[\p{L}\p{N}](?:[\p{L}\p{M}\p{N}-]{0,61}[\p{L}\p{M}\p{N}])?\.)+[\p{L}\p{N}](?:[\p{L}\p{M}\p{N}-]{0,61}[\p{L}\p{M}\p{N}])$/u;
export const EMAIL_DOCUMENTED = /^[^@ ]{1,64}@[^@ ]+\.[^@ .]+$/;
const PHONE = /^[0-9 +().-]+$/;
const PHONE_DETAIL = 'Takes digits, spaces and + - ( ) . only.';

export class AddressBody {
  @IsOptional() @IsText({ min: 0, max: 255, example: 'Jalan Melati 5' }) readonly line1?: string | null;
  @IsOptional() @IsText({ min: 0, max: 255 }) readonly line2?: string | null;
  @IsOptional() @IsText({ min: 0, max: 255, example: 'Bandung' }) readonly city?: string | null;
  @IsOptional() @IsText({ min: 0, max: 255, example: 'Jawa Barat' }) readonly state?: string | null;
  @IsOptional() @IsText({ min: 0, max: 255, example: '40115' }) readonly postal_code?: string | null;
  @IsOptional() @IsCountry({ description: 'ISO 3166-1 alpha-2.' }) readonly country?: string | null;
}

export class ShippingBody {
  @IsOptional()
  @IsText({ min: 4, max: 32, pattern: PHONE, patternDetail: PHONE_DETAIL, example: '+62 812 3456 7890' })
  readonly phone?: string | null;

  @IsOptional() @IsText({ min: 0, max: 255, example: 'Sari Dewi' }) readonly receiver_name?: string | null;
  @IsOptional() @IsNested(() => AddressBody) readonly address?: AddressBody | null;
}

export class TaxBody {
  @IsOptional() @IsText({ min: 0, max: 64, example: 'NPWP' }) readonly id_type?: string | null;
  @IsOptional() @IsText({ min: 0, max: 64, example: '09.254.294.3-407.000' }) readonly id_value?: string | null;
}

class OptionalDetails {
  @IsOptional() @IsText({ min: 0, max: 500, multiline: true, example: 'Buys every Friday' }) readonly description?: string | null;

  @IsOptional()
  @IsText({
    max: 254,
    pattern: EMAIL,
    documentedPattern: EMAIL_DOCUMENTED,
    patternDetail: 'Must be an e-mail address, such as sari@example.com.',
    example: 'sari@example.com',
  })
  readonly email?: string | null;

  @IsOptional()
  @IsText({ min: 4, max: 32, pattern: PHONE, patternDetail: PHONE_DETAIL, example: '+62 812 3456 7890' })
  readonly phone?: string | null;

  @IsOptional() @IsNested(() => AddressBody) readonly address?: AddressBody | null;
  @IsOptional() @IsNested(() => ShippingBody) readonly shipping?: ShippingBody | null;
  @IsOptional() @IsNested(() => TaxBody) readonly tax?: TaxBody | null;
  @IsOptional() @IsMetadata({ description: 'Your own key-value pairs; values are strings. Not returned.' }) readonly metadata?: Readonly<
    Record<string, string>
  > | null;
}

/** Body of POST /v1/customers. */
export class CreateCustomerBody extends OptionalDetails {
  @IsText({ max: 255, example: 'Sari Dewi' }) readonly name: string;
}

/** Body of PUT /v1/customers. */
export class UpdateCustomerBody extends OptionalDetails {
  @IsId({ description: 'Id of the customer.' }) readonly id: string;

  @ValidateIf((_, name) => name !== undefined)
  @IsDefined({ message: 'This field must not be null.' })
  @IsText({ max: 255, example: 'Sari Dewi' })
  readonly name?: string;
}

/** Query of DELETE /v1/customers. */
export class DeleteCustomerQuery {
  @IsId({ description: 'Id of the customer.' }) readonly Id: string;
}

/** Query of GET /v1/customers. */
export class ListCustomersQuery extends PageQuery {
  @IsQueryBoolean({ description: 'Newest first. Reverses the whole order, ties included.' }) readonly IsDescending: boolean = false;
}

/** Returns a new customer with explicit values for absent fields. */
export function toDetails(body: CreateCustomerBody): CustomerDetails {
  return {
    name: body.name,
    description: body.description ?? null,
    email: body.email ?? null,
    phone: body.phone ?? null,
    address: toAddress(body.address) ?? null,
    shipping: toShipping(body.shipping) ?? null,
    tax: toTax(body.tax) ?? null,
    metadata: body.metadata ?? {},
  };
}

/** An absent field stays absent, and null stays null. A nested object is replaced as a whole, so an absent field in it is null. */
export function toChange(body: UpdateCustomerBody): CustomerChange {
  const { name, description, email, phone, address, shipping, tax, metadata } = body;
  return { name, description, email, phone, address: toAddress(address), shipping: toShipping(shipping), tax: toTax(tax), metadata };
}

function toAddress<Absent extends null | undefined>(body: AddressBody | Absent): Address | Absent {
  if (body === null || body === undefined) return body;
  const { line1 = null, line2 = null, city = null, state = null, postal_code = null, country = null } = body;
  return { line1, line2, city, state, postal_code, country };
}

function toShipping<Absent extends null | undefined>(body: ShippingBody | Absent): Shipping | Absent {
  if (body === null || body === undefined) return body;
  const { phone = null, receiver_name = null, address } = body;
  return { phone, receiver_name, address: toAddress(address) ?? null };
}

function toTax<Absent extends null | undefined>(body: TaxBody | Absent): Tax | Absent {
  if (body === null || body === undefined) return body;
  const { id_type = null, id_value = null } = body;
  return { id_type, id_value };
}

const nullable = { type: 'string', nullable: true } as const;

export class AddressDto {
  @ApiProperty({ ...nullable, example: 'Jalan Melati 5' }) readonly line1: string | null;
  @ApiProperty(nullable) readonly line2: string | null;
  @ApiProperty({ ...nullable, example: 'Bandung' }) readonly city: string | null;
  @ApiProperty({ ...nullable, example: 'Jawa Barat' }) readonly state: string | null;
  @ApiProperty({ ...nullable, example: '40115' }) readonly postal_code: string | null;
  @ApiProperty({ ...nullable, example: 'ID' }) readonly country: string | null;
}

export class ShippingDto {
  @ApiProperty({ ...nullable, example: '+62 812 3456 7890' }) readonly phone: string | null;
  @ApiProperty({ ...nullable, example: 'Sari Dewi' }) readonly receiver_name: string | null;
  @ApiProperty({ type: AddressDto, nullable: true }) readonly address: Address | null;
}

export class TaxDto {
  @ApiProperty({ ...nullable, example: 'NPWP' }) readonly id_type: string | null;
  @ApiProperty({ ...nullable, example: '09.254.294.3-407.000' }) readonly id_value: string | null;
}

export class CustomerDto {
  @UuidField() readonly id: string;
  @ApiProperty({ example: 'Sari Dewi' }) readonly name: string;
  @ApiProperty({ ...nullable, example: 'Buys every Friday' }) readonly description: string | null;
  @ApiProperty({ ...nullable, example: 'sari@example.com' }) readonly email: string | null;
  @ApiProperty({ ...nullable, example: '+62 812 3456 7890' }) readonly phone: string | null;
  @ApiProperty({ type: AddressDto, nullable: true }) readonly address: Address | null;
  @ApiProperty({ type: ShippingDto, nullable: true }) readonly shipping: Shipping | null;
  @ApiProperty({ type: TaxDto, nullable: true }) readonly tax: Tax | null;
  @TimeField() readonly created_on: string;
  @TimeField() readonly updated_on: string;
}

const ERASED: Readonly<Record<keyof AnsweredDetails, null>> = {
  name: null,
  description: null,
  email: null,
  phone: null,
  address: null,
  shipping: null,
  tax: null,
};

export class CustomerEventDto extends HistoryEventDto {
  @ApiProperty({
    type: 'object',
    additionalProperties: true,
    description: 'The recorded event. Its personal data is null once the customer is deleted.',
  })
  readonly data: object;
}

/** Returns an event's data as its merchant reads it. */
export function toEventData(event: CustomerEventInClear): object {
  if (event.type === 'CustomerDeleted') return event.data;
  const { details, customer_id, merchant_id, ...when } = event.data;
  return { customer_id, merchant_id, ...(details ? answeredDetails(details) : ERASED), ...when };
}
