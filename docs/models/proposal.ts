/**
 * An approved proposal takes effect once, in the stream of another record (decision 68). Two executors run it: the request that approved it,
 * and the worker that resumes it. `ProposalClaimed` names the newest event of the target, the mark. An executor searches the target behind the
 * mark for the effect, and appends it expecting the revision up to which it searched. Payouts of the account move the target meanwhile.
 */
import { fails, holds, type Case, type Model, type Step } from './explorer.js';
import { append, appending, delayedAppends, streamOf, type Append, type Outcome, type Store, type StoredEvent } from './store.js';

const FUNDS = 5;
const PAYOUT = 3;
/** Amount of a proposal. It is debited, unless proposals credit. */
const EFFECT = 4;

const RULES = {
  searchesFromMark: 'ProposalClaimed names the revision of the target from which every executor searches',
  expectsRevision: 'the effect is appended expecting the revision up to which the target was searched',
  claimsOnce: 'ProposalClaimed is appended expecting the revision of the proposal',
  refusesInTarget: 'a refusal is an event of the target, as the effect would have been',
  claimsItem: 'an item in suspense is claimed before the effect resolves it',
  searchesAgain: 'after a conflict the target is searched again',
  looksAgain: 'the role of the approver is read again before the claim',
  newIds: 'another decision has another event id',
} as const;
type Rule = keyof typeof RULES;

interface Options {
  readonly proposals?: number;
  /** The proposals resolve one item in suspense. */
  readonly shareItem?: boolean;
  /** The proposals credit the account, so its funds refuse none. */
  readonly areCredits?: boolean;
  readonly funds?: number;
  readonly payouts?: number;
  readonly suspensions?: number;
  /** A newer build, which refuses what the older one books, may run from any moment on. */
  readonly upgrades?: number;
  readonly crashes?: number;
  readonly timeouts?: number;
  readonly without?: Rule;
}

type EndType = 'Executed' | 'Failed' | 'Voided';
interface Event extends StoredEvent {
  readonly type: 'Funds' | 'Payout' | 'Booked' | 'Refused' | 'Approved' | 'Claimed' | 'ItemClaimed' | EndType;
  readonly proposal?: number;
  readonly mark?: number;
  /** The executor knew that the approver had lost the role. */
  readonly isUnentitled?: boolean;
}

interface Executor {
  at: 'idle' | 'load' | 'void' | 'mark' | 'claim' | 'claimItem' | 'search' | 'append' | 'loadEnd' | 'end';
  proposal: number;
  /** Revisions of the proposal that was read, and of the target up to which was searched. */
  revision: number;
  searched: number;
  mark: number;
  isUnentitled: boolean;
  result: 'Booked' | 'Refused' | 'Executed' | 'Failed' | '';
}
interface State {
  readonly store: Store<Event>;
  readonly executors: Executor[];
  crashes: number;
  payouts: number;
  suspensions: number;
  isSuspended: boolean;
  upgrades: number;
  isStrict: boolean;
}

const IDLE: Executor = { at: 'idle', proposal: 0, revision: 0, searched: 0, mark: -1, isUnentitled: false, result: '' };
const ENDS: ReadonlySet<string> = new Set<EndType>(['Executed', 'Failed', 'Voided']);
const TARGET = 'target';
const ITEM = 'item';
const streamOfProposal = (proposal: number): string => `proposal-${proposal}`;
const event = (stream: string, type: Event['type'], id: string, data: Partial<Event> = {}): Event => Object.freeze({ stream, type, id, ...data });
const isEnded = (proposal: readonly Event[]): boolean => proposal.some(({ type }) => ENDS.has(type));

