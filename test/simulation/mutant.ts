/** A defect to plant: text that occurs once in a file, and its replacement. */
export interface Mutant {
  readonly name: string;
  readonly edits: readonly { readonly file: string; readonly from: string; readonly to: string }[];
  /** False: a guard that others back up; the simulation must find nothing, which shows that the others hold alone. */
  readonly isDefect: boolean;
  /** The spec that finds it instead of the simulation: a rule that moves no money, or that hardly ever decides. */
  readonly spec?: string;
}

export const defect = (name: string, file: string, from: string, to: string): Mutant => ({ name, edits: [{ file, from, to }], isDefect: true });

/** A defect that `spec` finds. */
export const defectFor = (spec: string, ...planted: Parameters<typeof defect>): Mutant => ({ ...defect(...planted), spec });
