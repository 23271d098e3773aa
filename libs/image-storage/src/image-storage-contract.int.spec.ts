import { createHash, randomBytes, randomUUID } from 'node:crypto';
import { buffer } from 'node:stream/consumers';
import { describeEachStorage } from '../test/tested-storages.ts';
import {
  ImageKeyError,
  imageKeyOf,
  MAX_STORED_IMAGE_BYTES,
  type ImageExtension,
  type ImageStorage,
  type ListedImage,
} from './index.ts';

describeEachStorage('an image storage', ({ storage, openAgain }) => {
  const projectId = () => randomUUID();

  it('returns an image unchanged, with its type, size and a strong entity tag', async () => {
    const { key, bytes } = image(projectId(), 'avif');
    await storage().put(key, bytes, 'image/avif');
    const stored = await storage().get(key);
    expect(stored).toMatchObject({
      contentType: 'image/avif',
      etag: `"${key.slice(37)}"`,
      size: bytes.length,
      start: 0,
      end: bytes.length - 1,
    });
    expect((await buffer(stored!.body)).equals(bytes)).toBe(true);
    const { contentType, etag, size } = stored!;
    expect(await storage().head(key)).toEqual({ contentType, etag, size });
  });

  it('returns null for an unknown image', async () => {
    const { key } = image(projectId());
    expect(await storage().get(key)).toBeNull();
    expect(await storage().get(key, { range: { start: 3 } })).toBeNull();
    expect(await storage().head(key)).toBeNull();
    expect(await keysOf(storage(), `${projectId()}/`)).toEqual([]);
  });

  it('gives a part of an image, clipped to its end', async () => {
    const { key, bytes } = image(projectId());
    await storage().put(key, bytes, 'image/jpeg');
    const part = async (range: { start: number; end?: number }) => {
      const { body, ...info } = (await storage().get(key, { range }))!;
      return { ...info, bytes: await buffer(body) };
    };
    const size = bytes.length;
    expect(await part({ start: 0, end: 0 })).toMatchObject({ start: 0, end: 0, size, bytes: bytes.subarray(0, 1) });
    expect(await part({ start: 10, end: 99 })).toMatchObject({ start: 10, end: 99, bytes: bytes.subarray(10, 100) });
    expect(await part({ start: 10 })).toMatchObject({ start: 10, end: size - 1, size, bytes: bytes.subarray(10) });
    expect(await part({ start: size - 1, end: size + 5 })).toMatchObject({ end: size - 1, bytes: bytes.subarray(-1) });
  });

  it('refuses a range that begins behind the end of the image, or is none', async () => {
    const { key, bytes } = image(projectId());
    await storage().put(key, bytes, 'image/jpeg');
    for (const range of [{ start: bytes.length }, { start: -1 }, { start: 2, end: 1 }, { start: 0.5 }]) {
      await expect(storage().get(key, { range })).rejects.toThrow(RangeError);
    }
  });

  it('continues when the body of an image is not read to its end', async () => {
    const { key, bytes } = image(projectId(), 'png', 4_000_000);
    await storage().put(key, bytes, 'image/png');
    for (let index = 0; index < 200; index += 1) (await storage().get(key))!.body.destroy();
    expect((await buffer((await storage().get(key))!.body)).equals(bytes)).toBe(true);
  });

  it('accepts an image that exists already, and renews its time', async () => {
    const project = projectId();
    const { key, bytes } = image(project);
    await storage().put(key, bytes, 'image/jpeg');
    const [first] = await listOf(storage(), `${project}/`);
    // Servers name whole seconds.
    await new Promise((resolve) => setTimeout(resolve, 1_100));
    await storage().put(key, bytes, 'image/jpeg');
    const [second, ...others] = await listOf(storage(), `${project}/`);
    expect(others).toEqual([]);
    expect(second!.storedAt.getTime()).toBeGreaterThan(first!.storedAt.getTime());
  });

  it('shows concurrent readers a whole image or none', async () => {
    const { key, bytes } = image(projectId(), 'png', 8_000_000);
    let isPut = false;
    const putting = storage()
      .put(key, bytes, 'image/png')
      .finally(() => (isPut = true));
    const seen = new Set<number>();
    while (!isPut) {
      const stored = await storage().get(key);
      seen.add(stored === null ? 0 : (await buffer(stored.body)).length);
    }
    await putting;
    expect([...seen].filter((length) => length !== 0 && length !== bytes.length)).toEqual([]);
  });

  it('stores the same image from many concurrent calls', async () => {
    const project = projectId();
    const { key, bytes } = image(project);
    const other = await openAgain();
    await Promise.all([storage(), other, storage(), other].map((each) => each.put(key, bytes, 'image/jpeg')));
    expect(await keysOf(storage(), `${project}/`)).toEqual([key]);
    expect((await buffer((await other.get(key))!.body)).equals(bytes)).toBe(true);
    other.close();
  });

  it('deletes the given images and nothing else, and treats missing ones as deleted', async () => {
    const project = projectId();
    const images = Array.from({ length: 40 }, () => image(project));
    await Promise.all(images.map(({ key, bytes }) => storage().put(key, bytes, 'image/jpeg')));
    const [kept, ...gone] = images.map(({ key }) => key);
    await storage().delete([...gone, image(project).key]);
    await storage().delete(gone);
    await storage().delete([]);
    expect(await keysOf(storage(), `${project}/`)).toEqual([kept]);
    await storage().delete([kept!]);
    expect(await keysOf(storage(), `${project}/`)).toEqual([]);
  });

  it('keeps an image that is stored while the rest of its project is deleted', async () => {
    const project = projectId();
    for (let round = 0; round < 20; round += 1) {
      const [old, fresh] = [image(project, 'jpg', 64, '00'), image(project, 'jpg', 64, '00')];
      await storage().put(old.key, old.bytes, 'image/jpeg');
      await Promise.all([storage().delete([old.key]), storage().put(fresh.key, fresh.bytes, 'image/jpeg')]);
      expect(await keysOf(storage(), `${project}/`)).toEqual([fresh.key]);
      await storage().delete([fresh.key]);
    }
  });

  it('lists a project, an image with its variants, or one of them, in the order of keys', async () => {
    const project = projectId();
    const original = image(project);
    const hash = original.key.slice(37, 101);
    const variant = (width: number, extension: ImageExtension) =>
      imageKeyOf({ projectId: project, hash, width, extension });
    const keys = [original.key, variant(480, 'avif'), variant(480, 'webp'), variant(1600, 'webp'), image(project).key];
    for (const key of keys) await storage().put(key, original.bytes, typeOf(key));
    expect(await keysOf(storage(), `${project}/`)).toEqual(keys.toSorted());
    expect(await keysOf(storage(), `${project}/${hash.slice(0, 20)}`)).toEqual(keys.slice(0, 4).toSorted());
    expect(await keysOf(storage(), `${project}/${hash}.`)).toEqual([original.key]);
    expect(await keysOf(storage(), `${project}/${hash}-480`)).toEqual(keys.slice(1, 3));
    expect(await keysOf(storage(), '')).toEqual(expect.arrayContaining(keys));
    const [listed] = await listOf(storage(), `${project}/${hash}.`);
    expect(listed).toEqual({ key: original.key, size: original.bytes.length, storedAt: expect.any(Date) });
  });

  it('keeps the images of two projects apart, also where they are the same', async () => {
    const [one, other] = [projectId(), projectId()];
    const { key, bytes } = image(one);
    await storage().put(key, bytes, 'image/jpeg');
    expect(await storage().head(key.replace(one, other))).toBeNull();
    await storage().delete([key.replace(one, other)]);
    expect(await storage().head(key)).not.toBeNull();
  });

  it('refuses an invalid key', async () => {
    const { key, bytes } = image(projectId());
    const [project, name] = key.split('/') as [string, string];
    const wrong = [
      '',
      name,
      `/${key}`,
      `../${key}`,
      `${project}/../${key}`,
      `${project}/..%2f${name}`,
      `${project}//${name}`,
      `${project.toUpperCase()}/${name}`,
      `${project}/${name.toUpperCase()}`,
      `${key}\0`,
      `${key}\n`,
      `${key}/`,
      key.replace('.jpg', '.svg'),
      key.replace('.jpg', '-0.jpg'),
      key.replace('.jpg', '-0480.jpg'),
      key.replace('.jpg', '-123456.jpg'),
      `unfinished/${name}`,
    ];
    for (const each of wrong) {
      await expect(storage().put(each, bytes, 'image/jpeg')).rejects.toThrow(ImageKeyError);
      await expect(storage().get(each)).rejects.toThrow(ImageKeyError);
      await expect(storage().head(each)).rejects.toThrow(ImageKeyError);
      await expect(storage().delete([key, each])).rejects.toThrow(ImageKeyError);
    }
    for (const prefix of ['/', '..', '../', project, `${project}/../`, `unfinished/`, `${project}/${'0'.repeat(81)}`]) {
      await expect(keysOf(storage(), prefix)).rejects.toThrow(ImageKeyError);
    }
  });

  it('refuses an image of another type than its key says, an empty one, and one that is too large', async () => {
    const { key, bytes } = image(projectId());
    await expect(storage().put(key, bytes, 'image/png')).rejects.toThrow(ImageKeyError);
    await expect(storage().put(key, Buffer.alloc(0), 'image/jpeg')).rejects.toThrow(RangeError);
    const tooLarge = Buffer.alloc(MAX_STORED_IMAGE_BYTES + 1);
    await expect(storage().put(key, tooLarge, 'image/jpeg')).rejects.toThrow(RangeError);
    expect(await storage().head(key)).toBeNull();
  });
});

function image(projectId: string, extension: ImageExtension = 'jpg', length = 1_000, start = '') {
  const bytes = randomBytes(length);
  const hash = start + createHash('sha256').update(bytes).digest('hex').slice(start.length);
  return { key: imageKeyOf({ projectId, hash, width: null, extension }), bytes };
}

function typeOf(key: string): string {
  return key.endsWith('.jpg') ? 'image/jpeg' : `image/${key.slice(-4)}`;
}

async function listOf(storage: ImageStorage, prefix: string): Promise<ListedImage[]> {
  const images: ListedImage[] = [];
  for await (const each of storage.list(prefix)) images.push(each);
  return images;
}

async function keysOf(storage: ImageStorage, prefix: string): Promise<string[]> {
  return (await listOf(storage, prefix)).map(({ key }) => key);
}