function proposalModel(options: Options): Model<State> {
  const { proposals = 1, shareItem = false, areCredits = false, funds = FUNDS, without } = options;
  const has = (rule: Rule): boolean => rule !== without;
  const targetIn = ({ store }: State): Event[] => streamOf(store, TARGET);
  const proposalIn = ({ store }: State, proposal: number): Event[] => streamOf(store, streamOfProposal(proposal));
  const numbers = Array.from({ length: proposals }, (_, proposal) => proposal);

  function available(state: State): number {
    const change = { Funds: funds, Payout: -PAYOUT, Booked: areCredits ? EFFECT : -EFFECT };
    return targetIn(state).reduce((sum, { type }) => sum + (type in change ? change[type as keyof typeof change] : 0), 0);
  }

  function executorSteps(state: State, index: number, step: Step<State>): void {
    const executor = state.executors[index]!;
    const { at, proposal, revision, searched, mark } = executor;
    const who = `executor ${index}`;
    const stream = streamOfProposal(proposal);
    const act = (label: string, change: (executor: Executor, next: State) => void): void =>
      step(`${who} ${label}`, (next) => change(next.executors[index]!, next));
    const appends = (expected: Append<Event>['expected'], stored: Event, then: (executor: Executor, outcome: Outcome, next: State) => void): void =>
      appending(step, state, `${who} appends ${stored.type}`, { expected, events: [stored] }, (next, outcome) =>
        then(next.executors[index]!, outcome, next),
      );

    if (at !== 'idle' && state.crashes > 0)
      act('crashes', (_, next) => {
        next.crashes -= 1;
        next.executors[index] = { ...IDLE };
      });
    switch (at) {
      case 'idle':
        for (const taken of numbers.filter((number) => !isEnded(proposalIn(state, number))))
          act(`takes proposal ${taken}, and reads the role of its approver`, (next, { isSuspended }) =>
            Object.assign(next, { at: 'load', proposal: taken, isUnentitled: isSuspended }),
          );
        return;
      case 'load':
        return act('loads the proposal', (next, now) => {
          const read = proposalIn(now, proposal);
          const claimed = read.find(({ type }) => type === 'Claimed');
          next.revision = read.length - 1;
          if (isEnded(read)) next.at = 'idle';
          else if (claimed) Object.assign(next, { at: shareItem ? 'claimItem' : 'search', mark: claimed.mark! });
          else next.at = has('looksAgain') && next.isUnentitled ? 'void' : 'mark';
        });
      case 'void':
        return appends(revision, event(stream, 'Voided', `void-${index}`), (next, outcome) => (next.at = outcome === 'done' ? 'idle' : 'load'));
      case 'mark':
        return act('reads the revision of the target', (next, now) => Object.assign(next, { at: 'claim', mark: targetIn(now).length - 1 }));
      case 'claim': {
        const claim = event(stream, 'Claimed', `claim-${index}.${mark}`, { mark, isUnentitled: executor.isUnentitled });
        return appends(has('claimsOnce') ? revision : 'any', claim, (next, outcome) => {
          next.at = outcome !== 'done' ? 'load' : shareItem ? 'claimItem' : 'search';
        });
      }
      case 'claimItem':
        if (!has('claimsItem')) return act('claims no item', (next) => (next.at = 'search'));
        return appends(-1, event(ITEM, 'ItemClaimed', `item-${proposal}`, { proposal }), (next, outcome, now) => {
          if (outcome === 'unknown') return;
          const isOurs = streamOf(now.store, ITEM)[0]!.proposal === proposal;
          Object.assign(next, isOurs ? { at: 'search' } : { at: 'loadEnd', result: 'Failed' });
        });
      case 'search':
        return act('loads the target, searches, and decides', (next, now) => search(next, now));
      case 'append': {
        const id = `${proposal}.${index}.${searched}${has('newIds') ? executor.result : ''}`;
        const stored = event(TARGET, executor.result as 'Booked' | 'Refused', id, { proposal });
        return appends(has('expectsRevision') ? searched : 'any', stored, (next, outcome, now) => {
          if (outcome === 'done') Object.assign(next, { at: 'loadEnd', result: next.result === 'Booked' ? 'Executed' : 'Failed' });
          else if (outcome === 'conflict' && !has('searchesAgain')) next.searched = targetIn(now).length - 1;
          else next.at = 'search';
        });
      }
      case 'loadEnd':
        return act('loads the proposal to end it', (next, now) => {
          const read = proposalIn(now, proposal);
          Object.assign(next, { revision: read.length - 1, at: isEnded(read) ? 'idle' : 'end' });
        });
      case 'end':
        return appends(revision, event(stream, executor.result as EndType, `end-${index}.${executor.result}`), (next, outcome) => {
          next.at = outcome === 'done' ? 'idle' : 'loadEnd';
        });
    }
  }

  function search(executor: Executor, state: State): void {
    const target = targetIn(state);
    const from = has('searchesFromMark') ? executor.mark : executor.searched || target.length - 1;
    const effect = target.slice(from + 1).find(({ proposal }) => proposal === executor.proposal);
    executor.searched = target.length - 1;
    if (effect) return void Object.assign(executor, { at: 'loadEnd', result: effect.type === 'Booked' ? 'Executed' : 'Failed' });
    const isBooked = !state.isStrict && (areCredits || available(state) >= EFFECT);
    if (isBooked || has('refusesInTarget')) Object.assign(executor, { at: 'append', result: isBooked ? 'Booked' : 'Refused' });
    else Object.assign(executor, { at: 'loadEnd', result: 'Failed' });
  }

  function worldSteps(state: State, step: Step<State>): void {
    if (state.payouts > 0 && available(state) >= PAYOUT)
      step('a payout is requested on the account', (next) => {
        append(next.store, { expected: 'any', events: [event(TARGET, 'Payout', `payout-${next.payouts}`)] });
        next.payouts -= 1;
      });
    if (state.suspensions > 0)
      step('the approver is suspended', (next) => Object.assign(next, { suspensions: next.suspensions - 1, isSuspended: true }));
    if (state.upgrades > 0) step('a newer build decides from now on', (next) => Object.assign(next, { upgrades: next.upgrades - 1, isStrict: true }));
  }

  function violation(state: State): string | undefined {
    const target = targetIn(state);
    if (available(state) < 0) return 'the account is overdrawn';
    if (shareItem && target.filter(({ type }) => type === 'Booked').length > 1) return 'an item in suspense is resolved twice';
    return numbers
      .map((number) =>
        violationOf(
          proposalIn(state, number),
          target.filter(({ proposal }) => proposal === number),
        ),
      )
      .find(Boolean);
  }

  return {
    initial: {
      store: {
        log: [...numbers.map((number) => event(streamOfProposal(number), 'Approved', 'approve')), event(TARGET, 'Funds', 'funds')],
        keepsOrder: false,
        timeouts: options.timeouts ?? 1,
        delayed: [],
      },
      executors: [{ ...IDLE }, { ...IDLE }],
      crashes: options.crashes ?? 1,
      payouts: options.payouts ?? 1,
      suspensions: options.suspensions ?? 0,
      isSuspended: false,
      upgrades: options.upgrades ?? 0,
      isStrict: false,
    },
    steps(state, step) {
      for (const index of state.executors.keys()) executorSteps(state, index, step);
      worldSteps(state, step);
      delayedAppends(step, state);
    },
    violation,
    isFinished: (state) => numbers.every((number) => isEnded(proposalIn(state, number))) && state.store.delayed.length === 0,
  };
}

