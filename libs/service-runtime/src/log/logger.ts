import type { Writable } from 'node:stream';
import { createLogger as createWinston, format, transports, type Logger as Winston } from 'winston';
import { toLoggable } from './loggable.ts';

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
