import type { Database } from '../../platform/database/open-database.ts';
import type { ComparedPost } from '../report/find-similar.ts';
import type { OwnPost } from '../writing/writer.ts';

/** Most published posts that are looked through for those near a topic, the newest. */
const MAX_OWN_POSTS = 500;
/** Most posts whose titles are compared with a new one, the newest. */
const MAX_COMPARED_POSTS = 5_000;
/** Most categories, and most tags, that a writer may choose from: the commonest. */
const MAX_KNOWN_LABELS = 100;

/** What a writer may know of a project: of this one, and of no other. */
export interface ProjectPosts {
  /** Published posts as readers see them, newest first. */
  published(projectId: string): Promise<OwnPost[]>;
  /** Posts in every state, newest first. */
  all(projectId: string): Promise<ComparedPost[]>;
  /** The labels of its posts, the commonest first. */
  labels(projectId: string): Promise<{ readonly categories: string[]; readonly tags: string[] }>;
}

export function createProjectPosts(database: Database): ProjectPosts {
  const labelsOf = async (projectId: string, column: 'categories' | 'tags'): Promise<string[]> => {
    const rows =
      column === 'categories'
        ? await database.$queryRaw<{ label: string }[]>`
            SELECT label FROM blog, unnest(categories) AS label
            WHERE project_id = ${projectId}::uuid AND state <> 'deleted'
            GROUP BY label ORDER BY count(*) DESC, label LIMIT ${MAX_KNOWN_LABELS}`
        : await database.$queryRaw<{ label: string }[]>`
            SELECT label FROM blog, unnest(tags) AS label
            WHERE project_id = ${projectId}::uuid AND state <> 'deleted'
            GROUP BY label ORDER BY count(*) DESC, label LIMIT ${MAX_KNOWN_LABELS}`;
    return rows.map(({ label }) => label);
  };

  return {
    published: (projectId) => database.$queryRaw<OwnPost[]>`
      SELECT revision.slug, revision.title, revision.keyword,
        coalesce(revision.excerpt, blog.made_excerpt, '') AS excerpt
      FROM blog JOIN blog_revision revision ON revision.blog_id = blog.id AND revision.number = blog.revision
      WHERE blog.project_id = ${projectId}::uuid AND blog.state = 'published'
      ORDER BY blog.position DESC LIMIT ${MAX_OWN_POSTS}`,

    all: (projectId) =>
      database.blog.findMany({
        where: { projectId, state: { not: 'deleted' } },
        select: { id: true, title: true, slug: true, keyword: true },
        orderBy: { position: 'desc' },
        take: MAX_COMPARED_POSTS,
      }),

    labels: async (projectId) => ({
      categories: await labelsOf(projectId, 'categories'),
      tags: await labelsOf(projectId, 'tags'),
    }),
  };
}
