import type { LifecycleEvent } from '@blog-content/payload-schemas';
import { blogDeleted, blogPublished, slugsChanged, blogUnpublished, received } from '../../test/events.ts';
import { planLifecycle } from './plan-lifecycle.ts';

const blog = '7b6f1c1e-54d5-4a0e-9a39-0d5a4f6f2f10';
const other = '8b6f1c1e-54d5-4a0e-9a39-0d5a4f6f2f10';
const publish = (number: number, blog_id = blog) => received(blogPublished({ blog_id, blog_event_number: number }));
const at = (eventNumber: number, announcedNumber = eventNumber) => ({ eventNumber, announcedNumber });
const unpublish = (number: number) => received(blogUnpublished({ blog_id: blog, blog_event_number: number }));

describe('planning a batch of lifecycle events', () => {
  it('applies events of a blog never seen', () => {
    const event = publish(3);
    expect(planLifecycle([event], new Map())).toMatchObject({
      applied: [event],
      positions: [{ blogId: blog, eventNumber: 3 }],
      published: [event.data],
    });
  });

  it('lets the last event of a blog decide and counts all of them as applied', () => {
    const events = [publish(1), publish(2), unpublish(3)];
    expect(planLifecycle(events, new Map())).toMatchObject({
      applied: events,
      positions: [{ blogId: blog, eventNumber: 3 }],
      published: [],
    });
    const again = publish(4);
    expect(planLifecycle([...events, again], new Map()).published).toEqual([again.data]);
  });

  it('ignores events at or below the position', () => {
    expect(planLifecycle([publish(1), publish(2)], new Map([[blog, at(2)]]))).toEqual({
      applied: [],
      announced: [],
      positions: [],
      replaced: [],
      slugs: [],
      changedProjects: [],
      published: [],
      siteUrls: new Map(),
    });
  });

  it('ignores an event repeated or overtaken within the batch', () => {
    const [first, newer] = [publish(1), unpublish(3)];
    expect(planLifecycle([first, first, newer, publish(2)], new Map()).applied).toEqual([first, newer]);
  });

  it('announces events that a rebuild has applied, once, without applying them', () => {
    const events = [publish(4), publish(5), unpublish(6)];
    const plan = planLifecycle(events.slice(0, 2), new Map([[blog, at(6, 4)]]));
    expect(plan).toMatchObject({
      applied: [],
      announced: [events[1]],
      replaced: [],
      changedProjects: [],
      published: [],
    });
    expect(plan.positions).toMatchObject([{ blogId: blog, ...at(6, 5) }]);
    expect(planLifecycle(events, new Map([[blog, at(6, 5)]]))).toMatchObject({
      announced: [events[2]],
      positions: [{ blogId: blog, ...at(6) }],
    });
    const next = publish(7);
    expect(planLifecycle([events[2]!, next], new Map([[blog, at(6, 5)]]))).toMatchObject({
      applied: [next],
      announced: [events[2], next],
      positions: [{ blogId: blog, ...at(7) }],
    });
  });

  it('takes slugs and aliases from the last event that names them', () => {
    const slugsOf = (...events: LifecycleEvent[]) => planLifecycle(events.map(received), new Map()).slugs;
    const about = { blog_id: blog, revision: { slug: 'new' } };
    const renamed = blogPublished({ ...about, blog_event_number: 2, aliases: ['old'] });
    const released = slugsChanged({ blog_id: blog, blog_event_number: 3, slug: 'new', aliases: [] });
    const { project_id: projectId } = renamed;
    const now = (slug: string, ...aliases: string[]) => [{ blogId: blog, projectId, slug, aliases }];
    expect(slugsOf(blogPublished(about))).toEqual(now('new'));
    expect(slugsOf(renamed)).toEqual(now('new', 'old'));
    expect(slugsOf(renamed, released)).toEqual(now('new'));
    expect(slugsOf(renamed, blogUnpublished({ blog_id: blog, blog_event_number: 3 }))).toEqual(now('new', 'old'));
    expect(slugsOf(renamed, blogDeleted({ blog_id: blog, blog_event_number: 3 }))).toEqual(now('new'));
    expect(planLifecycle([received(released)], new Map())).toMatchObject({
      replaced: [],
      changedProjects: [projectId],
    });
  });

  it('keeps blogs apart', () => {
    const [mine, theirs] = [publish(5), publish(1, other)];
    expect(planLifecycle([mine, theirs], new Map([[blog, at(5)]])).applied).toEqual([theirs]);
  });

  it('takes the site address from the newest publish', () => {
    const event = (number: number, site_url: string | null) =>
      received(blogPublished({ blog_event_number: number, site_url }));
    const plan = planLifecycle([event(1, 'https://a.example/'), event(2, null)], new Map());
    expect([...plan.siteUrls.values()]).toEqual([null]);
  });
});
