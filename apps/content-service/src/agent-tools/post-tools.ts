import {
  blogCreateRequest,
  blogListQuery,
  blogUpdateRequest,
  linkSuggestionQuery,
  linkSuggestionRequest,
  linkSuggestions,
  pageOf,
  publishRequest,
  restoreRequest,
  revision,
  revisionItem,
} from '@blog-content/payload-schemas';
import { readPage, unprocessable } from '@blog-content/service-runtime';
import { z } from 'zod';
import type { BacklinkStore } from '../blogs/backlinks/backlink-store.ts';
import type { DeliveryOutcomeStore } from '../blogs/publishing/delivery-outcome-store.ts';
import type { PublishStore } from '../blogs/publishing/publish-store.ts';
import { findPublish, orRefused, publicationDateOf, showPublished } from '../blogs/publishing/show-publish.ts';
import { createRevisionActions, type RevisionActionsDependencies } from '../blogs/revisions/revision-actions.ts';
import { showRevision } from '../blogs/revisions/show-revision.ts';
import { createBlogActions, type BlogActionsDependencies } from '../blogs/writing/blog-actions.ts';
import type { Blog, BlogStore } from '../blogs/writing/blog-store.ts';
import { showBlog } from '../blogs/writing/show-blog.ts';
import type { ContentWork } from '../content/content-work.ts';
import { findLinkSuggestions } from '../link-suggestions/find-link-suggestions.ts';
import type { LinkTargetStore } from '../link-suggestions/link-target-store.ts';
import type { Caller } from '../platform/http/caller.ts';
import { changesBy, requireAliasPermission } from '../platform/http/permission.ts';
import type { IdempotencyStore } from '../platform/idempotency/idempotency-store.ts';
import { asPost, asPublish, post, postItem, publishMade, publishAnswer, renamedPost } from './named-answers.ts';
import {
  blogId,
  defineTool,
  idempotencyKey,
  ifVersion,
  matching,
  onceByKey,
  paging,
  reading,
  type Tool,
} from './tool.ts';

/** What tools read and change posts by. */
interface PostStores extends RevisionActionsDependencies {
  readonly blogs: BlogStore;
  readonly publishing: Pick<PublishStore, 'prepare' | 'publish' | 'unpublish'>;
  readonly outcomes: Pick<DeliveryOutcomeStore, 'find' | 'livePosts'>;
}

export interface PostToolsDependencies extends PostStores {
  readonly contentWork: Pick<ContentWork, 'clean' | 'suggestLinks' | 'lookupWordsOf'>;
  readonly dataFields: BlogActionsDependencies['dataFields'];
  readonly linkTargets: LinkTargetStore;
  readonly backlinks: BacklinkStore;
  readonly idempotency: IdempotencyStore<PostStores>;
}

const number = z
  .int()
  .min(1)
  .max(2 ** 31 - 1)
  .describe('Number of the revision.');
const change = z.object({ blog_id: blogId, if_version: ifVersion, idempotency_key: idempotencyKey });

const show = async ({ outcomes }: Pick<PostStores, 'outcomes'>, blog: Blog) =>
  showBlog(blog, await outcomes.livePosts(blog));
const ofBlog = ({ id }: { readonly id: string }) => ({ blogId: id });
const ofPublish = ({ blog_id: id }: { readonly blog_id: string }) => ({ blogId: id });

/** What tools do that make something new, or change a working copy. */
const making = { changes: 'something', idempotent: false, permission: 'draft' } as const;
const editing = { changes: 'something', idempotent: true, permission: 'draft' } as const;

