import { deadLetterTopicName, topics, type Topic } from '@blog-content/payload-schemas';
import { z } from 'zod';
import type { EventLog, ReadableTopic, TopicHandler } from '../event-log.ts';
import type { EventLogLogger } from '../logger.ts';
import type { ReceivedEvent } from '../messages/envelope.ts';
import type { ParkedEventStore, ParkedKey } from '../parking/parked-event-store.ts';

export const USAGE = `Usage: npm run event-log -- <command> [options]

Lists the events that a service couldn't process, and retries or deletes them.

  parked               list the posts and projects whose events are parked, with the error of the first
  retry <key>          process the events of a key now. By itself, a key is tried again after up to 10 minutes
  skip <event id>      delete a parked event permanently, and process those behind it
  replay-dlq           append the readable messages of the dead-letter topics to their topics again

retry, skip and replay-dlq only say what they would do, unless you add --yes.

  --yes                do it
  --json               print JSON, one object per line
  --topic <name>       replay-dlq: only this topic, such as blog.lifecycle
  --since <time>       replay-dlq: only events of this time or later, such as 2026-11-28T12:00:00Z
  --help               print this

Uses the environment of the service whose events they are:
  DATABASE_URL             its database
  KAFKA_BROKERS, KAFKA_…   the event log, for replay-dlq
  EVENT_LOG_DATABASE_URL   the event log if it is PostgreSQL

Exit codes: 0 success, 1 failure or nothing found, 2 usage error, 78 invalid environment.
`;

interface Shared {
  readonly isJson: boolean;
  /** Otherwise nothing is changed. */
  readonly isReal: boolean;
}

export type CommandOptions = Shared &
  (
    | { readonly command: 'parked' }
    | { readonly command: 'retry' | 'skip'; readonly of: string }
    | { readonly command: 'replay-dlq'; readonly topic: string | undefined; readonly since: Date | undefined }
  );

export interface CommandContext {
  readonly store: ParkedEventStore;
  readonly openLog: () => Promise<EventLog>;
  readonly logger: EventLogLogger;
  /** Writes a line of the result. */
  readonly print: (text: string) => void;
  /** Writes a line for people only. */
  readonly warn: (text: string) => void;
}

const DRY_RUN = 'Nothing was changed. Add --yes to do it.';

/** Runs a command on the parked events of a service. Resolves to the exit code. */
export async function runCommand(options: CommandOptions, context: CommandContext): Promise<number> {
  switch (options.command) {
    case 'parked':
      return listParked(options, context);
    case 'retry':
      return retry(options.of, options, context);
    case 'skip':
      return skip(options.of, options, context);
    case 'replay-dlq':
      return replayDeadLetters(options, context);
  }
}

async function listParked({ isJson }: Shared, { store, print, warn }: CommandContext): Promise<number> {
  const keys = await store.list();
  if (isJson) for (const key of keys) print(JSON.stringify(key));
  else if (keys.length === 0) warn('No events are parked.');
  else for (const key of keys) print(describeKey(key));
  return 0;
}

async function retry(key: string, { isReal }: Shared, { store, print, warn }: CommandContext): Promise<number> {
  const found = (await store.list()).find((parked) => parked.key === key);
  if (found === undefined) {
    warn(`No events of “${key}” are parked.`);
    return 1;
  }
  print(describeKey(found));
  if (!isReal) warn(DRY_RUN);
  else {
    await store.makeDue(key);
    warn('The service tries it within five seconds. “parked” shows the result.');
  }
  return 0;
}

async function skip(eventId: string, { isReal }: Shared, { store, print, warn }: CommandContext): Promise<number> {
  const found = await store.find(eventId);
  if (found === null) {
    warn(`No parked event has the id “${eventId}”.`);
    return 1;
  }
  // Whole: this is the last place where it can be seen.
  print(JSON.stringify(found.event));
  if (!found.isFirst) warn('Other events of its key are parked before it.');
  if (!isReal) warn(`It would be deleted permanently, and what it says would never be applied. ${DRY_RUN}`);
  else {
    await store.skip(found);
    warn('Deleted.');
  }
  return 0;
}

async function replayDeadLetters(
  { topic: only, since, isReal, isJson }: Extract<CommandOptions, { command: 'replay-dlq' }>,
  { openLog, logger, print, warn }: CommandContext,
): Promise<number> {
  const chosen = topics.filter(({ name }) => only === undefined || name === only);
  if (chosen.length === 0) {
    warn(`There is no topic “${String(only)}”. Topics: ${topics.map(({ name }) => name).join(', ')}.`);
    return 1;
  }
  const log = await openLog();
  try {
    await log.ensureTopics(chosen);
    const readable = new Map<string, ReceivedEvent>();
    let unreadable = 0;
    const collect = (topic: Topic, events: readonly ReceivedEvent[]): void => {
      for (const event of events) {
        if (since !== undefined && Date.parse(event.time) < since.getTime()) continue;
        // A message is there once for each group that could not read it.
        if (topic.schema.safeParse(event.data).success) readable.set(event.id, { ...event, topic: topic.name });
        else unreadable++;
      }
    };
    const reader = await log.readFromBeginning({
      handlers: chosen.map((topic) => deadLetterHandler(topic, (events) => collect(topic, events))),
      logger,
    });
    await reader.catchUp();
    await reader.close();
    for (const { id, topic, type, key, time } of readable.values()) {
      print(isJson ? JSON.stringify({ id, topic, type, key, time }) : `${time}  ${topic}  ${type}  ${key}  ${id}`);
    }
    warn(`${readable.size} can be read now, ${unreadable} still can't.`);
    if (readable.size === 0) return 0;
    if (!isReal) warn(DRY_RUN);
    else {
      await log.append([...readable.values()]);
      warn('Appended. Consumers skip what they have processed already.');
    }
    return 0;
  } finally {
    await log.close();
  }
}

/** Reads the dead letters of a topic that are JSON with the attributes of an event, valid or not. */
function deadLetterHandler(topic: Topic, handle: (events: readonly ReceivedEvent[]) => void): TopicHandler {
  const { types, partitions, retention } = topic;
  const anything: ReadableTopic = {
    name: deadLetterTopicName(topic.name),
    schema: z.custom<{ event: string }>(),
    types,
    partitions,
    retention,
  };
  return {
    topic: anything,
    batchSize: 1_000,
    handle(events) {
      handle(events);
      return Promise.resolve();
    },
  };
}

function describeKey(key: ParkedKey): string {
  const ids = [key.project_id && `project ${key.project_id}`, key.blog_id && `post ${key.blog_id}`].filter(Boolean);
  return [
    `${key.key}  ${ids.join(', ')}`,
    `  ${key.type} of ${key.topic}, event ${key.event_id}, partition ${key.partition}, offset ${key.offset}`,
    `  parked ${key.parked_at.toISOString()}, failed ${key.failures} times, tried again ${key.retry_at.toISOString()}`,
    `  ${key.waiting === 1 ? '1 event waits' : `${key.waiting} events wait`} behind it`,
    `  ${key.error}`,
  ].join('\n');
}
