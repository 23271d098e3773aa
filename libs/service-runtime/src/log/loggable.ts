import { isSecretName, redactText } from './redact.ts';

const DEEPEST = 6;
const MAX_ENTRIES = 100;
const MAX_VALUES = 1_000;
const MAX_TEXT_LENGTH = 8_192;

/**
 * Turns the fields of a log line into plain JSON of bounded size: secrets replaced (by the field's name, or by what the
 * text looks like), errors as name, message, code, stack and cause, bytes as their count, circles and depths cut.
 */
export function toLoggable(fields: object): Record<string, unknown> {
  const state: State = { left: MAX_VALUES, parents: [] };
  const result = convert(fields, state);
  return typeof result === 'object' && result !== null && !Array.isArray(result)
    ? (result as Record<string, unknown>)
    : { value: result };
}

interface State {
  /** Values that may still be written, over the whole line. */
  left: number;
  readonly parents: object[];
}

function convert(value: unknown, state: State): unknown {
  if (state.left-- <= 0) return '[cut]';
  switch (typeof value) {
    case 'string':
      return redactText(value.length > MAX_TEXT_LENGTH ? `${value.slice(0, MAX_TEXT_LENGTH)}…` : value);
    case 'bigint':
      return value.toString();
    case 'number':
      return Number.isFinite(value) ? value : String(value);
    case 'object':
      return value === null ? null : convertObject(value, state);
    case 'function':
    case 'symbol':
      return undefined;
    case 'boolean':
    case 'undefined':
      return value;
  }
}

function convertObject(value: object, state: State): unknown {
  if (value instanceof Date) return Number.isNaN(value.getTime()) ? 'Invalid Date' : value.toISOString();
  if (ArrayBuffer.isView(value)) return `[${String(value.byteLength)} bytes]`;
  if (value instanceof URL) return redactText(value.origin + value.pathname);
  if (state.parents.includes(value)) return '[circular]';
  if (state.parents.length >= DEEPEST) return '[cut]';
  state.parents.push(value);
  try {
    if (isError(value)) return convertError(value, state);
    if (value instanceof Map) {
      const entries = [...(value as Map<unknown, unknown>)];
      return convertFields(Object.fromEntries(entries.map(([key, entry]) => [String(key), entry])), state);
    }
    if (Array.isArray(value) || value instanceof Set) {
      const items: unknown[] = [...(value as Iterable<unknown>)];
      const shown = items.slice(0, MAX_ENTRIES).map((item) => convert(item, state) ?? null);
      return items.length > MAX_ENTRIES ? [...shown, `[${String(items.length - MAX_ENTRIES)} more]`] : shown;
    }
    return convertFields(value, state);
  } finally {
    state.parents.pop();
  }
}

function convertFields(fields: object, state: State): Record<string, unknown> {
  const result: Record<string, unknown> = {};
  const names = Object.keys(fields);
  if (names.length > MAX_ENTRIES) names.length = MAX_ENTRIES;
  for (const name of names) {
    const entry = (fields as Record<string, unknown>)[name];
    const hidden = typeof entry !== 'boolean' && entry !== null && entry !== undefined && isSecretName(name);
    result[name] = hidden ? '[redacted]' : convert(entry, state);
  }
  return result;
}

/** Only these: libraries hang whole requests, headers and all, on their errors. */
function convertError(error: Error, state: State): Record<string, unknown> {
  const { name, message, stack, cause, code, errors } = error as Error & { code?: unknown; errors?: unknown };
  const fields = {
    name,
    message,
    ...((typeof code === 'string' || typeof code === 'number') && { code }),
    stack,
    ...(cause !== undefined && { cause }),
    ...(Array.isArray(errors) && { errors: errors as unknown[] }),
    ...('suppressed' in error && { suppressed: error.suppressed, error: (error as { error?: unknown }).error }),
  };
  return convertFields(fields, state);
}

/** Errors of other realms are no `instanceof Error` of ours. */
function isError(value: object): value is Error {
  return value instanceof Error || Object.prototype.toString.call(value) === '[object Error]';
}
