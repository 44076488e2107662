import { describe, expect, it } from '@jest/globals';
import { ProposalEffects } from '../../src/domain/approvals/proposal-effects.js';
import { upperKinds } from '../../src/app/proposal-kinds.js';
import { ProposalKinds } from '../../src/domain/approvals/proposal-kinds.js';
import { waitOn } from '../../src/ledger/streams/decide-on-stream.js';
import { proposalStream } from '../../src/ledger/events/proposal.events.js';
import { systemContext } from '../../src/ledger/streams/new-event.js';
import { newEvent, someMetadata } from '../support/events.js';
import { DecisionReads } from '../../src/platform/projector/decision-reads.js';
import { InMemoryEventStore } from '../support/in-memory-event-store.js';
import { entitledFor } from '../support/proposals.js';
import { simulatedWaits } from '../support/simulated-waits.js';
import type { Pool } from 'pg';
import { MortalStore, type Death } from './mortal-store.js';
import { START } from './world.js';

const NOW = '2026-01-30T10:00:00.000+00:00';
const ID = '11111111-2222-5333-8444-555555555555';
const DEWI = '0198c0de-7a5e-5c3a-9d2f-3f6f4a1b2c3d';
const [CHARGE, ITEM] = ['1f8b6f0a-6c1d-4e2f-8a3b-9c0d1e2f3a4b', 'c7a1f0d2-8e34-4b5f-9a61-3d2e1f0c4b5a'];
/** The place of the item in the read model, and accounts without snapshots. */
const RECORDS = {
  pool: { query: async () => ({ rows: [{ stream: `charge-${CHARGE}`, revision: 1 }] }) } as unknown as Pool,
  snapshots: { find: async () => undefined, save: async () => false },
};
const NO_MONTHS = { sealed: { head: async () => undefined, isSealed: async () => false }, timeZone: 'UTC' };
const POLICY = { mode: 'live', payouts: [], payouts_day: [], merchants: {}, adjustments: [], settings: 1, expires_hours: 72 };

interface Plot {
  readonly name: string;
  readonly kind: string;
  readonly content: object;
  /** Another proposal has the item already. */
  readonly isTaken?: boolean;
  readonly entitled: readonly string[];
  /** Events in the target at the end, and the last event of the proposal. */
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
  {
    name: 'gives a payment to its merchant',
    kind: 'ADJUSTMENT',
    content: { kind: 'UNMATCHED_TO_MERCHANT', merchant_id: DEWI, currency: 'IDR', amount: 1_000, item_id: ITEM },
    entitled: ['budi'],
    effect: ['SuspenseItemClaimed', 'AccountAdjusted'],
    end: 'ProposalExecuted',
  },
  {
    name: 'sends a payment back',
    kind: 'ADJUSTMENT',
    content: { kind: 'UNMATCHED_SENT_BACK', mode: 'live', currency: 'IDR', amount: 1_000, item_id: ITEM },
    entitled: ['budi'],
    effect: ['SuspenseItemClaimed', 'HouseAdjusted'],
    end: 'ProposalExecuted',
  },
  {
    name: 'wants a payment that another one has resolved',
    kind: 'ADJUSTMENT',
    content: { kind: 'UNMATCHED_SENT_BACK', mode: 'live', currency: 'IDR', amount: 1_000, item_id: ITEM },
    isTaken: true,
    entitled: ['budi'],
    effect: [],
    end: 'ProposalFailed',
  },
  {
    name: 'takes a fee that is not there',
    kind: 'ADJUSTMENT',
    content: { kind: 'FEE_CORRECTION', merchant_id: DEWI, currency: 'IDR', amount: 1_000, direction: 'back' },
    entitled: ['budi'],
    effect: ['AdjustmentRefused'],
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
    await this.#beginCharge();
    const of = { merchant_id: null, proposal_id: ID, digest: 'digest' };
    const takes = { approvals_required: 1, controllers_required: 1, approve_by: NOW };
    const made = { ...of, kind, content, reason: 'why', evidence: [], ...takes, person_id: 'siti', key_id: 'key_1', made_on: NOW };
    const approved = { ...of, person_id: 'budi', key_id: 'key_2', role: 'controller', reason: 'yes', approved_on: NOW };
    await this.engine.append(proposalStream(ID), 'no-stream', [newEvent(made, 'ProposalMade'), newEvent(approved, 'ProposalApproved')]);
  }

  /** With a payment that it cannot take; the person's id serves for the merchant's. */
  async #beginCharge(): Promise<void> {
    const of = { merchant_id: DEWI, charge_id: CHARGE, currency: 'IDR', processor: 'SIMULATOR' };
    const payment = { ...of, amount: 1_000, payment_reference: 'again', reason: 'second-payment', received_on: NOW };
    await this.engine.append(`merchant-${DEWI}`, 'no-stream', [newEvent({ merchant_id: DEWI, mode: 'live' }, 'MerchantRegistered')]);
    await this.engine.append(`charge-${CHARGE}`, 'no-stream', [
      newEvent({ ...of, fee: { type: 'PERCENTAGE', value: 1 } }, 'ChargeCreated'),
      { ...newEvent(payment, 'ChargePaymentUnmatched'), id: ITEM, metadata: { ...someMetadata, schema_version: 2 } },
    ]);
    if (!this.plot.isTaken) return;
    const claim = { merchant_id: null, item_id: ITEM, proposal_id: CHARGE, claimed_on: NOW };
    await this.engine.append(`suspense-${ITEM}`, 'no-stream', [newEvent(claim, 'SuspenseItemClaimed')]);
  }

  /** Runs a process that resumes the proposal until it is done or dead. Returns the number of its appends. */
  async play(death?: Death): Promise<number> {
    const store = new MortalStore(this.engine, death);
    const waits = simulatedWaits();
    waitOn(store, waits);
    const kinds = new ProposalKinds(
      store,
      { reads: new DecisionReads(store, RECORDS.pool), snapshots: RECORDS.snapshots, timeZone: 'UTC' },
      NO_MONTHS,
      upperKinds(store, RECORDS.pool, () => START),
    );
    const effects = new ProposalEffects({
      ...{ store, waits, clock: () => START, targetOf: (made) => kinds.targetOf(made) },
      entitled: async () => entitledFor(...this.plot.entitled),
    });
    await Promise.race([effects.run(ID, systemContext()), store.died]);
    return store.appends;
  }

  events(isTarget: boolean): string[] {
    const all = this.engine.all().filter(({ data }) => (data as { proposal_id?: string }).proposal_id === ID);
    return all.filter(({ stream }) => (stream === proposalStream(ID)) !== isTarget).map(({ type }) => type);
  }
}

describe('kill -9 between any two steps of an approved proposal', () => {
  it.each(PLOTS)('a crash between two steps of an approved proposal leaves no step half done or done twice, when it $name', async (plot) => {
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
        expect({ append, isWritten, effect: story.events(true) }).toEqual({ append, isWritten, effect: plot.effect });
        expect({ append, isWritten, events: story.events(false) }).toEqual({ append, isWritten, events: whole.events(false) });
      }
    }
    expect(whole.events(false).at(-1)).toBe(plot.end);
  });
});
