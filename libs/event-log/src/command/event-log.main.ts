import { parseArgs } from 'node:util';
import { sessionUrlOf } from '@blog-content/postgres';
import {
  commandEnvironment,
  ConfigError,
  createLogger,
  eventLogConfigFrom,
  EXIT_CONFIG,
  loadConfig,
} from '@blog-content/service-runtime';
import { z } from 'zod';
import { openEventLog } from '../open-event-log.ts';
import { createParkedEventStore } from '../parking/parked-event-store.ts';
import { runCommand, USAGE, type CommandOptions } from './run-command.ts';

const environment = z.object(commandEnvironment);

function optionsOf(args: string[]): CommandOptions | 'help' {
  const { values, positionals } = parseArgs({
    args,
    allowPositionals: true,
    options: {
      help: { type: 'boolean', short: 'h' },
      json: { type: 'boolean', default: false },
      yes: { type: 'boolean', default: false },
      topic: { type: 'string' },
      since: { type: 'string' },
    },
  });
  const { help, json, yes, topic, since } = values;
  if (help === true) return 'help';
  const [command, of, ...rest] = positionals;
  if (rest.length > 0) throw new TypeError(`Unexpected argument “${rest.join(' ')}”.`);
  if (since !== undefined && Number.isNaN(Date.parse(since))) throw new TypeError('--since must be a date or a time.');
  const shared = { isJson: json, isReal: yes };
  switch (command) {
    case 'parked':
      return { command, ...shared };
    case 'retry':
    case 'skip':
      if (of === undefined)
        throw new TypeError(`${command} needs ${command === 'retry' ? 'a key' : 'the id of an event'}.`);
      return { command, of, ...shared };
    case 'replay-dlq':
      return { command, topic, since: since === undefined ? undefined : new Date(since), ...shared };
    case undefined:
      throw new TypeError('No command given.');
    default:
      throw new TypeError(`Unknown command “${command}”.`);
  }
}

async function run(options: CommandOptions, env: Record<string, string | undefined>): Promise<number> {
  const config = loadConfig(environment, { LOG_LEVEL: 'warn', ...env }, 'event-log');
  const logger = createLogger('event-log', config.LOG_LEVEL);
  const store = createParkedEventStore(sessionUrlOf(config));
  await using _store = { [Symbol.asyncDispose]: () => store.close() };
  return await runCommand(options, {
    store,
    openLog: () => openEventLog(eventLogConfigFrom(config, 'event-log-command'), logger),
    logger,
    print: (text) => process.stdout.write(`${text}\n`),
    warn: (text) => process.stderr.write(`${text}\n`),
  });
}

try {
  const options = optionsOf(process.argv.slice(2));
  if (options === 'help') process.stdout.write(USAGE);
  else process.exitCode = await run(options, process.env);
} catch (error) {
  process.stderr.write(`${(error as Error).message}\n`);
  if (error instanceof TypeError) process.stderr.write(`\n${USAGE}`);
  process.exitCode = error instanceof ConfigError ? EXIT_CONFIG : error instanceof TypeError ? 2 : 1;
}
