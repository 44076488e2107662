import type { ProposalRefusedEvent } from './proposal.events.js';

/** A month is closed so long after its end, or later: facts that were under way then have come by that time. */
export const CLOSED_AFTER_MS = 3_600_000;

/** Events in `close-<mode>`: the months that are closed, in their order. */
export const periodStream = (mode: 'live' | 'test'): string => `close-${mode}`;

/** The head of the chain as it was when the month was closed. */
export interface SealedHead {
  /** Ordinal of the last sealed event, and how many there are. */
  readonly position: number;
  readonly events: number;
  /** Root of the tree, hex. */
  readonly hash: string;
  /** Ed25519, base64. */
  readonly signature: string;
  readonly sealed_on: string;
}

/** Of one kind and currency. */
export interface BreakFigure {
  readonly kind: string;
  /** null of a file that is missing. */
  readonly currency: string | null;
  readonly count: number;
  /** Minor units; the sum of what each comes to without its sign, so that no two make up for each other. */
  readonly amount: number;
}

export const PERIOD_AGES = ['0-1', '2-7', '8-30', 'over-30'] as const;
export type PeriodAge = (typeof PERIOD_AGES)[number];

/** Of one age, in banking days at the month's end, and currency. */
export interface SuspenseFigure {
  readonly age: PeriodAge;
  readonly currency: string;
  readonly count: number;
  /** Minor units. */
  readonly amount: number;
}

export interface PeriodClosed {
  /** Of no merchant. */
  readonly merchant_id: null;
  readonly mode: 'live' | 'test';
  /** `2026-01`. */
  readonly month: string;
  /** IANA name: the month is one there. */
  readonly time_zone: string;
  /** Its first moment that is not of the month. */
  readonly ends_on: string;
  /** Ordinal of the last event that counts. */
  readonly position: number;
  /** Signed over everything up to `position`. */
  readonly head: SealedHead;
  /** Of the trial balance at the month's end up to `position`: SHA-256, hex. */
  readonly digest: string;
  /** Open at `position`. */
  readonly breaks: readonly BreakFigure[];
  /** Open at the month's end, as far as was known at `position`: they add up to the account `suspense`. */
  readonly suspense: readonly SuspenseFigure[];
  readonly proposal_id: string;
  readonly closed_on: string;
}

export type PeriodEvent = { readonly type: 'PeriodClosed'; readonly data: PeriodClosed } | ProposalRefusedEvent;
