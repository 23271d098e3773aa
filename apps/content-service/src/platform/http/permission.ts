import type { AgentPermission } from '@blog-content/payload-schemas';
import { forbidden, pathPattern, type IfMatch } from '@blog-content/service-runtime';
import type { RequestHandler } from 'express';
import { callerOf, type Caller } from './caller.ts';

const RANKS: readonly AgentPermission[] = ['draft', 'publish', 'full'];
const MAY: Readonly<Record<AgentPermission, string>> = {
  draft: 'This key can only write drafts.',
  publish: 'This key can write drafts and publish.',
  full: 'This key has full access.',
};
const NEEDS: Readonly<Record<AgentPermission, string>> = {
  draft: 'Writing requires the `draft` permission.',
  publish: 'Publishing requires the `publish` permission.',
  full: 'Unpublishing and deleting require the `full` permission.',
};

type Permitted = Pick<Caller, 'permission'>;

/** Whether a caller's permission is the needed one, or includes it. */
export const may = ({ permission }: Permitted, needed: AgentPermission): boolean =>
  RANKS.indexOf(permission) >= RANKS.indexOf(needed);

/** @throws a 403 problem that says what the key may, and what is missing. @param why in place of the usual reason. */
export function requirePermission(caller: Permitted, needed: AgentPermission, why = NEEDS[needed]): void {
  if (!may(caller, needed)) throw forbidden(`${MAY[caller.permission]} ${why}`);
}

/** Whether a change may be made of what is there, by its version and whether it is going to be published. */
export type MayChange = (version: number, isScheduled: boolean) => boolean;

/**
 * What a caller may change: a scheduled post reaches readers without anybody who looks at it again, so a key that may
 * only draft leaves it alone. Asked while the post is locked. It throws a 403 problem.
 */
export function changesBy(caller: Permitted, ifMatch: IfMatch = () => true): MayChange {
  return (version, isScheduled) => {
    if (isScheduled) requirePermission(caller, 'publish', SCHEDULED);
    return ifMatch(version);
  };
}

/** Why a key that may only draft does not change what a scheduled post shows. */
export const SCHEDULED = 'The post is scheduled. Changing it requires the `publish` permission.';

/** Why a key that may only draft takes no alias of another post. */
const TAKES_ALIAS = 'Taking an alias changes public redirects. It requires the `publish` permission.';

/** @throws a 403 problem where a request takes an alias of another post with a key that may only draft. */
export function requireAliasPermission(
  caller: Permitted,
  request: { readonly release_alias?: boolean | undefined },
): void {
  if (request.release_alias === true) requirePermission(caller, 'publish', TAKES_ALIAS);
}

interface PermittedOperation {
  readonly method: string;
  readonly path: string;
  readonly needs: AgentPermission;
}

/**
 * Lets only keys pass that may do the operation that is asked for; what is no operation changes nothing for anybody
 * but a key that may do everything. Where two paths fit (`/blogs/publish` and `/blogs/{blogId}`), the one with the name
 * counts. Comes before anything is read of a body.
 */
export function requirePermissionOf(operations: readonly PermittedOperation[]): RequestHandler {
  const asked = operations
    // Names come before parameters: a brace sorts after every letter.
    .toSorted((a, b) => (a.path < b.path ? -1 : 1))
    .map(({ method, path, needs }) => ({ method: method.toUpperCase(), pattern: pathPattern(path), needs }));
  return (request, response, next) => {
    const path = request.baseUrl + request.path;
    const method = request.method === 'HEAD' ? 'GET' : request.method;
    const operation = asked.find((one) => one.method === method && one.pattern.test(path));
    requirePermission(callerOf(response), operation?.needs ?? (method === 'GET' ? 'draft' : 'full'));
    next();
  };
}
