/** Ends a switch over a closed set: with a case missing it does not compile. @throws Error always, for what came in past the types */
export function unreachable(value: never): never {
  const given: unknown = value;
  const { type, kind } = Object(given) as { readonly type?: string; readonly kind?: string };
  throw new Error(`no case for ${type ?? kind ?? JSON.stringify(given)}`);
}
