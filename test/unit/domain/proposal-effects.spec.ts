import { beforeEach, expect, it } from '@jest/globals';
import { ProposalEffects } from '../../../src/domain/approvals/proposal-effects.js';
import { refusedIn, type ProposalTarget } from '../../../src/domain/approvals/proposal-target.js';
import type { LedgerEvent } from '../../../src/ledger/catalogue.js';
import { OPERATORS_STREAM } from '../../../src/ledger/events/operator.events.js';
import { proposalStream } from '../../../src/ledger/events/proposal.events.js';
import { systemContext } from '../../../src/ledger/streams/new-event.js';
import { timestamp } from '../../../src/ledger/time.js';
import { newEvent } from '../../support/events.js';
import { InMemoryEventStore } from '../../support/in-memory-event-store.js';
import { entitledFor } from '../../support/proposals.js';
import { simulatedWaits } from '../../support/simulated-waits.js';

const NOW = timestamp(Date.parse('2026-02-03T08:00:00Z'));
const ID = 'p1';

let store: InMemoryEventStore;
beforeEach(async () => {
  store = new InMemoryEventStore();
  const made = {
    ...{ proposal_id: ID, kind: 'ROLES', content: {}, digest: 'digest', reason: 'why', evidence: [], person_id: 'siti', key_id: 'key_1' },
    ...{ approvals_required: 1, controllers_required: 1, approve_by: NOW, merchant_id: null, made_on: NOW },
  };
  const by = { merchant_id: null, proposal_id: ID, person_id: 'budi', key_id: 'key_2', role: 'controller', digest: 'digest', reason: 'yes' };
  await store.append(proposalStream(ID), 'no-stream', [newEvent(made, 'ProposalMade'), newEvent({ ...by, approved_on: NOW }, 'ProposalApproved')]);
});

const rolesSet = (more: { readonly proposal_id?: string }): LedgerEvent => ({
  type: 'OperatorRolesSet',
  data: { merchant_id: null, person_id: 'dewi', roles: [], reason: 'why', set_on: NOW, ...more },
});

function effectsWith(...events: readonly LedgerEvent[]): ProposalEffects {
  const target: ProposalTarget = {
    ...{ stream: OPERATORS_STREAM, item: null, refused: refusedIn(null) },
    load: async () => ({ newest: null, decide: async () => ({ events }) }),
  };
  const clock = (): number => Date.parse(NOW);
  return new ProposalEffects({
    ...{ store, clock, entitled: async () => entitledFor('budi'), targetOf: () => target, waits: simulatedWaits(async () => undefined) },
  });
}

const inTarget = async (): Promise<string[]> => (await store.read(OPERATORS_STREAM, { limit: 10 })).map(({ type }) => type);

it.each([
  ['no event', []],
  ['no event with the id of the proposal', [rolesSet({})]],
  ['events of another proposal only', [rolesSet({ proposal_id: 'p2' })]],
])('a decision that appends %s is an error, as a later attempt could not find it and would repeat it', async (_, events) => {
  await expect(effectsWith(...events).run(ID, systemContext())).rejects.toThrow('would append no event with its id to merchant-operators');
  expect(await inTarget()).toEqual([]);
});

it('a decision takes effect when one of its events has the id of the proposal', async () => {
  await effectsWith(rolesSet({}), rolesSet({ proposal_id: ID })).run(ID, systemContext());
  expect(await inTarget()).toEqual(['OperatorRolesSet', 'OperatorRolesSet']);
});
