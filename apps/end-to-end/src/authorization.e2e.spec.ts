import { randomUUID } from 'node:crypto';
import { httpSurface, ZIP, type Operation } from '@blog-content/payload-schemas/documents';
import { eventually } from '@blog-content/testing';
import { startStack, type Stack } from './stack.ts';

const PASSWORD = 'correct horse battery staple';

const parties = [
  'nobody',
  'owner',
  'editor',
  'owner of another project',
  'agent',
  'agent of another project',
  'public key',
  'public key of another project',
] as const;
type Party = (typeof parties)[number];

/** What a party may expect: `in` lets it through to what the request asks for. */
type ExpectedAnswer = 'in' | 401 | 403 | 404;

/**
 * The authorization matrix (contract §5.1, §5.3; issue: one project never reads or changes another’s).
 */
function expected({ credential, only, path }: Operation, party: Party): ExpectedAnswer {
  const isMember = party === 'owner' || party === 'editor';
  switch (credential) {
    case 'none':
      return 'in';
    case 'sessionCookie':
      // Nobody's here: tested with the sessions of browsers.
      return 401;
    case 'publicKey':
      if (!party.startsWith('public key')) return 401;
      return party === 'public key' || !path.includes('{') ? 'in' : 404;
    case 'agentKey':
      if (!party.startsWith('agent')) return 401;
      return party === 'agent' || !path.includes('{') ? 'in' : 404;
    case 'ownerSession':
      if (!isMember && party !== 'owner of another project') return 401;
      // The bootstrap owner is the administrator.
      if (only === 'administrator') return party === 'owner' ? 'in' : 403;
      if (!path.includes('{projectId}')) return 'in';
      if (!isMember) return 404;
      return only === 'owners' && party === 'editor' ? 403 : 'in';
  }
}

/** Whom an editor may remove depends on who it is: tested with the members. */
const isOfItsOwn = ({ method, path }: Operation, party: Party) =>
  party === 'editor' && method === 'delete' && path.endsWith('/members/{accountId}');
/** Not asked for here: they end a session that the others need. Tested with the accounts. */
const LEFT_OUT = new Set(['delete /blog/api/v1/owner/session', 'delete /blog/api/v1/owner/account/sessions']);
const operations = httpSurface.filter(({ method, path }) => !LEFT_OUT.has(`${method} ${path}`));
/** A stream has no end: it is tested with the project's events. */
const STREAM = 'watchProject';
/** What members read of a project, of whichever service. */
const readByMembers = operations.filter(
  ({ id, method, credential, only, path }) =>
    method === 'get' &&
    credential === 'ownerSession' &&
    only === undefined &&
    id !== STREAM &&
    String(path.match(/\{\w+\}/g)) === '{projectId}',
);
const rows = operations.flatMap((operation) =>
  parties
    .filter((party) => !isOfItsOwn(operation, party))
    .map(
      (party) =>
        [party, operation.method.toUpperCase(), operation.path, expected(operation, party), operation] as const,
    ),
);

