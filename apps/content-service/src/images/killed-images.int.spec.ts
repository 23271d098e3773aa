import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openImageStorage, type ImageStorage } from '@blog-content/image-storage';
import { createLogger } from '@blog-content/service-runtime';
import { createTestDatabase, eventually, type TestDatabase } from '@blog-content/testing';
import { jpeg } from '../../test/images.ts';
import type { KilledWork } from '../../test/killed-images.ts';
import { openDatabase, type Database } from '../platform/database/open-database.ts';
import { startEncoder, type Encoder } from './encoding/start-encoder.ts';
import { createImageStore, STORING_MS } from './library/image-store.ts';
import { saveImage } from './library/save-image.ts';
import { deleteImages } from './sweeping/sweep-images.ts';
import { createImageSweepStore } from './sweeping/sweep-store.ts';
import { createVariantStore, VARIANT_LEASE_MS } from './variants/variant-store.ts';
import { startVariantWorker } from './variants/variant-worker.ts';

const script = join(import.meta.dirname, '../../test/killed-images.ts');
const logger = createLogger('test', 'error');
const quota = { images: 10, bytes: 1e9 };
let now = new Date('2026-06-01T10:00:00Z');
const clock = () => now;

let testDatabase: TestDatabase;
let database: Database;
let folder: string;
let imageStorage: ImageStorage;
let imageEncoder: Encoder;
let projectId: string;

beforeAll(async () => {
  testDatabase = await createTestDatabase('content-service');
  database = openDatabase(testDatabase.url, 3, () => undefined);
  const slots = { slots: 1, slotsEach: 1, waitingEach: 10, waiting: 10 };
  imageEncoder = startEncoder({
    ...slots,
    deadlineMs: 60_000,
    waitMs: 60_000,
    priority: 'low',
    memoryMib: 640,
  });
});
afterAll(async () => {
  await imageEncoder?.close();
  await database?.$disconnect();
  await testDatabase?.drop();
});
beforeEach(async () => {
  now = new Date('2026-06-01T10:00:00Z');
  folder = await mkdtemp(join(tmpdir(), 'blog-content-killed-'));
  const config = { IMAGE_STORAGE: 'disk', IMAGE_DISK_PATH: folder };
  imageStorage = await openImageStorage(config as Parameters<typeof openImageStorage>[0]);
  projectId = randomUUID();
  await database.image.deleteMany();
  await database.project.create({ data: { id: projectId, name: 'Site', eventNumber: 1 } });
});
afterEach(() => rm(folder, { recursive: true }));

const passes = (ms: number) => {
  now = new Date(now.getTime() + ms + 1);
};

/** Does the work in a process that is killed at the step. @throws when it was not killed. */
function killedAt(work: KilledWork['work'], kill: string, bytes: Buffer = Buffer.alloc(0)): Promise<void> {
  const order: KilledWork = {
    ...{ work, kill, folder, projectId, databaseUrl: testDatabase.url },
    bytes: bytes.toString('base64'),
    now: now.toISOString(),
  };
  const options = ['--conditions=@blog-content/source', '--disable-warning=ExperimentalWarning'];
  return new Promise((resolve, reject) => {
    execFile(process.execPath, [...options, script, JSON.stringify(order)], (error, _stdout, stderr) => {
      if (error?.signal === 'SIGKILL') resolve();
      else reject(new Error(`It was not killed: ${stderr}`));
    });
  });
}

const store = () => createImageStore(database, clock, quota);
const upload = (bytes: Buffer) =>
  saveImage(
    { images: store(), imageStorage, imageEncoder, imageQuota: quota, onImageStored: () => undefined },
    { projectId, createdBy: projectId, source: 'upload', bytes },
  );
const seen = async () => (await store().list(projectId, { from: null, limit: 10 }, {})).length;
const sweep = async () => {
  const sweepStore = createImageSweepStore(database, clock);
  while ((await deleteImages({ sweepStore, imageStorage, logger })) > 0);
};
/** Names of whatever the storage holds. */
const stored = async (): Promise<string[]> => {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => entry.isFile())
    .map(({ name }) => name)
    .sort();
};
const rows = () => database.image.count();

describe('an upload whose process is killed', () => {
  it.each(['encode amid', 'begin before', 'begin after', 'put before', 'put amid', 'put after', 'finish before'])(
    'at “%s” shows no image, and leaves nothing for ever',
    async (step) => {
      const bytes = await jpeg(1);
      await killedAt('upload', step, bytes);
      expect(await seen()).toBe(0);
      await sweep();
      passes(STORING_MS);
      await sweep();
      expect([await rows(), (await stored()).filter((name) => name.endsWith('.jpg'))]).toEqual([0, []]);
    },
  );

  it.each(['begin after', 'put amid', 'put after'])('at “%s” can be made again at once', async (step) => {
    const bytes = await jpeg(2);
    await killedAt('upload', step, bytes);
    expect((await upload(bytes)).isNew).toBe(true);
    passes(STORING_MS);
    await sweep();
    expect([await seen(), (await stored()).filter((name) => name.endsWith('.jpg')).length]).toEqual([1, 1]);
  });

  it('after the image is seen has stored it', async () => {
    await killedAt('upload', 'finish after', await jpeg(3));
    passes(STORING_MS);
    await sweep();
    expect([await seen(), (await stored()).filter((name) => name.endsWith('.jpg')).length]).toEqual([1, 1]);
  });
});

describe('work on variants whose process is killed', () => {
  it.each(['claim after', 'get after', 'encode amid', 'put amid', 'put after', 'settle before', 'settle after'])(
    'at “%s” is done by another, once its lease has ended',
    async (step) => {
      const { image } = await upload(await jpeg(4, 500, 20));
      expect(image.variantsMissing).toEqual(['480.webp', '500.webp', '480.jpg', '480.avif', '500.avif']);
      await killedAt('variant', step);
      passes(VARIANT_LEASE_MS);
      const variants = createVariantStore(database, clock);
      const worker = startVariantWorker({ variants, imageStorage, imageEncoder, logger, pollMs: 20 });
      try {
        await eventually(async () => {
          const found = await store().find(projectId, image.id);
          expect([found?.variantsMissing, found?.variantsFailed, found?.variantsDueAt]).toEqual([[], [], null]);
        });
      } finally {
        await worker.stop();
      }
      const names = (await stored()).filter((name) => name.startsWith(image.sha256)).map((name) => name.slice(64));
      expect(names).toEqual(['-480.avif', '-480.jpg', '-480.webp', '-500.avif', '-500.webp', '.jpg']);
    },
  );
});

describe('a deletion whose process is killed', () => {
  it.each(['claimDeleted after', 'delete amid', 'delete after', 'forget before', 'forget after'])(
    'at “%s” is finished by another',
    async (step) => {
      const { image } = await upload(await jpeg(5));
      await store().remove(projectId, image.id, false);
      await killedAt('delete', step);
      expect(await seen()).toBe(0);
      passes(STORING_MS);
      await sweep();
      expect([await rows(), (await stored()).filter((name) => name.endsWith('.jpg'))]).toEqual([0, []]);
    },
  );
});
