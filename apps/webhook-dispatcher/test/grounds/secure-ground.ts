import { randomUUID } from 'node:crypto';
import type { EventEnvelope } from '@blog-content/event-log';
import type { VisibilityEvent } from '@blog-content/payload-schemas';
import {
  createTestCertificate,
  type ReceivedRequest,
  type Receiver,
  startReceiver,
  type TestCertificate,
} from '@blog-content/testing';
import { createUrlGuard } from '@blog-content/url-guard';
import { servedEvent, testBlog, type TestBlog } from '../events.ts';
import {
  addProject,
  prepareTestGround,
  runDispatcher,
  type RunningDispatcher,
  type TestGround,
} from '../running-dispatcher.ts';

/** The secret that receivers of this ground check signatures with. */
export const SECRET = 'a secret of at least 16';
/** The name of every receiver of this ground. */
export const RECEIVER_NAME = 'receiver.example.com';

export interface NewIntegration {
  readonly url?: string;
  readonly secret?: string | null;
  readonly headers?: Record<string, string>;
  readonly active?: boolean;
  readonly standard_webhooks?: boolean;
  readonly heal_links?: boolean;
  readonly retry_manual?: boolean;
  readonly settings?: { readonly links?: 'site' | 'live'; readonly fields?: readonly string[] };
}

/** A project with one blog and, unless it was not wanted, one integration. */
export interface ReceiverProject {
  readonly projectId: string;
  readonly blog: TestBlog;
  readonly integrationId: string;
}

/** A dispatcher that delivers over TLS only, and a receiver with a certificate of its own authority. */
export interface SecureGround extends AsyncDisposable {
  readonly ground: TestGround;
  readonly dispatcher: RunningDispatcher;
  readonly receiver: Receiver;
  readonly certificate: TestCertificate;
  readonly owner: string;
  /** `https://receiver.example.com:<port>/hook`. */
  urlOf(port: number): string;
  /** Says where the receiver's name leads from now on; `127.0.0.1` until then. */
  resolveTo(addresses: readonly string[]): void;
  newProject(integration?: NewIntegration | null): Promise<ReceiverProject>;
  addIntegration(projectId: string, integration?: NewIntegration): Promise<string>;
  changeIntegration(
    project: Pick<ReceiverProject, 'projectId' | 'integrationId'>,
    changes: NewIntegration,
  ): Promise<void>;
  /** Lets an event happen, served immediately, and resolves with the outcomes of its deliveries. */
  deliver(event: EventEnvelope<VisibilityEvent>, count?: number): ReturnType<TestGround['finished']>;
  /** What the receiver got of a blog, in order. */
  requestsOf(blogId: string): ReceivedRequest[];
}

/** Starts both; `env` is the dispatcher's on top of short delays. */
export async function prepareSecureGround(env: Readonly<Record<string, string>> = {}): Promise<SecureGround> {
  await using resources = new AsyncDisposableStack();
  const certificate = await createTestCertificate([RECEIVER_NAME]);
  const ground = resources.use(await prepareTestGround());
  let addresses: readonly string[] = ['127.0.0.1'];
  const urlGuard = createUrlGuard(
    { allowHttp: false, allowedRanges: ['127.0.0.0/8'] },
    { ca: certificate.authority, lookup: () => Promise.resolve(addresses.map((address) => ({ address }))) },
  );
  const short = { DELIVERY_TIMEOUT_MS: '20000', RETRY_DELAYS_MS: '20,20,20,20', SERVED_WAIT_MS: '50' };
  const dispatcher = resources.use(await runDispatcher(ground, { urlGuard, env: { ...short, ...env } }));
  const receiver = resources.adopt(await startReceiver({ secret: SECRET, certificate }), (open) => open.close());
  const owner = randomUUID();
  const urlOf = (port: number) => `https://${RECEIVER_NAME}:${port}/hook`;

  const addIntegration = async (projectId: string, integration: NewIntegration = {}): Promise<string> => {
    const body = { url: urlOf(receiver.port), secret: SECRET, ...integration };
    const created = await dispatcher.call<{ id: string }>('POST', `/projects/${projectId}/webhooks`, owner, body);
    if (created.status !== 201) throw new Error(`not created: ${created.status} ${JSON.stringify(created.body)}`);
    return created.body.id;
  };

  const kept = resources.move();
  return {
    ground,
    dispatcher,
    receiver,
    certificate,
    owner,
    urlOf,
    resolveTo(next) {
      addresses = next;
    },
    async newProject(integration = {}) {
      const projectId = randomUUID();
      await addProject(ground, dispatcher, projectId, owner);
      const integrationId = integration === null ? '' : await addIntegration(projectId, integration);
      return { projectId, blog: testBlog(projectId), integrationId };
    },
    addIntegration,
    async changeIntegration({ projectId, integrationId }, changes) {
      const changed = await dispatcher.call(
        'PATCH',
        `/projects/${projectId}/webhooks/${integrationId}`,
        owner,
        changes,
      );
      if (changed.status !== 200) throw new Error(`not changed: ${changed.status} ${JSON.stringify(changed.body)}`);
    },
    async deliver(event, count = 1) {
      await ground.append(event, servedEvent(event));
      return ground.finished(event.id, count);
    },
    requestsOf: (blogId) =>
      receiver.requests.filter((request) => request.body.length > 0 && request.json()['blog_id'] === blogId),
    [Symbol.asyncDispose]: () => kept.disposeAsync(),
  };
}
