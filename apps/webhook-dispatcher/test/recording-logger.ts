import type { Logger } from '@blog-content/service-runtime';

export interface LogLine {
  readonly level: 'debug' | 'info' | 'warn' | 'error';
  readonly event: string;
  readonly [field: string]: unknown;
}

/** A logger that keeps its lines. */
export function recordingLogger(): { logger: Logger; lines: LogLine[] } {
  const lines: LogLine[] = [];
  const loggerWith = (bound: object): Logger => {
    const write = (level: LogLine['level']) => (event: string, fields?: object) => {
      lines.push({ ...bound, ...fields, level, event });
    };
    return {
      debug: write('debug'),
      info: write('info'),
      warn: write('warn'),
      error: write('error'),
      child: (fields: object) => loggerWith({ ...bound, ...fields }),
    };
  };
  return { logger: loggerWith({}), lines };
}
