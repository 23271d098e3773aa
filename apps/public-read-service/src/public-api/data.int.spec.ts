import type { Extras } from '@blog-content/payload-schemas';
import { randomUUID } from 'node:crypto';
import { eachInNewProject, type TestProject, type TestService } from '../../test/test-service.ts';

let service: TestService;
let project: TestProject;
let next: string;
let tea: string;

eachInNewProject((ground) => ({ service, project } = ground));
beforeEach(() => {
  next = randomUUID();
  tea = randomUUID();
});

interface Answer {
  readonly data: object;
}
const single = async () => (await project.read<Answer>('/blogs/tea?fields=data')).data;
const listed = async (query = '') => {
  const { blogs } = await project.read<{ blogs: (Answer & { slug: string })[] }>(`/blogs?fields=slug,data${query}`);
  return blogs.find(({ slug }) => slug === 'tea')?.data;
};
const publishTea = (data: Extras['data']) =>
  project.publish({ slug: 'tea', title: 'Tea', data }, { id: tea, bound: { next } });
const reference = () => ({ next: { post_id: next } });

describe('the data of posts', () => {
  it('comes with fields=data only, in lists and single posts', async () => {
    await publishTea({ rating: 4 });
    expect(await single()).toEqual({ rating: 4 });
    expect(await listed()).toEqual({ rating: 4 });
    for (const path of ['/blogs/tea', '/blogs?include_content=true']) {
      expect((await project.get(path)).body).not.toContain('"data"');
    }
    await publishTea({});
    expect(await single()).toEqual({});
  });

  it('refers to a post by its id and its slug of now, and to none while it is not published', async () => {
    await publishTea(reference());
    const everywhere = async () => [await single(), await listed(), await listed(',content&include_content=true')];
    const all = (value: object | null) => Array(3).fill({ next: value });
    expect(await everywhere()).toEqual(all(null));
    await project.publish({ slug: 'next', title: 'Next' }, { id: next });
    expect(await everywhere()).toEqual(all({ id: next, slug: 'next' }));
    await project.publish({ slug: 'renamed', title: 'Next' }, { id: next, aliases: ['next'] });
    expect(await everywhere()).toEqual(all({ id: next, slug: 'renamed' }));
    await project.unpublish(next);
    expect(await everywhere()).toEqual(all(null));
  });

  it('never refers to a post of another project', async () => {
    const other = await service.createProject();
    await other.publish({ slug: 'next' }, { id: next });
    await publishTea(reference());
    expect(await single()).toEqual({ next: null });
  });

  it('may have other values with such a key', async () => {
    const data = { facts: { post_id: 'none', more: 1 }, list: [{ post_id: next }], text: 'post_id' };
    await publishTea(data);
    expect(await single()).toEqual(data);
    expect(await listed()).toEqual(data);
  });

  it('is a change of the post when what it refers to is renamed', async () => {
    await publishTea(reference());
    await project.publish({ slug: 'next', title: 'Next' }, { id: next });
    const { next_since: since } = await project.read<{ next_since: string }>('/blogs?since=0');
    await project.publish({ slug: 'renamed', title: 'Next' }, { id: next, aliases: ['next'] });
    const { changes } = await project.read<{ changes: Answer[] }>(`/blogs?fields=slug,data&since=${since}`);
    expect(changes).toContainEqual({ slug: 'tea', data: { next: { id: next, slug: 'renamed' } } });
  });
});
