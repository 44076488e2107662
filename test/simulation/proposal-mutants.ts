import { defect, type Mutant } from './mutant.js';

const DECIDER = 'src/domain/approvals/proposal.decider.ts';
const EFFECTS = 'src/domain/approvals/proposal-effects.ts';
const DECIDED = 'const events = await this.#decided(target, proposalId, looked, context);';
const APPENDED = "await store.append(target.stream, looked.newest ?? 'no-stream', events, [claimed])";

/** The rules of decision 68, each taken away in the code: the simulation of proposals finds them. */
export const PROPOSAL_MUTANTS: readonly Mutant[] = [
  {
    name: 'proposal: each process searches from where it has begun itself',
    edits: [
      { file: EFFECTS, from: 'const [newest] = claim ? [] : await', to: 'const [newest] = claim?.mark === -2 ? [] : await' },
      { file: EFFECTS, from: 'state.claim?.mark', to: 'state.claim && mark' },
    ],
    isDefect: true,
  },
  defect(
    'proposal: the effect expects nothing of its target',
    EFFECTS,
    `const result = ${APPENDED}`,
    `const [now] = await store.read(target.stream, { direction: 'backwards', limit: 1 });\n      const result = ${APPENDED.replace('looked.newest', 'now')}`,
  ),
  defect(
    'proposal: after a conflict it is not searched again',
    EFFECTS,
    'const looked = await this.#look(target, proposalId, mark);',
    'const looked = await this.#look(target, proposalId, looks > 1 ? Infinity : mark);',
  ),
  defect(
    'proposal: it is claimed as often as somebody begins',
    DECIDER,
    'if (state.end !== null || state.claim !== null) return NOTHING_TO_DO;',
    'if (state.end !== null) return NOTHING_TO_DO;',
  ),
  {
    name: 'proposal: a refusal leaves nothing in the target',
    edits: [
      {
        file: EFFECTS,
        from: DECIDED,
        to: `${DECIDED}\n      if (events[0]!.type === 'ProposalRefused') return foundIn(target.stream, mark, events[0]!);`,
      },
      { file: EFFECTS, from: '{ ...context, dependsOn: [place] })).position', to: 'context)).position' },
    ],
    isDefect: true,
  },
  defect(
    'proposal: nobody looks again who may approve',
    DECIDER,
    'const gone = approvals.find(({ person_id, role }) => !entitled[role].has(person_id));',
    'const gone = approvals.find(({ person_id, role }) => !entitled[role].has(person_id) && role === undefined);',
  ),
  {
    name: 'proposal: effect and refusal have one event id at one revision',
    edits: [
      { file: EFFECTS, from: 'import { newEvent,', to: "import { derivedId } from '../../ledger/ids/idempotency.js';\nimport { newEvent," },
      {
        file: EFFECTS,
        from: DECIDED,
        to: 'const decided = await this.#decided(target, proposalId, looked, context);\n      const events = decided.map((event) => ({ ...event, id: derivedId(proposalId, `${looked.newest?.revision}`) }));',
      },
    ],
    isDefect: true,
  },
  defect(
    'proposal: whoever wants an item in suspense takes it',
    EFFECTS,
    'if (first) return itemIn(first, proposal_id);',
    'if (first) return { ...itemIn(first, proposal_id), refused: null };',
  ),
  defect(
    'proposal: it ends as often as somebody comes to its end',
    DECIDER,
    'if (state.end !== null) return NOTHING_TO_DO;\n  if (state.claim === null) throw',
    'if (state.claim === null) throw',
  ),
];
