import type { ProblemKinds } from '../../problem.js';

/** Default descriptions of properties and parameters by name, for classes without their own; and an example, for types without one. */
export type Glossary = Readonly<Record<string, string | readonly [description: string, example: unknown]>>;

/** One OpenAPI document: an interface for one kind of user. */
export interface InterfaceDocument {
  /** Path of the document below the service's address. */
  readonly file: string;
  readonly title: string;
  readonly description: string;
  /** The kind of key that its page offers first; absent where requests are signed. */
  readonly key?: 'merchant-key' | 'finance-key';
  /** Prefix of its paths. A path with the prefixes of several documents belongs to the one with the longest prefix. */
  readonly under: string;
  /** In the order of the document; each operation has one. */
  readonly tags: Readonly<Record<string, string>>;
  /** Messages that the service sends on its own initiative, by kind. */
  readonly webhooks?: Readonly<Record<string, object>>;
}

export interface InterfaceDescription {
  /** The version of the service that all documents describe. */
  readonly version: string;
  readonly documents: readonly InterfaceDocument[];
  readonly glossary: Glossary;
  /** Every problem that the service returns, by its code. */
  readonly problems: ProblemKinds;
}
