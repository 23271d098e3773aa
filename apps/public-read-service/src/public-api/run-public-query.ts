import { inSlices } from '@blog-content/concurrency';
import { MAX_LLMS_ENTRIES } from '@blog-content/payload-schemas';
import { feedChannel } from '../rendering/feeds/feed-channel.ts';
import { renderJsonFeed } from '../rendering/feeds/render-json-feed.ts';
import { renderSitemapFile } from '../rendering/feeds/render-sitemap-file.ts';
import type { ListQuery } from '../request/parse-list-query.ts';
import type { BlogWithContent } from '../queries/published-blog.ts';
import type { PublicReadStore } from '../queries/public-read-store.ts';
import type { PageQuery, PublicQuery } from '../request/parse-public-query.ts';
import { renderInChunks } from '../rendering/render-in-chunks.ts';
import { renderJsonLd, toScriptJson } from '../rendering/render-json-ld.ts';
import { renderLlmsTxt } from '../rendering/render-llms-txt.ts';
import {
  choose,
  renderAuthors,
  renderBlog,
  renderChanges,
  renderList,
  renderRedirects,
  renderRelated,
  renderSitemap,
} from '../rendering/render.ts';

/** An answer's text, before its content coding. */
export interface RenderedText {
  readonly kind: 'text';
  /** The project's version that it belongs to. */
  readonly version: string;
  /** The media type, with its charset. */
  readonly contentType: string;
  readonly text: string;
}

/** A page whose contents are too large to be read in one piece. */
export interface LargePage {
  readonly kind: 'large_page';
  /** The project's version that the page had when its size was found. */
  readonly version: string;
  readonly query: PageQuery;
  /** What is read for it. */
  readonly listQuery: ListQuery;
  /** The media type, with its charset. */
  readonly contentType: string;
  /** What the contents take in the database. */
  readonly contentBytes: number;
}

/** Why a read has found nothing. */
export type NothingFound =
  | { readonly kind: 'no_such_project' | 'no_site_address' | 'position_gone' }
  /** `movedTo`: the slug of the published blog that had this one before. */
  | { readonly kind: 'no_such_blog'; readonly movedTo: string | null };

type QueryResult = RenderedText | LargePage | NothingFound;

const noSuchBlog = (movedTo: string | null) => ({ kind: 'no_such_blog', movedTo }) as const;
const NO_SUCH_BLOG = noSuchBlog(null);
const NO_SUCH_PROJECT = { kind: 'no_such_project' } as const;
const NO_SITE_ADDRESS = { kind: 'no_site_address' } as const;

const JSON_TYPE = 'application/json; charset=utf-8';
const JSON_FEED_TYPE = 'application/feed+json; charset=utf-8';
const RSS_TYPE = 'application/rss+xml; charset=utf-8';
const JSON_LD_TYPE = 'application/ld+json; charset=utf-8';
const TEXT_TYPE = 'text/plain; charset=utf-8';
const XML_TYPE = 'application/xml; charset=utf-8';

