import { z } from 'zod';
import * as owner from '../../owner-api.ts';
import type { OperationRow } from '../operation.ts';
import { AGENT, pageOf, paging, parametersOf, PROJECT } from './parameters.ts';

const revisionNumber = z.int().min(1).max(2_147_483_647);
const slugTaken = {
  409: 'The slug is taken, or an alias of another blog, which `detail` names; or a limit is reached.',
};
const notPublished = { 409: 'The blog is not published.' };

/** Writing and publishing: the same for members of a project and for its agents. */
function writingOperations(base: string, credential: 'ownerSession' | 'agentKey'): OperationRow[] {
  const blogs = `${base}/blogs`;
  const blog = `${blogs}/{blogId}`;
  const operations: Omit<OperationRow, 'credential'>[] = [
    {
      id: 'listBlogs',
      method: 'get',
      path: blogs,
      summary: 'List blogs without their content',
      description:
        'Newest first by default. Keep `sort`, `order` and the filters the same while you follow `next_cursor`.',
      query: { ...parametersOf(owner.blogListQuery), ...paging },
      answers: { 200: pageOf(owner.ownerBlogItem) },
    },
    {
      id: 'countBlogs',
      method: 'get',
      path: `${blogs}/counts`,
      summary: 'Count blogs by state and tag',
      query: parametersOf(owner.blogCountsQuery),
      answers: { 200: owner.blogCounts },
    },
    {
      id: 'createBlog',
      permission: 'draft',
      method: 'post',
      idempotent: true,
      path: blogs,
      summary: 'Create a draft',
      request: owner.blogCreateRequest,
      answers: { 201: owner.ownerBlog },
      location: true,
      errors: slugTaken,
    },
    {
      id: 'getBlog',
      method: 'get',
      path: blog,
      summary: 'Get a blog’s working copy',
      answers: { 200: owner.ownerBlog },
    },
    {
      id: 'updateBlog',
      permission: 'draft',
      method: 'patch',
      path: blog,
      summary: 'Edit the working copy',
      request: owner.blogUpdateRequest,
      ifMatch: true,
      answers: { 200: owner.ownerBlog },
      errors: slugTaken,
    },
    {
      id: 'deleteBlog',
      permission: 'full',
      method: 'delete',
      path: blog,
      summary: 'Delete a blog; receivers hear of it when it was published',
      ifMatch: true,
      answers: { 204: null },
    },
    {
      id: 'publishBlog',
      permission: 'publish',
      method: 'post',
      idempotent: true,
      path: `${blog}/publish`,
      summary: 'Publish, or publish again',
      description:
        'A post that is dated in the future is scheduled for that time: `status` is `scheduled`, and there is no `id`.',
      request: owner.publishRequest,
      requestOptional: true,
      ifMatch: true,
      answers: { 202: owner.publishAnswer },
      location: true,
      errors: { 409: 'The blog is published and dated in the future, or a limit is reached.' },
    },
    {
      id: 'syncBlog',
      permission: 'publish',
      method: 'post',
      idempotent: true,
      path: `${blog}/sync`,
      summary: 'Content sync: publish the working copy of a blog that is published',
      request: owner.publishRequest,
      requestOptional: true,
      ifMatch: true,
      answers: { 202: owner.publish },
      location: true,
      errors: { 409: 'The blog is not published, or it is dated in the future.' },
    },
    {
      id: 'unpublishBlog',
      permission: 'full',
      method: 'post',
      idempotent: true,
      path: `${blog}/unpublish`,
      summary: 'Unpublish',
      ifMatch: true,
      answers: { 200: owner.ownerBlog },
      errors: notPublished,
    },
    {
      id: 'publishBlogs',
      permission: 'publish',
      method: 'post',
      idempotent: true,
      path: `${blogs}/publish`,
      summary: 'Publish up to 100 blogs, each its own publish',
      request: owner.bulkRequest,
      answers: { 200: owner.bulkPublishResult },
    },
    {
      id: 'unpublishBlogs',
      permission: 'full',
      method: 'post',
      idempotent: true,
      path: `${blogs}/unpublish`,
      summary: 'Unpublish up to 100 blogs',
      request: owner.bulkRequest,
      answers: { 200: owner.bulkUnpublishResult },
    },
    {
      id: 'listBacklinks',
      method: 'get',
      path: `${blog}/backlinks`,
      summary: 'List the posts that link to a post',
      query: paging,
      answers: { 200: owner.backlinks },
    },
    {
      id: 'previewRename',
      method: 'get',
      path: `${blog}/rename`,
      summary: 'Preview a rename',
      description:
        'Says whether the slug is free, how many posts link here, and whether the old URL redirects. Links that belong to the post follow it, whatever its slug.',
      query: parametersOf(owner.renameQuery),
      answers: { 200: owner.renamePreview },
    },
    {
      id: 'listRevisions',
      method: 'get',
      path: `${blog}/revisions`,
      summary: 'List what each publish made public, newest first',
      query: paging,
      answers: { 200: pageOf(owner.revisionItem) },
    },
    {
      id: 'getRevision',
      method: 'get',
      path: `${blog}/revisions/{number}`,
      summary: 'Get a revision',
      answers: { 200: owner.revision },
    },
    {
      id: 'diffRevision',
      method: 'get',
      path: `${blog}/revisions/{number}/diff`,
      summary: 'What changed from a revision to another, or to the working copy',
      query: { to: { schema: revisionNumber, description: 'Another revision; the working copy when left out.' } },
      answers: { 200: owner.revisionDiff },
      errors: {
        422: 'The two take too long to compare.',
        429: 'Too many comparisons of the project wait already: `Retry-After` says when to ask again.',
      },
    },
    {
      id: 'restoreRevision',
      permission: 'draft',
      method: 'post',
      idempotent: true,
      path: `${blog}/revisions/{number}/restore`,
      summary: 'Bring a revision back into the working copy',
      request: owner.restoreRequest,
      requestOptional: true,
      ifMatch: true,
      answers: { 200: owner.ownerBlog },
      errors: { 409: 'The slug is another blog’s by now: `keep_slug` leaves it as it is.' },
    },
    {
      id: 'listPublishesOfBlog',
      method: 'get',
      path: `${blog}/publishes`,
      summary: 'List a blog’s publishes, newest first',
      query: paging,
      answers: { 200: pageOf(owner.publish) },
    },
    {
      id: 'listPublishes',
      method: 'get',
      path: `${base}/publishes`,
      summary: 'List publishes, newest first',
      query: { ...parametersOf(owner.publishListQuery), ...paging },
      answers: { 200: pageOf(owner.publish) },
    },
    {
      id: 'getPublish',
      method: 'get',
      path: `${base}/publishes/{publishId}`,
      summary: 'Get a publish with what became of it at each receiver',
      answers: { 200: owner.publish },
    },
  ];
  return operations.map((operation) => ({
    ...operation,
    id:
      credential === 'agentKey' ? `agent${operation.id.charAt(0).toUpperCase()}${operation.id.slice(1)}` : operation.id,
    credential,
  }));
}

