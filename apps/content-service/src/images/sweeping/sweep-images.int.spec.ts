import { randomUUID } from 'node:crypto';
import { createLogger } from '@blog-content/service-runtime';
import { createTestDatabase, type TestDatabase } from '@blog-content/testing';
import { draftOf } from '../../../test/draft-of.ts';
import { createBlogStore } from '../../blogs/writing/blog-store.ts';
import { openDatabase, type Database, type Transaction } from '../../platform/database/open-database.ts';
import { createImageStore, type Image } from '../library/image-store.ts';
import { deleteImages, sweepImages } from './sweep-images.ts';
import { createImageSweepStore } from './sweep-store.ts';

const DAY_MS = 24 * 3_600_000;
const times = { checkMs: DAY_MS, unusedMs: 30 * DAY_MS, graceMs: DAY_MS };
const logger = createLogger('test', 'error');

let testDatabase: TestDatabase;
let database: Database;
let now: Date;
let projectId: string;
/** What was deleted from the storage. */
let deleted: string[];
const clock = () => now;

beforeAll(async () => {
  testDatabase = await createTestDatabase('content-service');
  database = openDatabase(testDatabase.url, 5, () => undefined);
});
afterAll(async () => {
  await database?.$disconnect();
  await testDatabase?.drop();
});
beforeEach(async () => {
  now = new Date('2026-06-01T10:00:00Z');
  deleted = [];
  projectId = randomUUID();
  await database.image.deleteMany();
  await database.project.create({ data: { id: projectId, name: 'Site', eventNumber: 1 } });
});

const images = () => createImageStore(database, clock, { images: 100, bytes: 1e9 });

async function newImage(): Promise<Image> {
  const sha256 = `${randomUUID()}${randomUUID()}`.replaceAll('-', '');
  const begun = await images().begin({
    ...{ projectId, sha256, givenSha256: sha256, ext: 'png', width: 10, height: 10, isAnimated: false, bytes: 1 },
    ...{ alt: '', name: '', source: 'upload', jobId: null, createdBy: projectId },
  });
  if ('refused' in begun) throw new Error(begun.refused);
  const finished = await images().finish(begun.image.id);
  if (finished === null) throw new Error('It is gone.');
  await database.image.update({ where: { id: finished.id }, data: { variantsDueAt: null } });
  return finished;
}

const contentWith = (image: Image) =>
  draftOf({ title: 'Post', content: `<img src="https://images.example/${projectId}/${image.sha256}.png">` });
const save = (image: Image, on: Database | Transaction = database) =>
  createBlogStore(on, clock).create(projectId, contentWith(image), null);

const sweeping = () => ({
  sweepStore: createImageSweepStore(database, clock),
  imageStorage: {
    delete: (keys: readonly string[]) => {
      deleted.push(...keys);
      return Promise.resolve();
    },
  },
  logger,
});

/** Each day has a round. */
async function daysPass(days: number): Promise<void> {
  for (let day = 0; day < days; day += 1) {
    now = new Date(now.getTime() + DAY_MS + 1);
    while ((await sweepImages(sweeping(), times)) > 0);
  }
}

const isThere = async (image: Image) => (await images().find(projectId, image.id)) !== null;

it('an image that is removed is deleted at once, and none of those that others have removed', async () => {
  const others = [];
  for (let count = 0; count < 60; count += 1) others.push(await newImage());
  const image = await newImage();
  for (const { id } of [...others, image]) await images().remove(projectId, id);
  await deleteImages(sweeping(), image.id);
  expect(deleted).toContain(`${projectId}/${image.sha256}.png`);
  expect(await database.image.count({ where: { state: 'deleting' } })).toBe(60);
});

describe('an image that no post uses', () => {
  it('goes after thirty days and a day of grace, with its variants', async () => {
    const image = await newImage();
    await daysPass(30);
    expect([await isThere(image), deleted]).toEqual([true, []]);
    await daysPass(3);
    expect(await isThere(image)).toBe(false);
    expect(await database.image.count()).toBe(0);
    const name = `${projectId}/${image.sha256}`;
    expect(deleted).toEqual([`${name}.png`, `${name}-10.webp`, `${name}-10.avif`]);
  });

  it('stays for another thirty days when it is uploaded again', async () => {
    const image = await newImage();
    await daysPass(30);
    expect((await images().findGiven(projectId, image.sha256))?.id).toBe(image.id);
    await daysPass(29);
    expect(await isThere(image)).toBe(true);
    await daysPass(5);
    expect(await isThere(image)).toBe(false);
  });

  it('stays when a post is saved with it at the last moment', async () => {
    const image = await newImage();
    await daysPass(30);
    expect((await images().find(projectId, image.id))?.deletedAt).not.toBeNull();
    await save(image);
    await daysPass(40);
    expect(await isThere(image)).toBe(true);
  });

  it('stays when the round runs while a post is being saved with it', async () => {
    const image = await newImage();
    await daysPass(30);
    await database.$transaction(async (tx) => {
      await save(image, tx);
      await daysPass(3);
    });
    await daysPass(40);
    expect(await isThere(image)).toBe(true);
  });
});

describe('an image that a post uses', () => {
  it('stays, and goes thirty days after the last use of it', async () => {
    const [image, unused] = [await newImage(), await newImage()];
    const blog = await save(image);
    if (typeof blog === 'string' || 'refused' in blog) throw new Error(JSON.stringify(blog));
    await daysPass(40);
    expect([await isThere(image), await isThere(unused)]).toEqual([true, false]);
    await createBlogStore(database, clock).edit(projectId, blog.id, { content: '' }, undefined);
    await daysPass(30);
    expect(await isThere(image)).toBe(true);
    await daysPass(4);
    expect(await isThere(image)).toBe(false);
  });

  it('stays for as long as a revision has it', async () => {
    const image = await newImage();
    const blog = await save(image);
    if (typeof blog === 'string' || 'refused' in blog) throw new Error(JSON.stringify(blog));
    await database.$executeRaw`
      INSERT INTO blog_revision (blog_id, number, published_at, title, slug, content, categories, tags, image_hashes)
      SELECT id, 1, now(), title, slug, content, categories, tags, image_hashes FROM blog WHERE id = ${blog.id}::uuid`;
    await createBlogStore(database, clock).edit(projectId, blog.id, { content: '' }, undefined);
    await daysPass(60);
    expect(await isThere(image)).toBe(true);
  });

  it('is not kept by another project’s post', async () => {
    const image = await newImage();
    const mine = projectId;
    projectId = randomUUID();
    await database.project.create({ data: { id: projectId, name: 'Other', eventNumber: 1 } });
    await save(image);
    projectId = mine;
    await daysPass(33);
    expect(await isThere(image)).toBe(false);
  });
});