function violationOf(proposal: readonly Event[], effects: readonly Event[]): string | undefined {
  const claims = proposal.filter(({ type }) => type === 'Claimed');
  const ends = proposal.filter(({ type }) => ENDS.has(type));
  const isBooked = effects.some(({ type }) => type === 'Booked');
  if (effects.length > 1) return `a proposal takes effect ${effects.length} times`;
  if (claims.length > 1) return 'a proposal has two marks';
  if (ends.length > 1) return 'a proposal ends twice';
  if (claims[0]?.isUnentitled) return 'a proposal takes effect whose approver was known to be suspended';
  if (ends[0]?.type === 'Executed' && !isBooked) return 'a proposal is executed without an effect';
  return ends[0] && ends[0].type !== 'Executed' && isBooked ? `a proposal is ${ends[0].type} with an effect` : undefined;
}

const AGAINST_FUNDS: Options = { payouts: 0 };
const TWO_OF_ONE_ITEM: Options = { proposals: 2, shareItem: true, areCredits: true, payouts: 0 };
const mutant = (without: Rule, options: Options): Case => fails(`without: ${RULES[without]}`, proposalModel({ ...options, without }));

export const PROPOSAL: readonly Case[] = [
  holds('one proposal, two payouts, two crashes, two unknown outcomes', proposalModel({ crashes: 2, timeouts: 2, payouts: 2 })),
  holds('two proposals of one item in suspense', proposalModel(TWO_OF_ONE_ITEM)),
  holds('two proposals, funds for one', proposalModel({ ...AGAINST_FUNDS, proposals: 2 })),
  holds('the approver is suspended', proposalModel({ suspensions: 1 })),
  holds('a newer build with another rule', proposalModel({ ...AGAINST_FUNDS, upgrades: 1 })),
  mutant('searchesFromMark', AGAINST_FUNDS),
  mutant('expectsRevision', { ...AGAINST_FUNDS, funds: 12 }),
  mutant('claimsOnce', AGAINST_FUNDS),
  mutant('refusesInTarget', { ...AGAINST_FUNDS, upgrades: 1 }),
  mutant('claimsItem', { ...TWO_OF_ONE_ITEM, crashes: 0, timeouts: 0 }),
  mutant('searchesAgain', { funds: 12 }),
  mutant('looksAgain', { suspensions: 1 }),
  mutant('newIds', { ...AGAINST_FUNDS, upgrades: 1, crashes: 0 }),
];
