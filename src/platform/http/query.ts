export interface QueryEntry {
  readonly name: string;
  /** undefined when it is not valid percent-encoded UTF-8. */
  readonly value: string | undefined;
}

/** A query string as received, with order and repetition. */
export class QueryParameters {
  constructor(readonly entries: readonly QueryEntry[]) {}
}

const NONE = new QueryParameters([]);

/** Parses a query string by form encoding (`+` is a space), without merging or dropping anything. */
export function parseQuery(text: string): QueryParameters {
  if (text === '') return NONE;
  const entries: QueryEntry[] = [];
  for (const pair of text.split('&')) {
    if (pair === '') continue;
    const equals = pair.indexOf('=');
    const name = equals === -1 ? pair : pair.slice(0, equals);
    entries.push({ name: decode(name) ?? name, value: equals === -1 ? '' : decode(pair.slice(equals + 1)) });
  }
  return new QueryParameters(entries);
}

function decode(text: string): string | undefined {
  const spaced = text.includes('+') ? text.replaceAll('+', ' ') : text;
  if (!spaced.includes('%')) return spaced;
  try {
    return decodeURIComponent(spaced);
  } catch {
    return undefined;
  }
}
