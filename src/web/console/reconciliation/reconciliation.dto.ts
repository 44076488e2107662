import { IsOptional } from 'class-validator';
import { BREAK_STATUSES, type BreakStatus } from '../../../../projections/reconciliation/matches/match-reads.js';
import { PROPOSAL_FILTERS, type ProposalFilter } from '../../../../projections/approvals/proposals.js';
import { BREAK_KINDS, type BreakKind } from '../../../../projections/reconciliation/days/tick.js';
import { DIFFERENCE_ACCOUNTS, type DifferenceAccount } from '../../../ledger/events/break.events.js';
import { IsQueryInteger } from '../../../platform/http/validation/number-validators.js';
import { IsId, IsName, IsText, IsWord } from '../../../platform/http/validation/validators.js';
import { IsGivenBatch } from '../../../domain/reconciliation/statements.dto.js';
import { DATE } from '../shared/console.dto.js';
import { ActBody, FormBody, ProposeForm } from '../approvals/forms.dto.js';

/** Queries and forms of the pages of reconciliation. */

export class ActOnBreakForm extends ActBody {
  @IsName(['note', 'take', 'release', 'match', 'unmatch']) readonly act: 'note' | 'take' | 'release' | 'match' | 'unmatch';

  /** Counterpart of `match`: an event or a line. */
  @IsOptional()
  @IsText({ max: 36, pattern: /^(?:\d{1,18}|[0-9a-f-]{36})$/, patternDetail: 'Must be the id of an event or a line.' })
  readonly counterpart?: string;
}

export class AcceptBreakForm extends ProposeForm {
  @IsText(DATE) readonly until: string;
}

export class MatchDifferenceForm extends ProposeForm {
  @IsName(DIFFERENCE_ACCOUNTS) readonly account: DifferenceAccount;
}

/** The file is sent after these fields. */
export class ImportFileForm extends FormBody {
  @IsName(['import']) readonly act: 'import';
  @IsOptional() @IsGivenBatch('Batch of all lines of the file.') readonly batch?: string;
}

/** The file is sent after these fields. */
export class ReplaceFileForm extends ActBody {
  @IsName(['replace']) readonly act: 'replace';
}

export class CloseDayForm extends ActBody {
  @IsName(['close']) readonly act: 'close';
}

export class RunSourceForm extends ActBody {
  @IsName(['run']) readonly act: 'run';
}

/** Query of the page of all breaks of a mode. */
export class ReconciliationQuery {
  @IsOptional() @IsText({ max: 45 }) readonly Source?: string;
  @IsOptional() @IsWord(BREAK_KINDS) readonly Kind?: BreakKind;
  @IsWord(BREAK_STATUSES) readonly Status: BreakStatus = 'OPEN';
  @IsOptional() @IsName(['mine']) readonly Owner?: 'mine';
  @IsOptional() @IsName(PROPOSAL_FILTERS) readonly Proposal?: ProposalFilter;
  @IsOptional() @IsId() readonly After?: string;

  /** Last day of the table of sources by day; absent: today. */
  @IsOptional() @IsText(DATE) readonly Until?: string;
}

/** Query of the page of a bank's day. */
export class DayQuery {
  /** Shows rows after this number. */
  @IsQueryInteger({ min: 0, max: Number.MAX_SAFE_INTEGER }) readonly After: number = 0;
}

export class FileQuery {
  /** Shows lines after this id. */
  @IsOptional() @IsText({ max: 18, pattern: /^\d+$/, patternDetail: 'Must be the position of a page of lines.' }) readonly After?: string;

  /** The operator has just imported the file: `new`, or `known` for a repeat. */
  @IsOptional() @IsName(['new', 'known']) readonly Imported?: 'new' | 'known';
}

export class SourceQuery {
  /** The operator has just started the comparison with the books. */
  @IsOptional() @IsName(['compared']) readonly Done?: 'compared';

  /** Shows files before this id. */
  @IsOptional() @IsId() readonly After?: string;
}
