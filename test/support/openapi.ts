import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { INTERFACE } from '../../src/app/interface.js';
import { eventually } from './eventually.js';

/** The members of a document that the check reads. */
export interface Document {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: { readonly responses: Readonly<Record<string, DocumentedAnswer>> };
}
interface Operation {
  readonly parameters?: readonly { readonly name?: string }[];
  readonly responses: Readonly<Record<string, DocumentedAnswer | { readonly $ref: string }>>;
}
interface DocumentedAnswer {
  readonly headers?: Readonly<Record<string, unknown>>;
  /** `examples`: of problems, one for each code. */
  readonly content?: Readonly<Record<string, { readonly schema: object; readonly examples?: Readonly<Record<string, unknown>> }>>;
}

/** The documents of the service at `url`, by their names. */
export async function documentsOf(url: string): Promise<ReadonlyMap<string, Document>> {
  const names = INTERFACE.documents.map(({ file }) => file);
  return new Map(await Promise.all(names.map(async (name) => [name, await documentAt(new URL(name, url))] as const)));
}

/** The first request for a document compresses it, which takes a busy machine longer than a handler may take: it returns 503 then. */
async function documentAt(url: URL): Promise<Document> {
  let response: Response;
  await eventually(async () => (response = await fetch(url)).status !== 503);
  return (await response!.json()) as Document;
}

/** All of them as one. */
export async function wholeDocumentOf(url: string): Promise<Document> {
  const documents = [...(await documentsOf(url)).values()];
  const parts = (kind: string): object =>
    Object.assign({}, ...documents.map(({ components }) => (components as Record<string, object>)[kind])) as object;
  const components = Object.fromEntries(['schemas', 'responses', 'headers', 'parameters'].map((kind) => [kind, parts(kind)]));
  const paths = Object.assign({}, ...documents.map((each) => each.paths)) as Document['paths'];
  return { ...documents[0]!, paths, components: components as unknown as Document['components'] };
}

export interface AnswerToCheck {
  readonly method: string;
  /** Path and query as they were asked for. */
  readonly path: string;
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
}

/** Of ours, those that a client acts on: where one is sent, the document says so. */
const HEADERS = [
  ...['content-disposition', 'etag', 'idempotent-replayed', 'ledger-lag', 'ledger-position', 'link', 'location', 'ratelimit', 'ratelimit-policy'],
  ...['request-id', 'retry-after', 'www-authenticate', 'x-total-count'],
];

/** Holds answers to an OpenAPI document: its statuses, types of content, headers, schemas and codes of problems, and not a property more. */
export class AnswerCheck {
  readonly #ajv = new Ajv2020({ strict: false, allErrors: true });
  readonly #validators = new Map<string, ValidateFunction>();
  readonly #paths: readonly { readonly template: string; readonly pattern: RegExp }[];

  constructor(private readonly document: Document) {
    (addFormats as unknown as (ajv: Ajv2020) => void)(this.#ajv);
    this.#ajv.addSchema({ ...closed(document as unknown as Record<string, unknown>), $id: 'openapi' });
    // A literal part of a path is a closer match than a parameter.
    this.#paths = Object.keys(document.paths)
      .sort((a, b) => a.split('{').length - b.split('{').length)
      .map((template) => ({ template, pattern: new RegExp(`^${template.replaceAll('.', '\\.').replaceAll(/\{\w+\}/g, '[^/]+')}$`) }));
  }

  /** Returns the faults, one sentence each; none for a documented answer, and none for a path that the document does not have. */
  faults({ method, path, status, headers, text }: AnswerToCheck): string[] {
    const pathname = path.split('?', 1)[0]!;
    const template = this.#paths.find(({ pattern }) => pattern.test(pathname))?.template;
    if (template === undefined || method === 'OPTIONS' || (status === 405 && this.document.paths[template]![method.toLowerCase()] === undefined))
      return [];
    const operation = this.document.paths[template]![method === 'HEAD' ? 'get' : method.toLowerCase()];
    const place = `${method} ${template} ${status}`;
    // Pages for people share addresses with the interface, and are not part of it.
    if (operation === undefined && headers.get('content-type')?.startsWith('text/html') === true) return [];
    if (operation === undefined) return [`${place}: there is no such operation`];
    const stated = operation.responses[status];
    if (stated === undefined) return [`${place}: there is no such status: ${text.slice(0, 300)}`];
    const documented = '$ref' in stated ? this.document.components.responses[stated.$ref.split('/').at(-1)!]! : stated;
    const names = Object.keys(documented.headers ?? {}).map((name) => name.toLowerCase());
    const faults = HEADERS.filter((name) => headers.has(name) && !names.includes(name)).map((name) => `${place}: there is no header ${name}`);
    return [
      ...faults,
      ...(method === 'HEAD' ? [] : this.#bodyFaults(place, documented, stated, headers.get('content-type'), text, template, operation, status)),
    ];
  }

  #bodyFaults(
    place: string,
    { content = {} }: DocumentedAnswer,
    stated: object,
    contentType: string | null,
    text: string,
    template: string,
    operation: Operation,
    status: number,
  ): string[] {
    const type = contentType?.split(';', 1)[0];
    if (text === '' && Object.keys(content).length === 0) return [];
    if (type === undefined || content[type] === undefined) return [`${place}: there is no content of type ${type}`];
    if (!/json/.test(type)) return [];
    const { examples } = content[type];
    if (type === 'application/problem+json' && examples) {
      const { code } = JSON.parse(text) as { readonly code: string };
      if (!Object.hasOwn(examples, code)) return [`${place}: there is no problem ${code}`];
    }
    const method = Object.entries(this.document.paths[template]!).find(([, each]) => each === operation)![0];
    const at =
      '$ref' in stated
        ? `${(stated as { $ref: string }).$ref}`
        : ['#/paths', ...[template, method, 'responses', String(status)].map(escaped)].join('/');
    const validator = this.#validator(`openapi${at}/content/${escaped(type)}/schema`);
    const values = type === 'application/x-ndjson' ? text.split('\n').filter((line) => line !== '') : [text];
    return values.flatMap((value) => {
      if (validator(JSON.parse(value))) return [];
      return validator.errors!.map(
        ({ instancePath, message, params }) => `${place}: ${instancePath === '' ? 'the body' : instancePath} ${message} ${JSON.stringify(params)}`,
      );
    });
  }

  #validator(reference: string): ValidateFunction {
    const known = this.#validators.get(reference);
    if (known) return known;
    const made = this.#ajv.compile({ $ref: reference });
    this.#validators.set(reference, made);
    return made;
  }
}

/** In a JSON pointer, in a URI. */
const escaped = (part: string): string => encodeURIComponent(part.replaceAll('~', '~0').replaceAll('/', '~1'));

/** Closes every object of the document that is not declared as open: an undocumented property is a fault. */
function closed<T>(value: T): T {
  if (Array.isArray(value)) return value.map(closed) as T;
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.fromEntries(Object.entries(value).map(([name, each]) => [name, closed(each as unknown)]));
  const isOpen = !('properties' in value) || typeof value.properties !== 'object' || 'additionalProperties' in value;
  return (isOpen ? entries : { ...entries, additionalProperties: false }) as T;
}
