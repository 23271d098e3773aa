import {
  renameQuery,
  slug as slugSchema,
  type Backlinks,
  type BlogLinks,
  type RenamePreview,
} from '@blog-content/payload-schemas';
import { notFound, parseQuery, readId, readPage, toPage, type Page } from '@blog-content/service-runtime';
import { Router } from 'express';
import { callerOf } from '../../platform/http/caller.ts';
import type { OutgoingLinkStore } from '../links/outgoing-link-store.ts';
import { noBlog } from '../writing/blog-actions.ts';
import type { BlogStore } from '../writing/blog-store.ts';
import type { Backlink, BacklinkStore } from './backlink-store.ts';
import { previewRename } from './preview-rename.ts';

export interface LinkActionsDependencies {
  readonly blogs: Pick<BlogStore, 'find'>;
  readonly backlinks: BacklinkStore;
}

export interface LinkRoutesDependencies extends LinkActionsDependencies {
  readonly outgoingLinks: OutgoingLinkStore;
}

/** What leads to a post, as routes and agents' tools read it alike: refusals are thrown as problems. */
export function createLinkActions({ blogs, backlinks }: LinkActionsDependencies) {
  return {
    async list(projectId: string, blogId: string, page: Page): Promise<Backlinks> {
      if (!(await blogs.find(projectId, blogId))) throw noBlog();
      const items = toPage(await backlinks.list(blogId, page), page.limit, showBacklink);
      return { ...items, total: await backlinks.count(blogId) };
    },

    async previewRename(projectId: string, blogId: string, slug: string | null): Promise<RenamePreview> {
      const facts = await backlinks.renameFacts(projectId, blogId, slug);
      if (facts === null) throw noBlog();
      return previewRename(slug ?? facts.currentSlug, facts);
    },
  };
}

/** Where links from a blog lead, what leads to it, and what a rename would do to it. */
export function createLinkRoutes(dependencies: LinkRoutesDependencies): Router {
  const actions = createLinkActions(dependencies);
  const routes = Router({ mergeParams: true });

  routes.get('/blogs/:blogId/links', async (req, res) => {
    const items = await dependencies.outgoingLinks.list(callerOf(res).projectId, readId(req.params.blogId, 'post'));
    if (items === null) throw noBlog();
    res.json({ items } satisfies BlogLinks);
  });

  routes.get('/blogs/:blogId/backlinks', async (req, res) => {
    const page = readPage(req.query);
    res.json(await actions.list(callerOf(res).projectId, readId(req.params.blogId, 'post'), page));
  });

  routes.get('/blogs/:blogId/rename', async (req, res) => {
    const { slug = null } = parseQuery(renameQuery, req.query);
    res.json(await actions.previewRename(callerOf(res).projectId, readId(req.params.blogId, 'post'), slug));
  });
  return routes;
}

/** `/blogs/:blogId/aliases`, for owners of the project. */
export function createAliasRoutes({ backlinks }: Pick<LinkRoutesDependencies, 'backlinks'>): Router {
  const routes = Router({ mergeParams: true });

  routes.delete('/blogs/:blogId/aliases/:slug', async (req, res) => {
    const blogId = readId(req.params.blogId, 'post');
    const slug = slugSchema.safeParse(req.params.slug);
    const released = slug.success
      ? await backlinks.releaseAlias(callerOf(res).projectId, blogId, slug.data)
      : 'no_alias';
    if (released === 'no_blog') throw noBlog();
    if (released === 'no_alias') throw notFound('Alias not found.');
    res.status(204).end();
  });
  return routes;
}

function showBacklink({ id, title, slug, state, inWorkingCopy, inPublished }: Backlink) {
  return {
    blog_id: id,
    title,
    slug,
    state: state as Backlinks['items'][number]['state'],
    in_working_copy: inWorkingCopy,
    in_published: inPublished,
  };
}
