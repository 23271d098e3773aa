import { randomUUID } from 'node:crypto';
import { extras, type LifecycleEvent } from '@blog-content/payload-schemas';
import { startRunningService, type Answer, type CallOptions, type RunningService } from './running-service.ts';

interface BlogRef {
  readonly id: string;
}

/** The bootstrap owner, signed in, with a project. */
export interface Owner {
  readonly token: string;
  /** Id of the project that paths begin in when they begin with a slash. */
  readonly project: string;
  call(method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE', path: string, options?: CallOptions): Promise<Answer>;
  get(path: string): Promise<Answer>;
  post(path: string, json?: unknown, headers?: Record<string, string>): Promise<Answer>;
  patch(path: string, json: unknown, headers?: Record<string, string>): Promise<Answer>;
  put(path: string, json: unknown): Promise<Answer>;
  remove(path: string, headers?: Record<string, string>): Promise<Answer>;
  /** The same owner in a project of its own. */
  inNewProject(siteUrl?: string | null): Promise<Owner>;
  newBlog(fields?: object): Promise<{ id: string; slug: string; version: number }>;
  publish(blog: BlogRef): Promise<Answer>;
  show(blog: BlogRef): Promise<Answer['body']>;
  /** The lifecycle events of a blog, as they stand in the outbox. */
  eventsOf(blog: BlogRef): Promise<LifecycleEvent[]>;
}

/** Signs in and makes a project. A path with a leading slash is below that project. */
export async function startOwner(service: RunningService): Promise<Owner> {
  return ownerOfNewProject(service, await service.signIn(), 'https://site.example');
}

/** @param token session of an account, which becomes the project's owner. */
export async function ownerOfNewProject(
  service: RunningService,
  token: string,
  siteUrl: string | null = 'https://site.example',
): Promise<Owner> {
  const created = await service.call('POST', 'projects', { token, json: { name: 'Site', site_url: siteUrl } });
  const { id: project } = created.body as BlogRef;
  const call: Owner['call'] = (method, path, options = {}) =>
    service.call(method, path.startsWith('/') ? `projects/${project}${path}` : path, { token, ...options });
  const post: Owner['post'] = (path, json = {}, headers = {}) => call('POST', path, { json, headers });
  return {
    token,
    project,
    call,
    get: (path) => call('GET', path),
    post,
    patch: (path, json, headers = {}) => call('PATCH', path, { json, headers }),
    put: (path, json) => call('PUT', path, { json }),
    remove: (path, headers = {}) => call('DELETE', path, { headers }),
    inNewProject: (site) => ownerOfNewProject(service, token, site),
    async newBlog(fields = {}) {
      const answer = await post('/blogs', { title: `Post ${randomUUID()}`, ...fields });
      expect(answer.status).toBe(201);
      return answer.body as { id: string; slug: string; version: number };
    },
    publish: (blog) => post(`/blogs/${blog.id}/publish`),
    show: async (blog) => (await call('GET', `/blogs/${blog.id}`)).body,
    async eventsOf(blog) {
      const rows = await service.query<{ data: LifecycleEvent }>(
        `select data from outbox where topic = 'blog.lifecycle' and key = $1 order by position`,
        [blog.id],
      );
      return rows.map(({ data }) => data);
    },
  };
}

/**
 * Starts a service for the tests of a file, and gives each test a project of its own.
 *
 * @param begin gets both before each test.
 * @param settings environment variables on top.
 */
export function eachInNewProject(
  begin: (ground: { readonly service: RunningService; readonly owner: Owner }) => void,
  settings?: Readonly<Record<string, string>>,
): void {
  let service: RunningService | undefined;
  let first: Owner;
  beforeAll(async () => {
    service = await startRunningService(settings);
    first = await startOwner(service);
  });
  beforeEach(async () => {
    begin({ service: service!, owner: await first.inNewProject() });
  });
  afterAll(() => service?.[Symbol.asyncDispose]());
}

/** Adds the author whom the examples of extra fields name. */
export async function addExampleAuthor(owner: Owner): Promise<void> {
  const [slug] = extras.examples.authors;
  const answer = await owner.post('/authors', { name: 'Ada Lovelace', slug, email: 'ada@example.com' });
  expect(answer.status).toBe(201);
}
