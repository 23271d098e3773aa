import type { BlogPublishedEvent, BlogSlugsChangedEvent, LifecycleEvent } from '@blog-content/payload-schemas';
import type { Owner } from './owner.ts';
import type { RunningService } from './running-service.ts';

type Post = { id: string; slug: string; version: number };

/** Posts that link to each other, in the project of the test. */
export function linkedPosts(ground: () => { readonly service: RunningService; readonly owner: Owner }) {
  /** A post with this slug as its title. */
  const draft = (slug: string, fields: object = {}): Promise<Post> =>
    ground().owner.newBlog({ title: slug, slug, ...fields });
  const published = async (slug: string, fields: object = {}): Promise<Post> => {
    const post = await draft(slug, fields);
    await publish(post);
    return post;
  };
  const publish = async (post: { id: string }) => {
    expect((await ground().owner.publish(post)).status).toBe(202);
  };
  const rename = async (post: { id: string }, slug: string, fields: object = {}) => {
    const answer = await ground().owner.patch(`/blogs/${post.id}`, { slug, ...fields });
    expect([answer.status, answer.body.detail]).toEqual([200, undefined]);
  };
  const linksTo = (...slugs: string[]) => ({
    content: slugs.map((slug) => `<p><a href="[INTERNAL:${slug}]">it</a></p>`).join(''),
  });
  const contentOf = async (post: { id: string }) => (await ground().owner.show(post)).content as string;
  const namedIn = (content: string) => [...content.matchAll(/\[INTERNAL:([^\]]*)\]/g)].map(([, slug]) => slug);
  const linksOf = async (post: { id: string }) => namedIn(await contentOf(post));

  /** The last publish of a post, with what its links lead to. */
  async function lastPublish(post: { id: string }) {
    const event = (await ground().owner.eventsOf(post)).findLast(
      (one: LifecycleEvent): one is BlogPublishedEvent => one.event === 'blog.published',
    )!;
    return {
      named: namedIn(event.revision.content),
      targets: event.published_link_targets,
      bound: event.link_bindings,
      aliases: event.aliases,
    };
  }

  async function slugEvents(post: { id: string }): Promise<BlogSlugsChangedEvent[]> {
    const rows = await ground().service.query<{ data: BlogSlugsChangedEvent }>(
      `select data from outbox where topic = 'blog.lifecycle' and key = $1 order by position`,
      [`${post.id}/slugs`],
    );
    return rows.map(({ data }) => data);
  }
  return { draft, published, publish, rename, linksTo, contentOf, namedIn, linksOf, lastPublish, slugEvents };
}
