import type { AgentPermission, Trigger } from '@blog-content/payload-schemas';
import type { Response } from 'express';

/** Who a request to one project speaks for. */
export interface Caller {
  readonly projectId: string;
  /** The account or the agent key. */
  readonly id: string;
  /** Whose work it is where accounts take turns: who is signed in, or who made the agent key. */
  readonly accountId: string;
  /** From the credential, never from the body: a session is `manual`, an agent key is `autopilot`. */
  readonly trigger: Trigger;
  /** What the agent key may do; members of a project may do all that agents can. */
  readonly permission: AgentPermission;
}

declare module 'express-serve-static-core' {
  interface Locals {
    /** Set once the caller's right to the project is known. */
    caller?: Caller;
    /** Set by `requireAgentKey`: an administrator has suspended the key's project. */
    isSuspended?: boolean;
  }
}

/** The caller of a request to a project. Throws when nothing has authorized it: that is a bug. */
export function callerOf(response: Response): Caller {
  const { caller } = response.locals;
  if (caller === undefined) throw new Error('This route lacks an authorized caller.');
  return caller;
}
