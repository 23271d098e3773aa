import { logLevel, type logCreator } from 'kafkajs';
import type { EventLogLogger } from '../logger.ts';

/**
 * Sends kafkajs's own log to ours. Its errors become warnings: it reports every reconnection attempt as an error, and
 * what finally fails reaches us as a rejection that is logged where it is decided upon.
 */
export function kafkajsLogCreator(logger: EventLogLogger): logCreator {
  return () =>
    ({ namespace, level, log: { message, timestamp: _timestamp, logger: _logger, stack: _stack, ...fields } }) => {
      const write = level <= logLevel.WARN ? 'warn' : 'debug';
      logger[isExpected(message) ? 'debug' : write]('kafka.client', { namespace, message, ...fields });
    };
}

/** What kafkajs warns about and is meant to be so here. */
function isExpected(message: string): boolean {
  // kafka-appender.ts never uses a producer again whose retries have run out.
  return message.startsWith('Limiting retries for the idempotent producer');
}
