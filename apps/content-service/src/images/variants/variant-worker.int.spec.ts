import { randomUUID } from 'node:crypto';
import { Readable } from 'node:stream';
import type { ImageStorage } from '@blog-content/image-storage';
import { createLogger } from '@blog-content/service-runtime';
import { createTestDatabase, eventually, type TestDatabase } from '@blog-content/testing';
import { clearProject } from '../../blogs/clear-projects-store.ts';
import { openDatabase, type Database } from '../../platform/database/open-database.ts';
import { createDueWatch, type DueWatch } from '../../platform/workload/due-watch-store.ts';
import type { EncodedImage } from '../encoding/encoding-task.ts';
import { ImageRefused, type Encoder } from '../encoding/start-encoder.ts';
import { createImageStore, type Image } from '../library/image-store.ts';
import { deleteImages } from '../sweeping/sweep-images.ts';
import { createImageSweepStore } from '../sweeping/sweep-store.ts';
import { createVariantStore } from './variant-store.ts';
import { startVariantWorker } from './variant-worker.ts';

const logger = createLogger('test', 'error');
const clock = () => new Date();

let testDatabase: TestDatabase;
let database: Database;
let dueWatch: DueWatch;
beforeAll(async () => {
  testDatabase = await createTestDatabase('content-service');
  database = openDatabase(testDatabase.url, 4, () => undefined);
  dueWatch = createDueWatch(database, clock, 10, logger);
});
afterAll(async () => {
  await dueWatch?.stop();
  await database?.$disconnect();
  await testDatabase?.drop();
});
beforeEach(() => database.image.deleteMany());

const images = () => createImageStore(database, clock, { images: 100, bytes: 1e9 });

async function newProject(): Promise<string> {
  const projectId = randomUUID();
  await database.project.create({ data: { id: projectId, name: 'Site', eventNumber: 1 } });
  return projectId;
}

async function newImage(projectId: string): Promise<Image> {
  const sha256 = `${randomUUID()}${randomUUID()}`.replaceAll('-', '');
  const begun = await images().begin({
    ...{ projectId, sha256, givenSha256: sha256, ext: 'png', width: 10, height: 10, isAnimated: false, bytes: 1 },
    ...{ alt: '', name: '', source: 'upload', jobId: null, createdBy: projectId },
  });
  const finished = 'refused' in begun ? null : await images().finish(begun.image.id);
  if (finished === null) throw new Error('It was not stored.');
  return finished;
}

/** What was put, by its key. */
function storage(put: string[]): Pick<ImageStorage, 'get' | 'put'> {
  return {
    get: (key) =>
      Promise.resolve({
        ...{ contentType: 'image/png', etag: '"x"', size: 1, start: 0, end: 0 },
        body: Readable.from([Buffer.from(key)]),
      }),
    put: (key) => {
      put.push(key);
      return Promise.resolve();
    },
  };
}

const made: EncodedImage = { bytes: Buffer.from('x'), width: 1, height: 1, isAnimated: false };
const start = (put: string[], encode: Encoder['encode'] = () => Promise.resolve(made)) => {
  const variants = createVariantStore(database, clock);
  return startVariantWorker({
    // Tries follow immediately.
    variants: { ...variants, postpone: (id) => variants.postpone(id, 0) },
    imageStorage: storage(put),
    imageEncoder: { encode },
    logger,
    dueWatch,
  });
};

