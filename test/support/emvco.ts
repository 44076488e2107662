/** Fields of an EMVCo payload, in order, by id; lengths are of characters, not of UTF-16. Written from the specification alone, as a wallet would read it. @throws when it is none. */
export function readTlv(text: string): ReadonlyMap<string, string> {
  const payload = [...text];
  const fields = new Map<string, string>();
  for (let at = 0; at < payload.length;) {
    const head = /^(\d\d)(\d\d)$/.exec(payload.slice(at, at + 4).join(''));
    if (!head) throw new Error(`no field at ${at} of ${text}`);
    const [, id = '', length = ''] = head;
    const value = payload.slice(at + 4, at + 4 + Number(length));
    if (value.length !== Number(length) || value.length === 0) throw new Error(`field ${id} is cut off`);
    if (fields.has(id)) throw new Error(`field ${id} twice`);
    fields.set(id, value.join(''));
    at += 4 + value.length;
  }
  return fields;
}
