import { blogCreateRequest, blogState, blogUpdateRequest } from '@blog-content/payload-schemas';
import { conflict, notFound, parseBody, parseQuery, readId, readPage, toPage } from '@blog-content/service-runtime';
import { Router } from 'express';
import { z } from 'zod';
import { makeExcerpt } from '../content/make-excerpt.ts';
import type { Blog, BlogStore } from './blog-store.ts';
import { checkGivenSlug, draftChanges, newDraft } from './draft.ts';

const listQuery = z.object({ state: blogState.exclude(['deleted']).optional() });

/** `/projects/:projectId/blogs`: writing, not publishing. */
export function createBlogRoutes(blogs: BlogStore): Router {
  const routes = Router({ mergeParams: true });
  const ids = (params: Record<string, unknown>) =>
    [readId(params['projectId'], 'project'), readId(params['blogId'], 'blog')] as const;

  routes.get('/', async (req, res) => {
    const page = readPage(req.query);
    const { state = null } = parseQuery(listQuery, req.query);
    const projectId = readId((req.params as Record<string, unknown>)['projectId'], 'project');
    res.json(toPage(await blogs.list(projectId, page, state), page.limit, showBlog));
  });

  routes.post('/', async (req, res) => {
    const request = parseBody(blogCreateRequest, req.body);
    const slug = request.slug === undefined ? null : checkGivenSlug(request.slug);
    const projectId = readId((req.params as Record<string, unknown>)['projectId'], 'project');
    const blog = await blogs.create(projectId, newDraft(request), slug);
    if (blog === 'slug_taken') throw slugTaken(request.slug);
    res.status(201).location(`${req.baseUrl}/${blog.id}`).json(showBlog(blog));
  });

  routes.get('/:blogId', async (req, res) => {
    const blog = await blogs.find(...ids(req.params));
    if (!blog) throw noBlog();
    res.json(showBlog(blog));
  });

  routes.patch('/:blogId', async (req, res) => {
    const request = parseBody(blogUpdateRequest, req.body);
    const slug = request.slug === undefined ? undefined : checkGivenSlug(request.slug);
    const blog = await blogs.edit(...ids(req.params), draftChanges(request), slug);
    if (blog === 'not_found') throw noBlog();
    if (blog === 'slug_taken') throw slugTaken(request.slug);
    res.json(showBlog(blog));
  });
  return routes;
}

export const noBlog = () => notFound('No such blog.');

const slugTaken = (slug: string | undefined) =>
  conflict(`The slug “${slug ?? ''}” is taken by another blog of the project: choose another.`);

/** A blog as its owner sees it. */
export function showBlog(blog: Blog) {
  return {
    id: blog.id,
    project_id: blog.projectId,
    state: blog.state,
    title: blog.title,
    slug: blog.slug,
    content: blog.content,
    excerpt: blog.excerpt ?? makeExcerpt(blog.content),
    meta_title: blog.metaTitle,
    meta_description: blog.metaDescription,
    featured_image_url: blog.featuredImageUrl,
    categories: blog.categories,
    tags: blog.tags,
    keyword: blog.keyword,
    has_unpublished_changes: blog.state === 'published' && blog.changedSincePublish,
    published_at: blog.publicationBeganAt?.toISOString() ?? null,
    created_at: blog.createdAt.toISOString(),
    updated_at: blog.updatedAt.toISOString(),
  };
}
