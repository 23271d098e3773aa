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

Runs the whole Blog Content Service on this machine, with a demo project.

  --kafka          use a real Apache Kafka as event log (a container if an engine answers, else this machine's
                   Java); the default is PostgreSQL
  --reset          delete the data of earlier runs and start fresh
  --port <n>       port of the one origin (default 4000); the demo receiver takes the next one
  --data <folder>  where the data is kept (default ${DEFAULT_DATA}); each folder is its own stack
  --examples       print commands to paste while the service runs, without starting anything
  --help           show this

Environment:
  DATABASE_URL     a PostgreSQL server to use instead of the embedded one; its user needs permission to create databases
  KAFKA_BROKERS    brokers of a Kafka to use, comma-separated

The data folder also gets env.sh, the values that the guides use: . ${DEFAULT_DATA}/env.sh`;

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
    throw new Error(`--port must be a whole number from 1 to 65534, not ${JSON.stringify(values.port)}.`);
  }
  if (values.data === '') throw new Error('--data needs a folder.');
  const { kafka, reset, help, examples, data } = values;
  return { kafka, reset, help, examples, data, port };
}
