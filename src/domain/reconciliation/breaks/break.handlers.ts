import { CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import type { Pool } from 'pg';
import { findBreak, type Break } from '../../../../projections/reconciliation/matches/match-reads.js';
import { findOpenItem, findOpenLine } from '../../../../projections/reconciliation/matches/suggestion-reads.js';
import { decideOnStream } from '../../../ledger/streams/decide-on-stream.js';
import { breakStream } from '../../../ledger/events/break.events.js';
import type { Timestamp } from '../../../ledger/time.js';
import { holdersOf, requireRole, type ActingOperators } from '../../operators/acting-operator.js';
import type { Position } from '../../../platform/event-store/event-store.js';
import { invalid } from '../../../platform/http/validation/validation.js';
import { mustExist } from '../../../platform/http/record-id.js';
import { formatAmount } from '../../../platform/text/format.js';
import { LedgerProblem, type ProblemCode } from '../../../ledger/problems.js';
import { reconBreak, type BreakCommand, type BreakMatch, type BreakRefusal } from './break.decider.js';
import { ActOnBreak, type BreakAct } from './act-on-break.js';
import type { ReconciliationDeps } from '../sources.js';
import { unreachable } from '../../../ledger/unreachable.js';

const PROBLEM_OF_REFUSAL: Readonly<Record<BreakRefusal, ProblemCode>> = {
  'not-assigned': 'state-conflict',
  'already-matched': 'state-conflict',
  'not-matched': 'state-conflict',
  'until-past': 'state-conflict',
  'until-no-day': 'state-conflict',
  'no-difference': 'state-conflict',
  'sides-not-open': 'state-conflict',
  'currency-differs': 'state-conflict',
  'sign-differs': 'state-conflict',
  'difference-changed': 'state-conflict',
};

@CommandHandler(ActOnBreak)
export class ActOnBreakHandler implements ICommandHandler<ActOnBreak> {
  constructor(
    private readonly deps: ReconciliationDeps,
    private readonly operators: Pick<ActingOperators, 'of' | 'all'>,
    /** Database of the read models, which have the open lines and items. */
    private readonly pool: Pool,
  ) {}

  async execute({ breakId, act, reason, keyId, ids }: ActOnBreak): Promise<{ readonly position: Position }> {
    const { store, clock } = this.deps;
    const operator = await this.operators.of(keyId);
    requireRole(operator, 'preparer');
    const found = mustExist(await findBreak(this.pool, breakId, clock()));
    const { person_id, key_id } = operator;
    const by = (now: Timestamp) => ({ break_id: breakId, person_id, key_id, reason, now });
    const command = await this.#commandOf(found, act, by);
    const outcome = await decideOnStream(store, clock, breakStream(breakId), reconBreak, command, { actor: keyId, ...ids });
    if ('refusal' in outcome) throw new LedgerProblem(PROBLEM_OF_REFUSAL[outcome.refusal], outcome.detail);
    return { position: outcome.position };
  }

  async #commandOf(found: Break, act: BreakAct, by: (now: Timestamp) => Omit<Extract<BreakCommand, { kind: 'note' }>, 'kind'>) {
    switch (act.kind) {
      case 'assign': {
        const { owner } = act;
        if (owner !== null && !holdersOf(await this.operators.all(), 'preparer').has(owner))
          throw invalid('body', [{ at: '/owner', code: 'unknown-person', detail: 'Must be the id of an operator with the role preparer.' }]);
        return (now: Timestamp): BreakCommand => ({ kind: 'assign', owner, ...by(now) });
      }
      case 'match': {
        const match = await this.#matchOf(found, act);
        return (now: Timestamp): BreakCommand => ({ kind: 'match', match, ...by(now) });
      }
      case 'note':
      case 'unmatch':
        return (now: Timestamp): BreakCommand => ({ kind: act.kind, ...by(now) });
      default:
        return unreachable(act);
    }
  }

  /** Requires that line and item are open, and of one account, currency and amount; otherwise the books would contradict the files. */
  async #matchOf(found: Break, { line_id, event_id }: Extract<BreakAct, { kind: 'match' }>): Promise<BreakMatch> {
    if (found.line === null && found.item === null)
      throw new LedgerProblem('state-conflict', 'The break has neither a line nor an item that could be matched.');
    if ((found.line === null) !== (line_id !== undefined) || (found.line !== null) !== (event_id !== undefined)) {
      const at = found.line === null ? '/line_id' : '/event_id';
      throw invalid('body', [
        { at, code: 'required', detail: `A break ${found.line === null ? 'without' : 'with'} a line can only be matched with this field.` },
      ]);
    }
    const line = await findOpenLine(this.pool, found.line?.line_id ?? line_id!);
    if (!line) throw new LedgerProblem('state-conflict', 'There is no open line with this id.');
    const item = await findOpenItem(this.pool, found.line === null ? found.item!.event_id : event_id!);
    if (!item) throw new LedgerProblem('state-conflict', 'There is no open item with this event id.');
    if (item.mode !== line.mode || item.processor !== line.processor)
      throw new LedgerProblem('state-conflict', 'The line and the item have different processors or modes.');
    if (item.currency !== line.currency || item.amount !== line.amount)
      throw new LedgerProblem(
        'state-conflict',
        `The line is ${formatAmount(line.amount, line.currency)}, the item in the books is ${formatAmount(item.amount, item.currency)}.`,
      );
    return { source: line.source, line_key: line.line_key, items: [item.event_id] };
  }
}
