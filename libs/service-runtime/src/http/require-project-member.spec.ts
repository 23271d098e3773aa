import { setTimeout as wait } from 'node:timers/promises';
import { serveApp } from '../../test/serve-app.ts';
import {
  changesSomething,
  requireOwnerSession,
  requireProjectMember,
  requireProjectOwner,
  type Member,
} from './access.ts';

const PROJECT = '7b6f1c1e-54d5-4a0e-9a39-0d5a4f6f2f10';
const NEW_PROJECT = '7b6f1c1e-54d5-4a0e-9a39-0d5a4f6f2f12';
const SUSPENDED_PROJECT = '7b6f1c1e-54d5-4a0e-9a39-0d5a4f6f2f13';
const known = new Set([PROJECT, SUSPENDED_PROJECT]);
const ROLES: Readonly<Record<string, Member['role']>> = { ada: 'owner', ben: 'editor' };

/** One route for members and one for owners; the session token is the account's name. */
async function serve(asked: string[] = [], options: { hearsOfProjects?: boolean } = {}) {
  return serveApp((app) => {
    const session = requireOwnerSession(
      (token) =>
        Promise.resolve({ accountId: token, email: 'a@example.com', sessionId: 'one', expiresAt: new Date(0) }),
      () => Promise.resolve(false),
    );
    const member = requireProjectMember((projectId, accountId) => {
      asked.push(`${accountId} in ${projectId}`);
      const role = known.has(projectId) ? ROLES[accountId] : undefined;
      return Promise.resolve(
        role === undefined ? null : { role, suspended: projectId === SUSPENDED_PROJECT ? 'writes' : null },
      );
    }, options);
    app.get('/projects/:projectId', session, member, (_request, response) => {
      response.json({ role: response.locals.role });
    });
    app.delete('/projects/:projectId', session, member, requireProjectOwner, (_request, response) => {
      response.status(204).end();
    });
    app.delete('/unguarded', requireProjectOwner, (_request, response) => void response.json({}));
    app.get('/sessionless/:projectId', member, (_request, response) => void response.json({}));
  });
}
const as = (account: string) => ({ headers: { authorization: `Bearer ${account}` } });

