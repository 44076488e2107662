import type { LedgerEvent } from '../catalogue.js';
import { PROBLEMS, type ProblemCode } from '../problems.js';
import type { Position } from '../../platform/event-store/event-store.js';

interface DecidedOn {
  /** Currency of the balance that it concerns. */
  readonly currency: string;
  /** Position of the newest event of the streams that the decision was made from; null while they have none. */
  readonly position: Position | null;
}

/** The problem that a request would be refused with. */
export interface PreviewedRefusal extends DecidedOn {
  readonly problem: ProblemCode;
  readonly detail: string;
  /** Available balance that the request needs, minor units; null when more money would not help. */
  readonly needs: number | null;
}

/** The decision about a request that is not recorded: `shown` is the event that the response of the request would be built from. */
export type Previewed<Shown> = (DecidedOn & { readonly shown: Shown; readonly events: readonly LedgerEvent[] }) | PreviewedRefusal;

/** Returns the refusal as a problem's members. */
export const problemOf = ({
  problem,
  detail,
}: PreviewedRefusal): { readonly code: ProblemCode; readonly title: string; readonly detail: string } => ({
  code: problem,
  title: PROBLEMS[problem].title,
  detail,
});
