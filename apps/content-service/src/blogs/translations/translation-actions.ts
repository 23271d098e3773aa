import type { BlogTranslation, BlogTranslations } from '@blog-content/payload-schemas';
import { notFound, unprocessable } from '@blog-content/service-runtime';
import { noBlog, slugRefusal, tooManyBlogs } from '../writing/blog-actions.ts';
import type { Blog } from '../writing/blog-store.ts';
import type { Sibling, SiblingStore } from './sibling-store.ts';

/** Translations, as routes and agents' tools work with them alike: refusals are thrown as problems. */
export function createTranslationActions({ siblings }: { readonly siblings: SiblingStore }) {
  const show = (members: readonly Sibling[]): BlogTranslations => {
    if (members.length === 0) throw noBlog();
    return { items: members.map(showSibling) };
  };
  return {
    list: async (projectId: string, blogId: string): Promise<BlogTranslations> =>
      show(await siblings.list(projectId, blogId)),

    async create(projectId: string, sourceId: string, language: string): Promise<Blog> {
      const made = await siblings.create(projectId, sourceId, language);
      if (made === 'no_blog') throw noBlog();
      if (made === 'no_project') throw notFound('Project not found.');
      if (made === 'too_many') throw tooManyBlogs();
      if ('refused' in made) throw slugRefusal(made);
      return made;
    },

    async confirm(projectId: string, blogId: string, sourceId: string): Promise<BlogTranslations> {
      const { members, isConfirmed } = await siblings.confirm(projectId, blogId, sourceId);
      const shown = show(members);
      if (isConfirmed) return shown;
      const others = members.flatMap(({ id }) => (id === blogId ? [] : [id]));
      const allowed = others.length === 0 ? ', but this post has none' : `: ${others.join(', ')}`;
      throw unprocessable([{ field: 'blog_id', message: `must be one of the post’s translations${allowed}` }]);
    },
  };
}

function showSibling(sibling: Sibling): BlogTranslation {
  const { id, title, slug, state, language, revision, isLinked, sourceId, sourceRevision, behind } = sibling;
  return {
    blog_id: id,
    language,
    title,
    slug,
    state: state as BlogTranslation['state'],
    revision,
    is_linked: isLinked,
    translated_from:
      sourceId === null ? null : { blog_id: sourceId, revision: sourceRevision ?? 0, revisions_behind: behind ?? 0 },
  };
}
