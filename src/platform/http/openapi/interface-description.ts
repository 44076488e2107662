/** What a property or parameter of this name is, wherever its class does not say so itself; and an example, where its type gives none. */
export type Glossary = Readonly<Record<string, string | readonly [description: string, example: unknown]>>;

/** One OpenAPI document: an interface as those see it who use it. */
export interface InterfaceDocument {
  /** Where it is served, below the service's address. */
  readonly file: string;
  readonly title: string;
  readonly description: string;
  /** The kind of key that its page offers first; absent where requests are signed. */
  readonly key?: 'merchant-key' | 'finance-key';
  /** What its paths begin with. A path that several documents may have belongs to the one with the longest beginning. */
  readonly under: string;
  /** In their order; each operation has one. */
  readonly tags: Readonly<Record<string, string>>;
  /** What the service sends by itself, by kind. */
  readonly webhooks?: Readonly<Record<string, object>>;
}

export interface InterfaceDescription {
  /** The version of the service that all documents describe. */
  readonly version: string;
  readonly documents: readonly InterfaceDocument[];
  readonly glossary: Glossary;
}