/** What members of a project do beyond that. */
export const blogOperations: OperationRow[] = [
  ...writingOperations(PROJECT, 'ownerSession'),
  {
    id: 'releaseAlias',
    method: 'delete',
    path: `${PROJECT}/blogs/{blogId}/aliases/{slug}`,
    summary: 'Release an alias',
    description: 'The slug is free for other posts, and no longer redirects to this one.',
    credential: 'ownerSession',
    only: 'owners',
    answers: { 204: null },
  },
  {
    id: 'scheduleBlog',
    method: 'put',
    path: `${PROJECT}/blogs/{blogId}/schedule`,
    summary: 'Publish the working copy at a time',
    credential: 'ownerSession',
    request: owner.scheduleRequest,
    ifMatch: true,
    answers: { 200: owner.schedule },
  },
  {
    id: 'unscheduleBlog',
    method: 'delete',
    path: `${PROJECT}/blogs/{blogId}/schedule`,
    summary: 'Do not publish by schedule',
    credential: 'ownerSession',
    answers: { 204: null },
  },
  {
    id: 'listSchedules',
    method: 'get',
    path: `${PROJECT}/schedules`,
    summary: 'List scheduled publishes, the next one first',
    credential: 'ownerSession',
    query: paging,
    answers: { 200: pageOf(owner.schedule) },
  },
];

/** What an agent may do: all writing and publishing of its one project. */
export const agentOperations: OperationRow[] = [
  {
    id: 'getAgentProject',
    method: 'get',
    path: `${AGENT}/project`,
    summary: 'Get the project of the key',
    credential: 'agentKey',
    answers: { 200: owner.agentProject },
  },
  ...writingOperations(AGENT, 'agentKey'),
];
