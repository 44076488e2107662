/** What a plain file name may hold without being encoded (a part of RFC 9110's token and of quoted-string). */
const NOT_PLAIN = /[^A-Za-z0-9 !#$&+.^_~()-]/g;

/**
 * A Content-Disposition under which a browser saves a file, whatever its name holds (RFC 6266): in words that every client reads, and,
 * where these are others, in full.
 */
export function attachment(filename: string): string {
  const plain = filename.replace(NOT_PLAIN, '_');
  const inFull = plain === filename ? '' : `; filename*=UTF-8''${encodeURIComponent(filename).replace(/['()*]/g, escaped)}`;
  return `attachment; filename="${plain}"${inFull}`;
}

/** What encodeURIComponent leaves and RFC 8187 does not. */
const escaped = (character: string): string => `%${character.charCodeAt(0).toString(16).toUpperCase()}`;
