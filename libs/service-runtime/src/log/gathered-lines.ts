import { Writable } from 'node:stream';

let gathered: Writable | undefined;

/**
 * Standard output, to which what is written in one turn of the event loop goes together, also when the process ends in the middle of it:
 * a busy service would spend more on calls of the system than on its lines. A process that is killed takes the last turn's along, and one that
 * ends takes what the stream has no room for just then, as it did without this.
 */
export function standardOutput(): Writable {
  if (gathered !== undefined) return gathered;
  const { stream, flush } = gatherLines(process.stdout);
  process.on('exit', flush);
  gathered = stream;
  return gathered;
}

/** A stream whose text goes on to `destination` at the end of the turn, or when it is flushed. */
export function gatherLines(destination: Pick<Writable, 'write'>): { stream: Writable; flush: () => void } {
  let text = '';
  const flush = () => {
    if (text === '') return;
    const gathered = text;
    text = '';
    destination.write(gathered);
  };
  const stream = new Writable({
    decodeStrings: false,
    write(chunk: string | Buffer, _encoding, done) {
      if (text === '') setImmediate(flush);
      text += String(chunk);
      done();
    },
  });
  return { stream, flush };
}
