import type { Writable } from 'node:stream';
import { createLogger as createWinston, format, transports, type Logger as Winston } from 'winston';

/**
 * Logs events: a name such as `delivery.attempted`, plus fields. Secrets in the fields are replaced, errors are written
 * out.
 */
export interface Logger {
  debug(event: string, fields?: object): void;
  info(event: string, fields?: object): void;
  warn(event: string, fields?: object): void;
  error(event: string, fields?: object): void;
  /** A logger that adds `fields` to each of its lines. */
  child(fields: object): Logger;
}

export type LogLevel = 'debug' | 'info' | 'warn' | 'error';

/** What every line has; a field that is named so would hide it, and gets a trailing underscore. */
const RESERVED = ['time', 'level', 'service', 'event'];

const DEEPEST = 6;
const MAX_ENTRIES = 100;
const MAX_VALUES = 1_000;
const MAX_TEXT_LENGTH = 8_192;

/**
 * Makes the logger of a service: one JSON object a line, `{ time, level, service, event, …fields }`.
 *
 * @param level the least severe level that is written.
 * @param destination where lines go, standard output unless given.
 */
export function createLogger(service: string, level: LogLevel, destination: Writable = process.stdout): Logger {
  const winston = createWinston({
    level,
    format: format.printf((info) => info.message as string),
    transports: [new transports.Stream({ stream: destination, eol: '\n' })],
  });
  return loggerOver(winston, service, {});
}

function loggerOver(winston: Winston, service: string, bound: object): Logger {
  const logAt =
    (level: LogLevel) =>
    (event: string, fields?: object): void => {
      if (winston.isLevelEnabled(level)) winston.log(level, line(level, service, event, { ...bound, ...fields }));
    };
  return {
    debug: logAt('debug'),
    info: logAt('info'),
    warn: logAt('warn'),
    error: logAt('error'),
    child: (fields) => loggerOver(winston, service, { ...bound, ...fields }),
  };
}

function line(level: LogLevel, service: string, event: string, fields: object): string {
  const loggable = toLoggable(fields);
  for (const name of RESERVED) {
    if (!Object.hasOwn(loggable, name)) continue;
    loggable[`${name}_`] = loggable[name];
    delete loggable[name];
  }
  return JSON.stringify({ time: new Date().toISOString(), level, service, event, ...loggable });
}

/**
 * Turns the fields of a log line into plain JSON of bounded size: secrets replaced (by the field's name, or by what the
 * text looks like), errors as name, message, code, stack and cause, bytes as their count, circles and depths cut.
 */
function toLoggable(fields: object): Record<string, unknown> {
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

/**
 * Whether a text can hold anything that {@link redactText} looks for: most do not, and one look is cheaper than five.
 */
const SUSPICIOUS = /pk_live_|sk_agent_|bearer|basic|:\/\/|[?&]|eyJ/i;
/** A character of each of them, none of which an id, a number or a word has: a line is mostly those. */
const NOT_PLAIN = /[_\s/?&J]/;

/**
 * Takes what looks like a secret out of a text: our keys, bearer and basic credentials, session tokens, passwords in
 * URLs, secrets in query strings. A second line of defence: the first is not to log them.
 */
export function redactText(text: string): string {
  if (!NOT_PLAIN.test(text) || !SUSPICIOUS.test(text)) return text;
  return text
    .replace(/(pk_live_|sk_agent_)[A-Za-z0-9]+/g, '$1[redacted]')
    .replace(/\b(Bearer|Basic)\s+[\w.~+/=-]{8,}/gi, '$1 [redacted]')
    .replace(/\beyJ[\w-]{8,4000}(?:\.[\w-]{0,4000}){0,2}/g, '[redacted]')
    .replace(/:\/\/[^\s/@]{1,1000}@/g, '://[redacted]@')
    .replace(/([?&](?:api_?key|key|token|access_token|secret|signature|password)=)[^&\s"'#]+/gi, '$1[redacted]');
}

/** A part of each of them, in any case style: most names have none, and need not be put into another. */
const LIKE_A_SECRET = /auth|cookie|pass|secret|token|key|jwk|signature|credential/i;
const SECRET_NAME =
  /(^|_)(authorization|cookie|password|passphrase|secret|token|api_?key|private_key|jwk|signature|credential)s?$/;

/** Whether a field's name, in any case style, says that its value is a secret. */
function isSecretName(name: string): boolean {
  if (!LIKE_A_SECRET.test(name)) return false;
  const snake = name
    .replace(/([a-z0-9])([A-Z])/g, '$1_$2')
    .replaceAll('-', '_')
    .toLowerCase();
  return SECRET_NAME.test(snake);
}
