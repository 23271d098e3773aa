import { parseArgs } from 'node:util';

export interface Options {
  readonly kafka: boolean;
  readonly reset: boolean;
  readonly port: number;
  readonly help: boolean;
  /** Only print commands to try. */
  readonly examples: boolean;
  /** Where the data is kept. */
  readonly data: string;
}

const DEFAULT_DATA = '.data/local-stack';

export const usage = `Usage: npm start [-- options]

Runs the Blog Content Service locally, with a demo project.

  --kafka          use Apache Kafka as the event log, in a container or with local Java (default: PostgreSQL)
  --reset          delete all data and start fresh
  --port <n>       port of the service (default 4000); the demo receiver uses the next one
  --data <folder>  data folder (default ${DEFAULT_DATA}); each folder is a separate stack
  --examples       print commands to paste while the service runs
  --help           show help

Environment:
  DATABASE_URL     an existing PostgreSQL server (default: embedded); its user needs permission to create databases
  KAFKA_BROKERS    brokers of an existing Kafka, comma-separated

To load the variables that the guides use: . ${DEFAULT_DATA}/env.sh`;

/** Reads the command line; throws an `Error` that says what is wrong with it. */
export function parseOptions(args: readonly string[]): Options {
  const { values } = parseArgs({
    args: [...args],
    options: {
      kafka: { type: 'boolean', default: false },
      reset: { type: 'boolean', default: false },
      port: { type: 'string', default: '4000' },
      data: { type: 'string', default: DEFAULT_DATA },
      examples: { type: 'boolean', default: false },
      help: { type: 'boolean', short: 'h', default: false },
    },
  });
  const port = Number(values.port);
  if (!Number.isInteger(port) || port < 1 || port > 65_534) {
    throw new Error(`--port must be a whole number between 1 and 65534 (got ${JSON.stringify(values.port)}).`);
  }
  if (values.data === '') throw new Error('--data requires a folder.');
  const { kafka, reset, help, examples, data } = values;
  return { kafka, reset, help, examples, data, port };
}