/** Reads what is asked for with one statement, and renders it. @throws the store's errors */
export async function runPublicQuery(
  store: PublicReadStore,
  projectId: string,
  query: PublicQuery,
): Promise<QueryResult> {
  switch (query.kind) {
    case 'list': {
      const listQuery = query.query;
      const page = await store.listBlogs(projectId, listQuery);
      if (!page) return NO_SUCH_PROJECT;
      const { version, contentBytes, isLarge } = page;
      if (isLarge) return { kind: 'large_page', version, query, listQuery, contentType: JSON_TYPE, contentBytes };
      return json(version, renderList(page, listQuery));
    }
    case 'changes': {
      const page = await store.listChanges(projectId, query.query);
      if (!page) return NO_SUCH_PROJECT;
      return page.kind === 'page' ? json(page.version, renderChanges(page, query.query)) : page;
    }
    case 'blog': {
      // The database refuses some texts, NUL among them.
      if (query.slug === null) return NO_SUCH_BLOG;
      const found = await store.findBlog(projectId, query.slug, query.fields?.includes('translations'));
      if (!found) return NO_SUCH_PROJECT;
      return found.blog
        ? json(found.version, choose(renderBlog(found.blog, found, query.fields), found.blog, found, query.fields))
        : noSuchBlog(found.movedTo);
    }
    case 'json-ld': {
      if (query.slug === null) return NO_SUCH_BLOG;
      const found = await store.findBlog(projectId, query.slug);
      if (!found) return NO_SUCH_PROJECT;
      if (!found.blog) return noSuchBlog(found.movedTo);
      const channel = feedChannel(found);
      if (!channel) return NO_SITE_ADDRESS;
      const text = toScriptJson(renderJsonLd(found.blog, found, channel));
      return rendered(found.version, JSON_LD_TYPE, text);
    }
    case 'llms': {
      const listQuery = {
        limit: MAX_LLMS_ENTRIES,
        offset: 0,
        category: null,
        includeContent: false,
        isIndexed: true,
        ...languageOf(query),
      } as const;
      const page = await store.listBlogs(projectId, listQuery);
      if (!page) return NO_SUCH_PROJECT;
      const channel = feedChannel(page);
      if (!channel) return NO_SITE_ADDRESS;
      const { version, blogs, total } = page;
      return rendered(version, TEXT_TYPE, renderLlmsTxt(blogs, total, channel));
    }
    case 'sitemap': {
      const sitemap = await store.listSitemap(projectId, { isIndexed: false, ...languageOf(query) });
      return sitemap ? json(sitemap.version, renderSitemap(sitemap)) : NO_SUCH_PROJECT;
    }
    case 'authors': {
      const page = await store.listAuthors(projectId);
      return page ? json(page.version, renderAuthors(page.authors)) : NO_SUCH_PROJECT;
    }
    case 'redirects': {
      const page = await store.listRedirects(projectId, query);
      return page ? json(page.version, renderRedirects(page, query)) : NO_SUCH_PROJECT;
    }
    case 'related': {
      if (query.slug === null) return NO_SUCH_BLOG;
      const found = await store.listRelated(projectId, query.slug, query.limit);
      if (!found) return NO_SUCH_PROJECT;
      return found.related ? json(found.version, renderRelated(found.related)) : noSuchBlog(found.movedTo);
    }
    case 'feed': {
      const listQuery = { limit: query.limit, offset: 0, category: null, includeContent: true, ...languageOf(query) };
      const page = await store.listBlogs(projectId, listQuery);
      if (!page) return NO_SUCH_PROJECT;
      const channel = feedChannel(page);
      if (!channel) return NO_SITE_ADDRESS;
      const { version, contentBytes, isLarge } = page;
      const contentType = query.format === 'json' ? JSON_FEED_TYPE : RSS_TYPE;
      if (isLarge) return { kind: 'large_page', version, query, listQuery, contentType, contentBytes };
      const feed = { ...page, blogs: page.blogs as readonly BlogWithContent[] };
      if (query.format === 'json') return json(version, renderJsonFeed(feed, channel), contentType);
      // Escaping two megabytes of quotes takes a tenth of a second.
      const pieces: string[] = [];
      for await (const piece of renderInChunks(query, feed, inSlices(feed.blogs))) pieces.push(piece);
      return rendered(version, contentType, pieces.join(''));
    }
    case 'sitemap-file': {
      const sitemap = await store.listSitemap(projectId, { isIndexed: true, ...languageOf(query) });
      if (!sitemap) return NO_SUCH_PROJECT;
      const channel = feedChannel({ name: null, siteUrl: sitemap.siteUrl });
      if (!channel) return NO_SITE_ADDRESS;
      return rendered(sitemap.version, XML_TYPE, renderSitemapFile(sitemap, channel));
    }
  }
}

const languageOf = ({ language }: { readonly language?: string }) => (language === undefined ? {} : { language });

function json(version: string, body: object, contentType = JSON_TYPE): RenderedText {
  return rendered(version, contentType, JSON.stringify(body));
}

function rendered(version: string, contentType: string, text: string): RenderedText {
  return { kind: 'text', version, contentType, text };
}
