import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { createServer, type AddressInfo, type Socket } from 'node:net';
import { promisify } from 'node:util';
import { buffer } from 'node:stream/consumers';
import { describeWithS3, s3Config } from '../../test/tested-storages.ts';
import { openS3Storage } from './open-s3-storage.ts';

const keyOf = () => `${randomUUID()}/${'0'.repeat(64)}.jpg`;

describeWithS3('an image storage on S3', (server) => {
  it('rejects, rather than reporting no image, when its credentials or its bucket are wrong', async () => {
    const config = s3Config(server());
    for (const wrong of [{ S3_SECRET_ACCESS_KEY: 'wrong' }, { S3_ACCESS_KEY_ID: 'nobody' }, { S3_BUCKET: 'none' }]) {
      const storage = openS3Storage({ ...config, ...wrong });
      await expect(storage.get(keyOf())).rejects.toThrow();
      await expect(storage.put(keyOf(), Buffer.from('x'), 'image/jpeg')).rejects.toThrow();
      storage.close();
    }
  });

  it('continues after the server was away', async () => {
    const storage = openS3Storage(s3Config(server()));
    const key = keyOf();
    await storage.put(key, Buffer.from('an image'), 'image/jpeg');
    await server().kill();
    await expect(storage.get(key)).rejects.toThrow();
    await server().restart();
    expect((await buffer((await storage.get(key))!.body)).toString()).toBe('an image');
    storage.close();
  });

  it('loads its client with the first request', async () => {
    const script = `
      import { createRequire } from 'node:module';
      const { openImageStorage } = await import('./src/index.ts');
      const loaded = () => Object.keys(createRequire(import.meta.url).cache).filter((file) => file.includes('@aws-sdk')).length;
      const storage = await openImageStorage(${JSON.stringify(s3Config(server()))});
      const before = loaded();
      await storage.head('${keyOf()}');
      console.log(JSON.stringify([before, loaded() > 0]));
      storage.close();`;
    const { stdout } = await promisify(execFile)(
      process.execPath,
      [
        '--conditions=@blog-content/source',
        '--disable-warning=ExperimentalWarning',
        '--input-type=module',
        '-e',
        script,
      ],
      { cwd: new URL('../..', import.meta.url), env: { PATH: process.env['PATH'] } },
    );
    expect(JSON.parse(stdout)).toEqual([0, true]);
  });
});

describe('a server that accepts connections and says nothing', () => {
  it('is given up after a number of tries', async () => {
    const sockets: Socket[] = [];
    const silent = createServer((socket) => void sockets.push(socket.on('error', () => undefined)));
    await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve));
    const { port } = silent.address() as AddressInfo;
    const config = {
      IMAGE_STORAGE: 's3',
      S3_ENDPOINT: `http://127.0.0.1:${port}`,
      S3_REGION: 'us-east-1',
      S3_BUCKET: 'images',
      S3_FORCE_PATH_STYLE: true,
      S3_ACCESS_KEY_ID: 'me',
      S3_SECRET_ACCESS_KEY: 'secret',
    } as const;
    const storage = openS3Storage(config, 200);
    await expect(storage.get(keyOf())).rejects.toThrow();
    await expect(storage.put(keyOf(), Buffer.from('x'), 'image/jpeg')).rejects.toThrow();
    expect(sockets).toHaveLength(6);
    storage.close();
    for (const socket of sockets) socket.destroy();
    await new Promise((resolve) => silent.close(resolve));
  });
});
