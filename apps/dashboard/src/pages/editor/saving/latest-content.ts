/** The newest content of the editor, for who looks at it now and then: asking for it has it written. */
export class LatestContent {
  #read: () => string;
  readonly #listeners = new Set<() => void>();

  constructor(html: string) {
    this.#read = () => html;
  }

  readonly read = (): string => this.#read();

  set(read: () => string): void {
    this.#read = read;
    for (const listener of this.#listeners) listener();
  }

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };
}
