import { Writable } from 'node:stream';
import { createLogger, type Logger } from '../src/index.ts';

/** A logger as services have it, whose lines are kept. */
export function recordingLogger(): { logger: Logger; lines: Record<string, unknown>[]; text: () => string } {
  const texts: string[] = [];
  const destination = new Writable({
    write(chunk: Buffer, _encoding, done) {
      texts.push(chunk.toString());
      done();
    },
  });
  return {
    logger: createLogger('example-service', 'debug', destination),
    text: () => texts.join(''),
    get lines() {
      return texts
        .join('')
        .split('\n')
        .filter((line) => line !== '')
        .map((line) => JSON.parse(line) as Record<string, unknown>);
    },
  };
}
