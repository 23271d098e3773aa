import { randomBytes } from 'node:crypto';
import sharp from 'sharp';
import { jpeg, upload } from '../../test/images.ts';
import { startOwner, type Owner } from '../../test/owner.ts';
import { IMAGE_BASE_URL, startRunningService, type RunningService } from '../../test/running-service.ts';

let service: RunningService;
let owner: Owner;

beforeAll(async () => {
  service = await startRunningService({ WORK_POLL_MS: '50' });
  owner = await startOwner(service);
});
afterAll(() => service?.[Symbol.asyncDispose]());

const BOUNDARY = 'boundary-7b6f1c1e';
const formOf = (parts: Readonly<Record<string, string | Buffer>>): Buffer => {
  const pieces = Object.entries(parts).flatMap(([name, value]) => [
    `--${BOUNDARY}\r\nContent-Disposition: form-data; name="${name}"`,
    Buffer.isBuffer(value) ? '; filename="a.jpg"\r\nContent-Type: image/jpeg\r\n\r\n' : '\r\n\r\n',
    value,
    '\r\n',
  ]);
  return Buffer.concat([...pieces, `--${BOUNDARY}--\r\n`].map((piece) => Buffer.from(piece as string)));
};
const FORM = `multipart/form-data; boundary=${BOUNDARY}`;

describe('an upload', () => {
  it('answers with the image and where it is served', async () => {
    const answer = await upload(owner, await jpeg(1), 'alt=A%20cup&name=cup.jpg', 'image/jpeg');
    expect(answer.status).toBe(201);
    const { id, url } = answer.body;
    expect(url).toMatch(new RegExp(`^${IMAGE_BASE_URL}/${owner.project}/[0-9a-f]{64}\\.jpg$`));
    expect(answer.body).toMatchObject({ type: 'image/jpeg', width: 64, height: 48, alt: 'A cup', name: 'cup.jpg' });
    expect(answer.body).toMatchObject({ source: 'upload', animated: false });
    expect(answer.headers['location']).toMatch(new RegExp(`/images/${id}$`));
    expect((await owner.get(`/images/${id}`)).body).toMatchObject({ id, url });
  });

  it('gives the same image again for the same bytes, with the alt text that it had', async () => {
    const bytes = await jpeg(2);
    const first = await upload(owner, bytes, 'alt=One');
    const second = await upload(owner, bytes, 'alt=Two');
    expect([first.status, second.status]).toEqual([201, 200]);
    expect(second.body).toMatchObject({ id: first.body.id, alt: 'One' });
  });

  it('gives the same image for bytes that differ in their metadata only', async () => {
    const bytes = await jpeg(3);
    const described = await sharp(bytes)
      .withExif({ IFD0: { Copyright: 'Ada' } })
      .png()
      .toBuffer();
    const plain = await sharp(bytes).png().toBuffer();
    const [first, second] = [await upload(owner, described), await upload(owner, plain)];
    expect([first.status, second.status]).toEqual([201, 200]);
    expect(second.body.id).toBe(first.body.id);
  });

  it('takes a form, whatever order its fields come in', async () => {
    const body = formOf({ file: await jpeg(4), alt: 'A pot', name: 'pot.jpg' });
    const answer = await upload(owner, body, '', FORM);
    expect([answer.status, answer.body.alt, answer.body.name]).toEqual([201, 'A pot', 'pot.jpg']);
  });

  it.each([
    ['without a file', formOf({ alt: 'A pot' }), FORM, 422],
    ['with an unknown field', formOf({ altt: 'A pot', file: Buffer.from('x') }), FORM, 422],
    ['that is cut off', formOf({ file: Buffer.from('x') }).subarray(0, 120), FORM, 400],
    ['without a boundary', formOf({ alt: 'A pot' }), 'multipart/form-data', 400],
    ['with an alt text that is too long', formOf({ alt: 'x'.repeat(3_000), file: Buffer.from('x') }), FORM, 422],
    ['with a field that is far too long', formOf({ alt: 'x'.repeat(30_000), file: Buffer.from('x') }), FORM, 422],
    ['with a file that is too large', formOf({ file: Buffer.alloc(20 * 1024 * 1024 + 1) }), FORM, 413],
  ])('refuses a form %s', async (_case, body, type, status) => {
    expect((await upload(owner, body, '', type)).status).toBe(status);
  });

  it.each([
    ['nothing', Buffer.alloc(0), 'image/png', 422],
    ['text that is called an image', Buffer.from('hello'), 'image/png', 415],
    ['a type that is none of an image', Buffer.from('hello'), 'text/plain', 415],
    ['more bytes than an image may have', Buffer.alloc(20 * 1024 * 1024 + 1), 'image/png', 413],
  ])('refuses %s', async (_case, body, type, status) => {
    const answer = await upload(owner, body, '', type);
    expect([answer.status, answer.body.status]).toEqual([status, status]);
  });

  it('is of its project alone: the same bytes are another image there, and nobody sees this one', async () => {
    const other = await owner.inNewProject();
    const bytes = await jpeg(5);
    const [ours, theirs] = [await upload(owner, bytes), await upload(other, bytes)];
    expect([ours.status, theirs.status]).toEqual([201, 201]);
    expect(theirs.body.id).not.toBe(ours.body.id);
    for (const [method, path] of [
      ['GET', ''],
      ['PATCH', ''],
      ['DELETE', '?force=true'],
      ['GET', '/uses'],
    ] as const) {
      const answer = await other.call(method, `/images/${ours.body.id}${path}`, method === 'PATCH' ? { json: {} } : {});
      expect([method, path, answer.status]).toEqual([method, path, 404]);
    }
    expect((await other.get('/images')).body.items.map(({ id }: { id: string }) => id)).toEqual([theirs.body.id]);
  });

  it('is possible for an agent', async () => {
    const { key } = (await owner.post('/agent-keys', { name: 'Agent' })).body;
    const headers = { 'content-type': 'image/jpeg' };
    const answer = await service.callAgent('POST', 'images', { token: key, body: await jpeg(6), headers });
    expect(answer.status).toBe(201);
    expect((await service.callAgent('GET', `images/${answer.body.id}`, { token: key })).status).toBe(200);
  });
});

