import type { EventLogLogger } from '../src/index.ts';

/** A logger that keeps what it is told, for a test to look at. */
export interface RecordingLogger extends EventLogLogger {
  readonly entries: readonly { readonly level: string; readonly event: string; readonly fields: object }[];
}

export function recordingLogger(): RecordingLogger {
  const entries: { level: string; event: string; fields: object }[] = [];
  const at =
    (level: string) =>
    (event: string, fields: object = {}) =>
      void entries.push({ level, event, fields });
  return { entries, debug: at('debug'), info: at('info'), warn: at('warn'), error: at('error') };
}
