import { publicKeyUsage } from '@blog-content/payload-schemas';
import { eventually } from '@blog-content/testing';
import type { Method } from 'got';
import { randomUUID } from 'node:crypto';
import { logger, startTestService, type TestProject, type TestService } from '../../test/test-service.ts';
import type { KeyUsageStore } from './key-usage-store.ts';
import { startDeletingOldUsage } from './delete-old-usage.ts';

const now = () => new Date('2026-03-02T10:00:00Z');
const member = randomUUID();

let service: TestService;
let store: KeyUsageStore;
let project: TestProject;
let projectId: string;

beforeAll(async () => {
  service = await startTestService({ now });
  store = service.usageStore;
});
afterAll(() => service?.[Symbol.asyncDispose]());
beforeEach(async () => {
  project = await service.createProject({ members: [member] });
  projectId = project.id;
});

const use = (given: { projectId?: string; requests?: number; notModified?: number; at?: string }) => {
  const at = new Date(given.at ?? '2026-03-02T09:00:00Z');
  const { requests = 1, notModified = 0 } = given;
  return {
    projectId: given.projectId ?? projectId,
    day: at.toISOString().slice(0, 10),
    requests,
    notModified,
    lastUsedAt: at,
  };
};
const ask = async (query = '', options: { account?: string; project?: string; method?: Method } = {}) =>
  service.request(
    options.method ?? 'GET',
    `/blog/api/v1/owner/projects/${options.project ?? projectId}/public-key/usage${query}`,
    await service.ownerHeaders(options.account ?? member),
  );
const usage = async (query = '') => publicKeyUsage.parse(JSON.parse((await ask(query)).body));

describe('the stored usage of a public key', () => {
  it('adds up by day, and remembers the last use', async () => {
    await store.add([use({ requests: 5, notModified: 2 }), use({ at: '2026-03-01T08:00:00Z' })]);
    await store.add([
      use({ requests: 3, notModified: 1, at: '2026-03-02T09:30:00Z' }),
      use({ at: '2026-03-02T08:00:00Z' }),
    ]);
    expect(await store.list(projectId, '2026-03-02')).toEqual([
      { day: '2026-03-02', requests: 9, notModified: 3, lastUsedAt: new Date('2026-03-02T09:30:00Z') },
    ]);
    expect((await store.list(projectId, '2026-01-01')).map((row) => row.day)).toEqual(['2026-03-01', '2026-03-02']);
    expect(await store.lastUsedAt(projectId)).toEqual(new Date('2026-03-02T09:30:00Z'));
  });

  it('names the busiest projects of a day, the busiest first', async () => {
    const { id: busy } = await service.createProject({ members: [member] });
    const at = '2031-05-05T10:00:00Z';
    await store.add([use({ at, requests: 2 }), use({ projectId: busy, at, requests: 3 })]);
    await store.add([use({ at: '2031-05-04T10:00:00Z', requests: 9 })]);
    expect([...(await store.busiest('2031-05-05', 2))]).toEqual([
      [busy, 3],
      [projectId, 2],
    ]);
    expect([...(await store.busiest('2031-05-05', 1))]).toEqual([[busy, 3]]);
  });

  it('accepts the same day twice in one batch', async () => {
    await store.add([use({ requests: 1 }), use({ requests: 2 })]);
    expect(await store.list(projectId, '2026-03-02')).toMatchObject([{ requests: 3 }]);
    await store.add([]);
  });

  it('is not stored for a deleted or unknown project', async () => {
    await service.applyProjects({ event: 'project.deleted', project_id: projectId, project_event_number: 2 });
    await store.add([use({}), use({ projectId: randomUUID() })]);
    expect(await store.list(projectId, '2026-01-01')).toEqual([]);
    expect(await store.lastUsedAt(projectId)).toBeNull();
  });

  it('adds up when replicas write the same rows at the same time, in any order', async () => {
    const projects = await Promise.all(Array.from({ length: 20 }, async () => (await service.createProject()).id));
    const rows = projects.map((id) => use({ projectId: id }));
    await Promise.all(Array.from({ length: 12 }, (_, round) => store.add(round % 2 === 0 ? rows : rows.toReversed())));
    for (const id of projects) expect(await store.list(id, '2026-03-02')).toMatchObject([{ requests: 12 }]);
  });

  it('is deleted after 90 days, a batch at a time', async () => {
    const days = Array.from({ length: 1_100 }, (_, back) =>
      use({ at: new Date(Date.parse('2025-12-02T00:00:00Z') - back * 86_400_000).toISOString() }),
    );
    await store.add([...days, use({}), use({ at: '2025-12-03T00:00:00Z' })]);
    const sweeping = startDeletingOldUsage({ store, logger, now });
    await eventually(async () => {
      expect((await store.list(projectId, '2000-01-01')).map((row) => row.day)).toEqual(['2025-12-03', '2026-03-02']);
    });
    await sweeping.stop();
  });
});

