import { IsOptional } from 'class-validator';
import { BREAK_STATUSES, type BreakStatus } from '../../../../projections/reconciliation/match-reads.js';
import { BREAK_KINDS, type BreakKind } from '../../../../projections/reconciliation/days/tick.js';
import { DIFFERENCE_ACCOUNTS, type DifferenceAccount } from '../../../ledger/events/break.events.js';
import { IsId, IsName, IsQueryInteger, IsText, IsWord } from '../../../platform/http/validation/validators.js';
import { DATE } from '../console.dto.js';
import { ActBody, FormBody, ProposeForm } from '../approvals/forms.dto.js';

/** Queries and forms of the pages of reconciliation. */

export class ActOnBreakForm extends ActBody {
  @IsName(['note', 'take', 'release', 'match', 'unmatch']) readonly act: 'note' | 'take' | 'release' | 'match' | 'unmatch';

  /** Of match: an event, or a line. */
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

/** Its file stands behind it. */
export class ImportFileForm extends FormBody {
  @IsName(['import']) readonly act: 'import';
}

/** Its file stands behind it. */
export class ReplaceFileForm extends ActBody {
  @IsName(['replace']) readonly act: 'replace';
}

export class CloseDayForm extends ActBody {
  @IsName(['close']) readonly act: 'close';
}

export class RunSourceForm extends ActBody {
  @IsName(['run']) readonly act: 'run';
}

/** Of the page of all breaks of a mode. */
export class ReconciliationQuery {
  @IsOptional() @IsText({ max: 45 }) readonly Source?: string;
  @IsOptional() @IsWord(BREAK_KINDS) readonly Kind?: BreakKind;
  @IsWord(BREAK_STATUSES) readonly Status: BreakStatus = 'OPEN';
  @IsOptional() @IsName(['mine']) readonly Owner?: 'mine';
  @IsOptional() @IsId() readonly After?: string;

  /** The last day of sources by day; absent: today. */
  @IsOptional() @IsText(DATE) readonly Until?: string;
}

/** Of the page of a bank's day. */
export class DayQuery {
  /** Place of the line to go on behind. */
  @IsQueryInteger({ min: 0, max: Number.MAX_SAFE_INTEGER }) readonly After: number = 0;
}

export class FileQuery {
  /** Id of the line to go on behind. */
  @IsOptional() @IsText({ max: 18, pattern: /^\d+$/, patternDetail: 'Must be the position of a page of lines.' }) readonly After?: string;

  /** The person has just imported it, or has once more. */
  @IsOptional() @IsName(['new', 'known']) readonly Imported?: 'new' | 'known';
}

export class SourceQuery {
  /** The person has just had it compared with the books. */
  @IsOptional() @IsName(['compared']) readonly Done?: 'compared';

  /** Id of the file to go on before. */
  @IsOptional() @IsId() readonly After?: string;
}
