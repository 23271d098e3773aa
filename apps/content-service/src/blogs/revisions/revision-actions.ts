import { conflict, notFound, preconditionFailed, toPage, type Page } from '@blog-content/service-runtime';
import { noBlog, slugRefusal } from '../writing/blog-actions.ts';
import type { Blog, BlogStore } from '../writing/blog-store.ts';
import type { RestoreRequest, Revision, RevisionStore } from './revision-store.ts';
import { showRevisionItem } from './show-revision.ts';

export interface RevisionActionsDependencies {
  readonly blogs: Pick<BlogStore, 'find'>;
  readonly revisions: RevisionStore;
}

/** The history of a blog, as routes and agents' tools read it alike: refusals are thrown as problems. */
export function createRevisionActions({ blogs, revisions }: RevisionActionsDependencies) {
  async function blogOf(projectId: string, blogId: string): Promise<Blog> {
    const blog = await blogs.find(projectId, blogId);
    if (!blog) throw noBlog();
    return blog;
  }

  return {
    blogOf,

    async list(projectId: string, blogId: string, page: Page) {
      const { id } = await blogOf(projectId, blogId);
      const items = await revisions.list(projectId, id, page);
      const placed = items.map((item) => ({ ...item, position: BigInt(item.number) }));
      return toPage(placed, page.limit, showRevisionItem);
    },

    async find({ id, projectId }: Blog, number: number): Promise<Revision> {
      const revision = await revisions.find(projectId, id, number);
      if (!revision) throw noRevision();
      return revision;
    },

    async restore(request: RestoreRequest): Promise<Blog> {
      const restored = await revisions.restore(request);
      if (restored === 'not_found') throw noBlog();
      if (restored === 'no_revision') throw noRevision();
      if (restored === 'changed') throw preconditionFailed('post');
      if ('refused' in restored) {
        throw conflict(`${slugRefusal(restored).detail} Restore with \`keep_slug\` to keep the current slug.`);
      }
      return restored;
    },
  };
}

export const noRevision = () => notFound('Revision not found.');
