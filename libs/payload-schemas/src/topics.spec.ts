import {
  deadLetterTopicName,
  deliveriesTopic,
  integrationCreateRequest,
  lifecycleTopic,
  projectCreateRequest,
  projectsTopic,
  servedTopic,
  sessionsTopic,
  slug,
} from './index.ts';

const ids = {
  blog_id: '7b6f1c1e-54d5-4a0e-9a39-0d5a4f6f2f10',
  project_id: '2f2b7f0e-9f5c-4d2b-8a37-9d8d5f3f6a11',
};

describe('topics', () => {
  const unpublished = {
    event: 'blog.unpublished' as const,
    ...ids,
    blog_event_number: 2,
    trigger: 'manual' as const,
    title: 'Tea',
    unpublished_at: '2026-11-21T09:00:00Z',
  };

  it('keys the lifecycle by blog and keeps one project’s events together', () => {
    expect(lifecycleTopic.key(unpublished)).toBe(ids.blog_id);
    expect(lifecycleTopic.partitionKey(unpublished)).toBe(ids.project_id);
  });

  it('keeps the state of every blog and project for ever, outcomes for days', () => {
    expect([lifecycleTopic, projectsTopic].map((topic) => topic.retention.compacted)).toEqual([true, true]);
    expect([servedTopic, deliveriesTopic].map((topic) => topic.retention.compacted)).toEqual([false, false]);
  });

  it('keeps revoked sessions for longer than any of their tokens lives, and not for ever', () => {
    expect(sessionsTopic.retention).toEqual({ compacted: true, fullHistoryMs: 0, keepMs: 86_400_000 });
  });

  it('keys what is told of a receiver by the receiver, what is told of deliveries by the blog', () => {
    const receiver = {
      project_id: ids.project_id,
      integration_id: '0b9f6a8e-93f5-4f5e-9d0c-0d3b7c1f2a10',
      receiver: 'a',
    };
    const time = '2026-11-21T09:00:00Z';
    const recovered = { event: 'integration.recovered' as const, ...receiver, failing_since: time, recovered_at: time };
    expect(deliveriesTopic.key(recovered)).toBe(receiver.integration_id);
    expect(deliveriesTopic.partitionKey(recovered)).toBe(ids.project_id);
    const planned = { event: 'deliveries.planned' as const, ...ids, lifecycle_event_id: ids.blog_id, publish_id: null };
    expect(deliveriesTopic.key({ ...planned, deliveries: [] })).toBe(ids.blog_id);
  });

  it('ignores fields added later (contract §9.2)', () => {
    expect(lifecycleTopic.schema.safeParse({ ...unpublished, added_later: 1 }).success).toBe(true);
  });

  it('refuses an event number below 1', () => {
    expect(lifecycleTopic.schema.safeParse({ ...unpublished, blog_event_number: 0 }).success).toBe(false);
  });

  it('names the dead-letter topic after the source', () => {
    expect(deadLetterTopicName('blog.lifecycle')).toBe('blog.lifecycle.dlq');
  });
});

describe('slugs (contract §2.6)', () => {
  it.each(['a', 'a-b', '2026-review', 'x'.repeat(200)])('accepts %s', (value) => {
    expect(slug.safeParse(value).success).toBe(true);
  });
  it.each(['', 'A', 'a--b', '-a', 'a-', 'a_b', 'ä', 'a b', 'x'.repeat(201)])('refuses %p', (value) => {
    expect(slug.safeParse(value).success).toBe(false);
  });
});

describe('owner requests', () => {
  it('takes the trailing slash from a site address', () => {
    expect(projectCreateRequest.parse({ name: 'Site', site_url: 'https://site.example/base//' }).site_url).toBe(
      'https://site.example/base',
    );
  });
  it.each(['ftp://site.example', 'site.example', 'https://site.example/?q', 'javascript:alert(1)'])(
    'refuses the site address %s',
    (site_url) => {
      expect(projectCreateRequest.safeParse({ name: 'Site', site_url }).success).toBe(false);
    },
  );
  it('wants a webhook secret of at least 16 characters, or none (contract §5.2.1)', () => {
    const url = 'https://receiver.example/hook';
    expect(integrationCreateRequest.safeParse({ url, secret: 'x'.repeat(15) }).success).toBe(false);
    expect(integrationCreateRequest.safeParse({ url, secret: 'x'.repeat(16) }).success).toBe(true);
    expect(integrationCreateRequest.parse({ url }).secret).toBeNull();
  });
});