describe('variants', () => {
  it('are made in turns of projects, however many images one of them has', async () => {
    const [greedy, modest] = [await newProject(), await newProject()];
    for (let count = 0; count < 20; count += 1) await newImage(greedy);
    await newImage(modest);
    const put: string[] = [];
    const worker = start(put);
    await eventually(() => expect(put).toHaveLength(42));
    await worker.stop();
    const ofModest = put.flatMap((key, index) => (key.startsWith(modest) ? [index] : []));
    expect(ofModest).toHaveLength(2);
    expect(Math.max(...ofModest)).toBeLessThan(5);
  });

  it('are made in turns of accounts, however many projects one of them has, and of the projects of one account', async () => {
    const account = await database.account.create({
      data: { id: randomUUID(), email: 'greedy@example.com', passwordHash: '' },
    });
    const greedy: string[] = [];
    for (let count = 0; count < 10; count += 1) {
      const projectId = await newProject();
      await database.projectMember.create({ data: { projectId, accountId: account.id, role: 'owner' } });
      for (let images = 0; images < (count === 0 ? 5 : 1); images += 1) await newImage(projectId);
      greedy.push(projectId);
    }
    const modest = await newProject();
    await newImage(modest);
    const put: string[] = [];
    const worker = start(put);
    await eventually(() => expect(put).toHaveLength(2 * (14 + 1)));
    await worker.stop();
    const owners = put.map((key) => key.slice(0, key.indexOf('/')));
    expect(owners.lastIndexOf(modest)).toBeLessThan(5);
    const others = owners.filter((owner) => owner !== modest).slice(0, greedy.length);
    expect(others.toSorted()).toEqual(greedy.toSorted());
  });

  it('are made by one worker each, though several look for them', async () => {
    const project = await newProject();
    for (let count = 0; count < 10; count += 1) await newImage(project);
    const put: string[] = [];
    const workers = [start(put), start(put), start(put)];
    await eventually(async () => expect(await database.image.count({ where: { variantsDueAt: null } })).toBe(10));
    await Promise.all(workers.map((worker) => worker.stop()));
    expect(put).toHaveLength(20);
    expect(new Set(put).size).toBe(20);
  });

  it('that cannot be made are given up, and cost no others', async () => {
    const project = await newProject();
    const { id } = await newImage(project);
    let tries = 0;
    const put: string[] = [];
    const worker = start(put, (_project, { format }) => {
      if (format !== 'webp') return Promise.resolve(made);
      tries += 1;
      return Promise.reject(new ImageRefused('broke what reads it'));
    });
    await eventually(async () => {
      const found = await images().find(project, id);
      expect([found?.variantsMissing, found?.variantsFailed]).toEqual([[], ['10.webp']]);
    });
    await worker.stop();
    expect([tries, put.length]).toEqual([3, 1]);
  });

  it('are tried for as long as the storage is away', async () => {
    const project = await newProject();
    const { id } = await newImage(project);
    let isAway = true;
    const put: string[] = [];
    let asked = 0;
    const worker = start(put, () => {
      asked += 1;
      return isAway ? Promise.reject(new Error('away')) : Promise.resolve(made);
    });
    await eventually(() => expect(asked).toBeGreaterThan(5));
    expect((await images().find(project, id))?.variantsFailed).toEqual([]);
    isAway = false;
    await eventually(async () => expect((await images().find(project, id))?.variantsMissing).toEqual([]));
    await worker.stop();
  });
});

describe('the images of a deleted project', () => {
  it('go with it, bytes and rows', async () => {
    const [project, other] = [await newProject(), await newProject()];
    await database.project.update({ where: { id: project }, data: { deletedAt: clock() } });
    const [gone, kept] = [await newImage(other), await newImage(other)];
    await database.image.update({ where: { id: gone.id }, data: { projectId: project, variantsDueAt: null } });
    await clearProject(database, project, clock());
    const deleted: string[] = [];
    const imageStorage = {
      delete: (keys: readonly string[]) => {
        deleted.push(...keys);
        return Promise.resolve();
      },
    };
    const sweepStore = createImageSweepStore(database, () => new Date(Date.now() + 1_000));
    while ((await deleteImages({ sweepStore, imageStorage, logger })) > 0);
    expect(deleted[0]).toBe(`${project}/${gone.sha256}.png`);
    expect((await database.image.findMany()).map(({ id }) => id)).toEqual([kept.id]);
  });
});
