import type { ProposalRefusedEvent } from './proposal.events.js';

/** Minimum time between the end of a month and its close, ms: events that were in progress at the end have arrived by then. */
export const CLOSED_AFTER_MS = 3_600_000;

/** Events in `close-<mode>`: the closed months, in their order. */
export const periodStream = (mode: 'live' | 'test'): string => `close-${mode}`;

/** Signed head of the chain at the time of the close. */
export interface SealedHead {
  /** Ordinal of the last sealed event; `events` is the number of sealed events. */
  readonly position: number;
  readonly events: number;
  /** Root of the tree, hex. */
  readonly hash: string;
  /** Ed25519, base64. */
  readonly signature: string;
  readonly sealed_on: string;
}

/** Breaks of one kind and currency. */
export interface BreakFigure {
  readonly kind: string;
  /** null for a missing file. */
  readonly currency: string | null;
  readonly count: number;
  /** Minor units: the sum of the absolute amounts, so that no two cancel each other out. */
  readonly amount: number;
}

export const PERIOD_AGES = ['0-1', '2-7', '8-30', 'over-30'] as const;
export type PeriodAge = (typeof PERIOD_AGES)[number];

/** Items of one age, in banking days at the month's end, and one currency. */
export interface SuspenseFigure {
  readonly age: PeriodAge;
  readonly currency: string;
  readonly count: number;
  /** Minor units. */
  readonly amount: number;
}

export interface PeriodClosed {
  /** The event belongs to no merchant. */
  readonly merchant_id: null;
  readonly mode: 'live' | 'test';
  /** `2026-01`. */
  readonly month: string;
  /** IANA name of the time zone in which the month is counted. */
  readonly time_zone: string;
  /** First moment after the month. */
  readonly ends_on: string;
  /** Ordinal of the last event that counts. */
  readonly position: number;
  /** Signed over everything up to `position`. */
  readonly head: SealedHead;
  /** SHA-256, hex, of the trial balance at the month's end up to `position`. */
  readonly digest: string;
  /** Breaks that are open at `position`. */
  readonly breaks: readonly BreakFigure[];
  /** Items that are open at the month's end, as far as known at `position`: they add up to the account `suspense`. */
  readonly suspense: readonly SuspenseFigure[];
  readonly proposal_id: string;
  readonly closed_on: string;
}

export type PeriodEvent = { readonly type: 'PeriodClosed'; readonly data: PeriodClosed } | ProposalRefusedEvent;
