import { Inject } from '@nestjs/common';
import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { CLOCK } from '../../ledger/ports/injection-tokens.js';
import { createRecord } from '../../ledger/streams/create-record.js';
import { decryptDetails } from '../../ledger/crypto/customer-encryption.js';
import { decideOnStream } from '../../ledger/streams/decide-on-stream.js';
import { fingerprint, recordId, requireSameRequest } from '../../ledger/ids/idempotency.js';
import type { CommandContext } from '../../ledger/streams/new-event.js';
import { deriveKey } from '../../ledger/crypto/encryption.js';
import { EVENT_STORE, StoreUnavailable, type EventStore, type Position } from '../../platform/event-store/event-store.js';
import { noSuchRecord } from '../../platform/http/record-id.js';
import { LedgerProblem, type ProblemCode } from '../../ledger/problems.js';
import { timestamp, type Clock, type Timestamp } from '../../ledger/time.js';
import type { CustomerChange, CustomerRefusal, ExistingCustomer, ExpectedVersions } from './customer.decider.js';
import { customerStream, type CustomerDetails } from '../../ledger/events/customer.events.js';
import { CustomerKeys } from './customer-keys.js';
import { decryptCustomer, encryptedCustomer, type CommandWithKey } from './encrypted-customer.js';

type Context = Omit<CommandContext, 'now'>;

export interface CreatedCustomer {
  readonly customer_id: string;
  readonly details: CustomerDetails;
  readonly created_on: string;
  readonly position: Position;
  /** True for a replay: an earlier request with this key created the customer. */
  readonly replayed: boolean;
}

/** Creates a customer, once for each Idempotency-Key. */
export class CreateCustomer extends Command<CreatedCustomer> {
  constructor(
    readonly details: CustomerDetails,
    readonly idempotencyKey: string,
    readonly merchantId: string,
    readonly context: Context,
  ) {
    super();
  }
}

const ROUTE = 'POST /v1/customers';

/** Problem code that the client receives for each refusal of the decider. */
const PROBLEM_OF_REFUSAL: Readonly<Record<CustomerRefusal, ProblemCode>> = {
  'customer-exists': 'state-conflict',
  'customer-not-found': 'not-found',
  'customer-changed': 'precondition-failed',
  'customer-updated-too-often': 'record-full',
};

/** Dependencies of the handlers of customers. */
class CustomerHandler {
  constructor(
    @Inject(EVENT_STORE) protected readonly store: EventStore,
    @Inject(CustomerKeys) protected readonly keys: CustomerKeys,
    @Inject(CLOCK) protected readonly clock: Clock,
  ) {}
}

@CommandHandler(CreateCustomer)
export class CreateCustomerHandler extends CustomerHandler implements ICommandHandler<CreateCustomer> {
  async execute({ details, idempotencyKey, merchantId, context }: CreateCustomer): Promise<CreatedCustomer> {
    const customer_id = recordId(merchantId, ROUTE, idempotencyKey);
    const key = await this.keys.getOrCreate(customer_id);
    // A repeat after an erasure is reported as not found.
    if (key === null) throw noSuchRecord();
    // Keyed with the customer's own key, so that the subject of the request cannot be found by trial after an erasure.
    const requestFingerprint = fingerprint(deriveKey(key, 'fingerprint'), { ...details });
    const now = timestamp(this.clock());
    const command = { kind: 'create', customer_id, merchant_id: merchantId, details, created_by: context.actor, now } as const;
    const decision = encryptedCustomer.decide(encryptedCustomer.initial, { key, command });
    const stream = customerStream(customer_id);
    const outcome = await createRecord(this.store, stream, 'CustomerCreated', decision, { ...context, now }, requestFingerprint);
    if ('refusal' in outcome) throw new LedgerProblem(PROBLEM_OF_REFUSAL[outcome.refusal], outcome.detail);
    const { position, replayed, data } = outcome;
    if (!replayed) return { customer_id, details, created_on: now, position, replayed };
    const [newest] = await this.store.read(stream, { direction: 'backwards', limit: 1 });
    if (!newest) throw new StoreUnavailable(`${stream} exists, but could not be read`);
    if (newest.type === 'CustomerDeleted') throw noSuchRecord();
    requireSameRequest(outcome.fingerprint, requestFingerprint);
    return { customer_id, details: decryptDetails(key, customer_id, data.sealed), created_on: data.created_on, position, replayed };
  }
}

export interface UpdatedCustomer {
  readonly customer: ExistingCustomer & { readonly details: CustomerDetails };
  /** Position of the stream's newest event. A read after this response must include it. */
  readonly position: Position;
}

/** Changes a customer. A change that is already recorded succeeds. */
export class UpdateCustomer extends Command<UpdatedCustomer> {
  constructor(
    readonly customerId: string,
    readonly change: CustomerChange,
    readonly expected: ExpectedVersions,
    readonly merchantId: string,
    readonly context: Context,
  ) {
    super();
  }
}

@CommandHandler(UpdateCustomer)
export class UpdateCustomerHandler extends CustomerHandler implements ICommandHandler<UpdateCustomer> {
  async execute({ customerId, change, expected, merchantId, context }: UpdateCustomer): Promise<UpdatedCustomer> {
    // There is never a second key. A key read before the stream is still the stream's key, or the stream has a deletion.
    const key = await this.keys.find(customerId);
    if (key === null) throw noSuchRecord();
    const asked = { kind: 'update', merchant_id: merchantId, change, expected, updated_by: context.actor } as const;
    const toCommand = (now: Timestamp): CommandWithKey => ({ key, command: { ...asked, now } });
    const outcome = await decideOnStream(this.store, this.clock, customerStream(customerId), encryptedCustomer, toCommand, context);
    if ('refusal' in outcome) throw new LedgerProblem(PROBLEM_OF_REFUSAL[outcome.refusal], outcome.detail);
    const { details, ...customer } = decryptCustomer(key, outcome.state);
    if (details === null) throw new Error(`customer ${customerId} was updated, but has no details`);
    return { customer: { ...customer, details }, position: outcome.position };
  }
}

export interface DeletedCustomer {
  readonly position: Position;
}

/** Deletes a customer and erases the personal data. */
export class DeleteCustomer extends Command<DeletedCustomer> {
  constructor(
    readonly customerId: string,
    readonly expected: ExpectedVersions,
    readonly merchantId: string,
    readonly context: Context,
  ) {
    super();
  }
}

@CommandHandler(DeleteCustomer)
export class DeleteCustomerHandler extends CustomerHandler implements ICommandHandler<DeleteCustomer> {
  async execute({ customerId, expected, merchantId, context }: DeleteCustomer): Promise<DeletedCustomer> {
    const asked = { kind: 'delete', merchant_id: merchantId, expected, deleted_by: context.actor } as const;
    const toCommand = (now: Timestamp): CommandWithKey => ({ key: null, command: { ...asked, now } });
    const outcome = await decideOnStream(this.store, this.clock, customerStream(customerId), encryptedCustomer, toCommand, context);
    if ('refusal' in outcome) throw new LedgerProblem(PROBLEM_OF_REFUSAL[outcome.refusal], outcome.detail);
    // The event first, then the key: in the other order, a crash in between would leave a customer that cannot be read. If this step
    // fails, the erasure worker completes it.
    await this.keys.destroy([customerId]);
    return { position: outcome.position };
  }
}
