const SUBJECTS_MAX = 10_000;

/** What went wrong last with each subject: a worker that tries again every second reports an error once, and again when it has changed. */
export class ErrorChanges {
  readonly #last = new Map<string, string>();

  /** False for the error that the subject failed with the last time. */
  isNew(subject: string, error: unknown): boolean {
    const text = String(error);
    if (this.#last.get(subject) === text) return false;
    if (this.#last.size >= SUBJECTS_MAX) this.#last.clear();
    this.#last.set(subject, text);
    return true;
  }

  /** It went well: the next error is news, whatever it is. */
  clear(subject: string): void {
    this.#last.delete(subject);
  }
}