describe('GET …/public-key/usage', () => {
  it('returns thirty days, today last, with zeros, and null for a key that was never used', async () => {
    const answer = await usage();
    expect(answer.last_used_at).toBeNull();
    expect(answer.days).toHaveLength(30);
    expect(answer.days.at(0)).toEqual({ day: '2026-02-01', requests: 0, not_modified: 0 });
    expect(answer.days.at(-1)).toEqual({ day: '2026-03-02', requests: 0, not_modified: 0 });
  });

  it('returns the counts of the requested days; the last use may be before them', async () => {
    await store.add([use({ requests: 7, notModified: 3, at: '2026-03-01T12:00:00.120Z' })]);
    expect(await usage('?days=2')).toEqual({
      last_used_at: '2026-03-01T12:00:00.120Z',
      days: [
        { day: '2026-03-01', requests: 7, not_modified: 3 },
        { day: '2026-03-02', requests: 0, not_modified: 0 },
      ],
    });
    expect(await usage('?days=1')).toMatchObject({
      last_used_at: '2026-03-01T12:00:00.120Z',
      days: [{ requests: 0 }],
    });
    expect((await usage('?days=90')).days).toHaveLength(90);
  });

  it.each(['0', '91', '1.5', 'x', '', '1&days=2'])('refuses days=%s', async (days) => {
    expect((await ask(`?days=${days}`)).statusCode).toBe(400);
  });

  it('is for members only; for others the project does not exist', async () => {
    expect((await ask('', { account: randomUUID() })).statusCode).toBe(404);
    expect((await ask('', { project: 'nonsense' })).statusCode).toBe(404);
  });

  it('accepts GET and HEAD and nothing else', async () => {
    expect((await ask('', { method: 'HEAD' })).statusCode).toBe(200);
    const answer = await ask('', { method: 'POST' });
    expect([answer.statusCode, answer.headers.allow]).toEqual([405, 'GET, HEAD']);
  });

  it('leaves out what pages of the same origin read, such as previews in the dashboard', async () => {
    const fromOwnPage = { 'sec-fetch-site': 'same-origin' };
    await project.get('/blogs', fromOwnPage);
    await project.get('/blogs', fromOwnPage);
    await project.get('/blogs', { 'sec-fetch-site': 'cross-site' });
    await service.usage.flush();
    expect((await usage('?days=1')).days).toMatchObject([{ requests: 1 }]);
  });

  it('counts every answer to a valid key per project, cached or not, across key rotations', async () => {
    const { etag } = (await project.get('/blogs')).headers;
    await project.get('/blogs');
    await project.get('/blogs', { 'if-none-match': etag! });
    await project.get('/blogs?limit=0');
    await service.keys.rotate(projectId);
    await project.get('/blogs');
    await service.usage.flush();
    expect(await usage('?days=1')).toEqual({
      last_used_at: now().toISOString(),
      days: [{ day: '2026-03-02', requests: 3, not_modified: 1 }],
    });
  });
});
