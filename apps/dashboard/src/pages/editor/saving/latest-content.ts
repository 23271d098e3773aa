interface Saved {
  readonly sent: string;
  /** As the service keeps it: without what posts may not have. */
  readonly stored: string;
}

/** The newest content of the editor, for who looks at it now and then: asking for it has it written. */
export class LatestContent {
  #read: () => string;
  #saved: Saved;
  readonly #listeners = new Set<() => void>();

  constructor(stored: string) {
    this.#read = () => stored;
    this.#saved = { sent: stored, stored };
  }

  /** What was saved last. */
  readonly saved = (): Saved => this.#saved;

  /** The newest content; once it is saved, as the service keeps it. */
  readonly read = (): string => {
    const html = this.#read();
    return html === this.#saved.sent ? this.#saved.stored : html;
  };

  set(read: () => string): void {
    this.#read = read;
    this.#tell();
  }

  save(saved: Saved): void {
    this.#saved = saved;
    this.#tell();
  }

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  #tell(): void {
    for (const listener of this.#listeners) listener();
  }
}
