import { createHash, hash } from 'node:crypto';

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

const PARTS = 3;
const PART_CHARS = 11;
/** Sums are modulo this: with a part of 44 bits on top they are still exact. */
const SUM_MAX = 2 ** 52;

/** The same for the same keys in whatever order: the sums of their parts, hashed. */
export class UnorderedKeysDigest {
  private readonly sums = new Float64Array(PARTS);
  private keys = 0;

  /** @param key 32 hexadecimal digits of a hash */
  add(key: string): void {
    for (let part = 0; part < PARTS; part += 1) {
      const value = Number.parseInt(key.slice(part * PART_CHARS, (part + 1) * PART_CHARS), 16);
      this.sums[part] = (this.sums[part]! + value) % SUM_MAX;
    }
    this.keys += 1;
  }

  /** Of all so far, and of `about`; hex. */
  hex(about = ''): string {
    return hash('sha256', `unordered\0${this.keys}\0${this.sums.join()}\0${about}`);
  }
}
