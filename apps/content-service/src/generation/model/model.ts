import type { z } from 'zod';

/** What a model is asked for: an answer in a form. */
export interface Prompt<Schema extends z.ZodType> {
  /** Names the form. */
  readonly name: string;
  readonly schema: Schema;
  /** The rules, ours. */
  readonly system: string;
  /** The task and its data. */
  readonly prompt: string;
  /** Most tokens of the answer. */
  readonly maxTokens: number;
}

/** A model that answers in a form. What it costs is charged to the job that it works for. */
export interface Model {
  readonly name: string;
  /** @throws JobFailed, TryLater */
  ask<Schema extends z.ZodType>(question: Prompt<Schema>): Promise<z.infer<Schema>>;
  /** Bytes of a picture; absent where no model makes them. @throws JobFailed, TryLater */
  readonly draw?: (prompt: string) => Promise<Buffer>;
}
