import { randomUUID } from 'node:crypto';
import { blogPublished, slugsChanged, blogUnpublished } from '../../test/events.ts';
import { prepareRebuilds } from '../../test/rebuilds.ts';

const { worldOf, createProject, consumeAll, changeLog } = prepareRebuilds();

describe('slugs and aliases', () => {
  it('are the same after a rebuild, also from a compacted log', async () => {
    const project = await createProject();
    const [target, released, hidden, forgotten] = [randomUUID(), randomUUID(), randomUUID(), randomUUID()];
    const publish = (
      blog_id: string,
      blog_event_number: number,
      slug: string,
      { aliases = [], bound = {} }: { aliases?: string[]; bound?: Record<string, string> } = {},
    ) =>
      blogPublished({
        ...{ project_id: project.id, blog_id, blog_event_number, aliases },
        link_bindings: Object.entries(bound).map(([name, id]) => ({ slug: name, blog_id: id })),
        revision: { slug, title: `At ${slug}`, content: '[INTERNAL:one] [INTERNAL:two] [INTERNAL:three] [INTERNAL:b]' },
      });
    const hide = (blog_id: string, blog_event_number: number) =>
      blogUnpublished({ project_id: project.id, blog_id, blog_event_number });
    const change = (blog_id: string, blog_event_number: number, slug: string, aliases: string[]) =>
      slugsChanged({ project_id: project.id, blog_id, blog_event_number, slug, aliases });
    await worldOf().append(
      publish(randomUUID(), 1, 'linker', { bound: { one: target, two: hidden, three: forgotten } }),
      publish(target, 1, 'one'),
      publish(target, 2, 'renamed', { aliases: ['one'] }),
      publish(released, 1, 'present', { aliases: ['a', 'b'] }),
      change(released, 2, 'present', ['b']),
      publish(hidden, 1, 'two'),
      hide(hidden, 2),
      change(hidden, 3, 'hidden-now', ['two']),
      publish(randomUUID(), 1, 'hidden-now'),
      publish(forgotten, 1, 'three'),
      change(forgotten, 2, 'three', ['before']),
      publish(forgotten, 3, 'forgotten-now', { aliases: ['three'] }),
      hide(forgotten, 4),
      publish(randomUUID(), 1, 'forgotten-now'),
    );
    await consumeAll();
    const answers = async () =>
      Promise.all(
        ['/blogs?include_content=1', '/redirects', '/blogs/one', '/blogs/a', '/blogs/b', '/blogs/three'].map(
          async (path) => (await project.get(path)).body,
        ),
      );
    const before = await answers();
    expect(before[0]).toContain('/blog/renamed/');
    expect(before[0]).toContain('/blog/hidden-now/');
    expect(before[0]).toContain('/blog/forgotten-now/');
    expect(JSON.parse(before[1]!)).toMatchObject({
      redirects: [
        { from: 'b', to: 'present' },
        { from: 'one', to: 'renamed' },
      ],
    });
    await worldOf().rebuild();
    expect(await answers()).toEqual(before);
    await changeLog(
      `DELETE FROM event_log.messages older USING event_log.messages newer
       WHERE older.topic = 'blog.lifecycle' AND newer.topic = older.topic AND newer.key = older.key
         AND (newer.value::json->>'blog_event_number')::int > (older.value::json->>'blog_event_number')::int`,
      [],
    );
    const { events, kept } = await worldOf().rebuild();
    expect({ events, kept }).toEqual({ events: 11, kept: { blogs: 0, projects: 0 } });
    expect(await answers()).toEqual(before);
    await worldOf().rebuild();
    expect(await answers()).toEqual(before);
  });
});
