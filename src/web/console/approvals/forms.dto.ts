import { applyDecorators } from '@nestjs/common';
import { Transform } from 'class-transformer';
import { IsOptional, IsString } from 'class-validator';
import { SUSPENSE_ADJUSTMENTS, type SuspenseAdjustmentKind } from '../../../ledger/events/adjustment.events.js';
import { IsName, IsText } from '../../../platform/http/validation/validators.js';

import { namesOf } from './proposal-form-fields.js';
import { PROPOSAL_FORMS } from './proposal-form-list.js';

/** What the console's forms send. A field that is left empty is sent, too. */

/** 64 hexadecimal digits, and nothing where it is anything else: no form of the console's, which whoever acts on it refuses with 403. */
const IsTag = (): PropertyDecorator =>
  applyDecorators(
    Transform(({ value }) => (typeof value === 'string' && /^[0-9a-f]{64}$/.test(value) ? value : '')),
    IsText({ min: 0, max: 64 }),
  );

/** What every form about a record sends. */
export class FormBody {
  /** Of the record as it was shown. */
  @IsTag() readonly digest: string = '';
  @IsTag() readonly form_token: string = '';
}

/** Of a form with which a person acts, and says why. */
export class ActBody extends FormBody {
  @IsText({ max: 500 }) readonly reason: string;
}

/** Of a form with which a person proposes what its page says. */
export class ProposeForm extends ActBody {
  @IsName(['propose']) readonly act: 'propose';
}

export class AdjustItemForm extends ProposeForm {
  @IsName(SUSPENSE_ADJUSTMENTS) readonly kind: SuspenseAdjustmentKind;

  /** Whose it is, where the item does not say so. */
  @IsOptional() @IsText({ min: 0, max: 36 }) readonly merchant_id?: string;
  @IsOptional() @IsName(['yes']) readonly waive_fee?: 'yes';

  /** A month; empty: the one in which it is booked. */
  @IsOptional() @IsText({ min: 0, max: 7 }) readonly relates_to?: string;
}

export class ActOnPayoutForm extends ActBody {
  @IsName(['approve', 'decline']) readonly act: 'approve' | 'decline';
}

export class ActOnProposalForm extends ActBody {
  @IsName(['approve', 'reject', 'withdraw']) readonly act: 'approve' | 'reject' | 'withdraw';
}

/** A text that is read later, with what it is a field of: what is wrong with it is said beside the field. */
const IsTyped = (): PropertyDecorator => applyDecorators(IsOptional(), IsString({ message: 'Must be a string.' }));

/** Of a form that proposes: any field of any of them, and what all of them have. */
export class MakeProposalForm extends FormBody {
  @IsName(['propose']) readonly act: 'propose';
  @IsText({ min: 0, max: 36 }) readonly form_id: string = '';
  @IsTyped() readonly reason?: string;
  @IsTyped() readonly evidence?: string;
}
const NAMES = new Set(PROPOSAL_FORMS.flatMap(({ fields }) => fields.flatMap(namesOf)));
for (const name of NAMES) IsTyped()(MakeProposalForm.prototype, name);
