import { z } from 'zod';
import * as owner from '../../owner-api.ts';
import type { OperationRow } from '../operation.ts';
import { AGENT, pageOf, paging, parametersOf, PROJECT } from './parameters.ts';

const revisionNumber = z.int().min(1).max(2_147_483_647);
const slugTaken = {
  409: 'The slug is taken, or an alias of the post named in `detail`; or a limit is reached.',
};
const notPublished = { 409: 'The post is not published.' };

/** Writing and publishing: the same for members of a project and for its agents. */
function writingOperations(base: string, credential: 'ownerSession' | 'agentKey'): OperationRow[] {
  const blogs = `${base}/blogs`;
  const blog = `${blogs}/{blogId}`;
  const operations: Omit<OperationRow, 'credential'>[] = [
    {
      id: 'listBlogs',
      method: 'get',
      path: blogs,
      summary: 'List posts',
      description:
        'Posts, newest first by default. `content` isn’t included. Keep `sort`, `order` and the filters unchanged while you follow `next_cursor`.',
      query: { ...parametersOf(owner.blogListQuery), ...paging },
      answers: { 200: pageOf(owner.ownerBlogItem) },
    },
    {
      id: 'countBlogs',
      method: 'get',
      path: `${blogs}/counts`,
      summary: 'Count posts by state and tag',
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
      summary: 'Get a post',
      answers: { 200: owner.ownerBlog },
    },
    {
      id: 'updateBlog',
      permission: 'draft',
      method: 'patch',
      path: blog,
      summary: 'Update a post',
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
      summary: 'Delete a post',
      description: 'If the post was published, receivers are notified.',
      ifMatch: true,
      answers: { 204: null },
    },
    {
      id: 'publishBlog',
      permission: 'publish',
      method: 'post',
      idempotent: true,
      path: `${blog}/publish`,
      summary: 'Publish a post',
      description:
        'A post with a future publication date is scheduled instead: `status` is `scheduled`, and there is no `id`.',
      request: owner.publishRequest,
      requestOptional: true,
      ifMatch: true,
      answers: { 202: owner.publishAnswer },
      location: true,
      errors: { 409: 'The post is published and has a future publication date, or a limit is reached.' },
    },
    {
      id: 'syncBlog',
      permission: 'publish',
      method: 'post',
      idempotent: true,
      path: `${blog}/sync`,
      summary: 'Sync a published post',
      description: 'Publishes the working copy of a post that is already published.',
      request: owner.publishRequest,
      requestOptional: true,
      ifMatch: true,
      answers: { 202: owner.publish },
      location: true,
      errors: { 409: 'The post is not published, or it has a future publication date.' },
    },
    {
      id: 'unpublishBlog',
      permission: 'full',
      method: 'post',
      idempotent: true,
      path: `${blog}/unpublish`,
      summary: 'Unpublish a post',
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
      summary: 'Publish up to 100 posts',
      description: 'Each post gets its own publish.',
      request: owner.bulkRequest,
      answers: { 200: owner.bulkPublishResult },
    },
    {
      id: 'unpublishBlogs',
      permission: 'full',
      method: 'post',
      idempotent: true,
      path: `${blogs}/unpublish`,
      summary: 'Unpublish up to 100 posts',
      request: owner.bulkRequest,
      answers: { 200: owner.bulkUnpublishResult },
    },
    {
      id: 'listBacklinks',
      method: 'get',
      path: `${blog}/backlinks`,
      summary: 'List backlinks',
      query: paging,
      answers: { 200: owner.backlinks },
    },
    {
      id: 'previewRename',
      method: 'get',
      path: `${blog}/rename`,
      summary: 'Preview a rename',
      description:
        'Returns whether the slug is free, how many posts link here, and whether the old URL redirects. Links to the post follow the new slug.',
      query: parametersOf(owner.renameQuery),
      answers: { 200: owner.renamePreview },
    },
    {
      id: 'listRevisions',
      method: 'get',
      path: `${blog}/revisions`,
      summary: 'List revisions',
      description: 'One for each publish, newest first.',
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
      summary: 'Compare revisions',
      query: {
        to: { schema: revisionNumber, description: 'The revision to compare with. Defaults to the working copy.' },
      },
      answers: { 200: owner.revisionDiff },
      errors: {
        422: 'The comparison takes too long.',
        429: 'Too many comparisons are waiting for this project. Wait for `Retry-After` seconds.',
      },
    },
    {
      id: 'restoreRevision',
      permission: 'draft',
      method: 'post',
      idempotent: true,
      path: `${blog}/revisions/{number}/restore`,
      summary: 'Restore a revision',
      description: 'Copies the revision into the working copy.',
      request: owner.restoreRequest,
      requestOptional: true,
      ifMatch: true,
      answers: { 200: owner.ownerBlog },
      errors: { 409: 'Another post now has the slug. Set `keep_slug` to keep the current one.' },
    },
    {
      id: 'listPublishesOfBlog',
      method: 'get',
      path: `${blog}/publishes`,
      summary: 'List a post’s publishes',
      description: 'Newest first.',
      query: paging,
      answers: { 200: pageOf(owner.publish) },
    },
    {
      id: 'listPublishes',
      method: 'get',
      path: `${base}/publishes`,
      summary: 'List publishes',
      description: 'Newest first.',
      query: { ...parametersOf(owner.publishListQuery), ...paging },
      answers: { 200: pageOf(owner.publish) },
    },
    {
      id: 'getPublish',
      method: 'get',
      path: `${base}/publishes/{publishId}`,
      summary: 'Get a publish and its deliveries',
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
    description: 'Frees the slug for other posts. It no longer redirects to this one.',
    credential: 'ownerSession',
    only: 'owners',
    answers: { 204: null },
  },
  {
    id: 'scheduleBlog',
    method: 'put',
    path: `${PROJECT}/blogs/{blogId}/schedule`,
    summary: 'Schedule a publish',
    credential: 'ownerSession',
    request: owner.scheduleRequest,
    ifMatch: true,
    answers: { 200: owner.schedule },
  },
  {
    id: 'unscheduleBlog',
    method: 'delete',
    path: `${PROJECT}/blogs/{blogId}/schedule`,
    summary: 'Cancel a scheduled publish',
    description: 'The post stays as it is.',
    credential: 'ownerSession',
    answers: { 204: null },
  },
  {
    id: 'listSchedules',
    method: 'get',
    path: `${PROJECT}/schedules`,
    summary: 'List scheduled publishes',
    description: 'In order of time.',
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
    summary: 'Get the key’s project',
    credential: 'agentKey',
    answers: { 200: owner.agentProject },
  },
  ...writingOperations(AGENT, 'agentKey'),
];
