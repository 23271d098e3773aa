import { onTopic, openEventLog, type EventLogConfig } from '../src/index.ts';
import { countedTopic } from './counted-topic.ts';
import { recordingLogger } from './recording-logger.ts';

/** What the process is told. */
export interface ConsumerChildOptions {
  readonly config: EventLogConfig;
  readonly topic: string;
  readonly group: string;
}

const { config, topic, group } = JSON.parse(process.argv[2] ?? '') as ConsumerChildOptions;

// Prints the events it has handled and never comes to their commit.
const log = await openEventLog(config, recordingLogger());
await log.subscribe({
  group,
  logger: recordingLogger(),
  handlers: [
    onTopic(countedTopic(topic), (events) => {
      for (const { id } of events) console.log(id);
      return new Promise(() => undefined);
    }),
  ],
});