/** The tools for posts: what the agent API's operations of the same purpose do. */
export function createPostTools(dependencies: PostToolsDependencies): Tool[] {
  const { publishing, outcomes, idempotency } = dependencies;
  const writing = createBlogActions(dependencies);
  const history = createRevisionActions(dependencies);

  const changeOf = ({ projectId, id, trigger }: Caller, input: z.infer<typeof change>) => ({
    projectId,
    blogId: input.blog_id,
    trigger,
    requestedBy: id,
    ifMatch: matching(input.if_version),
  });
  const mayChangeOf = (caller: Caller, version: number | undefined) => changesBy(caller, matching(version));

  const publishTool = (command: 'publish' | 'sync', about: Pick<Tool, 'name' | 'title' | 'description'>) =>
    defineTool({
      ...about,
      input: change.extend(publishRequest.shape),
      output: publishAnswer,
      changes: 'what readers see',
      idempotent: false,
      permission: 'publish',
      async run(caller, input, given) {
        const request = changeOf(caller, input);
        const publicationDate = publicationDateOf(input);
        const ready = await publishing.prepare(request, command, publicationDate);
        const answer = await onceByKey(
          idempotency,
          caller,
          { key: input.idempotency_key, tool: about.name, given },
          async (stores) =>
            showPublished(orRefused(await stores.publishing.publish(request, command, { publicationDate, ready }))),
          ofPublish,
        );
        return answer.status === 'scheduled' ? answer : asPublish(answer);
      },
    });

  return [
    defineTool({
      name: 'search_posts',
      title: 'Search posts',
      description: 'Lists the project’s posts, newest first, without content. Filter by state, text, category or tag.',
      input: blogListQuery.extend(paging),
      output: pageOf(postItem),
      ...reading,
      async run({ projectId }, filter, given) {
        const { items, ...page } = await writing.list(projectId, readPage(given), filter);
        return { ...page, items: items.map(asPost) };
      },
    }),
    defineTool({
      name: 'read_post',
      title: 'Get a post',
      description: 'Returns the working copy of a post with its content, its `version`, and its URLs at the receivers.',
      input: z.object({ blog_id: blogId }),
      output: post,
      ...reading,
      run: async ({ projectId }, input) =>
        asPost(await show(dependencies, await writing.find(projectId, input.blog_id))),
    }),
    defineTool({
      name: 'create_post',
      title: 'Create a draft',
      description:
        'Creates a draft, which stays private until published. Pass `content` (HTML) or `content_markdown`. Link to other posts ' +
        'of the project as [INTERNAL:<slug>] instead of a URL, so that links follow renames. Content is sanitized; the response has the stored version.',
      input: blogCreateRequest.safeExtend({ idempotency_key: idempotencyKey }),
      output: post,
      ...making,
      async run(caller, { idempotency_key: key, ...request }, given) {
        requireAliasPermission(caller, request);
        const makeDraft = await writing.prepareDraft(caller.projectId, request);
        const made = await onceByKey(
          idempotency,
          caller,
          { key, tool: 'create_post', given },
          async (stores) => show(stores, await makeDraft(stores.blogs)),
          ofBlog,
        );
        return asPost(made);
      },
    }),
    defineTool({
      name: 'update_post',
      title: 'Update a post',
      description:
        'Updates fields of the working copy; omitted fields are unchanged. Readers of a published post see edits after sync_post. ' +
        'A new `slug` breaks no links: placeholders in other posts follow it, and the old URL redirects. ' +
        'The response then has `linking_posts`, the number of posts that link here. If another post has the slug as an alias, ' +
        'take it with `release_alias`. Check with preview_rename first.',
      input: blogUpdateRequest.safeExtend({ blog_id: blogId, if_version: ifVersion }),
      output: renamedPost,
      ...editing,
      async run(caller, { blog_id: id, if_version: version, ...request }) {
        requireAliasPermission(caller, request);
        const mayChange = mayChangeOf(caller, version);
        const updated = await show(dependencies, await writing.update(caller.projectId, id, request, mayChange));
        if (request.slug === undefined) return asPost(updated);
        return { ...asPost(updated), linking_posts: await dependencies.backlinks.count(id) };
      },
    }),
    publishTool('publish', {
      name: 'publish_post',
      title: 'Publish a post',
      description:
        'Publishes the working copy and delivers it to the project’s receivers. Poll publish_status with the returned `publish_id`. ' +
        'A post with a future publication date is scheduled instead: `status` is `scheduled`, and there is no `publish_id`.',
    }),
    publishTool('sync', {
      name: 'sync_post',
      title: 'Sync a published post',
      description: 'Publishes the working copy of a post that is already published.',
    }),
    defineTool({
      name: 'unpublish_post',
      title: 'Unpublish a post',
      description: 'Unpublishes a post and notifies its receivers. The working copy is kept.',
      input: change,
      output: post,
      changes: 'what readers see',
      idempotent: true,
      permission: 'full',
      async run(caller, input, given) {
        const unpublished = await onceByKey(
          idempotency,
          caller,
          { key: input.idempotency_key, tool: 'unpublish_post', given },
          async (stores) => {
            const { blog } = orRefused(await stores.publishing.unpublish(changeOf(caller, input)));
            return show(stores, blog);
          },
          ofBlog,
        );
        return asPost(unpublished);
      },
    }),
    defineTool({
      name: 'publish_status',
      title: 'Get a publish',
      description: 'Returns whether the post is live, and the result at each receiver. Poll again while `pending`.',
      input: z.object({ publish_id: z.uuid().describe('`publish_id` returned by publish_post or sync_post.') }),
      output: publishMade,
      ...reading,
      run: async ({ projectId }, input) => asPublish(await findPublish(outcomes, projectId, input.publish_id)),
    }),
    defineTool({
      name: 'list_revisions',
      title: 'List revisions',
      description: 'Lists what each publish of a post made public, newest first, without content.',
      input: z.object({ blog_id: blogId, ...paging }),
      output: pageOf(revisionItem),
      ...reading,
      run: ({ projectId }, input, given) => history.list(projectId, input.blog_id, readPage(given, /^\d{1,9}$/)),
    }),
    defineTool({
      name: 'read_revision',
      title: 'Get a revision',
      description: 'Returns what one publish of a post made public, with its content.',
      input: z.object({ blog_id: blogId, number }),
      output: revision,
      ...reading,
      run: async ({ projectId }, input) =>
        showRevision(await history.find(await history.blogOf(projectId, input.blog_id), input.number)),
    }),
    defineTool({
      name: 'restore_revision',
      title: 'Restore a revision',
      description: 'Copies a revision into the working copy. Readers see it after sync_post.',
      input: restoreRequest.extend({ ...change.shape, number }),
      output: post,
      ...editing,
      async run(caller, input, given) {
        const restored = await onceByKey(
          idempotency,
          caller,
          { key: input.idempotency_key, tool: 'restore_revision', given },
          async (stores) =>
            show(
              stores,
              await createRevisionActions(stores).restore({
                ...changeOf(caller, input),
                mayChange: mayChangeOf(caller, input.if_version),
                number: input.number,
                keepSlug: input.keep_slug,
              }),
            ),
          ofBlog,
        );
        return asPost(restored);
      },
    }),
    defineTool({
      name: 'suggest_links',
      title: 'Suggest internal links',
      description:
        'Finds published posts to link from a text (`text`) or from a post’s working copy (`blog_id` alone). Each suggestion has the anchor ' +
        'exactly as in the text, and the `href` to use.',
      input: linkSuggestionQuery.extend(linkSuggestionRequest.partial({ text: true }).shape),
      output: linkSuggestions,
      ...reading,
      async run({ projectId }, { text, blog_id: id, limit }) {
        if (text === undefined && id === undefined) {
          throw unprocessable([{ field: 'text', message: 'is required unless blog_id is given' }]);
        }
        const html = text ?? (await writing.find(projectId, id ?? '')).content;
        return { items: await findLinkSuggestions(dependencies, { projectId, html, limit, blogId: id }) };
      },
    }),
  ];
}
