/** What the event log logs through: event names plus fields. service-runtime's `Logger` fits. */
export interface EventLogLogger {
  debug(event: string, fields?: object): void;
  info(event: string, fields?: object): void;
  warn(event: string, fields?: object): void;
  error(event: string, fields?: object): void;
}