describe('the authorization matrix, over every route', () => {
  let stack: Stack;
  let credentials: Record<Party, string | null>;
  let ids: Record<string, string>;
  let before: string;

  beforeAll(async () => {
    stack = await startStack();
    const owner = stack.owner.token;
    const project = await newProject(owner);
    const editor = await invite('editor@example.com', { project_id: project.id, role: 'editor' });
    const stranger = await invite('stranger@example.com', {});
    const foreign = await newProject(stranger);
    credentials = {
      nobody: null,
      owner,
      editor,
      'owner of another project': stranger,
      agent: project.agentKey,
      'agent of another project': foreign.agentKey,
      'public key': project.publicKey,
      'public key of another project': foreign.publicKey,
    };
    const base = `owner/projects/${project.id}`;
    const blog = await call(owner, 'POST', `${base}/blogs`, { title: 'Mine', slug: 'mine' });
    const webhook = await call(owner, 'POST', `${base}/webhooks`, { url: 'http://127.0.0.1:9/hook' });
    const publish = await call(owner, 'POST', `${base}/blogs/${blog.body.id}/publish`);
    expect([blog.status, publish.status, webhook.status]).toEqual([201, 202, 201]);
    const account = await call(editor, 'GET', 'owner/session');
    ids = {
      projectId: project.id,
      blogId: blog.body.id,
      publishId: publish.body.id,
      accountId: account.body.account.id,
      integrationId: webhook.body.id,
      agentKeyId: project.agentKeyId,
      slug: 'mine',
      number: '1',
    };
    // The other services learn of members from the topic.
    for (const operation of readByMembers) {
      await eventually(async () =>
        expect(String((await askAs(editor, operation)).body.detail)).not.toMatch(/^Project not found/),
      );
    }
    await eventually(async () => expect((await call(project.publicKey, 'GET', 'public/blogs/mine')).status).toBe(200));
    // Nothing listens at the webhook's address, so its one delivery fails at some time.
    await eventually(async () => {
      const { body } = await call(owner, 'GET', `${base}/webhooks`);
      expect(body.items).toMatchObject([{ failed_deliveries: 1 }]);
    });
    before = await snapshot();
  });

  afterAll(async () => {
    await stack?.[Symbol.asyncDispose]();
  });

  const refused = rows.filter(([, , , outcome]) => outcome !== 'in');
  it.each(refused)('%s · %s %s → %s', async (party, method, path, outcome, operation) => {
    const answer = await ask(operation, credentials[party], (name) => ids[name] ?? randomUUID());
    expect([method, path, answer.status]).toEqual([method, path, outcome]);
    // People without access get the same answer as for a project that does not exist.
    if (outcome === 404 && operation.credential === 'ownerSession')
      expect(answer.body.detail).toMatch(/^Project not found\./);
    if (outcome === 401) expect(answer.headers.get('www-authenticate')).toContain('Bearer');
  });

  it('nothing that was refused has changed anything', async () => {
    expect(await snapshot()).toBe(before);
  });

  // Let in, and then told that there is no such thing, or that the body is wrong: nothing is changed by it.
  const let_in = rows.filter(([, , , outcome, { id }]) => outcome === 'in' && id !== STREAM);
  it.each(let_in)('%s · %s %s is let in', async (party, _method, path, _outcome, operation) => {
    const answer = await ask(operation, credentials[party], (name) =>
      ['projectId', 'slug', 'number'].includes(name) ? (ids[name] ?? '') : randomUUID(),
    );
    expect(answer.status).toBeLessThan(500);
    expect(answer.status).not.toBe(403);
    if (operation.credential !== 'none') expect(answer.status).not.toBe(401);
    if (answer.status === 404) expect(answer.body.detail).not.toMatch(/^Project not found\./);
    const isOfOtherProject = party.includes('another project');
    if (isOfOtherProject && operation.method === 'get')
      expect(JSON.stringify(answer.body)).not.toContain(ids['blogId']);
    if (isOfOtherProject && path.endsWith('/owner/projects') && operation.method === 'get') {
      expect(JSON.stringify(answer.body)).not.toContain(ids['projectId']);
    }
  });

  it('a session that was signed out is refused by every service', async () => {
    const servicesOf = (asked: readonly Operation[]) => new Set(asked.map(({ service }) => service));
    const ofSessions = operations.filter(({ credential }) => credential === 'ownerSession');
    expect(servicesOf(readByMembers)).toEqual(servicesOf(ofSessions));
    const { token } = (await call(null, 'POST', 'owner/session', { email: 'editor@example.com', password: PASSWORD }))
      .body;
    const refusing = async (session: string | null) => {
      const refusals: string[] = [];
      for (const operation of readByMembers) {
        if ((await askAs(session, operation)).status === 401) refusals.push(operation.id);
      }
      return refusals;
    };
    expect(await refusing(token)).toEqual([]);
    expect((await call(token, 'DELETE', 'owner/session')).status).toBe(204);
    await eventually(async () => expect(await refusing(token)).toEqual(readByMembers.map(({ id }) => id)));
    expect(await refusing(credentials.editor)).toEqual([]);
  });

  interface Answer {
    readonly status: number;
    readonly headers: Headers;
    // Many shapes are looked into.
    // eslint-disable-next-line @typescript-eslint/no-explicit-any
    readonly body: any;
  }

  /** A request that harms nothing where it is let in: no body fits, and If-Match names no version. */
  function ask(operation: Operation, credential: string | null, idOf: (name: string) => string): Promise<Answer> {
    const path = operation.path.replace(/\{(\w+)\}/g, (_, name: string) => idOf(name)).replace('/blog/api/v1/', '');
    const isEmpty = operation.request === undefined;
    return call(credential, operation.method.toUpperCase(), path, isEmpty ? undefined : {}, {
      ...(operation.ifMatch && { 'if-match': '"999999"' }),
      ...(operation.request === ZIP && { 'content-type': ZIP }),
    });
  }

  const askAs = (credential: string | null, operation: Operation) =>
    ask(operation, credential, (name) => ids[name] ?? '');

  async function call(
    credential: string | null,
    method: string,
    path: string,
    json?: object,
    headers: Record<string, string> = {},
  ): Promise<Answer> {
    const answer = await fetch(`${stack.local.origin}/blog/api/v1/${path}`, {
      method,
      headers: {
        ...(credential !== null && { authorization: `Bearer ${credential}` }),
        ...(json && { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(json && { body: JSON.stringify(json) }),
    });
    const text = await answer.text();
    const isJson = answer.headers.get('content-type')?.includes('json') ?? false;
    return { status: answer.status, headers: answer.headers, body: isJson ? JSON.parse(text) : text };
  }

  async function newProject(token: string) {
    const { id } = (await call(token, 'POST', 'owner/projects', { name: 'Site', site_url: null })).body;
    const { key: agentKey, id: agentKeyId } = (
      await call(token, 'POST', `owner/projects/${id}/agent-keys`, { name: 'Agent' })
    ).body;
    const publicKey = await eventually(async () => {
      const made = await call(token, 'POST', `owner/projects/${id}/public-key`);
      expect(made.status).toBe(201);
      return made.body.public_key as string;
    });
    await eventually(async () => expect((await call(token, 'GET', `owner/projects/${id}/webhooks`)).status).toBe(200));
    return { id, agentKey, agentKeyId, publicKey } as Record<'id' | 'agentKey' | 'agentKeyId' | 'publicKey', string>;
  }

  /** Invites somebody, has them accept, and gives their session's token. */
  async function invite(email: string, membership: object): Promise<string> {
    const invited = await call(stack.owner.token, 'POST', 'owner/invitations', { email, ...membership });
    expect(invited.status).toBe(201);
    const json = { token: invited.body.token, password: PASSWORD };
    const accepted = await call(null, 'POST', 'owner/invitations/accept', json);
    expect(accepted.status).toBe(201);
    return accepted.body.token as string;
  }

  /** All that the owner can see of the project. */
  async function snapshot(): Promise<string> {
    const owner = credentials.owner;
    const base = `owner/projects/${ids['projectId']}`;
    const parts = [
      '',
      '/blogs',
      `/blogs/${ids['blogId']}`,
      '/publishes',
      '/members',
      '/agent-keys',
      '/authors',
      '/schedules',
    ];
    const shown = [];
    for (const part of [...parts, '/webhooks', '/public-key']) {
      const { status, body } = await call(owner, 'GET', `${base}${part}`);
      expect(status).toBe(200);
      // Moves by itself.
      shown.push(
        JSON.stringify(body, (key, value) =>
          ['last_used_at', 'deliveries', 'status', 'served_at'].includes(key) ? null : value,
        ),
      );
    }
    return shown.join('\n');
  }
});
