import { deliveries as text } from '../../strings/sites/deliveries.ts';

type Todo = keyof typeof text.todos;

/** What an owner can do about a failed attempt, by its reason and the receiver’s status. */
export function whatToDo({ reason, status_code }: { reason: string | null; status_code: number | null }): Todo {
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
