import pg from 'pg';
import { makeParagraphs, postsPerProject, type DataSetSize } from './data-set.ts';

const PARAGRAPHS = 512;
const POSTS_AT_ONCE = 50_000;

/** An id that follows from a text: the same as `projectIdOf` makes. */
const idOf = (text: string): string => `overlay(overlay(md5(${text}) placing '4' from 13) placing '8' from 17)::uuid`;

const PROJECTS = `
  INSERT INTO project (id, name, site_url, event_number, version)
  SELECT ${idOf(`'project-' || n`)}, 'Project ' || n, 'https://site-' || n || '.example', 1,
    (extract(epoch FROM clock_timestamp()) * 1000)::bigint
  FROM generate_series(0, $1::int - 1) AS n`;

const KEYS = `
  INSERT INTO public_key (project_id, key_hash, sealed_key, created_at)
  SELECT ${idOf(`'project-' || n`)}, encode(sha256(convert_to('pk_live_' || md5('key-' || n), 'UTF8')), 'hex'), 'none', now()
  FROM generate_series(0, $1::int - 1) AS n`;

// Posts of all projects lie mixed, as they do when they come in over the years. Five paragraphs make about 3 kB;
// the words of two of them will do, as nothing here searches.
const POSTS = `
  INSERT INTO published_blog (id, project_id, slug, title, excerpt, meta_title, meta_description, featured_image_url,
    categories, tags, segments, link_slugs, published_at, updated_at, search)
  SELECT ${idOf(`'blog-' || n`)}, ${idOf(`'project-' || n % $3`)}, 'post-' || n / $3, 'Post ' || n / $3 || ' of many',
    substr(p1.html, 4, 160), NULL, substr(p2.html, 4, 150), 'https://cdn.example/images/' || md5(n::text) || '.webp',
    ARRAY['category-' || n / $3 % 7], ARRAY['tag-' || n / $3 % 31, 'tag-' || n / $3 % 17],
    jsonb_build_array(
      '<h2>Post ' || n / $3 || '</h2>' || p1.html || '<p>Read ',
      jsonb_build_object('open', 'post-' || (n / $3 + 1) % $4, 'before', '<a href="', 'after', '">'), 'the next post',
      jsonb_build_object('close', '</a>'), ' and ',
      jsonb_build_object('open', 'not-published', 'before', '<a href="', 'after', '">'), 'one that is no more',
      jsonb_build_object('close', '</a>'), '.</p>' || p2.html || p3.html || p4.html || p5.html),
    ARRAY['post-' || (n / $3 + 1) % $4, 'not-published'],
    timestamptz '2020-01-01' + n * interval '1 minute', timestamptz '2020-01-01' + n * interval '1 minute',
    p1.words || p2.words
  FROM generate_series($1::bigint, $2::bigint) AS n
  ${[1, 2, 3, 4, 5].map((k) => `JOIN paragraph AS p${k} ON p${k}.number = hashint8(n * 8 + ${k}) & ${PARAGRAPHS - 1}`).join(' ')}`;

const POSITIONS = `
  INSERT INTO blog_position (blog_id, project_id, event_number) SELECT id, project_id, 1 FROM published_blog`;

/**
 * Fills an empty read model of this service's schema by SQL alone, in one transaction: nothing is there unless all is.
 *
 * @param onProgress told how many posts are written
 */
export async function makeDataSet(
  databaseUrl: string,
  size: DataSetSize,
  onProgress: (posts: number) => void = () => undefined,
): Promise<void> {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    await client.query('BEGIN');
    await client.query("SET LOCAL work_mem = '64MB'");
    await client.query(PROJECTS, [size.projects]);
    await client.query(KEYS, [size.projects]);
    await client.query('CREATE TEMP TABLE paragraph (number int, html text, words tsvector) ON COMMIT DROP');
    await client.query(
      `INSERT INTO paragraph SELECT n - 1, html,
         array_to_tsvector(ARRAY(SELECT DISTINCT unnest(string_to_array(substr(html, 4, length(html) - 8), ' '))))
       FROM unnest($1::text[]) WITH ORDINALITY AS made (html, n)`,
      [makeParagraphs(PARAGRAPHS)],
    );
    await client.query('ANALYZE paragraph');
    for (let from = 0; from < size.posts; from += POSTS_AT_ONCE) {
      const to = Math.min(from + POSTS_AT_ONCE, size.posts) - 1;
      await client.query(POSTS, [from, to, size.projects, postsPerProject(size)]);
      onProgress(to + 1);
    }
    await client.query(POSITIONS);
    await client.query('COMMIT');
    await client.query('VACUUM ANALYZE');
    // So that none runs while something is measured.
    await client.query('CHECKPOINT');
  } finally {
    await client.end();
  }
}

/** Whether {@link makeDataSet} has filled this read model. */
export async function hasDataSet(databaseUrl: string): Promise<boolean> {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    const { rows } = await client.query<{ filled: boolean }>('SELECT EXISTS (SELECT FROM project) AS filled');
    return rows[0]?.filled ?? false;
  } finally {
    await client.end();
  }
}
