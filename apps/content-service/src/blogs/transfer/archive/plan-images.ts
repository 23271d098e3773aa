import { createHash } from 'node:crypto';
import { posix } from 'node:path';
import { MAX_LONG_TEXT, MAX_SHORT_TEXT } from '@blog-content/payload-schemas';
import { storableText } from '@blog-content/service-runtime';
import { z } from 'zod';
import { extensionOf, isPicturePath } from '../posts/classify-path.ts';
import { EXPORTED_IMAGES } from '../portable/portable-images.ts';
import { type Archive, type ArchivedImage, refuseTooMuch } from './open-archive.ts';
import { parseLines } from './parse-lines.ts';
import { failed, type PlannedFile } from './planned-file.ts';
import type { Reading, Survey } from './survey-archive.ts';

/**
 * Plans the images of an export, and the pictures that posts show or the archive tells of.
 *
 * @param addresses gets the placeholder of each picture until it is in the library, by composed path (NFC).
 * @throws a 422 problem of `body` when there are more than one import takes.
 */
export async function* planImages(
  { archive, checkTime }: Omit<Reading, 'now'>,
  { shown }: Pick<Survey, 'shown'>,
  addresses: Map<string, string>,
): AsyncGenerator<PlannedFile> {
  const { imageData } = archive;
  const read = (await imageData?.read()) ?? { text: '' };
  if (imageData !== null && 'unreadable' in read) yield failed(imageData.path, read.unreadable);
  const told = toldImages('text' in read ? read.text : '');
  for (const [path, { sha256 }] of told) {
    if (sha256 !== undefined && isPicturePath(path)) addresses.set(path, addressOf(sha256, path));
  }
  const pictures = picturesOf(archive, (path) => shown.has(path) || told.has(path));
  refuseTooMuch(archive, pictures);
  for (const image of [...archive.images, ...pictures]) {
    checkTime();
    const { path } = image;
    const key = path.normalize();
    const file = await image.read();
    if ('unreadable' in file) {
      addresses.delete(key);
      yield failed(path, file.unreadable);
      continue;
    }
    const isPicture = archive.pictures.has(key);
    if (isPicture) addresses.set(key, addressOf(createHash('sha256').update(file.bytes).digest('hex'), path));
    const { alt = '', name = isPicture ? posix.basename(path).slice(0, MAX_SHORT_TEXT) : '' } = told.get(key) ?? {};
    const texts = { alt: storableText(alt || (shown.get(key) ?? '')), name: storableText(name) };
    yield { path, status: 'waiting', post: { image: file.bytes.toString('base64'), ...texts } };
  }
}

/** The pictures of an archive of which `is` holds. */
export const picturesOf = ({ pictures }: Archive, is: (path: string) => boolean): ArchivedImage[] =>
  [...pictures].flatMap(([path, image]) => (is(path) ? [image] : []));

/** As an image of an export has it, whose name is a hash, too. */
const addressOf = (sha256: string, path: string): string =>
  `${EXPORTED_IMAGES}${sha256}.${extensionOf(path).replace('jpeg', 'jpg')}`;

const imageLine = z.object({
  file: z.string(),
  alt: z.string().max(MAX_LONG_TEXT).optional(),
  name: z.string().max(MAX_SHORT_TEXT).optional(),
  /** Of one that comes in another archive. */
  sha256: z
    .string()
    .regex(/^[0-9a-f]{64}$/)
    .optional(),
});

/** What an archive tells of images, by their files; lines that cannot be read tell nothing. */
function toldImages(lines: string): ReadonlyMap<string, z.infer<typeof imageLine>> {
  return new Map(
    parseLines(lines, imageLine).flatMap((line) => (line ? [[line.file.normalize(), line] as const] : [])),
  );
}
