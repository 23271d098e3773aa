import { openEventLog, startOutboxRelay, type EventLogConfig } from '../src/index.ts';
import { recordingLogger } from './recording-logger.ts';

/** What the process is told. */
export interface RelayChildOptions {
  readonly config: EventLogConfig;
  readonly databaseUrl: string;
}

const { config, databaseUrl } = JSON.parse(process.argv[2] ?? '') as RelayChildOptions;

// Prints when it has appended a batch and never comes to its mark.
const log = await openEventLog(config, recordingLogger());
startOutboxRelay({
  databaseUrl,
  logger: recordingLogger(),
  eventLog: {
    async append(envelopes) {
      await log.append(envelopes);
      console.log('appended');
      await new Promise(() => undefined);
    },
  },
});
