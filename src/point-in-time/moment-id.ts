/**
 * Identifies a moment: the position of its last event, such as `48211`; followed by `~` and a name for one in which a scenario's fees apply, such as
 * `48211~qris-at-0-6`.
 */
export type MomentId = string;

/** Maximum length of a name: it is a part of a database's name, of which Postgres accepts 63 bytes. */
const NAME_MAX = 24;
/** Source of the pattern. */
export const MOMENT_ID = `[1-9]\\d{0,14}(?:~[a-z0-9](?:[a-z0-9-]{0,${NAME_MAX - 2}}[a-z0-9])?)?`;
const WHOLE = new RegExp(`^${MOMENT_ID}$`);

/** Returns the id; undefined when `text` is none. */
export const parseMomentId = (text: string): MomentId | undefined => (WHOLE.test(text) ? text : undefined);

/** @param name of a scenario; null: the recorded fees */
export const momentId = (position: number, name: string | null): MomentId => (name === null ? String(position) : `${position}~${name}`);

/** Returns the parts that `momentId` joins. */
export function partsOf(id: MomentId): { readonly position: number; readonly name: string | null } {
  const [position, name = null] = id.split('~');
  return { position: Number(position), name };
}

/** Returns the name of a scenario in addresses: its letters and digits in ASCII, in lower case, with hyphens between the words. */
export function addressName(scenario: string): string {
  const words = scenario
    .normalize('NFKD')
    .toLowerCase()
    .replaceAll(/\p{M}/gu, '')
    .replaceAll(/[^a-z0-9]+/g, '-');
  return words.replace(/^-/, '').slice(0, NAME_MAX).replace(/-$/, '') || 'scenario';
}
