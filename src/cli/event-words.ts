/** An event as it is delivered, with unverified members: any client can send anything. */
export interface ReceivedEvent {
  readonly id?: unknown;
  readonly type?: unknown;
  readonly timestamp?: unknown;
  readonly sequence?: unknown;
  readonly previous_sequence?: unknown;
  readonly data?: unknown;
}

/** Prints type, sequence and time in one line, `remark` below, and one line per field. */
export function eventWords({ id, type, timestamp, sequence, previous_sequence, data }: ReceivedEvent, remark: string): string {
  const after = previous_sequence === undefined ? '' : ` after ${printable(previous_sequence ?? 'nothing')}`;
  const place = sequence === undefined ? '' : `  #${printable(sequence)}${after}`;
  const fields = typeof data === 'object' && data !== null ? Object.entries(data) : [];
  const width = Math.max(0, ...fields.map(([name]) => name.length));
  return [
    `${printable(type)}${place}  ${printable(timestamp)}`,
    `    ${remark}`,
    `    id ${printable(id)}`,
    ...fields.map(([name, value]) => `    ${printable(name).padEnd(width)}  ${printable(value)}`),
    '',
  ].join('\n');
}

/** Removes control characters, so that a sender cannot move the cursor. */
export function printable(value: unknown): string {
  return (typeof value === 'string' ? value : (JSON.stringify(value) ?? '')).replaceAll(/\p{Cc}/gu, ' ');
}
