import { projectSaved } from '../../test/events.ts';
import { PUBLIC, startTestService, type TestProject, type TestService } from '../../test/test-service.ts';

let service: TestService;
let project: TestProject;
const account = '7b6f1c1e-54d5-4a0e-9a39-0d5a4f6f2f10';
let number = 1;

beforeAll(async () => {
  service = await startTestService();
  project = await service.createProject({ members: [account] });
  await project.publish({ slug: 'tea' });
});
afterAll(() => service?.[Symbol.asyncDispose]());

const members = [{ account_id: account, role: 'owner' as const }];
const save = (fields: { suspended?: 'writes' | 'all' | null; name?: string }) =>
  service.applyProjects(
    projectSaved({ project_id: project.id, project_event_number: (number += 1), members, ...fields }),
  );

describe('a suspended project', () => {
  it('is read as before while only writes and deliveries stop', async () => {
    await save({ suspended: 'writes' });
    expect((await project.get('/blogs/tea')).statusCode).toBe(200);
  });

  it('answers 403 with a detail, from its next read on, whatever was cached', async () => {
    const paths = ['/blogs', '/blogs/tea', '/blogs/sitemap', '/feed.xml', '/blogs?limit=0'];
    const before = await project.get('/blogs');
    const { etag = '' } = before.headers;
    expect(before.statusCode).toBe(200);
    await save({ suspended: 'all' });
    for (const path of paths) {
      const answer = await project.get(path, { 'if-none-match': etag });
      expect([path, answer.statusCode, JSON.parse(answer.body)]).toEqual([
        path,
        403,
        { detail: 'This project is suspended. Its owner can ask the administrator to resume it.' },
      ]);
      expect(answer.headers['cache-control']).toBe('no-store');
    }
    expect((await service.request('GET', `${PUBLIC}/blogs?api_key=pk_live_${'x'.repeat(32)}`)).statusCode).toBe(401);
  });

  it('stays so when an event of an older release says nothing of it, until it is resumed', async () => {
    await save({ name: 'Renamed' });
    expect((await project.get('/blogs')).statusCode).toBe(403);
    await save({ suspended: null });
    expect((await project.get('/blogs')).statusCode).toBe(200);
  });

  it('lets its key be rotated and revoked, and no new one be made', async () => {
    await save({ suspended: 'writes' });
    const headers = await service.ownerHeaders(account);
    const path = `/blog/api/v1/owner/projects/${project.id}/public-key`;
    expect((await service.request('POST', `${path}/rotate`, headers)).statusCode).toBe(200);
    expect((await service.request('DELETE', path, headers)).statusCode).toBe(204);
    const refused = await service.request('POST', path, headers);
    expect([refused.statusCode, (JSON.parse(refused.body) as { title: string }).title]).toEqual([
      403,
      'Project suspended',
    ]);
  });
});
