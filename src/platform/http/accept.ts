import type { FastifyReply, FastifyRequest } from 'fastify';

/**
 * Returns the type in `offered` that the client prefers by its Accept header (RFC 9110, 12.5.1). Without the header, or when it names none of them,
 * returns the first, which is the usual one. Marks the answer as depending on the header.
 */
export function preferredType<Type extends string>(request: FastifyRequest, reply: FastifyReply, offered: readonly [Type, ...Type[]]): Type {
  void reply.header('vary', 'Accept');
  const { accept } = request.headers;
  if (accept === undefined) return offered[0];
  const ranges = accept.split(',').map(rangeOf);
  let best: { type: Type; quality: number } = { type: offered[0], quality: 0 };
  for (const type of offered) {
    const quality = qualityOf(type, ranges);
    if (quality > best.quality) best = { type, quality };
  }
  return best.type;
}

interface MediaRange {
  /** `text/csv`, `text/*`, `*` + `/*`; lower case. */
  readonly type: string;
  readonly quality: number;
}

function rangeOf(text: string): MediaRange {
  const [type = '', ...parameters] = text.split(';').map((part) => part.trim().toLowerCase());
  const q = parameters.find((parameter) => parameter.startsWith('q='));
  const quality = q === undefined ? 1 : Number(q.slice(2));
  return { type, quality: quality >= 0 && quality <= 1 ? quality : 0 };
}

/** Returns the quality of the most specific matching range. */
function qualityOf(type: string, ranges: readonly MediaRange[]): number {
  for (const wanted of [type, `${type.slice(0, type.indexOf('/'))}/*`, '*/*']) {
    const range = ranges.find((each) => each.type === wanted);
    if (range !== undefined) return range.quality;
  }
  return 0;
}
