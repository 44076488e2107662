import type { Position } from '../event-store/event-store.js';
import type { ProjectionWatch } from './projection-watch.js';

/** Progress of projections that have read a log to its end and move no more: no read waits for them. */
export class StandingProjections implements Pick<ProjectionWatch, keyof ProjectionWatch> {
  /** @param at the log's last event */
  constructor(private readonly at: { readonly position: Position; readonly ordinal: number }) {}

  start(): Promise<void> {
    return Promise.resolve();
  }

  close(): Promise<void> {
    return Promise.resolve();
  }

  waitFor(_projection: string, position: Position): Promise<boolean> {
    return this.isInLog(position);
  }

  waitForHead(): Promise<boolean> {
    return Promise.resolve(true);
  }

  wrote(): void {
    return undefined;
  }

  isInLog(position: Position): Promise<boolean> {
    return Promise.resolve(position <= this.at.position);
  }

  current(): { readonly position: Position; readonly ordinal: number } {
    return this.at;
  }

  lagSeconds(): number {
    return 0;
  }

  standstillSeconds(): number {
    return 0;
  }

  isRebuilding(): Promise<boolean> {
    return Promise.resolve(false);
  }

  stop(): null {
    return null;
  }
}
