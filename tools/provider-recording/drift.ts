/** A difference between an answer and the printed one. */
export interface Drift {
  /** Name of the exchange. */
  readonly name: string;
  readonly what: 'missing' | 'new' | 'type' | 'http';
  /** Path of a member, or the printed and the recorded value. */
  readonly detail: string;
}

interface Answer {
  readonly http: number;
  readonly body: unknown;
}

/** Returns members that are new or missing in comparison with the printed answer; values are not compared. */
export function driftOf(name: string, printed: Answer, recorded: Answer): Drift[] {
  const [then, now] = [shapeOf(printed.body), shapeOf(recorded.body)];
  const isWithin = (path: string, absent: readonly string[]): boolean => absent.some((other) => path !== other && path.startsWith(`${other}.`));
  const missing = [...then.keys()].filter((path) => !now.has(path));
  const added = [...now.keys()].filter((path) => !then.has(path));
  const changed = [...now].filter(([path, type]) => then.has(path) && then.get(path) !== type && type !== 'null' && then.get(path) !== 'null');
  return [
    ...(printed.http === recorded.http ? [] : [{ name, what: 'http', detail: `${printed.http}, now ${recorded.http}` } as const]),
    ...missing.filter((path) => !isWithin(path, missing)).map((detail) => ({ name, what: 'missing', detail }) as const),
    ...added.filter((path) => !isWithin(path, added)).map((detail) => ({ name, what: 'new', detail }) as const),
    ...changed.map(([path, type]) => ({ name, what: 'type', detail: `${path}: ${then.get(path)}, now ${type}` }) as const),
  ];
}

/** Returns each member's path and type; those of a list together. */
function shapeOf(value: unknown, path = '', shape = new Map<string, string>()): ReadonlyMap<string, string> {
  if (path !== '') shape.set(path, value === null ? 'null' : Array.isArray(value) ? 'array' : typeof value);
  if (Array.isArray(value)) for (const each of value) shapeOf(each, `${path}[]`, shape);
  else if (value !== null && typeof value === 'object')
    for (const [name, each] of Object.entries(value)) shapeOf(each, path === '' ? name : `${path}.${name}`, shape);
  return shape;
}
