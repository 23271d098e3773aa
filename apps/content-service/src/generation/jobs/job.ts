import type { Transaction } from '../../platform/database/open-database.ts';

/** A job as lists show it. */
export interface ListedJob {
  readonly id: string;
  readonly position: bigint;
  readonly projectId: string;
  readonly requestedBy: string;
  readonly kind: string;
  readonly origin: string | null;
  readonly topic: string;
  readonly status: string;
  readonly step: string;
  readonly stepsDone: number;
  readonly stepsInAll: number;
  readonly writer: string | null;
  readonly chargedMicros: bigint;
  readonly inputTokens: bigint;
  readonly outputTokens: bigint;
  readonly failureCode: string | null;
  readonly failureMessage: string | null;
  readonly blogId: string | null;
  readonly proposalId: string | null;
  readonly createdAt: Date;
  readonly startedAt: Date | null;
  readonly finishedAt: Date | null;
}

/** A job with its report. */
export interface ShownJob extends ListedJob {
  readonly report: unknown;
}

export type JobKind = 'post' | 'proposal';

/** Anything that survives JSON. */
export type JsonObject = { readonly [key: string]: unknown };

/** What a job is made with. */
export interface NewJob {
  readonly projectId: string;
  /** The account or the agent key that it is done for. */
  readonly requestedBy: string;
  readonly kind: JobKind;
  /** What asked for it, where it was no request: a word and an id, as in `autopilot:<topic id>`. Hooks go by it. */
  readonly origin: string | null;
  readonly request: JsonObject;
  readonly step: string;
  readonly stepsInAll: number;
  /** The blog that a proposal is for. */
  readonly blogId: string | null;
  /** Most that it may cost, in millionths, beside the budgets of generation. */
  readonly maxMicros?: bigint | null;
}

/** A job that this process has claimed: what it writes counts only with the token of the lease. */
export interface ClaimedJob {
  readonly id: string;
  readonly projectId: string;
  readonly requestedBy: string;
  readonly kind: JobKind;
  /** Without the sources that were given, once they were read. */
  readonly request: JsonObject;
  /** What was read of them; null before. */
  readonly sources: unknown;
  readonly step: string;
  readonly stepsDone: number;
  readonly work: JsonObject | null;
  readonly blogId: string | null;
  /** How often the step was begun, with this time. */
  readonly tries: number;
  readonly leaseToken: string;
  readonly createdAt: Date;
}

/** What one turn of a job has come to. */
export type TurnResult =
  | {
      readonly kind: 'checkpoint';
      readonly step: string;
      readonly stepsDone: number;
      readonly stepsInAll: number;
      readonly work: JsonObject;
      /**
       * What was read of the sources in this turn. They are large, and so are not written again with each checkpoint.
       */
      readonly sources?: readonly JsonObject[];
      readonly writer: string;
    }
  | {
      readonly kind: 'done';
      readonly writer: string;
      readonly report: JsonObject | null;
      /** Makes what the job was for, in the transaction in which the job succeeds. @throws JobFailed */
      readonly finish: (tx: Transaction) => Promise<{ readonly blogId: string | null; readonly proposalId?: string }>;
    };

/** How a job has ended, for good. */
export interface JobEnd {
  readonly id: string;
  readonly projectId: string;
  readonly kind: JobKind;
  readonly origin: string | null;
  readonly status: 'succeeded' | 'failed' | 'cancelled';
  readonly blogId: string | null;
  /** The model, or `offline`; null before its first step. */
  readonly writer: string | null;
  readonly failure: { readonly code: string; readonly message: string } | null;
}

/** Is called in the transaction in which a job succeeds, fails for good or is cancelled: both happen, or neither. */
export type OnJobEnd = (tx: Transaction, end: JobEnd) => Promise<void>;

/** The job cannot be done: trying again would not help. The message is for people. */
export class JobFailed extends Error {
  override readonly name = 'JobFailed';
  readonly code: string;

  constructor(code: string, message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
  }
}

/** The step may succeed later. The message is for people, if no later try does. */
export class TryLater extends Error {
  override readonly name = 'TryLater';
  readonly code: string;
  /** How long to wait at least; null: as long as the tries before suggest. */
  readonly afterMs: number | null;

  constructor(code: string, message: string, afterMs: number | null = null, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
    this.afterMs = afterMs;
  }
}

/** Somebody else has the job by now, or it was cancelled: nothing of this turn counts. */
export class LeaseLost extends Error {
  override readonly name = 'LeaseLost';
}
