import type { OwnerClient } from '@blog-content/local-services';
import pg from 'pg';
import { makeParagraphs } from '../read/data-set/data-set.ts';

const PARAGRAPHS = 256;

// Three in four are published, a tenth of these changed since; each has about 1.8 kB of content.
const POSTS = `
  INSERT INTO blog (id, project_id, state, version, event_number, revision, publication_began_at, changed_since_publish,
    title, slug, content, made_excerpt, categories, tags, keyword, created_at, updated_at)
  SELECT gen_random_uuid(), $1::uuid, CASE WHEN n % 4 = 0 THEN 'draft' ELSE 'published' END, 1, 0, sign(n % 4)::int,
    CASE WHEN n % 4 > 0 THEN at END, n % 4 = 0 OR n % 40 = 1, 'Post ' || n || ' of many', 'post-' || n,
    p1.html || p2.html || p3.html, substr(p1.html, 4, 155), ARRAY['category-' || n % 7],
    ARRAY['tag-' || n % 31, 'tag-' || n % 17], 'keyword ' || n % 101, at, at
  FROM generate_series(1, $2::int) AS n
  CROSS JOIN LATERAL (SELECT timestamptz '2020-01-01' + n * interval '30 minutes' AS at) AS dated
  JOIN paragraph AS p1 ON p1.number = n % ${PARAGRAPHS}
  JOIN paragraph AS p2 ON p2.number = n / 7 % ${PARAGRAPHS}
  JOIN paragraph AS p3 ON p3.number = n / 11 % ${PARAGRAPHS}
  ORDER BY n`;

/**
 * Makes a project, and writes its posts straight into content-service’s tables: the API would take a quarter of an
 * hour.
 */
export async function fillLargeProject(api: OwnerClient, databaseUrl: string, posts: number): Promise<string> {
  const { id } = await api.post<{ id: string }>('projects', { name: 'Large', site_url: 'https://large.example' });
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    await client.query('BEGIN');
    await client.query('CREATE TEMP TABLE paragraph (number int, html text) ON COMMIT DROP');
    await client.query(
      'INSERT INTO paragraph SELECT n - 1, html FROM unnest($1::text[]) WITH ORDINALITY AS made (html, n)',
      [makeParagraphs(PARAGRAPHS)],
    );
    await client.query('ANALYZE paragraph');
    await client.query(POSTS, [id, posts]);
    await client.query(
      'INSERT INTO slug_claim (project_id, slug, blog_id) SELECT project_id, slug, id FROM blog WHERE project_id = $1',
      [id],
    );
    await client.query(
      `INSERT INTO link_target (blog_id, project_id, slug, title, keyword, words)
       SELECT id, project_id, slug, title, keyword, ARRAY[project_id::text, keyword] || tags || string_to_array(lower(title), ' ')
       FROM blog WHERE project_id = $1 AND state = 'published'`,
      [id],
    );
    await client.query('UPDATE project SET kept_blogs = $2 WHERE id = $1', [id, posts]);
    await client.query('COMMIT');
    await client.query('VACUUM ANALYZE blog');
    // So that none runs while something is measured.
    await client.query('CHECKPOINT');
  } finally {
    await client.end();
  }
  return id;
}
