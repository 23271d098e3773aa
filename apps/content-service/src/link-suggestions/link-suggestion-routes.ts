import {
  linkSuggestionQuery,
  linkSuggestionRequest,
  MAX_LINK_SUGGESTIONS,
  queryInteger,
  type linkSuggestions,
} from '@blog-content/payload-schemas';
import { notFound, parseBody, parseQuery } from '@blog-content/service-runtime';
import { Router } from 'express';
import type { z } from 'zod';
import { callerOf } from '../platform/http/caller.ts';
import type { LinkTargetStore } from './link-target-store.ts';
import { findLinkSuggestions, type LinkSuggestionWork } from './find-link-suggestions.ts';

export interface LinkSuggestionDependencies {
  readonly linkTargets: LinkTargetStore;
  readonly contentWork: LinkSuggestionWork;
  readonly blogs: { find(projectId: string, blogId: string): Promise<{ readonly content: string } | null> };
}

const query = linkSuggestionQuery.extend({ limit: queryInteger({ min: 1, max: MAX_LINK_SUGGESTIONS }).default(10) });

/** `/blogs/link-suggestions`: comes before the routes of `/blogs/:blogId`. */
export function createLinkSuggestionRoutes(dependencies: LinkSuggestionDependencies): Router {
  const routes = Router({ mergeParams: true });

  routes.get('/blogs/link-suggestions', async (req, res) => {
    const { text, blog_id: blogId, limit } = parseQuery(query, req.query);
    const { projectId } = callerOf(res);
    const html = text ?? (blogId === undefined ? '' : await contentOf(projectId, blogId));
    const shown: z.infer<typeof linkSuggestions> = {
      items: await findLinkSuggestions(dependencies, { projectId, html, limit, blogId }),
    };
    res.json(shown);
  });

  routes.post('/blogs/link-suggestions', async (req, res) => {
    const { text: html, blog_id: blogId, limit } = parseBody(linkSuggestionRequest, req.body);
    const { projectId } = callerOf(res);
    const shown: z.infer<typeof linkSuggestions> = {
      items: await findLinkSuggestions(dependencies, { projectId, html, limit, blogId }),
    };
    res.json(shown);
  });
  return routes;

  async function contentOf(projectId: string, blogId: string): Promise<string> {
    const blog = await dependencies.blogs.find(projectId, blogId);
    if (blog === null) throw notFound('Post not found.');
    return blog.content;
  }
}
