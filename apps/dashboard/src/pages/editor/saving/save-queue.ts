/** What a queue does with a call that was refused. */
export type Judgement = 'conflict' | 'later' | 'refused';

/** Field by field what is to be saved. A function is asked for the value when it is sent, not at every key. */
export type Changes = Readonly<Record<string, unknown>>;

export interface SaveState {
  readonly kind: 'saved' | 'unsaved' | 'saving' | 'later' | 'conflict';
  /** Why saving has to wait, if it has to. */
  readonly error: unknown;
  /** Fields that the service has refused, until they are changed again. */
  readonly refused: ReadonlyMap<string, unknown>;
}

interface Parameters<Answer> {
  readonly version: number;
  readonly send: (changes: Changes, version: number) => Promise<Answer>;
  /** What is saved at this moment. */
  readonly read: () => Promise<Answer>;
  readonly judge: (error: unknown) => Judgement;
  /** How long the service asks to wait after the error, in milliseconds; 0 where it does not say. */
  readonly askedToWaitMs: (error: unknown) => number;
  /** Runs it after the time; what it gives back ends the wait. */
  readonly wait: (run: () => void, ms: number) => () => void;
  readonly onSaved: (answer: Answer) => void;
}

const REST_MS = 1_000;
/** It is saved this often during uninterrupted typing. */
const MAX_WAIT_MS = 5_000;
const RETRY_MS = 5_000;
/** The longest that a change waits for a service that asks for a pause. */
const MAX_RETRY_MS = 300_000;
/** These are saved together, unless that is refused; other fields alone, so that a refused one keeps back no other. */
const TOGETHER = [
  ['title', 'content'],
  ['slug', 'release_alias'],
];

/**
 * Saves what is changed in one tab: one call at a time, each by the version that the one before has made, so that a tab
 * never refuses itself. Changes during a call are kept for the next one. A version that somebody else has made stops
 * it, until a person decides.
 */
export class SaveQueue<Answer extends { readonly version: number }> {
  readonly #parameters: Parameters<Answer>;
  readonly #listeners = new Set<() => void>();
  readonly #pending = new Map<string, unknown>();
  readonly #refused = new Map<string, unknown>();
  #version: number;
  #state: SaveState = { kind: 'saved', error: null, refused: new Map() };
  #tail: Promise<unknown> = Promise.resolve();
  #calls = 0;
  #conflict = false;
  #error: unknown = null;
  #endWait: (() => void) | null = null;
  #waitsSince: number | null = null;
  /** What was sent first, and last, since no answer has come: it may have been saved. */
  #unanswered: readonly Changes[] = [];
  #isUntouched = true;
  /** Nothing but a press of the person’s is sent earlier: what they type is no reason to ask a service that is down. */
  #restsUntil = 0;
  readonly #now: () => number;

  constructor(parameters: Parameters<Answer>, now: () => number = Date.now) {
    this.#parameters = parameters;
    this.#version = parameters.version;
    this.#now = now;
  }

  get state(): SaveState {
    return this.#state;
  }

  /** The version that the next call goes by. */
  get version(): number {
    return this.#version;
  }

