import { createTestDatabase, eventually } from '@blog-content/testing';
import { randomBytes } from 'node:crypto';
import pg from 'pg';
import { openDatabaseLine, type DatabaseLine } from '../../test/database-line.ts';
import { PUBLIC, startTestService, untilLeased, type TestProject, type TestService } from '../../test/test-service.ts';

const resources = new AsyncDisposableStack();
let databaseUrl: string;
let line: DatabaseLine;
/** Where owners change keys and events are applied. */
let first: TestService;
/** Whose line to the database fails. */
let second: TestService;
let project: TestProject;

beforeAll(async () => {
  const database = await createTestDatabase('public-read-service');
  resources.defer(() => database.drop());
  databaseUrl = database.url;
  line = resources.use(await openDatabaseLine(databaseUrl));
  const encryptionKey = randomBytes(32).toString('base64');
  first = resources.use(await startTestService({ databaseUrl, encryptionKey }));
  second = resources.use(await startTestService({ databaseUrl: line.url, encryptionKey }));
});
afterAll(() => resources.disposeAsync());
beforeEach(async () => {
  line.mend();
  await untilLeased(first);
  await untilLeased(second);
  project = await first.createProject();
  await project.publish({ slug: 'tea', title: 'Tea' });
});

const readFrom = (service: TestService, key: string, path = '/blogs/tea') =>
  service.request('GET', PUBLIC + path, { authorization: `Bearer ${key}` });
const statusFrom = async (service: TestService, key: string) => (await readFrom(service, key)).statusCode;
const isRemembered = (service: TestService, key: string) => service.cache.findProject(key) !== null;
const replicaCount = async () => {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    return (await client.query<{ count: number }>('SELECT count(*)::int AS count FROM replica')).rows[0]!.count;
  } finally {
    await client.end();
  }
};

describe('two replicas', () => {
  it('both serve a publish when it is announced as served', async () => {
    for (let revision = 1; revision <= 20; revision += 1) {
      await Promise.all([readFrom(first, project.key), readFrom(second, project.key)]);
      const id = await project.publish(
        { slug: 'tea-2', title: `Revision ${revision}` },
        { id: '8f14e45f-ceea-467f-a9d4-2ad6a3b1c001' },
      );
      for (const service of [first, second]) {
        const answer = await readFrom(service, project.key, '/blogs/tea-2');
        expect(JSON.parse(answer.body)).toMatchObject({ id, title: `Revision ${revision}` });
      }
    }
  });

  it('both refuse the old key when the call that rotates it returns, and serve the new one', async () => {
    let { key } = project;
    for (let rotation = 0; rotation < 20; rotation += 1) {
      expect(await statusFrom(first, key)).toBe(200);
      expect(await statusFrom(second, key)).toBe(200);
      expect(isRemembered(second, key)).toBe(true);
      const fresh = (await first.keys.rotate(project.id))!.key;
      expect(await statusFrom(second, key)).toBe(401);
      expect(await statusFrom(first, key)).toBe(401);
      expect(await statusFrom(second, fresh)).toBe(200);
      key = fresh;
    }
  });

  it('both refuse the key when the call that revokes it returns', async () => {
    expect(await statusFrom(second, project.key)).toBe(200);
    expect(await first.keys.revoke(project.id)).toBe(true);
    expect(await statusFrom(second, project.key)).toBe(401);
    expect(await statusFrom(first, project.key)).toBe(401);
  });

  it('give no old key a 200 after the rotation has returned, under load and through many rotations', async () => {
    let { key } = project;
    const wrong: string[] = [];
    let isOver = false;
    let requests = 0;
    const readers = [first, second].flatMap((service) =>
      Array.from({ length: 4 }, async () => {
        while (!isOver) {
          const asked = key;
          const answer = await readFrom(service, asked, '/blogs');
          requests += 1;
          // A request that began before the rotation returned may be answered either way.
          if (answer.statusCode !== 200 && answer.statusCode !== 401) wrong.push(String(answer.statusCode));
        }
      }),
    );
    for (let rotation = 0; rotation < 40; rotation += 1) {
      const old = key;
      key = (await first.keys.rotate(project.id))!.key;
      const answers = await Promise.all(
        [first, second].flatMap((service) => [1, 2, 3].map(() => statusFrom(service, old))),
      );
      wrong.push(...answers.filter((status) => status !== 401).map((status) => `${status} with the old key`));
    }
    isOver = true;
    await Promise.all(readers);
    expect(wrong).toEqual([]);
    expect(requests).toBeGreaterThan(40);
  });
});

