// Loaded into what bootstrap.mjs hands over to. Its end of this pipe closes when it is gone, however it went: then this
// process is told to stop, as by Ctrl-C in a terminal that is closed.
import { Socket } from 'node:net';

const PARENT_FD = 3;

const parent = new Socket({ fd: PARENT_FD, readable: true, writable: false });
parent.on('error', () => undefined);
parent.on('close', () => {
  // Nobody reads what is said from now on.
  for (const stream of [process.stdout, process.stderr]) stream.on('error', () => undefined);
  process.kill(process.pid, 'SIGTERM');
});
parent.resume();
parent.unref();
