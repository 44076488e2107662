/** A report for the operators of a rail: `red`, it does not work; `amber`, a part of it does not; `alarm`, an operator must act. */
export interface RailReport {
  readonly rail: string;
  readonly level: 'alarm' | 'amber' | 'red';
  readonly endpoint: string;
  readonly code: string;
}
