/** Converts the data of a type from one version to the next; the event's envelope stays. Pure: no clock, no database, the same for ever. */
export type Upcaster = (data: object, metadata: Stored['metadata']) => object;

/** Upcasters by type: from version 1 to 2, from 2 to 3, … */
export type Upcasters = Readonly<Record<string, readonly Upcaster[]>>;

/** Current version of each type, in which it is written. */
type SchemaVersions = Readonly<Record<string, number>>;

interface Stored {
  readonly type: string;
  readonly data: object;
  readonly metadata: { readonly schema_version: number; readonly occurred_on?: string };
}

/**
 * Returns `recorded` in the current version: unchanged when it has that version, else a copy that passed through every upcaster in between.
 * @throws UnknownEvent when the type, or its version, is unknown: a reader must stop rather than skip an event.
 */
export function upcast<Recorded extends Stored>(recorded: Recorded, versions: SchemaVersions, upcasters: Upcasters): Recorded {
  const { type, metadata } = recorded;
  const today = Object.hasOwn(versions, type) ? versions[type]! : undefined;
  if (today === undefined) throw new UnknownEvent(`unknown event type ${type}`);
  const written = metadata.schema_version;
  if (written === today) return recorded;
  const steps = upcasters[type]?.slice(written - 1, today - 1) ?? [];
  if (!Number.isInteger(written) || written < 1 || written > today || steps.length !== today - written) {
    throw new UnknownEvent(`${type} has schema version ${written}; this build reads 1 to ${today}`);
  }
  const data = steps.reduce((older, step) => step(older, metadata), recorded.data);
  return { ...recorded, data, metadata: { ...metadata, schema_version: today } };
}

/** @throws UpcastersIncomplete, in one line, when a version has no upcaster to the next one, or an upcaster belongs to no version. */
export function requireUpcasters(versions: SchemaVersions, upcasters: Upcasters): void {
  for (const [type, today] of Object.entries(versions)) {
    const steps = upcasters[type] ?? [];
    const gap = Array.from({ length: today - 1 }, (_, index) => index + 1).find((version) => steps[version - 1] === undefined);
    if (gap !== undefined)
      throw new UpcastersIncomplete(`${type} is written in version ${today}, and no upcaster leads from version ${gap} to ${gap + 1}`);
    if (steps.length > today - 1) throw new UpcastersIncomplete(`${type} is written in version ${today}, and an upcaster leads beyond it`);
  }
  const unknown = Object.keys(upcasters).find((type) => !Object.hasOwn(versions, type));
  if (unknown !== undefined) throw new UpcastersIncomplete(`there are upcasters for ${unknown}, which is no type of event`);
}

export class UnknownEvent extends Error {
  override readonly name = 'UnknownEvent';
}

class UpcastersIncomplete extends Error {
  override readonly name = 'UpcastersIncomplete';
}
