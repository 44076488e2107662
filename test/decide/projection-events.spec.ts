import { describe, it } from '@jest/globals';
import { projectionEvents, type AcceptDifferences, type SetAside } from '../../src/domain/approvals/projection.decider.js';
import type { ProjectionEvent } from '../../src/ledger/events/set-aside.events.js';
import type { StatementFileEvent } from '../../src/ledger/events/reconciliation.events.js';
import { statementFile, type ForgetFile } from '../../src/domain/reconciliation/statements/statement-file.decider.js';
import { given } from '../support/given.js';

const NOW = '2026-11-30T08:15:30.123+00:00';
const refused = { type: 'ProposalRefused', data: { merchant_id: null, proposal_id: 'p0', refusal: 'x', detail: 'x', refused_on: NOW } } as const;

describe('events that a projection skips', () => {
  const place = { projection: 'ledger', event_id: 'e1', event_type: 'ChargePaid', event_stream: 'charge-1', event_revision: 1, event_position: 9 };
  const command = (proposal_id: string, event = place): SetAside => ({ kind: 'set-aside', event, reason: 'why', proposal_id, now: NOW });
  const aside = (proposal_id?: string): ProjectionEvent => ({
    type: 'EventSetAside',
    data: {
      ...{ merchant_id: null, ...place, reason: 'why', set_aside_on: NOW },
      ...(proposal_id === undefined ? { set_aside_by: 'cli' } : { set_aside_by: `proposal ${proposal_id}`, proposal_id }),
    },
  });

  it('sets an event at its position aside once, whichever proposal asks', () => {
    given(projectionEvents)().when(command('p1')).then(aside('p1'));
    given(projectionEvents)(refused).when(command('p1')).then(aside('p1'));
    for (const by of ['p1', undefined]) given(projectionEvents)(aside(by)).when(command('p2')).isRefused('already-set-aside');
    const elsewhere = { ...place, event_revision: 2 };
    given(projectionEvents)(aside())
      .when(command('p2', elsewhere))
      .then({
        type: 'EventSetAside',
        data: { merchant_id: null, ...elsewhere, reason: 'why', set_aside_by: 'proposal p2', proposal_id: 'p2', set_aside_on: NOW },
      });
  });
});

it('accepts the differences of a build once, and separately for each digest', () => {
  const accept = (digest: string, proposal_id = 'p1'): AcceptDifferences => ({
    ...{ kind: 'accept-differences', projection: 'ledger', digest, reason: 'why', proposal_id, now: NOW },
  });
  const accepted = (digest: string): ProjectionEvent => ({
    type: 'DifferencesAccepted',
    data: { merchant_id: null, projection: 'ledger', digest, proposal_id: 'p1', reason: 'why', accepted_on: NOW },
  });
  given(projectionEvents)().when(accept('d1')).then(accepted('d1'));
  given(projectionEvents)(accepted('d1')).when(accept('d2')).then(accepted('d2'));
  given(projectionEvents)(accepted('d1')).when(accept('d1', 'p2')).isRefused('already-accepted');
});

describe('a file that names persons', () => {
  const forget = (proposal_id: string | null): ForgetFile => ({
    ...{ kind: 'forget', statement_id: 's1', source: 'test-bca', reason: 'why', proposal_id, now: NOW },
  });
  const forgotten = (proposal_id: string | null): StatementFileEvent => ({
    type: 'StatementForgotten',
    data: { merchant_id: null, statement_id: 's1', source: 'test-bca', proposal_id, reason: 'why', forgotten_on: NOW },
  });

  it('forgets a statement file once', () => {
    given(statementFile)().when(forget('p1')).then(forgotten('p1'));
    given(statementFile)(refused).when(forget('p1')).then(forgotten('p1'));
    given(statementFile)(forgotten('p1')).when(forget('p2')).isRefused('file-forgotten');
    given(statementFile)().when(forget(null)).then(forgotten(null));
    given(statementFile)(forgotten(null)).when(forget('p1')).isRefused('file-forgotten');
  });
});
