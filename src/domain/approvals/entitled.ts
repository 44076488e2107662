import { holdersOf, type ActingPersons } from '../operators/acting-person.js';
import type { Entitled } from './proposal.decider.js';

/** Who may approve proposals, as of now. @throws Problem unavailable */
export async function entitledAmong(persons: Pick<ActingPersons, 'all'>): Promise<Entitled> {
  const all = await persons.all();
  return { approver: holdersOf(all, 'approver'), controller: holdersOf(all, 'controller') };
}