  /** Whether it was never used for a change or an action. */
  get isUntouched(): boolean {
    return this.#isUntouched;
  }

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  /** Has a field saved soon. */
  change(field: string, value: unknown): void {
    this.#isUntouched = false;
    this.#pending.set(field, value);
    this.#refused.delete(field);
    this.#waitsSince ??= this.#now();
    const now = this.#now();
    const rest = Math.min(REST_MS, this.#waitsSince + MAX_WAIT_MS - now);
    this.#wait(Math.max(0, rest, this.#restsUntil - now));
    this.#show();
  }

  /** Saves immediately; true if everything is saved then. */
  async flush(): Promise<boolean> {
    this.#endWait?.();
    await this.#enqueue(() => this.#saveAll());
    return this.#state.kind === 'saved' && this.#refused.size === 0;
  }

  /** Saves, then does something to the post by its version; nothing is saved during that. */
  async run<Result>(act: (version: number) => Promise<{ result: Result; version: number }>): Promise<Result> {
    this.#isUntouched = false;
    this.#endWait?.();
    return this.#enqueue(async () => {
      await this.#saveAll();
      const [refusal] = this.#refused.values();
      const error = refusal ?? (this.#pending.size > 0 ? this.#error : null);
      if (error !== null) throw error instanceof Error ? error : new Error('Not everything is saved.');
      const { result, version } = await act(this.#version);
      this.#version = version;
      return result;
    });
  }

  /** What is not saved, with the newest values. */
  get unsaved(): Changes {
    return Object.fromEntries([...this.#pending].map(([field, value]) => [field, valueOf(value)]));
  }

  /** After a conflict: this tab's changes go over that version. */
  keepMine(version: number): void {
    this.#version = version;
    this.#conflict = false;
    this.#error = null;
    this.#wait(0);
    this.#show();
  }

  /** After a conflict, or when nothing is unsaved: that version is the one to continue from. */
  takeTheirs(version: number): void {
    this.#pending.clear();
    this.#refused.clear();
    this.#version = version;
    this.#conflict = false;
    this.#error = null;
    this.#show();
  }

  #wait(ms: number): void {
    this.#endWait?.();
    if (this.#conflict) return;
    this.#endWait = this.#parameters.wait(() => void this.flush(), ms);
  }

  #enqueue<Result>(task: () => Promise<Result>): Promise<Result> {
    const result = this.#tail.then(task);
    this.#tail = result.catch(() => undefined);
    return result;
  }

  async #saveAll(): Promise<void> {
    this.#waitsSince = null;
    let apart = false;
    while (this.#pending.size > 0 && !this.#conflict) {
      const changes = this.#takeNext(apart);
      this.#calls += 1;
      this.#show();
      try {
        const answer = await this.#parameters.send(changes, this.#version);
        this.#version = answer.version;
        this.#error = null;
        this.#unanswered = [];
        this.#restsUntil = 0;
        this.#parameters.onSaved(answer);
      } catch (error) {
        const judgement = this.#parameters.judge(error);
        if (judgement === 'refused' && Object.keys(changes).length > 1) {
          this.#putBack(changes);
          apart = true;
          continue;
        }
        if (judgement === 'refused') {
          for (const field of Object.keys(changes)) {
            if (!this.#pending.has(field)) this.#refused.set(field, error);
          }
          continue;
        }
        this.#putBack(changes);
        if (judgement === 'conflict' && (await this.#hasSavedIt())) continue;
        this.#error = error;
        this.#conflict = judgement === 'conflict';
        if (judgement === 'later') {
          this.#unanswered = [this.#unanswered[0] ?? changes, changes];
          const ms = Math.min(MAX_RETRY_MS, Math.max(RETRY_MS, this.#parameters.askedToWaitMs(error)));
          this.#restsUntil = this.#now() + ms;
          this.#wait(ms);
        }
        return;
      } finally {
        this.#calls -= 1;
        this.#show();
      }
    }
  }

  /** Whether the version in the way is this tab’s own, of a call whose answer was lost: then it continues from that. */
  async #hasSavedIt(): Promise<boolean> {
    const sent = this.#unanswered;
    this.#unanswered = [];
    if (sent.length === 0) return false;
    const saved = (await this.#parameters.read().catch(() => null)) as (Answer & Changes) | null;
    if (saved?.version !== this.#version + 1) return false;
    const isOwn = ([field, value]: [string, unknown]) => JSON.stringify(saved[field]) === JSON.stringify(value);
    if (!sent.some((changes) => Object.entries(changes).every(isOwn))) return false;
    this.#version = saved.version;
    return true;
  }

  /** What was changed while these were sent is newer. */
  #putBack(changes: Changes): void {
    for (const [field, value] of Object.entries(changes)) {
      if (!this.#pending.has(field)) this.#pending.set(field, value);
    }
  }

  #takeNext(apart: boolean): Changes {
    const together = TOGETHER.map((group) => group.filter((field) => this.#pending.has(field)));
    const [fields = []] = [
      ...(apart ? [] : together.filter(({ length }) => length > 0)),
      [...this.#pending.keys()].slice(0, 1),
    ];
    const changes = Object.fromEntries(fields.map((field) => [field, valueOf(this.#pending.get(field))]));
    for (const field of fields) this.#pending.delete(field);
    return changes;
  }

  /** Says so when something is different; not at every key. */
  #show(): void {
    const kind = this.#kind();
    const before = this.#state;
    const isRefusedSame =
      before.refused.size === this.#refused.size &&
      [...this.#refused].every(([field, error]) => before.refused.get(field) === error);
    if (before.kind === kind && before.error === this.#error && isRefusedSame) return;
    this.#state = { kind, error: this.#error, refused: isRefusedSame ? before.refused : new Map(this.#refused) };
    for (const listener of this.#listeners) listener();
  }

  #kind(): SaveState['kind'] {
    if (this.#conflict) return 'conflict';
    if (this.#calls > 0) return 'saving';
    if (this.#pending.size === 0) return 'saved';
    return this.#error === null ? 'unsaved' : 'later';
  }
}

function valueOf(value: unknown): unknown {
  return typeof value === 'function' ? (value as () => unknown)() : value;
}
