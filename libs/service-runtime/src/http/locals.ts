import type { Logger } from '../log/logger.ts';
import type { Account, ProjectRole } from './access.ts';

declare module 'express-serve-static-core' {
  interface Locals {
    /** The request's id: taken from `X-Request-Id` or made, and sent back in the answer. */
    requestId: string;
    /** Adds the request's and the trace's id to each line. */
    logger: Logger;
    /** What handlers add to the request's one log line, such as `project_id`. Never headers, query or body. */
    log: Record<string, unknown>;
    /** The route's pattern for metrics and traces, where the router does not know it. Must come from a closed list. */
    route?: string;
    /** Set by `requireOwnerSession`. */
    account?: Account;
    /** Set by `requireProjectMember`. */
    role?: ProjectRole;
    /** Made by `untilClosed`. */
    closed?: AbortSignal;
  }
}
