import { randomUUID } from 'node:crypto';
import type { Method } from 'got';
import { OWNER, type Answer, type CallOptions, type RunningService } from '../running-service.ts';

/** What requests of one operation are made with. */
export interface Fixture {
  /** The credential that the operation takes; undefined where it takes none. */
  readonly token: string | undefined;
  /** Sent besides. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Path parameter → what exists. */
  readonly ids: Readonly<Record<string, string>>;
  /** Whatever bodies must have that no schema can know, such as a reset token. */
  readonly facts: Readonly<Record<string, string>>;
}

/** The administrator's view of a running service: makes what an operation needs to be there. */
export interface World {
  readonly token: string;
  /** Where a model’s server is, up to `/v1`; empty without one. */
  readonly modelUrl: string;
  /** An account beside the administrator's, always the same one. */
  other(): Promise<{ readonly id: string; readonly email: string; readonly token: string }>;
  /** A call that must succeed. @param path below `/blog/api/v1/owner/`. */
  made(method: Method, path: string, options?: CallOptions): Promise<Answer>;
  /** A call that may fail. */
  tried(method: Method, path: string, options?: CallOptions): Promise<Answer>;
  /** Makes an account through an invitation. */
  newAccount(): Promise<{ id: string; email: string; password: string; token: string; refreshToken: string }>;
  /** Makes an invitation. */
  invite(email?: string): Promise<{ id: string; email: string; token: string }>;
  /** A project with a blog that was published twice and changed since, and an agent key. */
  newProject(): Promise<PreparedProject>;
}

export interface PreparedProject {
  readonly projectId: string;
  readonly blogId: string;
  readonly publishId: string;
  readonly agentKeyId: string;
  readonly agentKey: string;
}

export const NEW_PASSWORD = 'a new and long password';

/** Signs in as the bootstrap owner. */
export async function createWorld(service: RunningService, modelUrl = ''): Promise<World> {
  const token = await service.signIn();
  const tried: World['tried'] = (method, path, options = {}) => service.call(method, path, { token, ...options });
  const made: World['made'] = async (method, path, options) => {
    const answer = await tried(method, path, options);
    if (answer.status < 300) return answer;
    throw new Error(`The preparation ${method} ${path} was refused: ${JSON.stringify(answer.body)}`);
  };

  const invite: World['invite'] = async (email = `${randomUUID()}@example.com`) => {
    const { body } = await made('POST', 'invitations', { json: { email } });
    return { id: body.id, email, token: body.token };
  };
  const newAccount: World['newAccount'] = async () => {
    const { email, token: invitation } = await invite();
    const { password } = OWNER;
    const { body } = await made('POST', 'invitations/accept', { json: { token: invitation, password } });
    return { id: body.account.id, email, password, token: body.token, refreshToken: body.refresh_token };
  };
  const newProject: World['newProject'] = async () => {
    const projectId: string = (await made('POST', 'projects', { json: { name: 'Contract' } })).body.id;
    const project = `projects/${projectId}`;
    const json = { title: 'First', content: '<p>One</p>', categories: ['a'], tags: ['b'] };
    const blogId: string = (await made('POST', `${project}/blogs`, { json })).body.id;
    await made('POST', `${project}/blogs/${blogId}/publish`);
    await made('PATCH', `${project}/blogs/${blogId}`, { json: { content: '<p>Two</p>' } });
    const publishId: string = (await made('POST', `${project}/blogs/${blogId}/publish`)).body.id;
    await made('PATCH', `${project}/blogs/${blogId}`, { json: { content: '<p>Three</p>', keyword: 'k' } });
    const { body: key } = await made('POST', `${project}/agent-keys`, { json: { name: 'Contract' } });
    return { projectId, blogId, publishId, agentKeyId: key.id, agentKey: key.key };
  };
  let other: ReturnType<World['other']> | undefined;
  return { token, modelUrl, other: () => (other ??= newAccount()), made, tried, newAccount, invite, newProject };
}
