import { applyDecorators } from '@nestjs/common';
import { Transform } from 'class-transformer';
import { IsOptional, IsString } from 'class-validator';
import { SUSPENSE_ADJUSTMENTS, type SuspenseAdjustmentKind } from '../../../ledger/events/adjustment.events.js';
import { IsName, IsText } from '../../../platform/http/validation/validators.js';

import { namesOf } from './proposal-form-fields.js';
import { PROPOSAL_FORMS } from './proposal-form-list.js';

/** Bodies of the console's forms. A browser also sends empty fields. */

/** 64 hexadecimal digits; any other text becomes empty. It cannot be from a form of the console, so the request is refused with 403. */
const IsTag = (): PropertyDecorator =>
  applyDecorators(
    Transform(({ value }) => (typeof value === 'string' && /^[0-9a-f]{64}$/.test(value) ? value : '')),
    IsText({ min: 0, max: 64 }),
  );

/** Fields of every form about a record. */
export class FormBody {
  /** Digest of the record as it was shown. */
  @IsTag() readonly digest: string = '';
  @IsTag() readonly form_token: string = '';
}

/** Body of a form with which an operator acts and gives a reason. */
export class ActBody extends FormBody {
  @IsText({ max: 500 }) readonly reason: string;
}

/** Body of a form that proposes the content of its page. */
export class ProposeForm extends ActBody {
  @IsName(['propose']) readonly act: 'propose';
}

export class AdjustItemForm extends ProposeForm {
  @IsName(SUSPENSE_ADJUSTMENTS) readonly kind: SuspenseAdjustmentKind;

  /** Merchant of the item, when the item has none. */
  @IsOptional() @IsText({ min: 0, max: 36 }) readonly merchant_id?: string;
  @IsOptional() @IsName(['yes']) readonly waive_fee?: 'yes';

  /** Month to which the adjustment relates; empty: the month of its booking. */
  @IsOptional() @IsText({ min: 0, max: 7 }) readonly relates_to?: string;
}

export class ActOnPayoutForm extends ActBody {
  @IsName(['approve', 'decline']) readonly act: 'approve' | 'decline';
}

export class ActOnProposalForm extends ActBody {
  @IsName(['approve', 'reject', 'withdraw']) readonly act: 'approve' | 'reject' | 'withdraw';
}

/** A text that is validated later with its whole form, so that its faults are shown beside the field. */
const IsTyped = (): PropertyDecorator => applyDecorators(IsOptional(), IsString({ message: 'Must be a string.' }));

/** Body of any form of proposals: the common fields, and the content fields of every kind. */
export class MakeProposalForm extends FormBody {
  /** `what-if`: nothing is proposed, and last month is priced at the fee of the form. */
  @IsName(['propose', 'what-if']) readonly act: 'propose' | 'what-if';
  @IsText({ min: 0, max: 36 }) readonly form_id: string = '';
  @IsTyped() readonly reason?: string;
  @IsTyped() readonly evidence?: string;
}
const NAMES = new Set(PROPOSAL_FORMS.flatMap(({ fields }) => fields.flatMap(namesOf)));
for (const name of NAMES) IsTyped()(MakeProposalForm.prototype, name);
