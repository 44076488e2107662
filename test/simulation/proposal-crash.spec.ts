import { describe, expect, it } from '@jest/globals';
import { ProposalEffects } from '../../src/desk/proposal-effects.js';
import { ProposalKinds } from '../../src/desk/proposal-kinds.js';
import { waitOn } from '../../src/ledger/decide-on-stream.js';
import { proposalStream } from '../../src/ledger/events/proposal.events.js';
import { systemContext } from '../../src/ledger/new-event.js';
import { newEvent } from '../support/events.js';
import { InMemoryEventStore } from '../support/in-memory-event-store.js';
import { entitledFor } from '../support/proposals.js';
import { simulatedWaits } from '../support/simulated-waits.js';
import { MortalStore, type Death } from './mortal-store.js';
import { START } from './world.js';

const NOW = '2026-01-30T10:00:00.000+00:00';
const ID = '11111111-2222-5333-8444-555555555555';
const DEWI = '0198c0de-7a5e-5c3a-9d2f-3f6f4a1b2c3d';
const POLICY = { mode: 'live', payouts: [], payouts_day: [], merchants: {}, adjustments: [], settings: 1, expires_hours: 72 };

interface Plot {
  readonly name: string;
  readonly kind: string;
  readonly content: object;
  readonly entitled: readonly string[];
  /** What is in the target in the end, and how the proposal has ended. */
  readonly effect: readonly string[];
  readonly end: string;
}

const PLOTS: readonly Plot[] = [
  {
    name: 'gives roles',
    kind: 'ROLES',
    content: { person_id: DEWI, roles: [] },
    entitled: ['budi'],
    effect: ['OperatorRolesSet'],
    end: 'ProposalExecuted',
  },
  { name: 'sets a policy', kind: 'POLICY', content: POLICY, entitled: ['budi'], effect: ['DeskPolicySet'], end: 'ProposalExecuted' },
  {
    name: 'is refused',
    kind: 'ROLES',
    content: { person_id: ID, roles: [] },
    entitled: ['budi'],
    effect: ['ProposalRefused'],
    end: 'ProposalFailed',
  },
  { name: 'is void', kind: 'ROLES', content: { person_id: DEWI, roles: [] }, entitled: ['ani'], effect: [], end: 'ProposalVoided' },
];

class Story {
  readonly engine = new InMemoryEventStore();

  constructor(private readonly plot: Plot) {}

  async begin(): Promise<void> {
    const { kind, content } = this.plot;
    const added = { merchant_id: null, person_id: DEWI, name: 'Dewi', sealed: '', reason: 'joins', added_on: NOW };
    await this.engine.append('merchant-operators', 'no-stream', [newEvent(added, 'OperatorAdded')]);
    const of = { merchant_id: null, proposal_id: ID, digest: 'digest' };
    const takes = { approvals_required: 1, controllers_required: 1, approve_by: NOW };
    const made = { ...of, kind, content, reason: 'why', evidence: [], ...takes, person_id: 'siti', key_id: 'key_1', made_on: NOW };
    const approved = { ...of, person_id: 'budi', key_id: 'key_2', role: 'controller', reason: 'yes', approved_on: NOW };
    await this.engine.append(proposalStream(ID), 'no-stream', [newEvent(made, 'ProposalMade'), newEvent(approved, 'ProposalApproved')]);
  }

  /** A process that resumes it, until it is done or dead; answers with what it has appended. */
  async play(death?: Death): Promise<number> {
    const store = new MortalStore(this.engine, death);
    const waits = simulatedWaits();
    waitOn(store, waits);
    const kinds = new ProposalKinds(store);
    const effects = new ProposalEffects({
      ...{ store, waits, clock: () => START, targetOf: (made) => kinds.targetOf(made) },
      entitled: async () => entitledFor(...this.plot.entitled),
    });
    await Promise.race([effects.run(ID, systemContext()), store.died]);
    return store.appends;
  }

  facts(isTarget: boolean): string[] {
    const all = this.engine.all().filter(({ data }) => (data as { proposal_id?: string }).proposal_id === ID);
    return all.filter(({ stream }) => (stream === proposalStream(ID)) !== isTarget).map(({ type }) => type);
  }
}

describe('kill -9 between any two steps of an approved proposal', () => {
  it.each(PLOTS)('leaves nothing half done, and nothing done twice, when it $name', async (plot) => {
    const whole = new Story(plot);
    await whole.begin();
    const appends = await whole.play();
    for (let append = 1; append <= appends; append += 1) {
      for (const isWritten of [false, true]) {
        const story = new Story(plot);
        await story.begin();
        await story.play({ append, isWritten });
        await story.play();
        await story.play();
        expect({ append, isWritten, effect: story.facts(true) }).toEqual({ append, isWritten, effect: plot.effect });
        expect({ append, isWritten, facts: story.facts(false) }).toEqual({ append, isWritten, facts: whole.facts(false) });
      }
    }
    expect(whole.facts(false).at(-1)).toBe(plot.end);
  });
});
