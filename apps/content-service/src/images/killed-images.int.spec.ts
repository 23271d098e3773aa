import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openImageStorage, type ImageStorage } from '@blog-content/image-storage';
import { createLogger } from '@blog-content/service-runtime';
import { createTestDatabase, eventually, type TestDatabase } from '@blog-content/testing';
import { jpeg } from '../../test/images.ts';
import type { KilledImage, KilledWork } from '../../test/killed-images.ts';
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

beforeAll(async () => {
  testDatabase = await createTestDatabase('content-service');
  database = openDatabase(testDatabase.url, 3, () => undefined);
  const slots = { slots: 1, slotsEach: 1, waitingEach: 10, waiting: 10 };
  imageEncoder = startEncoder({
    ...slots,
    deadlineMs: 60_000,
    maxWaitMs: 60_000,
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
  await database.image.deleteMany();
});
afterEach(() => rm(folder, { recursive: true }));

const passes = (ms: number) => {
  now = new Date(now.getTime() + ms + 1);
};

/** An image of a project of its own, and the step at which the process dies that works on it. */
interface Case extends Omit<KilledImage, 'bytes'> {
  readonly bytes: Buffer;
}

async function newCase(step: string, bytes: Buffer): Promise<Case> {
  const projectId = randomUUID();
  await database.project.create({ data: { id: projectId, name: 'Site', eventNumber: 1 } });
  // What is due for one is not yet due for those before.
  passes(0);
  return { projectId, step, bytes, now: now.toISOString() };
}

/**
 * Works on each image up to its step. A process dies with several of them, because to start one takes long; amid a call
 * only at its last.
 */
async function killedAt(work: KilledWork['work'], cases: readonly Case[]): Promise<void> {
  let together: Case[] = [];
  for (const one of cases) {
    together.push(one);
    if (one !== cases.at(-1) && !one.step.endsWith('amid')) continue;
    await killedProcess(work, together);
    together = [];
  }
}

/** @throws when it was not killed. */
function killedProcess(work: KilledWork['work'], cases: readonly Case[]): Promise<void> {
  const images = cases.map((one) => ({ ...one, bytes: work === 'upload' ? one.bytes.toString('base64') : '' }));
  const order: KilledWork = { work, images, folder, databaseUrl: testDatabase.url };
  const options = ['--conditions=@blog-content/source', '--disable-warning=ExperimentalWarning'];
  return new Promise((resolve, reject) => {
    execFile(process.execPath, [...options, script, JSON.stringify(order)], (error, _stdout, stderr) => {
      if (error?.signal === 'SIGKILL') resolve();
      else reject(new Error(`It was not killed: ${stderr}`));
    });
  });
}

const store = () => createImageStore(database, clock, quota);
const upload = ({ projectId, bytes }: Case) =>
  saveImage(
    { images: store(), imageStorage, imageEncoder, imageQuota: quota, onImageStored: () => undefined },
    { projectId, createdBy: projectId, source: 'upload', bytes },
  );
const sweep = async () => {
  const sweepStore = createImageSweepStore(database, clock);
  while ((await deleteImages({ sweepStore, imageStorage, logger })) > 0);
};
/** Names of the images that the storage holds of a project, without their hashes. */
const stored = async (projectId: string): Promise<string[]> => {
  const paths = await readdir(folder, { recursive: true });
  return paths
    .filter((path) => path.includes(projectId))
    .flatMap((path) => /\/[0-9a-f]{64}([^/]+)$/.exec(path)?.[1] ?? [])
    .sort();
};
const seen = async ({ projectId }: Case) => (await store().list(projectId, { from: null, limit: 10 }, {})).length;
const rows = ({ projectId }: Case) => database.image.count({ where: { projectId } });
const originals = async ({ projectId }: Case) => (await stored(projectId)).filter((name) => name === '.jpg').length;

/** What is so of each image, by the step at which it was left. */
async function byStep<Found>(cases: readonly Case[], find: (one: Case) => Promise<Found>) {
  return Object.fromEntries(await Promise.all(cases.map(async (one) => [one.step, await find(one)] as const)));
}
const everywhere = <Found>(cases: readonly Case[], found: Found) =>
  Object.fromEntries(cases.map(({ step }) => [step, found]));

describe('an upload whose process is killed', () => {
  const newCases = async (steps: readonly string[]) => {
    const cases: Case[] = [];
    for (const step of steps) cases.push(await newCase(step, await jpeg(cases.length)));
    return cases;
  };
  const sweepLater = async () => {
    passes(STORING_MS);
    await sweep();
  };

  it('before the image is seen, at whichever step, shows no image and leaves nothing for ever', async () => {
    const cases = await newCases([
      ...['begin before', 'begin after', 'put before', 'put after', 'finish before', 'encode amid'],
      'put amid',
    ]);
    await killedAt('upload', cases);
    expect(await byStep(cases, seen)).toEqual(everywhere(cases, 0));
    await sweep();
    await sweepLater();
    expect(await byStep(cases, async (one) => [await rows(one), await originals(one)])).toEqual(
      everywhere(cases, [0, 0]),
    );
  });

  it('after it has begun can be made again at once', async () => {
    const cases = await newCases(['begin after', 'put after', 'put amid']);
    await killedAt('upload', cases);
    expect(await byStep(cases, async (one) => (await upload(one)).isNew)).toEqual(everywhere(cases, true));
    await sweepLater();
    expect(await byStep(cases, async (one) => [await seen(one), await originals(one)])).toEqual(
      everywhere(cases, [1, 1]),
    );
  });

  it('after the image is seen has stored it', async () => {
    const cases = await newCases(['finish after']);
    await killedAt('upload', cases);
    await sweepLater();
    expect(await byStep(cases, async (one) => [await seen(one), await originals(one)])).toEqual(
      everywhere(cases, [1, 1]),
    );
  });
});

/** Images that are stored already. */
async function uploaded(steps: readonly string[], bytes: Buffer) {
  const images = new Map<Case, Awaited<ReturnType<typeof upload>>['image']>();
  for (const step of steps) {
    const one = await newCase(step, bytes);
    images.set(one, (await upload(one)).image);
  }
  return images;
}

it('work on variants whose process is killed, at whichever step, is done by another, once its lease has ended', async () => {
  // Who has settled a variant ends the lease: the next one would go on with that image.
  const steps = ['claim after', 'get after', 'put after', 'settle before', 'encode amid', 'put amid', 'settle after'];
  const images = await uploaded(steps, await jpeg(4, 500, 20));
  const cases = [...images.keys()];
  for (const { variantsMissing } of images.values()) {
    expect(variantsMissing).toEqual(['480.webp', '500.webp', '480.jpg', '480.avif', '500.avif']);
  }
  await killedAt('variant', cases);
  const triesOf = ({ projectId }: Case) =>
    database.image.findFirst({ where: { projectId } }).then((row) => row?.variantTries);
  expect(await byStep(cases, triesOf)).toEqual({ ...everywhere(cases, 1), 'settle after': 0 });
  passes(VARIANT_LEASE_MS);
  const variants = createVariantStore(database, clock);
  const worker = startVariantWorker({
    variants,
    imageStorage,
    imageEncoder,
    logger,
    dueWatch: { add: () => undefined },
  });
  try {
    await eventually(async () => {
      const left = await byStep(cases, async (one) => {
        const found = await store().find(one.projectId, images.get(one)?.id ?? '');
        return [found?.variantsMissing, found?.variantsFailed, found?.variantsDueAt];
      });
      expect(left).toEqual(everywhere(cases, [[], [], null]));
    });
  } finally {
    await worker.stop();
  }
  expect(await byStep(cases, ({ projectId }) => stored(projectId))).toEqual(
    everywhere(cases, ['-480.avif', '-480.jpg', '-480.webp', '-500.avif', '-500.webp', '.jpg']),
  );
});

it('a deletion whose process is killed, at whichever step, is finished by another', async () => {
  const steps = ['claimDeleted after', 'delete after', 'forget before', 'forget after', 'delete amid'];
  const images = await uploaded(steps, await jpeg(5));
  const cases: Case[] = [];
  for (const [one, { id }] of images) {
    passes(0);
    await store().remove(one.projectId, id);
    cases.push({ ...one, now: now.toISOString() });
  }
  await killedAt('delete', cases);
  expect(await byStep(cases, seen)).toEqual(everywhere(cases, 0));
  passes(STORING_MS);
  await sweep();
  expect(await byStep(cases, async (one) => [await rows(one), await originals(one)])).toEqual(
    everywhere(cases, [0, 0]),
  );
});