describe('the quota of a project', () => {
  it('counts images', async () => {
    const replica = await service.startReplica({ IMAGE_QUOTA_IMAGES: '2' });
    const of = await startOwner({ ...service, call: replica.call });
    const [one, two] = [await jpeg(10), await jpeg(11)];
    expect((await upload(of, one)).status).toBe(201);
    expect((await upload(of, two)).status).toBe(201);
    const third = await upload(of, await jpeg(12));
    expect([third.status, third.body.detail]).toEqual([
      409,
      expect.stringMatching(/^Limit reached: 2 images per project/),
    ]);
    expect((await upload(of, two)).status).toBe(200);
    const { id } = (await upload(of, one)).body;
    expect((await of.remove(`/images/${id}`)).status).toBe(204);
    expect((await upload(of, await jpeg(12))).status).toBe(201);
  });

  it('is told with how much of it is taken, to members and agents, and a deleted image takes none', async () => {
    const replica = await service.startReplica({ IMAGE_QUOTA_IMAGES: '7', IMAGE_QUOTA_MIB: '2' });
    const of = await startOwner({ ...service, call: replica.call });
    const usage = async () => (await of.get('/images/usage')).body;
    const of2Mib = (used: number) => ({ used, allowed: 2 * 1024 * 1024 });
    expect(await usage()).toEqual({ images: { used: 0, allowed: 7 }, bytes: of2Mib(0) });
    const [one, two] = [(await upload(of, await jpeg(13))).body, (await upload(of, await jpeg(14))).body];
    expect(await usage()).toEqual({ images: { used: 2, allowed: 7 }, bytes: of2Mib(one.bytes + two.bytes) });
    await of.remove(`/images/${one.id}`);
    const after = { images: { used: 1, allowed: 7 }, bytes: of2Mib(two.bytes) };
    expect(await usage()).toEqual(after);
    const { key } = (await of.post('/agent-keys', { name: 'Counting' })).body;
    const asked = await fetch(`${replica.origin}/blog/api/v1/agent/images/usage`, {
      headers: { authorization: `Bearer ${key}` },
    });
    expect(await asked.json()).toEqual(after);
  });

  it('holds when many uploads come at once', async () => {
    const replica = await service.startReplica({ IMAGE_QUOTA_IMAGES: '3' });
    const of = await startOwner({ ...service, call: replica.call });
    const images = await Promise.all([20, 21, 22, 23, 24, 25].map((seed) => jpeg(seed)));
    const statuses = (await Promise.all(images.map((bytes) => upload(of, bytes)))).map(({ status }) => status);
    expect(statuses.toSorted()).toEqual([201, 201, 201, 409, 409, 409]);
  });

  it('counts bytes', async () => {
    const replica = await service.startReplica({ IMAGE_QUOTA_MIB: '1' });
    const of = await startOwner({ ...service, call: replica.call });
    const noise = () =>
      sharp(randomBytes(300 * 300 * 3), { raw: { width: 300, height: 300, channels: 3 } })
        .png()
        .toBuffer();
    const statuses: number[] = [];
    while (statuses.length < 8) statuses.push((await upload(of, await noise())).status);
    expect(statuses).toEqual([201, 201, 201, 409, 409, 409, 409, 409]);
    const [held] = await service.query<{ bytes: string }>(
      'select sum(bytes) as bytes from image where project_id = $1',
      [of.project],
    );
    expect(Number(held?.bytes)).toBeLessThanOrEqual(1024 * 1024);
  });
});

describe('the library', () => {
  it('is a list, newest first, in pages, searched by name and alt text', async () => {
    const of = await owner.inNewProject();
    for (const [seed, name] of ['oak.jpg', 'ash.jpg', '100%.jpg'].entries()) {
      await upload(of, await jpeg(30 + seed), `name=${encodeURIComponent(name)}&alt=Tree${seed}`);
    }
    const names = async (query: string) =>
      (await of.get(`/images?${query}`)).body.items.map(({ name }: { name: string }) => name);
    expect(await names('')).toEqual(['100%.jpg', 'ash.jpg', 'oak.jpg']);
    expect(await names('q=OAK')).toEqual(['oak.jpg']);
    expect(await names('q=tree1')).toEqual(['ash.jpg']);
    expect(await names('q=%25')).toEqual(['100%.jpg']);
    const first = (await of.get('/images?limit=2')).body;
    expect(first.items).toHaveLength(2);
    expect(await names(`limit=2&cursor=${first.next_cursor}`)).toEqual(['oak.jpg']);
  });

  it('takes another alt text and name', async () => {
    const { id } = (await upload(owner, await jpeg(40), 'alt=One&name=one')).body;
    const changed = await owner.patch(`/images/${id}`, { alt: 'Two' });
    expect([changed.status, changed.body.alt, changed.body.name]).toEqual([200, 'Two', 'one']);
    expect((await owner.patch(`/images/${id}`, { alt: 'x'.repeat(2_001) })).status).toBe(422);
  });
});
