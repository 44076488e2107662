/** What somebody who looks after a rail has to know of: `red`, it does not work; `amber`, a part of it does not; `alarm`, somebody must act. */
export interface RailReport {
  readonly rail: string;
  readonly level: 'alarm' | 'amber' | 'red';
  readonly endpoint: string;
  readonly code: string;
}
