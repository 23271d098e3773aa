import { randomBytes } from 'node:crypto';
import { crc32, deflateSync } from 'node:zlib';
import { eventually } from '@blog-content/testing';
import { createProject } from './project.ts';
import { startStack, type Stack } from './stack.ts';

const WIDTH = 700;
const HEIGHT = 300;

/** A PNG of noise. */
function png(): Buffer {
  const chunk = (type: string, data: Buffer): Buffer => {
    const typed = Buffer.concat([Buffer.from(type), data]);
    const around = Buffer.alloc(8);
    around.writeUInt32BE(data.length, 0);
    around.writeUInt32BE(crc32(typed), 4);
    return Buffer.concat([around.subarray(0, 4), typed, around.subarray(4)]);
  };
  const header = Buffer.alloc(13);
  header.writeUInt32BE(WIDTH, 0);
  header.writeUInt32BE(HEIGHT, 4);
  header.set([8, 2, 0, 0, 0], 8);
  const rows = Array.from({ length: HEIGHT }, () => Buffer.concat([Buffer.alloc(1), randomBytes(WIDTH * 3)]));
  return Buffer.concat([
    Buffer.from('89504e470d0a1a0a', 'hex'),
    chunk('IHDR', header),
    chunk('IDAT', deflateSync(Buffer.concat(rows))),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

interface Image {
  readonly id: string;
  readonly url: string;
  readonly type: string;
  readonly bytes: number;
  readonly variants: { readonly wanted: number; readonly made: number };
}

/** Reads an answer to its end: a connection with an unread one is of no use to the next request. */
async function read(url: string, headers: Record<string, string> = {}) {
  const answer = await fetch(url, { headers });
  const { length } = Buffer.from(await answer.arrayBuffer());
  return { status: answer.status, length, header: (name: string) => answer.headers.get(name) };
}

describe('an uploaded image', () => {
  let stack: Stack;
  let projectId: string;
  let image: Image;

  beforeAll(async () => {
    stack = await startStack();
    ({ id: projectId } = await createProject(stack.owner, { siteUrl: null }));
    image = await upload();
  });

  afterAll(async () => {
    await stack?.[Symbol.asyncDispose]();
  });

  const asOwner = (method: string, path: string, body?: Buffer) =>
    fetch(`${stack.local.origin}/blog/api/v1/owner/projects/${projectId}/${path}`, {
      method,
      headers: { authorization: `Bearer ${stack.owner.token}`, ...(body && { 'content-type': 'image/png' }) },
      ...(body && { body: new Uint8Array(body) }),
    });

  async function upload(): Promise<Image> {
    const answer = await asOwner('POST', 'images?alt=Noise', png());
    expect(answer.status).toBe(201);
    return (await answer.json()) as Image;
  }

  it('is served at the gateway under the URL that its owner got, to anybody and for ever', async () => {
    expect(image.url).toMatch(new RegExp(`^${stack.local.origin}/images/${projectId}/[0-9a-f]{64}\\.png$`));
    const served = await read(image.url);
    expect(served).toMatchObject({ status: 200, length: image.bytes });
    expect(served.header('content-type')).toBe(image.type);
    expect(served.header('cache-control')).toBe('public, max-age=31536000, immutable');
    expect((await read(image.url, { 'if-none-match': served.header('etag') ?? '' })).status).toBe(304);
    expect(await read(image.url, { range: 'bytes=0-7' })).toMatchObject({ status: 206, length: 8 });
  });

  it('has variants at their URLs from the first moment, which become their own once they are made', async () => {
    const variantUrl = image.url.replace('.png', '-480.webp');
    expect((await read(variantUrl)).status).toBe(200);
    await eventually(async () => {
      const variant = await read(variantUrl);
      expect(variant.header('content-type')).toBe('image/webp');
      expect(variant.header('cache-control')).toContain('immutable');
      expect(variant.length).toBeLessThan(image.bytes);
    });
  });

  it('is gone with its variants once it is deleted', async () => {
    // Its bytes stay for as long as somebody makes a variant of it.
    await eventually(async () => {
      const { variants } = (await (await asOwner('GET', `images/${image.id}`)).json()) as Image;
      expect(variants.made).toBe(variants.wanted);
    });
    expect((await asOwner('DELETE', `images/${image.id}`)).status).toBe(204);
    for (const url of [image.url, image.url.replace('.png', '-480.webp')]) {
      await eventually(async () => expect((await read(url)).status).toBe(404));
    }
  });

  it('is served while content-service and webhook-dispatcher are away', async () => {
    const kept = await upload();
    const { services } = stack.local;
    await services['content-service'].kill('SIGKILL');
    await services['webhook-dispatcher'].kill('SIGKILL');
    expect(await read(kept.url)).toMatchObject({ status: 200, length: kept.bytes });
    await services['content-service'].start();
    await services['webhook-dispatcher'].start();
  });
});
