import { createWriteStream } from 'node:fs';
import { pipeline } from 'node:stream/promises';
import { openPromise } from 'yauzl';
import { ZipFile } from 'yazl';

/** Images hardly get smaller. */
const NO_COMPRESSION = /\.(?:jpg|png|webp|avif|gif)$/;

/** Writes a ZIP archive anew, with one file more. One of its files at a time is read. */
export async function addToArchive(from: string, to: string, path: string, text: string): Promise<void> {
  const source = await openPromise(from, { autoClose: false });
  const archive = new ZipFile();
  try {
    const written = pipeline(archive.outputStream, createWriteStream(to));
    const filled = (async () => {
      for await (const entry of source.eachEntry()) {
        const compressionLevel = NO_COMPRESSION.test(entry.fileName) ? 1 : 6;
        const options = { mtime: entry.getLastModDate(), compressionLevel };
        const stream = await source.openReadStreamPromise(entry);
        archive.addReadStream(stream, entry.fileName, options);
        await new Promise((resolve, reject) => stream.once('close', resolve).once('error', reject));
      }
      archive.addBuffer(Buffer.from(text), path);
      archive.end();
    })();
    await Promise.all([written, filled]);
  } finally {
    source.close();
  }
}
