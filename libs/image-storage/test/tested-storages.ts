import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openImageStorage, type ImageStorage } from '../src/index.ts';

/** Where the contract's tests find one adapter's storage. */
export interface TestedStorage {
  /** The storage of this suite; another project for each test. */
  readonly storage: () => ImageStorage;
  /** Opens the same storage once more, as another process would. */
  readonly openAgain: () => Promise<ImageStorage>;
}

/** Declares the same suite for every adapter: the storage's contract. */
export function describeEachStorage(title: string, suite: (tested: TestedStorage) => void): void {
  describe(`${title} (disk)`, () => {
    let folder = '';
    let opened: ImageStorage | undefined;
    const openAgain = () => openImageStorage(diskConfig(folder));
    beforeAll(async () => {
      folder = await mkdtemp(join(tmpdir(), 'blog-content-images-'));
      opened = await openAgain();
    });
    suite({ storage: () => started(opened), openAgain });
    afterAll(async () => {
      opened?.close();
      await rm(folder, { recursive: true, force: true });
    });
  });
}

/** The environment of a storage on the disk. */
export function diskConfig(folder: string) {
  return {
    IMAGE_STORAGE: 'disk',
    IMAGE_DISK_PATH: folder,
    S3_REGION: 'us-east-1',
    S3_FORCE_PATH_STYLE: false,
  } as const;
}

function started(storage: ImageStorage | undefined): ImageStorage {
  if (storage === undefined) throw new Error('The storage is not open.');
  return storage;
}
