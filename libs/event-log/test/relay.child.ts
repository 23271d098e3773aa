import { setTimeout as sleep } from 'node:timers/promises';
import { connectEventLog, openEventLog, type EventLog, type EventLogConfig } from '../src/index.ts';
import { recordingLogger } from './recording-logger.ts';

/** What the process is told. */
export interface RelayChildOptions {
  readonly config: EventLogConfig;
  readonly databaseUrl: string;
  /** Waits between reading events and appending them, for a moment at which to freeze it. */
  readonly pauses?: boolean;
}

const { config, databaseUrl, pauses } = JSON.parse(process.argv[2] ?? '') as RelayChildOptions;

// Prints when it has appended a batch and never comes to its mark.
const log = await openEventLog(config, recordingLogger());
const append: EventLog['append'] = async (envelopes, options) => {
  console.log('appending');
  if (pauses) await sleep(1_000);
  await log.append(envelopes, options).catch((error: unknown) => {
    console.log('refused');
    throw error;
  });
  console.log('appended');
  await new Promise(() => undefined);
};
connectEventLog({
  open: () => Promise.resolve({ ...log, append }),
  outboxDatabaseUrl: databaseUrl,
  group: 'relay',
  handlers: [],
  produces: [],
  logger: recordingLogger(),
});
