import { randomUUID } from 'node:crypto';
import { extras } from '@blog-content/payload-schemas';
import { unprocessable } from '@blog-content/service-runtime';
import type { Database, Transaction } from '../../platform/database/open-database.ts';
import type { SlugRefusal } from '../slugs/slug-claim-store.ts';
import { lockBlogCount } from '../writing/blog-count-store.ts';
import { createBlogStore, type Blog } from '../writing/blog-store.ts';
import { blogFieldsOf, type DatedDraft } from '../writing/draft.ts';
import { lockBlog } from '../writing/working-copy-store.ts';

/** One of the blogs with a translation key in common. */
export interface Sibling {
  readonly id: string;
  readonly title: string;
  readonly slug: string;
  readonly state: string;
  readonly language: string | null;
  readonly revision: number;
  /** Whether readers find it among the translations. */
  readonly isLinked: boolean;
  /** Null, like the next two, where the source is not known or no longer one of them. */
  readonly sourceId: string | null;
  readonly sourceRevision: number | null;
  readonly behind: number | null;
}

export type SiblingStore = ReturnType<typeof createSiblingStore>;

/** Blogs that are translations of each other, and what each was made from. */
export function createSiblingStore(database: Database | Transaction, clock: () => Date) {
  return {
    /** The blog and its translations, by language. Empty if the project has no such blog. */
    list: (projectId: string, blogId: string): Promise<Sibling[]> => database.$queryRaw<Sibling[]>`
      WITH own AS (
        SELECT id, extra ->> 'translation_key' AS key FROM blog
        WHERE id = ${blogId}::uuid AND project_id = ${projectId}::uuid AND state <> 'deleted'
      ), member AS (
        SELECT id FROM own UNION
        SELECT blog.id FROM own JOIN blog
          ON blog.project_id = ${projectId}::uuid AND blog.extra ->> 'translation_key' = own.key
      )
      SELECT blog.id, blog.title, blog.slug, blog.state, blog.extra ->> 'language' AS language, blog.revision,
        coalesce(
          live.extra ->> 'translation_key' = own.key AND live.extra ->> 'language' = blog.extra ->> 'language', false
        ) AS "isLinked",
        source.id AS "sourceId",
        CASE WHEN source.id IS NOT NULL THEN made.revision END AS "sourceRevision",
        greatest(source.revision - made.revision, 0) AS behind
      FROM own CROSS JOIN member JOIN blog ON blog.id = member.id
      LEFT JOIN blog_revision live
        ON blog.state = 'published' AND live.blog_id = blog.id AND live.number = blog.revision
      LEFT JOIN translation_source made ON made.blog_id = blog.id
      LEFT JOIN blog source
        ON source.id = made.source_id AND source.id IN (SELECT id FROM member) AND source.state <> 'deleted'
      ORDER BY blog.extra ->> 'language' COLLATE "C" NULLS FIRST, blog.id`,

    /**
     * Creates a translation as a draft. Its text is that of the source, to be written over. Texts for shared links are
     * left out: nobody would see that they are in another language.
     */
    create: (projectId: string, sourceId: string, language: string) =>
      database.$transaction((tx) =>
        createSibling(tx, clock, { projectId, sourceId, language }, (source) => {
          const { slug: _slug, ...fields } = blogFieldsOf(source);
          const extra = { ...fields.extra, og_title: null, og_description: null, x_title: null, x_description: null };
          return { ...fields, extra, publicationDate: null };
        }),
      ),

    /**
     * Notes that a translation has all that its source has now, unless the source is none of its translations.
     *
     * @returns the post and its translations; empty if the project has no such post.
     */
    confirm: (
      projectId: string,
      blogId: string,
      sourceId: string,
    ): Promise<{ readonly members: readonly Sibling[]; readonly isConfirmed: boolean }> =>
      database.$transaction(async (tx) => {
        const members = await createSiblingStore(tx, clock).list(projectId, blogId);
        const source = members.find(({ id }) => id === sourceId && id !== blogId);
        if (source === undefined) return { members, isConfirmed: false };
        await noteSource(tx, blogId, source);
        const made = { sourceId, sourceRevision: source.revision, behind: 0 };
        return {
          members: members.map((member) => (member.id === blogId ? { ...member, ...made } : member)),
          isConfirmed: true,
        };
      }),
  };
}

/** Notes what a translation has been made from: the source as it is now. */
export async function noteSource(
  tx: Transaction,
  blogId: string,
  { id: sourceId, revision }: { readonly id: string; readonly revision: number },
): Promise<void> {
  const made = { sourceId, revision };
  await tx.translationSource.upsert({ where: { blogId }, create: { blogId, ...made }, update: made });
}

/**
 * Creates a translation of a blog as a draft. A source without a translation key gets one.
 *
 * @throws a 422 problem for a source without a language, and for a language that one of its translations has.
 */
export async function createSibling(
  tx: Transaction,
  clock: () => Date,
  about: {
    readonly projectId: string;
    readonly sourceId: string;
    readonly language: string;
    /** The source's revision that the draft was made from; its latest unless given. */
    readonly revision?: number;
  },
  draftOf: (source: Blog) => DatedDraft,
): Promise<Blog | SlugRefusal | 'too_many' | 'no_project' | 'no_blog'> {
  const { projectId, sourceId, language } = about;
  // Before the row of any blog.
  await lockBlogCount(tx, projectId);
  await lockBlog(tx, projectId, sourceId);
  const blogs = createBlogStore(tx, clock);
  const source = await blogs.find(projectId, sourceId);
  if (source === null) return 'no_blog';
  const { language: from, translation_key: before } = extras.of(source.extra);
  if (from === null) {
    const message = 'can’t be used yet: set the `language` of the post itself first';
    throw unprocessable([{ field: 'language', message }]);
  }
  if (from === language) {
    throw unprocessable([{ field: 'language', message: `“${language}” is the language of the post itself` }]);
  }
  // Not the slug: another post may have it as its key.
  const key = before ?? randomUUID();
  if (before === null) {
    const edited = await blogs.edit(projectId, sourceId, { extra: { translation_key: key } }, undefined);
    if (typeof edited === 'string') return 'no_blog';
  }
  const draft = draftOf(source);
  const made = await blogs.create(
    projectId,
    // The source's canonical URL is that of another text.
    { ...draft, extra: { ...draft.extra, canonical_url: null, language, translation_key: key } },
    null,
    extras.of(source.extra).authors,
  );
  if (typeof made === 'object' && 'id' in made) {
    await noteSource(tx, made.id, { id: sourceId, revision: about.revision ?? source.revision });
  }
  return made;
}
