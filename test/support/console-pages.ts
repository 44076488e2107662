import type { Answer } from './service.js';

const UUID = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/g;

/** The kind of a page: its path without ids and numbers, and the names in its query. */
function kindOf(address: string): string {
  const [path = '', query = ''] = address.split('?');
  return `${path.replace(UUID, 'id').replace(/\d+/g, 'n')} ${[...new URLSearchParams(query).keys()].sort().join(' ')}`;
}

/** Returns the addresses to which a page links and to which it posts forms. */
export const addressesIn = (text: string): string[] =>
  [...text.matchAll(/ (?:href|action)="([^"#]+)[^"]*"/g)].map(([, address]) => address!.replaceAll('&amp;', '&'));

/**
 * Follows the links from the first page within `root`, and reads one page, or file, of each kind.
 * @param isLeftOut addresses that are not read
 */
export async function everyPage(
  root: string,
  visit: (address: string) => Promise<Answer>,
  isLeftOut: (address: string) => boolean = () => false,
): Promise<ReadonlyMap<string, Answer>> {
  const read = new Map<string, Answer>();
  const kinds = new Set<string>();
  const waiting = [root];
  for (let address = waiting.shift(); address !== undefined; address = waiting.shift()) {
    if (kinds.has(kindOf(address)) || isLeftOut(address)) continue;
    kinds.add(kindOf(address));
    const answer = await visit(address);
    read.set(address, answer);
    const isPage = answer.headers.get('content-type')?.startsWith('text/html') ?? false;
    const leadsTo = [answer.headers.get('location') ?? [], isPage ? addressesIn(answer.text) : []].flat();
    waiting.push(...leadsTo.filter((each) => each === root || each.startsWith(`${root}/`) || each.startsWith(`${root}?`)));
  }
  return read;
}

/** Parts of pages that a past moment does not have, or has of now. */
const NOT_COMPARED: readonly RegExp[] = [
  // The form for a past moment, and the maker of the page.
  /<div class="as-of">[^]*?<\/div>\s*<\/div>/g,
  /<p class="printed">[^]*?<\/p>/g,
  /<input type="hidden" name="At" value="[^"]+" \/>/g,
  // Forms, and their absence for a finance key.
  /<p class="alert">[^<]*(?:<code>ok_<\/code>[^<]*|needs an operator’s own key[^<]*)<\/p>/g,
  /<p class="alert">The next month is [^]*?<\/p>/g,
  // Seals, rails and deliveries.
  /<section aria-labelledby="proof">[^]*?<\/section>/g,
  /<p>\s*<a href="[^"]*#proof">[^]*?<\/p>/g,
  /<p class="alert bad" role="alert">\s*<strong>Sealing of the log has stopped[^]*?<\/p>/g,
  /<li>\s*<a href="\/console\/exceptions#(?:service|rails|projections|endpoints)">[^]*?<\/li>/g,
  /<section aria-labelledby="(?:service|rails|projections|endpoints)">(?!\s*<h2 id="rails">Its own rails)[^]*?<\/section>/g,
  /<p class="hint">\s*None of these:[^]*?<\/p>/g,
  /<a href="\/console\/chain"\s*>[^]*?<\/a\s*>\s*·/g,
  /<div>\s*<dt>(?:Webhooks|Statements)<\/dt>[^]*?<\/div>/g,
];

/** Returns the content of a page, as it is the same in the present and as of a moment at the path `moment`. */
export function comparedPart(text: string, moment = ''): string[] {
  const main = /<main[^>]*>[^]*<\/main>/.exec(text)?.[0] ?? text;
  const here = main.replaceAll(`${moment}/console`, '/console').replace(/<a href="\/console\/rails">([^]*?)<\/a>/g, '$1');
  return NOT_COMPARED.reduce((rest, part) => rest.replace(part, ''), here)
    .replace(/\s+/g, ' ')
    .split(/(?<=>) ?(?=<)/);
}
