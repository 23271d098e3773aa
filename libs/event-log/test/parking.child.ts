import pg from 'pg';
import { connectEventLog, onTopic, openEventLog, type EventLogConfig } from '../src/index.ts';
import { countedTopic } from './counted-topic.ts';
import { recordingLogger } from './recording-logger.ts';

/** What the process is told. */
export interface ParkingChildOptions {
  readonly config: EventLogConfig;
  readonly databaseUrl: string;
  readonly topic: string;
  readonly group: string;
}

const { config, databaseUrl, topic, group } = JSON.parse(process.argv[2] ?? '') as ParkingChildOptions;
const pool = new pg.Pool({ connectionString: databaseUrl });

// Stores the events it has handled; the trigger of the table refuses some.
const connection = connectEventLog({
  open: () => openEventLog(config, recordingLogger()),
  group,
  parkingDatabaseUrl: databaseUrl,
  produces: [],
  logger: recordingLogger(),
  handlers: [
    onTopic(countedTopic(topic), async (events) => {
      const [projects, numbers] = [events.map(({ data }) => data.project), events.map(({ data }) => data.number)];
      await pool.query('INSERT INTO handled (project, number) SELECT * FROM unnest($1::text[], $2::int[])', [
        projects,
        numbers,
      ]);
    }),
  ],
});
await connection.connected;
console.log('joined');
