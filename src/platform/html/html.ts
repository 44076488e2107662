/** Markup that is safe to send: made by `html` alone, or vouched for by `trusted`. */
export class Html {
  constructor(private readonly markup: string) {}

  toString(): string {
    return this.markup;
  }
}

type Part = Html | string | number | null | undefined | false | readonly Part[];

/** `html\`<p>${text}</p>\``: every value is escaped unless it is Html already; null, undefined and false are nothing. */
export function html(texts: TemplateStringsArray, ...parts: readonly Part[]): Html {
  return new Html(texts.reduce((markup, text, at) => markup + render(parts[at - 1]) + text));
}

/** Markup of our own making that holds nothing a client sent. */
export function trusted(markup: string): Html {
  return new Html(markup);
}

/**
 * What somebody else wrote, set apart so that its direction cannot turn round the words beside it. Overrides go: they make
 * text read other than it is written, and no language needs them.
 */
export function foreign(text: string): Html {
  return html`<bdi>${text.replace(/[\u202A-\u202E]/g, '')}</bdi>`;
}

/** For places without markup, such as a title: direction marks go, which <bdi> cannot hold in there. */
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
