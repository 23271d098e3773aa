import type { PublicBlogChanges, PublicBlogList, PublicBlogListItem } from '@blog-content/payload-schemas';
import type { TestProject } from './test-service.ts';

type Item = PublicBlogChanges['changes'][number];

/** A reader's copies of a project's posts, kept by what has changed. */
export interface ChangesCopy {
  readonly byId: ReadonlyMap<string, Item>;
  readonly bySlug: ReadonlyMap<string, Item>;
  /** The position after what was read last. */
  readonly since: string;
  /** Reads one page, and says whether there is more. Throws where the position is gone. */
  readPage(limit?: number): Promise<boolean>;
  /** Reads all there is, and says what it got. */
  catchUp(limit?: number): Promise<Item[]>;
}

export function createCopy(project: Pick<TestProject, 'read'>, parameters = 'include_content=1'): ChangesCopy {
  const byId = new Map<string, Item>();
  const bySlug = new Map<string, Item>();
  let since = '0';
  let got: Item[] = [];

  async function readPage(limit = 100): Promise<boolean> {
    const page = await project.read<PublicBlogChanges>(`/blogs?${parameters}&limit=${limit}&since=${since}`);
    for (const item of page.changes) {
      const { id = '', slug = '' } = item;
      if ('removed' in item) {
        byId.delete(id);
        bySlug.delete(slug);
      } else {
        byId.set(id, item);
        bySlug.set(slug, item);
      }
    }
    got.push(...page.changes);
    since = page.next_since;
    return page.has_more;
  }

  return {
    byId,
    bySlug,
    get since() {
      return since;
    },
    readPage,
    async catchUp(limit) {
      got = [];
      while (await readPage(limit));
      return got;
    },
  };
}

/** The whole list, with contents, by id. */
export async function listWhole(project: Pick<TestProject, 'read'>): Promise<ReadonlyMap<string, PublicBlogListItem>> {
  const blogs: PublicBlogListItem[] = [];
  for (;;) {
    const path = `/blogs?include_content=1&limit=100&offset=${blogs.length}`;
    const page = await project.read<PublicBlogList>(path);
    blogs.push(...page.blogs);
    if (page.blogs.length < 100) return new Map(blogs.map((blog) => [blog.id, blog]));
  }
}
