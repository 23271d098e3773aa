import type { Trigger } from '@blog-content/payload-schemas';
import type { Transaction } from '../../platform/database/open-database.ts';
import type { BlogRow } from '../blog-row.ts';
import type { Decision } from './decide.ts';

export type AcceptedDecision<Kind extends Decision['kind']> = Extract<Decision, { kind: Kind }>;

/** What is carried out, on a blog that is locked. */
export interface Change<Kind extends Decision['kind']> {
  readonly tx: Transaction;
  readonly blog: BlogRow;
  readonly decision: AcceptedDecision<Kind>;
  readonly now: Date;
  readonly trigger: Trigger;
  readonly requestedBy: string | null;
  /** The time it was scheduled for. */
  readonly scheduledFor: Date | null;
}
