/** An event as it is delivered, if it is one: whoever sends may send anything. */
export interface ReceivedEvent {
  readonly id?: unknown;
  readonly type?: unknown;
  readonly timestamp?: unknown;
  readonly sequence?: unknown;
  readonly previous_sequence?: unknown;
  readonly data?: unknown;
}

/** Type, place and time in a line, `remark` below, and a line for each field. */
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

/** Whoever sends must not move the cursor. */
export function printable(value: unknown): string {
  return (typeof value === 'string' ? value : (JSON.stringify(value) ?? '')).replaceAll(/\p{Cc}/gu, ' ');
}
