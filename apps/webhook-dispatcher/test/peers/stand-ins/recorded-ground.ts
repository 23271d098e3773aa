import { randomUUID } from 'node:crypto';
import type { EventEnvelope } from '@blog-content/event-log';
import type { VisibilityEvent } from '@blog-content/payload-schemas';
import { PROVIDER_APIS } from '../../../src/destinations/open-destination.ts';
import { servedEvent, testBlog, type TestBlog } from '../../events.ts';
import { addProject, prepareTestGround, runDispatcher, type TestGround } from '../../running-dispatcher.ts';
import type { StandIn } from './stand-in.ts';

/** A project whose posts go to a stand-in of a provider. */
export interface RecordedGround extends AsyncDisposable {
  readonly ground: TestGround;
  /** A blog with a title that no other has. */
  newBlog(): TestBlog & { readonly title: string };
  send(event: EventEnvelope<VisibilityEvent>): Promise<void>;
  /** Sends an event, and waits for its outcome. */
  deliver(event: EventEnvelope<VisibilityEvent>): Promise<Outcome | undefined>;
  /** Test Connection of an integration with other settings than the stand-in's own. */
  testWith(settings?: object): Promise<Readonly<Record<string, unknown>>>;
}

type Outcome = Awaited<ReturnType<TestGround['finished']>>[number];

export async function prepareRecordedGround({ peer, apis }: StandIn): Promise<RecordedGround> {
  await using resources = new AsyncDisposableStack();
  const ground = resources.use(await prepareTestGround());
  const dispatcher = resources.use(
    await runDispatcher(ground, { env: { RETRY_DELAYS_MS: '50' }, providerApis: { ...PROVIDER_APIS, ...apis } }),
  );
  const owner = randomUUID();
  const [projectId, other] = [randomUUID(), randomUUID()];
  for (const id of [projectId, other]) await addProject(ground, dispatcher, id, owner);
  const create = async (id: string, changes: object = {}) => {
    const body = { kind: peer.kind, ...peer.integration, ...changes };
    const made = await dispatcher.call<{ id: string }>('POST', `/projects/${id}/webhooks`, owner, body);
    if (made.status !== 201) throw new Error(`not created: ${made.status} ${JSON.stringify(made.body)}`);
    return `/projects/${id}/webhooks/${made.body.id}`;
  };
  await create(projectId);
  const send = (event: EventEnvelope<VisibilityEvent>) => ground.append(event, servedEvent(event));
  const kept = resources.move();
  return {
    ground,
    newBlog() {
      const blog = testBlog(projectId);
      const title = `rule ${blog.id.slice(0, 13)}`;
      return {
        ...blog,
        title,
        published: ({ revision, ...changes } = {}) =>
          blog.published({ ...changes, revision: { title, slug: title.replaceAll(' ', '-'), ...revision } }),
      };
    },
    send,
    async deliver(event) {
      await send(event);
      const [outcome] = await ground.finished(event.id);
      return outcome;
    },
    testWith: async (settings) =>
      (await dispatcher.call('POST', `${await create(other, settings === undefined ? {} : { settings })}/test`, owner))
        .body,
    [Symbol.asyncDispose]: () => kept.disposeAsync(),
  };
}
