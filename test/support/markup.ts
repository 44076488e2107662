const VOID = new Set(['area', 'base', 'br', 'col', 'embed', 'hr', 'img', 'input', 'link', 'meta', 'source', 'track', 'wbr']);
/** Elements that HTML allows in these parents only; elsewhere a browser drops their tags. */
const PARENTS: Readonly<Record<string, readonly string[]>> = {
  html: [''],
  body: ['html'],
  thead: ['table'],
  tbody: ['table'],
  tr: ['thead', 'tbody', 'tfoot'],
  td: ['tr'],
  th: ['tr'],
  caption: ['table'],
  li: ['ul', 'ol'],
};

/** Returns the defects of a page that a browser repairs in silence: tags that are not closed in order, and elements outside the parents they need. */
export function markupDefects(page: string): string[] {
  const text = page.replace(/<!--.*?-->|<!doctype[^>]*>/gis, '').replace(/(<(style|script)\b[^>]*>).*?<\/\2>/gis, '$1</$2>');
  const open: string[] = [''];
  const defects: string[] = [];
  for (const [tag, closes, name, , selfCloses] of text.matchAll(/<(\/?)([a-z][a-z0-9-]*)((?:"[^"]*"|[^"<>])*?)(\/?)>/gi)) {
    const element = name!.toLowerCase();
    if (closes === '/') {
      if (open.at(-1) === element) open.pop();
      else defects.push(`${tag} in ${open.join(' ')}`);
      continue;
    }
    const parents = PARENTS[element];
    if (parents && !parents.includes(open.at(-1)!)) defects.push(`${tag} in ${open.join(' ')}`);
    if (selfCloses === '' && !VOID.has(element)) open.push(element);
  }
  return [...defects, ...open.slice(1).map((element) => `<${element}> is not closed`)];
}
