import { existsSync, readFileSync } from 'node:fs';
import { getPriority } from 'node:os';
import { EXIT_TOO_MUCH_MEMORY, type EncodingAnswer, type EncodingTask } from '../src/images/encoding/encoding-task.ts';

// What the encoder's test runs in a process: does what the image says.

const AUTOGROUP = '/proc/self/autogroup';

/** Of the process's session, where Linux shares processors out by sessions; see the test. */
function niceness(): number {
  const isKnown = existsSync(AUTOGROUP) && process.getuid?.() === 0;
  return isKnown ? Number(/-?\d+$/m.exec(readFileSync(AUTOGROUP, 'utf8'))) : getPriority();
}

const answer = (width: number): EncodingAnswer => ({
  image: { bytes: Buffer.from('made'), width, height: 1, isAnimated: false },
});

process.on('message', ({ bytes }: EncodingTask) => {
  const order = Buffer.from(bytes).toString();
  if (order === 'crash') process.kill(process.pid, 'SIGSEGV');
  if (order === 'hang') return;
  // As if it took a gibibyte.
  if (order === 'large' && Number(process.argv[2]) < 1_024) process.exit(EXIT_TOO_MUCH_MEMORY);
  if (order === 'niceness') {
    process.send?.(answer(niceness()));
    return;
  }
  const count = Object.keys(process.env).filter((name) => name === 'SECRET_OF_THE_SERVICE').length;
  setTimeout(() => process.send?.(order === 'environment' ? answer(count) : answer(process.pid)), 20);
});
process.once('disconnect', () => process.exit());
