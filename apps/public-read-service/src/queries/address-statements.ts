import { MAX_SITEMAP_ENTRIES } from '@blog-content/payload-schemas';
import { IS_INDEXED, isInLanguage, type Statement, NEWEST_FIRST, utc } from './row-statements.ts';

/**
 * The newest blogs of the project $1 as one text, `slug published_at updated_at` with commas between: thousands of rows
 * take several times longer. No slug has a blank or a comma in it.
 */
export const listSitemap = ({ indexed, language }: Record<'indexed' | 'language', boolean>): Statement => ({
  name: ['list_sitemap', indexed && 'indexed', language && 'language'].filter(Boolean).join('_'),
  // `indexed`: without the blogs that search engines should leave out.
  text: sitemapText(`${indexed ? `AND ${IS_INDEXED}` : ''} ${language ? `AND ${isInLanguage('$2')}` : ''}`),
});

function sitemapText(filter: string): string {
  return `
    SELECT version::text, site_url, (
      SELECT string_agg(slug || ' ' || ${utc('published_at')} || ' ' || ${utc('updated_at')}, ','
        ORDER BY ${NEWEST_FIRST})
      FROM (
        SELECT id, slug, published_at, updated_at FROM published_blog
        WHERE project_id = $1 ${filter} ORDER BY ${NEWEST_FIRST} LIMIT ${MAX_SITEMAP_ENTRIES}
      ) AS newest
    ) AS entries
    FROM project WHERE id = $1`;
}

/** The project $1 with its authors. */
export const LIST_AUTHORS: Statement = {
  name: 'list_authors',
  text: 'SELECT version::text, authors::text FROM project WHERE id = $1',
};

/**
 * Aliases of the published blogs of the project $1 that no blog is published under: $2 of them after the first $3, as
 * one text like that of {@link listSitemap}.
 */
export const LIST_REDIRECTS: Statement = {
  name: 'list_redirects',
  text: `
    WITH redirect AS MATERIALIZED (
      SELECT DISTINCT ON (alias COLLATE "C") alias, target.slug
      FROM blog_alias CROSS JOIN LATERAL (
        SELECT slug, updated_at, id FROM published_blog WHERE id = blog_alias.blog_id AND project_id = $1 OFFSET 0
      ) AS target
      LEFT JOIN LATERAL (
        SELECT true AS is_slug FROM published_blog WHERE project_id = $1 AND slug = blog_alias.alias LIMIT 1
      ) AS taken ON true
      WHERE project_id = $1 AND taken.is_slug IS NULL
      ORDER BY alias COLLATE "C", target.updated_at DESC, target.id DESC
    )
    SELECT version::text, (SELECT count(*) FROM redirect)::text AS total, (
      SELECT string_agg(alias || ' ' || slug, ',' ORDER BY alias COLLATE "C")
      FROM (SELECT alias, slug FROM redirect ORDER BY alias COLLATE "C" LIMIT $2::bigint OFFSET $3::bigint) AS page
    ) AS redirects
    FROM project WHERE id = $1`,
};