describe('requireProjectMember', () => {
  it.each([
    ['ada', 'owner'],
    ['ben', 'editor'],
  ])('lets %s pass as %s, and notes the project in the log line', async (account, role) => {
    await using app = await serve();
    const answer = await app.http(`projects/${PROJECT}`, as(account));
    expect([answer.statusCode, JSON.parse(answer.body)]).toEqual([200, { role }]);
    expect(await app.requestLines(1)).toMatchObject([{ project_id: PROJECT, account_id: account }]);
  });

  it('answers everybody else with the 404 of a project that does not exist', async () => {
    await using app = await serve();
    const refused = await app.http(`projects/${PROJECT}`, as('eve'));
    const unknown = await app.http('projects/7b6f1c1e-54d5-4a0e-9a39-0d5a4f6f2f11', as('ada'));
    expect(refused.statusCode).toBe(404);
    expect([unknown.statusCode, unknown.body]).toEqual([404, refused.body]);
    expect((await app.http.delete(`projects/${PROJECT}`, as('eve'))).statusCode).toBe(404);
  });

  it('says when to try again where projects are known from events, and the same of a foreign project', async () => {
    await using app = await serve([], { hearsOfProjects: true });
    const [foreign, unknown] = await Promise.all([
      app.http(`projects/${PROJECT}`, as('eve')),
      app.http('projects/7b6f1c1e-54d5-4a0e-9a39-0d5a4f6f2f11', as('ada')),
    ]);
    for (const { statusCode, headers, body } of [foreign, unknown]) {
      expect([statusCode, headers['retry-after']]).toEqual([404, '2']);
      expect((JSON.parse(body) as { detail: string }).detail).toContain('If you just created it');
    }
    expect(unknown.body).toBe(foreign.body);
  });

  it('waits for a project that was just created, where projects are known from events', async () => {
    const asked: string[] = [];
    await using app = await serve(asked, { hearsOfProjects: true });
    const answering = app.http(`projects/${NEW_PROJECT}`, as('ada'));
    while (asked.length < 3) await wait(5);
    known.add(NEW_PROJECT);
    expect((await answering).statusCode).toBe(200);
  });

  it('waits once for a project that it never hears of, not at each request', async () => {
    const asked: string[] = [];
    await using app = await serve(asked, { hearsOfProjects: true });
    await app.http(`projects/${PROJECT}`, as('eve'));
    asked.length = 0;
    expect((await app.http(`projects/${PROJECT}`, as('eve'))).statusCode).toBe(404);
    expect(asked).toHaveLength(1);
  });

  it('stops asking once the client has left', async () => {
    const asked: string[] = [];
    await using app = await serve(asked, { hearsOfProjects: true });
    const leaving = new AbortController();
    const answering = app.http(`projects/${PROJECT}`, { ...as('eve'), signal: leaving.signal });
    while (asked.length < 1) await wait(5);
    leaving.abort();
    await expect(answering).rejects.toThrow();
    await app.requestLines(1);
    const before = asked.length;
    await wait(500);
    expect(asked).toHaveLength(before);
  });

  it('asks with the id in lower case, and not at all for what is no id', async () => {
    const asked: string[] = [];
    await using app = await serve(asked);
    expect((await app.http(`projects/${PROJECT.toUpperCase()}`, as('ada'))).statusCode).toBe(200);
    for (const id of ['1', '%00', `${PROJECT}x`, "'"]) {
      expect((await app.http(`projects/${id}`, as('ada'))).statusCode).toBe(404);
    }
    expect(asked).toEqual([`ada in ${PROJECT}`]);
  });

  it('lets members of a suspended project read, and refuses their changes with a reason', async () => {
    await using app = await serve();
    expect((await app.http(`projects/${SUSPENDED_PROJECT}`, as('ben'))).statusCode).toBe(200);
    const refused = await app.http.delete(`projects/${SUSPENDED_PROJECT}`, as('ada'));
    expect(refused.statusCode).toBe(403);
    expect(JSON.parse(refused.body)).toMatchObject({
      title: 'Project suspended',
      detail: expect.stringContaining('administrator') as string,
    });
    expect((await app.http.delete(`projects/${SUSPENDED_PROJECT}`, as('eve'))).statusCode).toBe(404);
  });

  it.each([
    ['POST', '/projects/1/export', false],
    ['POST', '/projects/1/public-key/rotate?x=1', false],
    ['DELETE', '/projects/1/public-key', false],
    ['DELETE', '/projects/1/agent-keys/2/', false],
    ['DELETE', '/projects/1/members/2', false],
    ['HEAD', '/projects/1/blogs', false],
    ['POST', '/projects/1/public-key', true],
    ['POST', '/projects/1/blogs/export-guide/publish', true],
    ['DELETE', '/projects/1/blogs/2', true],
    ['PATCH', '/projects/1/webhooks/2', true],
  ])('takes %s %s for a change that a suspension stops: %p', (method, originalUrl, stops) => {
    expect(changesSomething({ method, originalUrl })).toBe(stops);
  });

  it('lets nobody pass where no session was asked for', async () => {
    await using app = await serve();
    expect((await app.http(`sessionless/${PROJECT}`, as('ada'))).statusCode).toBe(500);
  });
});

describe('requireProjectOwner', () => {
  it('lets owners pass and answers editors 403', async () => {
    await using app = await serve();
    expect((await app.http.delete(`projects/${PROJECT}`, as('ada'))).statusCode).toBe(204);
    const refused = await app.http.delete(`projects/${PROJECT}`, as('ben'));
    expect(refused.headers['content-type']).toBe('application/problem+json');
    expect(JSON.parse(refused.body)).toEqual({
      title: 'Forbidden',
      status: 403,
      detail: 'Only project owners can do this. You are an editor.',
    });
  });

  it('lets nobody pass where no role was asked for', async () => {
    await using app = await serve();
    expect((await app.http.delete('unguarded')).statusCode).toBe(403);
  });
});
