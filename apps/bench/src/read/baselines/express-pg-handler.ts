import { resolveLinks, type Segment } from '@blog-content/link-resolver';
import { extras, type PublicBlogListItem } from '@blog-content/payload-schemas';
import express, { type Express, type Response } from 'express';
import { createHash } from 'node:crypto';
import type { Pool } from 'pg';

interface Row {
  id: string;
  title: string;
  slug: string;
  excerpt: string;
  meta_title: string | null;
  meta_description: string | null;
  featured_image_url: string | null;
  categories: string[];
  tags: string[];
  published_at: Date;
}

interface RowWithContent extends Row {
  segments: Segment[];
  link_slugs: string[];
  updated_at: Date;
  site_url: string | null;
}

interface Target {
  slug: string;
  title: string;
}

const SUMMARY = `blog.id, blog.title, blog.slug, blog.excerpt, blog.meta_title, blog.meta_description,
  blog.featured_image_url, blog.categories, blog.tags, blog.published_at`;
const CONTENT = `${SUMMARY}, blog.updated_at, blog.segments, blog.link_slugs, project.site_url`;
const NEWEST_FIRST = 'blog.published_at DESC, blog.id DESC';

/**
 * The public API as one would write it by hand, with Express and `pg`: the key is looked up by its SHA-256, plain
 * queries give plain rows, and `response.json` sends them. The yardstick of reads that no cache answers; it knows only
 * the requests that the bench makes.
 */
export function createExpressPgHandler(pool: Pick<Pool, 'query'>): Express {
  const app = express();

  app.use('/blog/api/v1/public', async (request, response, next) => {
    const key = /^Bearer (.*)$/.exec(request.headers.authorization ?? '')?.[1] ?? '';
    const { rows } = await pool.query<{ id: string }>(
      `SELECT project.id FROM public_key JOIN project ON project.id = public_key.project_id
       WHERE public_key.key_hash = $1 AND project.deleted_at IS NULL`,
      [createHash('sha256').update(key).digest('hex')],
    );
    if (!rows[0]) {
      response.status(401).json({ detail: 'A valid public key is required.' });
      return;
    }
    response.locals['projectId'] = rows[0].id;
    response.set({ 'Cache-Control': 'private, no-cache', Vary: 'Authorization, Accept-Encoding' });
    next();
  });

  app.get('/blog/api/v1/public/blogs', async (request, response) => {
    const limit = Number(request.query['limit'] ?? 50);
    const offset = Number(request.query['offset'] ?? 0);
    const projectId = projectOf(response);
    const withContent = request.query['include_content'] === 'true';
    const { rows } = await pool.query<RowWithContent & { total: number }>(
      `SELECT ${withContent ? CONTENT : SUMMARY},
         (SELECT count(*)::int FROM published_blog WHERE project_id = $1) AS total
       FROM published_blog AS blog JOIN project ON project.id = blog.project_id
       WHERE blog.project_id = $1 ORDER BY ${NEWEST_FIRST} LIMIT $2 OFFSET $3`,
      [projectId, limit, offset],
    );
    const targets = withContent ? await findTargets(projectId, rows) : new Map<string, Target>();
    const blogs = rows.map((row) => ({ ...toItem(row), ...(withContent && { content: contentOf(row, targets) }) }));
    response.json({ blogs, total: rows[0]?.total ?? 0, limit, offset });
  });

  app.get('/blog/api/v1/public/blogs/sitemap', async (_request, response) => {
    const { rows } = await pool.query(
      `SELECT blog.slug, blog.published_at, blog.updated_at FROM published_blog AS blog
       WHERE blog.project_id = $1 ORDER BY ${NEWEST_FIRST} LIMIT 5000`,
      [projectOf(response)],
    );
    response.json({ blogs: rows, total: rows.length });
  });

  app.get('/blog/api/v1/public/blogs/:slug', async (request, response) => {
    const projectId = projectOf(response);
    const { rows } = await pool.query<RowWithContent>(
      `SELECT ${CONTENT} FROM published_blog AS blog JOIN project ON project.id = blog.project_id
       WHERE blog.project_id = $1 AND blog.slug = $2 ORDER BY blog.updated_at DESC, blog.id DESC LIMIT 1`,
      [projectId, request.params.slug],
    );
    const [row] = rows;
    if (!row) {
      response.status(404).json({ detail: 'No published post has this slug.' });
      return;
    }
    const content = contentOf(row, await findTargets(projectId, rows));
    const words = content.replaceAll(/<[^>]*>/g, ' ').match(/\S+/g) ?? [];
    response.json({ ...toItem(row), content, updated_at: row.updated_at, word_count: words.length });
  });

  async function findTargets(projectId: string, rows: readonly RowWithContent[]): Promise<Map<string, Target>> {
    const slugs = new Set(rows.flatMap((row) => row.link_slugs));
    const found = await pool.query<Target>(
      'SELECT slug, title FROM published_blog WHERE project_id = $1 AND slug = ANY ($2) ORDER BY updated_at, id',
      [projectId, [...slugs]],
    );
    return new Map(found.rows.map((target) => [target.slug, target]));
  }

  return app;
}

function projectOf(response: Response): string {
  return String(response.locals['projectId']);
}

function toItem(row: Row): Partial<Record<keyof PublicBlogListItem, unknown>> {
  return {
    id: row.id,
    title: row.title,
    slug: row.slug,
    excerpt: row.excerpt,
    meta_title: row.meta_title ?? row.title,
    meta_description: row.meta_description ?? row.excerpt,
    featured_image_url: row.featured_image_url,
    categories: row.categories,
    tags: row.tags,
    published_at: row.published_at,
    ...extras.for('public', {}),
  };
}

function contentOf({ segments, site_url, slug }: RowWithContent, targets: ReadonlyMap<string, Target>): string {
  return resolveLinks(segments, { siteUrl: site_url, targets, self: slug });
}
