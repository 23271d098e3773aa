import { extras } from '@blog-content/payload-schemas';
import { conflict, preconditionFailed, readId, readIfMatch, queueLasting } from '@blog-content/service-runtime';
import { Router } from 'express';
import type { ContentWork } from '../../content/content-work.ts';
import { callerOf, type Caller } from '../../platform/http/caller.ts';
import { changesBy } from '../../platform/http/permission.ts';
import { noBlog, slugRefusal } from '../writing/blog-actions.ts';
import { replyWithBlog } from '../writing/blog-routes.ts';
import type { Blog, BlogStore } from '../writing/blog-store.ts';
import type { LivePostStore } from '../writing/show-blog.ts';
import {
  fetchHotLinks,
  hostedUrls,
  type HostedImage,
  type HostImagesDependencies,
  withoutUnreplaced,
} from './host-images.ts';
import { hotLinksOf, replaceImages, replaceInMarkdown } from './image-links.ts';

export interface HostingRoutesDependencies extends HostImagesDependencies {
  readonly blogs: Pick<BlogStore, 'find' | 'edit'>;
  readonly contentWork: Pick<ContentWork, 'clean'>;
  readonly outcomes: LivePostStore;
}

/** Of one request. */
const HOSTING_LIMITS = { images: 50, timeMs: 60_000 };
/** How often the new addresses are written into a post that is changed meanwhile. */
const MAX_REWRITES = 3;

/** `/blogs/:blogId/host-images`: takes the images of a working copy over from other hosts. */
export function createHostingRoutes(dependencies: HostingRoutesDependencies): Router {
  const { blogs, contentWork, imageBaseUrl } = dependencies;
  const routes = Router({ mergeParams: true });

  routes.post(
    '/blogs/:blogId/host-images',
    queueLasting((_req, res) => callerOf(res).accountId, { refusal: 'Images of another post are being fetched.' }),
    async (req, res) => {
      const caller = callerOf(res);
      const { projectId, id: createdBy } = caller;
      const blogId = readId(req.params['blogId'], 'post');
      const mayChange = changesBy(caller, readIfMatch(req));
      const blog = await blogs.find(projectId, blogId);
      if (!blog) throw noBlog();
      if (!mayChange(blog.version, blog.publishAt !== null)) throw preconditionFailed('post');
      const links = hotLinksOf(blog, `${imageBaseUrl}/${projectId}/`);
      const fetched = await fetchHotLinks(dependencies, { projectId, createdBy }, links, HOSTING_LIMITS);
      const isWatched = req.headers['if-match'] !== undefined;
      const { rewritten, outcomes } = await rewrite(caller, blog, fetched, isWatched);
      const { headers, body } = await replyWithBlog(dependencies.outcomes, rewritten);
      res.set(headers).json({
        blog: body,
        images: outcomes.map((outcome) => ({
          url: outcome.url,
          hosted_url: 'hostedUrl' in outcome ? outcome.hostedUrl : null,
          reason: 'reason' in outcome ? outcome.reason : null,
        })),
      });
    },
  );
  return routes;

  /** Writes the new addresses into the post as it is now. @throws a 412 problem when `isWatched` and it was changed. */
  async function rewrite(caller: Caller, blog: Blog, fetched: readonly HostedImage[], isWatched: boolean) {
    const urls = hostedUrls(fetched);
    let now: Blog | null = blog;
    for (let time = 0; time < MAX_REWRITES && now !== null; time += 1) {
      const { projectId, id, version } = now;
      const changes = await withHostedImages(now, urls);
      const mayChange = changesBy(caller, (current) => current === version);
      const edited = await blogs.edit(projectId, id, changes, undefined, mayChange);
      if (edited === 'not_found') throw noBlog();
      if (typeof edited !== 'string') {
        if ('refused' in edited) throw slugRefusal(edited);
        return { rewritten: edited, outcomes: withoutUnreplaced(fetched, edited, `${imageBaseUrl}/${projectId}/`) };
      }
      if (isWatched) throw preconditionFailed('post');
      now = await blogs.find(projectId, id);
    }
    if (now === null) throw noBlog();
    throw conflict('The post changed while its images were fetched. They are in the library. Try again.');
  }

  async function withHostedImages(blog: Blog, urls: ReadonlyMap<string, string>) {
    if (urls.size === 0) return {};
    const { projectId, content, contentMarkdown, featuredImageUrl, generatedImages } = blog;
    const extra = extras.of(blog.extra);
    const written = await contentWork.clean(
      projectId,
      contentMarkdown === null
        ? { content: replaceImages(content, urls) }
        : { content_markdown: replaceInMarkdown(contentMarkdown, urls) },
    );
    return {
      ...written,
      featuredImageUrl: featuredImageUrl === null ? null : (urls.get(featuredImageUrl) ?? featuredImageUrl),
      generatedImages: generatedImages.map((url) => urls.get(url) ?? url),
      extra: Object.fromEntries(extras.images.map((name) => [name, urls.get(extra[name] ?? '') ?? extra[name]])),
    };
  }
}
