export interface Unit {
  readonly file: string;
  readonly line: number;
  readonly kind: 'comments' | 'docs' | 'tests' | 'texts' | 'strings';
  readonly text: string;
}

export interface Pattern {
  readonly name: string;
  readonly kinds: readonly Unit['kind'][];
  readonly hits: (text: string) => boolean;
  readonly why: string;
  readonly now: string;
  readonly better: string;
}

export declare const PATTERNS: readonly Pattern[];
export declare function patternsOf(unit: Pick<Unit, 'kind' | 'text'>): string[];
export declare function unitsOfCode(file: string, source: string): Unit[];
export declare function unitsOfMarkdown(file: string, source: string): Unit[];
export declare function unitsOfYaml(file: string, source: string): Unit[];
export declare function run(args: readonly string[], root: string, print: (text: string) => void): number;
