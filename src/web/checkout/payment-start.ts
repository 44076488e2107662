import { Injectable } from '@nestjs/common';
import { IsOptional } from 'class-validator';
import { ChargeInstructor, type InstructionResult, type KnownCharge } from '../../domain/charges/remote/charge-instructor.js';
import { RemoteCharges } from '../../domain/charges/remote/remote-charges.js';
import type { RemoteChannel } from '../../domain/charges/remote/remote-processor.js';
import { systemContext } from '../../ledger/streams/new-event.js';
import { IsText } from '../../platform/http/validation/validators.js';
import { FPX_BANK_NAMES } from './banks.js';
import type { Payment } from './payment.js';

/** The payer's input. Only the processor receives it, and it is not stored. */
export class StartBody {
  @IsOptional()
  @IsText({ min: 0, max: 24, description: 'A mobile number, with or without its country’s code.' })
  readonly phone?: string | null;

  @IsOptional()
  @IsText({ min: 0, max: 24, description: 'Code of a bank.' })
  readonly bank?: string | null;
}

type Input = NonNullable<RemoteChannel['input']>;

export type Started =
  | InstructionResult['is']
  /** The input is not a phone number, or not a known bank. */
  | 'unusable'
  /** There is nothing that the payer could start. */
  | 'nothing';

/** Maximum time, ms, that the first request waits for the provider. Its page is sent sooner, and shows the result when it is opened again. */
const PATIENCE_MS = 15_000;
const PHONE = /^\+?\d{8,15}$/;

/** Leads a customer from the payment page to the processor. */
@Injectable()
export class PaymentStart {
  constructor(
    private readonly charges: RemoteCharges,
    private readonly instructor: ChargeInstructor,
  ) {}

  /** Returns the input that the payer has to give first; undefined: none, or there is nothing to start. */
  inputOf(payment: Payment): Input | undefined {
    return isOpen(payment) ? this.instructor.inputOf(payment) : undefined;
  }

  /** Returns true for a charge that was created before its processor responded. */
  needsInstruction(payment: Payment): boolean {
    return isOpen(payment) && this.instructor.inputOf(payment) === undefined;
  }

  /** @throws StoreUnavailable */
  async resume({ created }: Payment): Promise<Started> {
    return this.#instruct(await this.charges.read(created.charge_id));
  }

  /** Starts the payment with the payer's input. @throws StoreUnavailable */
  async start(payment: Payment, given: StartBody): Promise<Started> {
    const input = this.inputOf(payment);
    if (!input) return 'nothing';
    const usable = input === 'phone' ? phoneOf(given.phone) : bankOf(given.bank);
    return usable === undefined ? 'unusable' : this.#instruct(await this.charges.read(payment.created.charge_id), usable);
  }

  async #instruct(known: KnownCharge, input?: string): Promise<Started> {
    const asking = { deadlineMs: performance.now() + PATIENCE_MS, context: systemContext(), ...(input !== undefined && { input }) };
    return (await this.instructor.instruct(known, asking)).is;
  }
}

const isOpen = ({ created, status, instructed }: Payment): boolean => created.remote === true && status === 'PENDING' && instructed === null;

function phoneOf(text: string | null | undefined): string | undefined {
  const digits = (text ?? '').replace(/[\s().-]/g, '');
  return PHONE.test(digits) ? digits : undefined;
}

function bankOf(code: string | null | undefined): string | undefined {
  return FPX_BANK_NAMES.has(code ?? '') ? code! : undefined;
}
