/** Markup that is safe to send: created only by `html`, or by `trusted`, whose caller is responsible. */
export class Html {
  constructor(private readonly markup: string) {}

  toString(): string {
    return this.markup;
  }
}

type Part = Html | string | number | null | undefined | false | readonly Part[];

/** `html\`<p>${text}</p>\``: escapes every value that is not Html already; null, undefined and false are empty. */
export function html(texts: TemplateStringsArray, ...parts: readonly Part[]): Html {
  return new Html(texts.reduce((markup, text, at) => markup + render(parts[at - 1]) + text));
}

/** Marks markup of our own that contains no text of a client. */
export function trusted(markup: string): Html {
  return new Html(markup);
}

/** Stands for the parts of a page that are sent while they are read. Texts of clients cannot contain it: `html` escapes them. */
export const STREAMED = trusted('<!-- streamed -->');

/** Returns the markup before and after STREAMED, of which `page` has one. */
export function aroundStreamed(page: Html): readonly [before: string, after: string] {
  const [before, after] = page.toString().split(STREAMED.toString());
  return [before!, after!];
}

/**
 * Isolates another party's text, so that its direction cannot reorder the words beside it. Overrides are removed: they make text read differently
 * from its writing, and no language needs them.
 */
export function foreign(text: string): Html {
  return html`<bdi>${text.replace(/[\u202A-\u202E]/g, '')}</bdi>`;
}

/** Removes direction marks, for places without markup such as a title, where no <bdi> can isolate them. */
export function plain(text: string): string {
  return text.replace(/\p{Bidi_Control}/gu, '');
}

const ESCAPES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;', '`': '&#96;' };

function render(part: Part): string {
  if (part === null || part === undefined || part === false) return '';
  if (part instanceof Html) return part.toString();
  if (typeof part === 'string') return part.replace(/[&<>"'`]/g, (character) => ESCAPES[character]!);
  if (typeof part === 'number') return part.toString();
  return part.map(render).join('');
}
