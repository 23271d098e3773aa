import type { Integration } from '../../generated/types.gen.ts';
import { deliveries as text } from '../../strings/sites/deliveries.ts';

type Todo = keyof typeof text.todos;

/** A failed attempt: its reason, and the status that was answered. */
interface Failure {
  readonly reason: string | null;
  readonly status_code: number | null;
}

/** What an owner can do about a failed attempt. A system that posts are written into asks for other things. */
export function whatToDo(failure: Failure, kind: Integration['kind']): string {
  return (kind === 'webhook' ? text.todos : text.systemTodos)[todoOf(failure)];
}

const SUSPECT: ReadonlySet<Todo> = new Set(['network', 'address_refused', 'redirect', 'missing']);

/** Whether the URL is likely what is wrong, so that sending again without a change would fail again. */
export const suspectsUrl = (failure: Failure): boolean => SUSPECT.has(todoOf(failure));

function todoOf({ reason, status_code }: Failure): Todo {
  if (reason === 'status' && status_code !== null) return byStatus(status_code);
  return reason !== null && Object.hasOwn(text.todos, reason) ? (reason as Todo) : 'other';
}

function byStatus(status: number): Todo {
  if (status === 401) return 'signature';
  if (status === 403) return 'forbidden';
  if (status === 404 || status === 405 || status === 410) return 'missing';
  if (status >= 500) return 'broken';
  if (status >= 400) return 'refused';
  return status >= 300 ? 'redirect' : 'status';
}
