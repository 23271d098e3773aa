import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { CreateBucketCommand, S3Client } from '@aws-sdk/client-s3';
import { s3Availability, startS3, type RunningS3 } from '@blog-content/local-infrastructure';
import { openImageStorage, type ImageStorage, type ImageStorageConfig } from '../src/index.ts';

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

  describeWithS3(`${title} (S3)`, (server) => {
    let opened: ImageStorage | undefined;
    const openAgain = () => openImageStorage(s3Config(server()));
    beforeAll(async () => {
      opened = await openAgain();
    });
    suite({ storage: () => started(opened), openAgain });
    afterAll(() => opened?.close());
  });
}

/** How long a server may take that has to be built first. */
const BUILD_MS = 600_000;

/**
 * Declares a suite with a real S3 server of its own, which has the bucket `images`. Where there is none it is skipped,
 * loudly; in CI it fails.
 */
export function describeWithS3(title: string, suite: (server: () => RunningS3) => void): void {
  const availability = s3Availability();
  if (!availability.available) {
    const { reason } = availability;
    if (process.env['CI']) {
      describe(title, () => {
        it('has an S3 server to run on', () => {
          throw new Error(reason);
        });
      });
      return;
    }
    const banner = '='.repeat(100);
    console.warn(`${banner}\nNOT TESTED: ${title}\n${reason}\n${banner}`);
    describe.skip(`${title}: NOT TESTED: ${reason}`, () => suite(() => started<RunningS3>(undefined)));
    return;
  }
  describe(title, () => {
    let server: RunningS3 | undefined;
    beforeAll(async () => {
      const dataDir = await mkdtemp(join(tmpdir(), 'blog-content-s3-'));
      server = await startS3({ dataDir, disposable: true, onProgress: console.warn });
      const { endpoint, region, ...credentials } = server;
      const client = new S3Client({ endpoint, region, credentials, forcePathStyle: true });
      await client.send(new CreateBucketCommand({ Bucket: 'images' }));
      client.destroy();
    }, BUILD_MS);
    suite(() => started(server));
    afterAll(() => server?.stop());
  });
}

/** The environment of a storage on the disk. */
function diskConfig(folder: string): ImageStorageConfig {
  return { IMAGE_STORAGE: 'disk', IMAGE_DISK_PATH: folder, S3_REGION: 'us-east-1', S3_FORCE_PATH_STYLE: false };
}

/** The environment of a storage on a server. */
export function s3Config(server: RunningS3): ImageStorageConfig {
  return {
    IMAGE_STORAGE: 's3',
    S3_ENDPOINT: server.endpoint,
    S3_REGION: server.region,
    S3_BUCKET: 'images',
    S3_FORCE_PATH_STYLE: true,
    S3_ACCESS_KEY_ID: server.accessKeyId,
    S3_SECRET_ACCESS_KEY: server.secretAccessKey,
  };
}

function started<T>(part: T | undefined): T {
  if (part === undefined) throw new Error('It is not started.');
  return part;
}