describe('a replica without its database', () => {
  it('answers 500 with Retry-After, and never from memory, once the rotation has returned', async () => {
    expect(await statusFrom(second, project.key)).toBe(200);
    expect(isRemembered(second, project.key)).toBe(true);
    line.cut();
    const { key } = (await first.keys.rotate(project.id))!;
    for (const asked of [project.key, key]) {
      const answer = await readFrom(second, asked);
      expect(answer.statusCode).toBe(500);
      expect(answer.headers['retry-after']).toMatch(/^\d+$/);
    }
    expect(await statusFrom(first, key)).toBe(200);
  });

  it('serves again when it is back, without stale answers', async () => {
    expect(await statusFrom(second, project.key)).toBe(200);
    line.cut();
    const { key } = (await first.keys.rotate(project.id))!;
    await project.publish({ slug: 'oolong' });
    line.mend();
    await untilLeased(second);
    expect(await statusFrom(second, project.key)).toBe(401);
    expect((await readFrom(second, key, '/blogs/oolong')).statusCode).toBe(200);
  });

  it('that is only silent serves nothing from memory either, and the rotation stops waiting for it', async () => {
    expect(await statusFrom(second, project.key)).toBe(200);
    line.silence();
    const { key } = (await first.keys.rotate(project.id))!;
    expect(second.cache.isValid()).toBe(false);
    const refused = readFrom(second, project.key);
    expect(await statusFrom(first, key)).toBe(200);
    // Held back until the line carries again: by then the database says what is so.
    line.mend();
    expect([401, 500]).toContain((await refused).statusCode);
    await untilLeased(second);
    expect(await statusFrom(second, project.key)).toBe(401);
  });

  it('delays publishes by its lease at most', async () => {
    line.silence();
    const id = await project.publish({ slug: 'while-silent' });
    expect(JSON.parse((await readFrom(first, project.key, '/blogs/while-silent')).body)).toMatchObject({ id });
    line.mend();
  });
});

describe('a replica', () => {
  it('without a lease queries the database each time', async () => {
    const third = await startTestService({ databaseUrl, cacheMb: 0 });
    try {
      await untilLeased(third);
      expect(await statusFrom(third, project.key)).toBe(200);
      expect(isRemembered(third, project.key)).toBe(false);
      expect(third.cache.bytes).toBe(0);
    } finally {
      await third[Symbol.asyncDispose]();
    }
  });

  it('that stops deregisters, so that publishes do not wait for it', async () => {
    const before = await replicaCount();
    const third = await startTestService({ databaseUrl });
    await untilLeased(third);
    expect(await replicaCount()).toBe(before + 1);
    await third[Symbol.asyncDispose]();
    expect(await replicaCount()).toBe(before);
  });

  it('whose row disappears continues with a new one', async () => {
    const client = new pg.Client({ connectionString: databaseUrl });
    await client.connect();
    try {
      await client.query('DELETE FROM replica');
      await eventually(async () => expect(await replicaCount()).toBe(2));
    } finally {
      await client.end();
    }
    await untilLeased(second);
    expect(await statusFrom(second, project.key)).toBe(200);
  });

  it('drops its whole cache when it missed a change', async () => {
    expect(await statusFrom(second, project.key)).toBe(200);
    const client = new pg.Client({ connectionString: databaseUrl });
    await client.connect();
    try {
      // A change without a notification.
      await client.query(`UPDATE public_key SET key_hash = 'gone' WHERE project_id = $1`, [project.id]);
      await client.query('UPDATE read_epoch SET epoch = epoch + 1');
    } finally {
      await client.end();
    }
    await eventually(async () => expect(await statusFrom(second, project.key)).toBe(401));
  });
});
