import { createHash } from 'node:crypto';

/** Characters of keys that are hashed together: a call of the hash costs as much as hashing ten keys. */
const KEYS_TOGETHER = 8_192;

/** SHA-256 over the keys of lines, each with a line feed behind it. */
export class KeysDigest {
  private readonly hash = createHash('sha256');
  private waiting = '';

  /** @param before what is hashed in front of the keys */
  constructor(before = '') {
    this.waiting = before;
  }

  add(key: string): void {
    this.waiting += `${key}\n`;
    if (this.waiting.length >= KEYS_TOGETHER) this.flush();
  }

  /** Of all so far, and of `behind`; hex. More may follow, as if `behind` had not been. */
  hex(behind = ''): string {
    this.flush();
    return this.hash.copy().update(behind).digest('hex');
  }

  private flush(): void {
    this.hash.update(this.waiting);
    this.waiting = '';
  }
}
