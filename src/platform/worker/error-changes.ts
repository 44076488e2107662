const SUBJECTS_MAX = 10_000;

/** Last error of each subject: a worker that retries every second reports an error once, and again when it has changed. */
export class ErrorChanges {
  readonly #last = new Map<string, string>();

  /** Returns false for the error that the subject failed with the last time. */
  isNew(subject: string, error: unknown): boolean {
    const text = String(error);
    if (this.#last.get(subject) === text) return false;
    if (this.#last.size >= SUBJECTS_MAX) this.#last.clear();
    this.#last.set(subject, text);
    return true;
  }

  /** Records a success: the next error is new, whichever it is. */
  clear(subject: string): void {
    this.#last.delete(subject);
  }
}
