import { AsyncLocalStorage } from 'node:async_hooks';
import { context, ROOT_CONTEXT, trace, type Context, type ContextManager } from '@opentelemetry/api';
import { deliveriesTopic, projectsTopic } from '@blog-content/payload-schemas';
import { toEnvelope } from './envelope.ts';
import { toOutboxRow } from '../outbox/outbox-table.ts';
import { contextOf } from './trace.ts';

const project = {
  event: 'project.deleted' as const,
  project_id: '0b9f6a8e-93f5-4f5e-9d0c-0d3b7c1f2a10',
  project_event_number: 3,
};

describe('toEnvelope', () => {
  it('takes type, key and partition key from the topic', () => {
    const time = new Date('2026-03-01T12:00:00.123Z');
    const id = '6f1e3d52-2f0b-4c39-8a55-0f6f0f2f4a11';
    expect(toEnvelope(projectsTopic, project, { source: '/content-service', id, time })).toEqual({
      id,
      topic: 'blog.projects',
      type: 'project.deleted',
      source: '/content-service',
      key: project.project_id,
      partitionKey: project.project_id,
      time: '2026-03-01T12:00:00.123Z',
      data: project,
    });
  });

  it('partitions events with a blog key by project', () => {
    const ids = { blog_id: project.project_id, project_id: '6f1e3d52-2f0b-4c39-8a55-0f6f0f2f4a11' };
    const event = {
      event: 'deliveries.planned' as const,
      ...ids,
      lifecycle_event_id: project.project_id,
      publish_id: null,
      deliveries: [],
    };
    const envelope = toEnvelope(deliveriesTopic, event, { source: '/webhook-dispatcher' });
    expect(envelope).toMatchObject({ key: ids.blog_id, partitionKey: ids.project_id });
  });

  it('refuses an event that does not match its topic', () => {
    const bad = { ...project, project_event_number: 0 };
    expect(() => toEnvelope(projectsTopic, bad, { source: '/content-service' })).toThrow();
  });

  it('makes a new id for every event', () => {
    const [one, two] = [1, 2].map(() => toEnvelope(projectsTopic, project, { source: '/content-service' }).id);
    expect(one).not.toBe(two);
  });
});

describe('the trace context', () => {
  const active = new AsyncLocalStorage<Context>();
  const manager: ContextManager = {
    active: () => active.getStore() ?? ROOT_CONTEXT,
    with: (store, run, self, ...args) => active.run(store, () => run.apply(self, args)),
    bind: (_, target) => target,
    enable: () => manager,
    disable: () => manager,
  };
  beforeAll(() => context.setGlobalContextManager(manager));
  afterAll(() => context.disable());

  const traceparent = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01';

  it('goes from the active span into the envelope and the outbox, and back into a context', () => {
    const envelope = context.with(contextOf(traceparent), () =>
      toEnvelope(projectsTopic, project, { source: '/content-service' }),
    );
    expect(envelope.traceparent).toBe(traceparent);
    expect(toOutboxRow(envelope)).toMatchObject({ traceparent, time: new Date(envelope.time) });
    expect(trace.getSpanContext(contextOf(envelope.traceparent))).toMatchObject({
      traceId: '0af7651916cd43dd8448eb211c80319c',
      spanId: 'b7ad6b7169203331',
      isRemote: true,
    });
  });

  it('is left out when nothing is traced', () => {
    const envelope = toEnvelope(projectsTopic, project, { source: '/content-service' });
    expect(envelope).not.toHaveProperty('traceparent');
    expect(toOutboxRow(envelope).traceparent).toBeNull();
  });

  it.each([undefined, '', 'nonsense', '00-short-b7ad6b7169203331-01'])('is the root context for %p', (text) => {
    expect(contextOf(text)).toBe(ROOT_CONTEXT);
  });
});
