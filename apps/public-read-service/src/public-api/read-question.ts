import { feedChannel } from './feeds/feed-channel.ts';
import { renderJsonFeed } from './feeds/render-json-feed.ts';
import { renderRss } from './feeds/render-rss.ts';
import { renderSitemapFile } from './feeds/render-sitemap-file.ts';
import type { PublicReadStore } from './public-read-store.ts';
import type { Question } from './question.ts';
import { renderBlog, renderList, renderRelated, renderSitemap } from './render.ts';

/** A representation, before its content coding. */
export interface Rendered {
  /** The project's version that it belongs to. */
  readonly version: string;
  /** The media type, with its charset. */
  readonly contentType: string;
  readonly text: string;
}

/** What a read found, or why there is nothing. */
export type Found = Rendered | 'no such blog' | 'no such project' | 'no site address';

const JSON_TYPE = 'application/json; charset=utf-8';
const JSON_FEED_TYPE = 'application/feed+json; charset=utf-8';
const RSS_TYPE = 'application/rss+xml; charset=utf-8';
const XML_TYPE = 'application/xml; charset=utf-8';

/** Answers a question with one query and renders what was found. @throws whatever the store throws */
export async function readQuestion(store: PublicReadStore, projectId: string, question: Question): Promise<Found> {
  switch (question.kind) {
    case 'list': {
      const page = await store.listBlogs(projectId, question.query);
      return page ? json(page.version, renderList(page, question.query)) : 'no such project';
    }
    case 'blog': {
      // No question to the database that cannot have an answer: it refuses some texts, NUL among them.
      if (question.slug === null) return 'no such blog';
      const found = await store.findBlog(projectId, question.slug);
      if (!found) return 'no such project';
      return found.blog ? json(found.version, renderBlog(found.blog, found)) : 'no such blog';
    }
    case 'sitemap': {
      const sitemap = await store.listSitemap(projectId);
      return sitemap ? json(sitemap.version, renderSitemap(sitemap)) : 'no such project';
    }
    case 'related': {
      if (question.slug === null) return 'no such blog';
      const found = await store.listRelated(projectId, question.slug, question.limit);
      if (!found) return 'no such project';
      return found.related ? json(found.version, renderRelated(found.related)) : 'no such blog';
    }
    case 'feed': {
      const feed = await store.listFeed(projectId, question.limit);
      if (!feed) return 'no such project';
      const channel = feedChannel(feed);
      if (!channel) return 'no site address';
      const { version } = feed;
      return question.format === 'json'
        ? json(version, renderJsonFeed(feed, channel), JSON_FEED_TYPE)
        : { version, contentType: RSS_TYPE, text: renderRss(feed, channel, new Date(Number(version))) };
    }
    case 'sitemap-file': {
      const sitemap = await store.listSitemap(projectId);
      if (!sitemap) return 'no such project';
      const channel = feedChannel({ name: null, siteUrl: sitemap.siteUrl });
      if (!channel) return 'no site address';
      return { version: sitemap.version, contentType: XML_TYPE, text: renderSitemapFile(sitemap, channel) };
    }
  }
}

function json(version: string, body: object, contentType = JSON_TYPE): Rendered {
  return { version, contentType, text: JSON.stringify(body) };
}
