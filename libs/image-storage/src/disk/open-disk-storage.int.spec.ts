import { spawn } from 'node:child_process';
import { createHash, randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { mkdir, mkdtemp, readdir, readFile, rm, stat, symlink, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { openDiskStorage } from './open-disk-storage.ts';

const HASH = '0'.repeat(64);

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'blog-content-images-'));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

describe('an image storage on the disk', () => {
  it('shows no half image after its process was killed while it stored some', async () => {
    const project = randomUUID();
    const script = `
      import { createHash, randomBytes } from 'node:crypto';
      const { openImageStorage, imageKeyOf } = await import('./src/index.ts');
      const storage = await openImageStorage({ IMAGE_STORAGE: 'disk', IMAGE_DISK_PATH: ${JSON.stringify(folder)} });
      for (;;) {
        await Promise.all(Array.from({ length: 4 }, async () => {
          const bytes = randomBytes(3_000_000);
          const hash = createHash('sha256').update(bytes).digest('hex');
          await storage.put(imageKeyOf({ projectId: '${project}', hash, width: null, extension: 'png' }), bytes, 'image/png');
          console.log(hash);
        }));
      }`;
    const options = [
      '--conditions=@blog-content/source',
      '--disable-warning=ExperimentalWarning',
      '--input-type=module',
    ];
    const child = spawn(process.execPath, [...options, '-e', script], { cwd: new URL('../..', import.meta.url) });
    let stored = '';
    child.stdout.on('data', (chunk: Buffer) => {
      stored += chunk.toString();
      // In the middle of others.
      if (stored.length > 20 * HASH.length) child.kill('SIGKILL');
    });
    await once(child, 'close');

    const storage = await openDiskStorage(folder);
    const hashes = new Set<string>();
    for await (const { key } of storage.list(`${project}/`)) {
      const bytes = await buffer((await storage.get(key))!.body);
      const hash = createHash('sha256').update(bytes).digest('hex');
      expect(key).toBe(`${project}/${hash}.png`);
      hashes.add(hash);
    }
    // Every image that was reported as stored is there.
    for (const hash of stored.trim().split('\n')) expect(hashes.has(hash)).toBe(true);
  });

  it('deletes what killed processes left unfinished, an hour later', async () => {
    const unfinished = join(folder, 'unfinished');
    await mkdir(unfinished);
    for (const [name, ageS] of [
      ['old', 3_700],
      ['young', 60],
    ] as const) {
      await writeFile(join(unfinished, name), 'half an image');
      const then = Date.now() / 1_000 - ageS;
      await utimes(join(unfinished, name), then, then);
    }
    await openDiskStorage(folder);
    expect(await readdir(unfinished)).toEqual(['young']);
  });

  it('stores the files of a project in folders by their first two digits, and removes empty folders', async () => {
    const storage = await openDiskStorage(folder);
    const project = randomUUID();
    const key = `${project}/${HASH}-480.webp`;
    await storage.put(key, Buffer.from('an image'), 'image/webp');
    const file = join(folder, project, '00', `${HASH}-480.webp`);
    expect(await readFile(file, 'utf8')).toBe('an image');
    expect((await stat(file)).mode & 0o777).toBe(0o644);
    await storage.delete([key]);
    expect((await readdir(folder)).sort()).toEqual(['unfinished']);
  });

  it('stores an image even if its empty folder is removed repeatedly', async () => {
    const storage = await openDiskStorage(folder);
    const project = randomUUID();
    let isOver = false;
    const deleting = Promise.all(
      Array.from({ length: 4 }, async () => {
        while (!isOver) await storage.delete([`${project}/${'0'.repeat(63)}1.png`]);
      }),
    );
    for (let round = 0; round < 200; round += 1) {
      const key = `${project}/${HASH}.png`;
      await storage.put(key, Buffer.from('an image'), 'image/png');
      expect(await storage.head(key)).not.toBeNull();
      await storage.delete([key]);
    }
    isOver = true;
    await deleting;
  });

  it('neither lists nor follows foreign files in its folder', async () => {
    const storage = await openDiskStorage(folder);
    const project = randomUUID();
    await mkdir(join(folder, project, '00'), { recursive: true });
    await symlink('/etc/hostname', join(folder, project, '00', `${HASH}.png`));
    for (const name of ['notes.txt', '.hidden', `${HASH}.svg`]) await writeFile(join(folder, project, '00', name), 'x');
    await writeFile(join(folder, 'notes.txt'), 'x');
    const keys: string[] = [];
    for await (const { key } of storage.list('')) keys.push(key);
    expect(keys).toEqual([]);
    await expect(storage.get(`${project}/${HASH}.png`)).rejects.toThrow('ELOOP');
  });
});
