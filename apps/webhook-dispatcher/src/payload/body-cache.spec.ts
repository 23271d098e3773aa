import { setImmediate as nextIteration } from 'node:timers/promises';
import type { VisibilityEvent } from '@blog-content/payload-schemas';
import { testBlog } from '../../test/events.ts';
import { createBodyCache } from './event-cache.ts';

const PROJECT = '2f2b7f0e-9f5c-4d2b-8a37-9d8d5f3f6a11';
const first = { receiverHasBlog: false, receiverSlug: null, attempt: 1, retries: false };
const retried = { ...first, retries: true };

it('a body with prepared content is the same, byte for byte, for each trigger and kind of event', async () => {
  const blog = testBlog(PROJECT);
  const content = '<p><a href="[INTERNAL:mint]">Mint</a></p><img src="https://cdn.example/a.png" alt="A">';
  const events = [
    blog.published({ revision: { content } }).data,
    blog.published({ revision: { content }, trigger: 'autopilot' }).data,
    blog.unpublished().data,
    blog.deleted().data,
  ];
  const contextOf = (event: VisibilityEvent) => (event.trigger === 'autopilot' ? retried : first);
  const afresh = structuredClone(events).map((event) => createBodyCache().build(event, contextOf(event)));
  const cache = createBodyCache();
  cache.prepare(events);
  for (const _event of events) await nextIteration();
  expect(events.map((event) => cache.build(event, contextOf(event)))).toEqual(afresh);
});

it('renders one content ahead per iteration of the event loop, over all calls', async () => {
  const made = new Set<string>();
  const named = (name: string) => {
    const { data } = testBlog(PROJECT).published();
    Object.defineProperty(data.revision, 'content', {
      get() {
        made.add(name);
        return '<p>Tea</p>';
      },
    });
    return data;
  };
  const cache = createBodyCache();
  cache.prepare([named('a'), named('b')]);
  cache.prepare([named('c')]);
  const madeByIteration: string[] = [];
  for (let iteration = 0; iteration < 3; iteration += 1) {
    await nextIteration();
    madeByIteration.push([...made].join(''));
  }
  expect(madeByIteration).toEqual(['a', 'ab', 'abc']);
});

it('a body is in memory once for all receivers that get the same attempt', () => {
  const event = testBlog(PROJECT).published({ trigger: 'autopilot' }).data;
  const cache = createBodyCache();
  const body = cache.build(event, retried);
  expect(cache.build(event, retried)).toBe(body);
  expect(JSON.parse(Buffer.from(cache.build(event, { ...retried, attempt: 2 })).toString())).toMatchObject({
    publish_attempt: 2,
  });
});

it('a receiver that opted in to retries of manual publishes never shares a body with one that did not', () => {
  const event = testBlog(PROJECT).published().data;
  const cache = createBodyCache();
  const fieldsOf = (body: Uint8Array) => JSON.parse(Buffer.from(body).toString()) as Record<string, unknown>;
  const key = `${event.blog_id}:${event.publish_id}`;
  expect(fieldsOf(cache.build(event, retried))).toMatchObject({ idempotency_key: key, publish_attempt: 1 });
  expect(fieldsOf(cache.build(event, first))).not.toHaveProperty('idempotency_key');
  expect(cache.build(event, { ...first, attempt: 2 })).toBe(cache.build(event, first));
});
