import { createHash, hash } from 'node:crypto';

/** Characters of keys that are hashed together: a call of the hash costs as much as hashing ten keys. */
const KEYS_TOGETHER = 8_192;

/** SHA-256 over the keys of lines, each followed by a line feed. */
export class KeysDigest {
  private readonly hash = createHash('sha256');
  private waiting = '';

  /** @param before text that is hashed before the keys */
  constructor(before = '') {
    this.waiting = before;
  }

  add(key: string): void {
    this.waiting += `${key}\n`;
    if (this.waiting.length >= KEYS_TOGETHER) this.flush();
  }

  /** Returns the digest of all keys so far and of `behind`; hex. More keys may follow, as if `behind` had not been added. */
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
/** Sums are modulo this: with a part of 44 bits added, they are still exact. */
const SUM_MAX = 2 ** 52;

/** A digest that does not depend on the order of keys: it hashes the sums of their parts. */
export class UnorderedKeysDigest {
  private readonly sums = new Float64Array(PARTS);
  private keys = 0;

  /** Returns a digest of the same keys, to which others are added. */
  copy(): UnorderedKeysDigest {
    const copy = new UnorderedKeysDigest();
    copy.sums.set(this.sums);
    copy.keys = this.keys;
    return copy;
  }

  /** @param key 32 hexadecimal digits of a hash */
  add(key: string): void {
    for (let part = 0; part < PARTS; part += 1) {
      const value = Number.parseInt(key.slice(part * PART_CHARS, (part + 1) * PART_CHARS), 16);
      this.sums[part] = (this.sums[part]! + value) % SUM_MAX;
    }
    this.keys += 1;
  }

  /** Returns the digest of all keys so far and of `about`; hex. */
  hex(about = ''): string {
    return hash('sha256', `unordered\0${this.keys}\0${this.sums.join()}\0${about}`);
  }
}
