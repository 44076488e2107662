/** Ends a switch over a closed set: a missing case does not compile. @throws Error always, for a value that the types did not expect */
export function unreachable(value: never): never {
  const given: unknown = value;
  const { type, kind } = Object(given) as { readonly type?: string; readonly kind?: string };
  throw new Error(`no case for ${type ?? kind ?? JSON.stringify(given)}`);
}
