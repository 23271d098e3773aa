import type { Serializable } from 'node:child_process';
import { encodeImage } from './encode-image.ts';
import { EXIT_TOO_MUCH_MEMORY, type EncodingTask } from './encoding-task.ts';

// What the encoding process runs: one image after the other, as it is asked for. It has no environment, and ends with
// the process that started it.

const MEBIBYTE = 1024 * 1024;
/** Most memory of the process, in MB. */
const MAX_MEMORY_MIB = Number(process.argv[2]);
const CHECK_MS = 50;

// Images are worked on in threads, so this one has time.
setInterval(() => {
  if (process.memoryUsage.rss() > MAX_MEMORY_MIB * MEBIBYTE) process.exit(EXIT_TOO_MUCH_MEMORY);
}, CHECK_MS).unref();

process.on('message', (task: EncodingTask) => {
  void encodeImage(task).then((answer) => process.send?.(answer as unknown as Serializable));
});
process.once('disconnect', () => process.exit());
// They are for the service, which ends this process when it has no more use for it.
for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => undefined);
