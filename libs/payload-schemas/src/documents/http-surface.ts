import { z } from 'zod';
import * as owner from '../owner-api.ts';
import * as open from '../public-api.ts';

export type Credential = 'publicKey' | 'ownerSession' | 'none';

/** One operation of the HTTP surface, as the documents tell it. */
export interface Operation {
  readonly method: 'get' | 'post' | 'patch' | 'delete';
  readonly path: string;
  readonly summary: string;
  readonly credential: Credential;
  readonly query?: Readonly<Record<string, { readonly schema: z.ZodType; readonly description: string }>>;
  readonly request?: z.ZodType;
  /** Success status → answer; null for an empty body. */
  readonly answers: Readonly<Record<number, z.ZodType | null>>;
  readonly errors: Readonly<Record<number, string>>;
}

const PUBLIC = '/blog/api/v1/public';
const OWNER = '/blog/api/v1/owner';
const PROJECT = `${OWNER}/projects/{projectId}`;
const BLOG = `${PROJECT}/blogs/{blogId}`;

const publicErrors = {
  401: 'Key missing, unknown, rotated or revoked.',
  500: 'Trouble of ours; retry after a few seconds.',
};
const signedIn = { 401: 'No valid owner session.' };
const found = { ...signedIn, 404: 'Not found, or not of your projects.' };
const checked = { ...found, 422: 'A field is wrong; `errors` names it.' };

const apiKey = { schema: z.string(), description: 'Project key; not needed when the Authorization header is sent.' };
const cursor = { schema: z.string(), description: '`next_cursor` of the page before.' };
const pageSize = { schema: z.int().min(1).max(100).default(50), description: 'Items a page.' };

const publicOperations: Operation[] = [
  {
    method: 'get',
    path: `${PUBLIC}/blogs`,
    summary: 'List published blogs, newest first (spec §4.1)',
    credential: 'publicKey',
    query: {
      api_key: apiKey,
      limit: {
        schema: z.int().min(open.LIST_LIMIT.min).max(open.LIST_LIMIT.max).default(open.LIST_LIMIT.default),
        description: 'Page size.',
      },
      offset: { schema: z.int().min(0).default(0), description: 'Blogs to skip.' },
      category: { schema: z.string(), description: 'Only blogs that include this category name.' },
      include_content: { schema: z.boolean().default(false), description: '`true` adds `content` to every item.' },
    },
    answers: { 200: open.publicBlogList },
    errors: { 400: 'A parameter is out of its bounds.', ...publicErrors },
  },
  {
    method: 'get',
    path: `${PUBLIC}/blogs/{slug}`,
    summary: 'Get one published blog (spec §4.2)',
    credential: 'publicKey',
    query: { api_key: apiKey },
    answers: { 200: open.publicBlog },
    errors: { 404: 'The slug is not in the project, or the blog is not published.', ...publicErrors },
  },
  {
    method: 'get',
    path: `${PUBLIC}/blogs/sitemap`,
    summary: 'Slugs and dates of the newest 5,000 published blogs (spec §4.3)',
    credential: 'publicKey',
    query: { api_key: apiKey },
    answers: { 200: open.publicSitemap },
    errors: publicErrors,
  },
];

const accountOperations: Operation[] = [
  {
    method: 'post',
    path: `${OWNER}/session`,
    summary: 'Sign in',
    credential: 'none',
    request: owner.signInRequest,
    answers: { 201: owner.session },
    errors: { 401: 'Wrong email or password.', 422: 'A field is wrong.', 429: 'Too many failed attempts.' },
  },
  {
    method: 'get',
    path: `${OWNER}/session`,
    summary: 'Who is signed in',
    credential: 'ownerSession',
    answers: { 200: owner.session.omit({ token: true }) },
    errors: signedIn,
  },
];

const projectOperations: Operation[] = [
  {
    method: 'get',
    path: `${OWNER}/projects`,
    summary: 'List your projects',
    credential: 'ownerSession',
    query: { cursor, limit: pageSize },
    answers: { 200: owner.pageOf(owner.project) },
    errors: signedIn,
  },
  {
    method: 'post',
    path: `${OWNER}/projects`,
    summary: 'Create a project',
    credential: 'ownerSession',
    request: owner.projectCreateRequest,
    answers: { 201: owner.project },
    errors: { ...signedIn, 422: checked[422] },
  },
  {
    method: 'get',
    path: PROJECT,
    summary: 'Get a project',
    credential: 'ownerSession',
    answers: { 200: owner.project },
    errors: found,
  },
  {
    method: 'patch',
    path: PROJECT,
    summary: 'Change a project’s name or site address',
    credential: 'ownerSession',
    request: owner.projectUpdateRequest,
    answers: { 200: owner.project },
    errors: checked,
  },
];

const blogOperations: Operation[] = [
  {
    method: 'get',
    path: `${PROJECT}/blogs`,
    summary: 'List blogs',
    credential: 'ownerSession',
    query: { state: { schema: owner.blogState, description: 'Only blogs in this state.' }, cursor, limit: pageSize },
    answers: { 200: owner.pageOf(owner.ownerBlog) },
    errors: found,
  },
  {
    method: 'post',
    path: `${PROJECT}/blogs`,
    summary: 'Create a draft',
    credential: 'ownerSession',
    request: owner.blogCreateRequest,
    answers: { 201: owner.ownerBlog },
    errors: { ...checked, 409: 'The slug is taken.' },
  },
  {
    method: 'get',
    path: BLOG,
    summary: 'Get a blog’s working copy',
    credential: 'ownerSession',
    answers: { 200: owner.ownerBlog },
    errors: found,
  },
  {
    method: 'patch',
    path: BLOG,
    summary: 'Edit the working copy',
    credential: 'ownerSession',
    request: owner.blogUpdateRequest,
    answers: { 200: owner.ownerBlog },
    errors: { ...checked, 409: 'The slug is taken.' },
  },
  {
    method: 'delete',
    path: BLOG,
    summary: 'Delete a blog',
    credential: 'ownerSession',
    answers: { 204: null },
    errors: found,
  },
  {
    method: 'post',
    path: `${BLOG}/publish`,
    summary: 'Publish, or publish again',
    credential: 'ownerSession',
    answers: { 202: owner.publish },
    errors: found,
  },
  {
    method: 'post',
    path: `${BLOG}/sync`,
    summary: 'Content sync: publish the working copy of a blog that is published',
    credential: 'ownerSession',
    answers: { 202: owner.publish },
    errors: { ...found, 409: 'The blog is not published.' },
  },
  {
    method: 'post',
    path: `${BLOG}/unpublish`,
    summary: 'Unpublish',
    credential: 'ownerSession',
    answers: { 200: owner.ownerBlog },
    errors: { ...found, 409: 'The blog is not published.' },
  },
  {
    method: 'get',
    path: `${BLOG}/publishes`,
    summary: 'List a blog’s publishes, newest first',
    credential: 'ownerSession',
    query: { cursor, limit: pageSize },
    answers: { 200: owner.pageOf(owner.publish) },
    errors: found,
  },
  {
    method: 'get',
    path: `${PROJECT}/publishes/{publishId}`,
    summary: 'Get a publish with what became of it at each receiver',
    credential: 'ownerSession',
    answers: { 200: owner.publish },
    errors: found,
  },
];

const KEY = `${PROJECT}/public-key`;
const publicKeyOperations: Operation[] = [
  {
    method: 'get',
    path: KEY,
    summary: 'Reveal the public key',
    credential: 'ownerSession',
    answers: { 200: owner.publicKey },
    errors: found,
  },
  {
    method: 'post',
    path: KEY,
    summary: 'Generate the public key',
    credential: 'ownerSession',
    answers: { 201: owner.publicKey },
    errors: { ...found, 409: 'The project has a key.' },
  },
  {
    method: 'post',
    path: `${KEY}/rotate`,
    summary: 'Replace the public key; the old one stops working before this answers',
    credential: 'ownerSession',
    answers: { 200: owner.publicKey },
    errors: found,
  },
  {
    method: 'delete',
    path: KEY,
    summary: 'Revoke the public key',
    credential: 'ownerSession',
    answers: { 204: null },
    errors: found,
  },
];

const WEBHOOKS = `${PROJECT}/webhooks`;
const integrationOperations: Operation[] = [
  {
    method: 'get',
    path: WEBHOOKS,
    summary: 'List webhook integrations',
    credential: 'ownerSession',
    query: { cursor, limit: pageSize },
    answers: { 200: owner.pageOf(owner.integration) },
    errors: found,
  },
  {
    method: 'post',
    path: WEBHOOKS,
    summary: 'Add a webhook integration',
    credential: 'ownerSession',
    request: owner.integrationCreateRequest,
    answers: { 201: owner.integration },
    errors: checked,
  },
  {
    method: 'get',
    path: `${WEBHOOKS}/{integrationId}`,
    summary: 'Get a webhook integration',
    credential: 'ownerSession',
    answers: { 200: owner.integration },
    errors: found,
  },
  {
    method: 'patch',
    path: `${WEBHOOKS}/{integrationId}`,
    summary: 'Change a webhook integration; a new secret signs from the next request on',
    credential: 'ownerSession',
    request: owner.integrationUpdateRequest,
    answers: { 200: owner.integration },
    errors: checked,
  },
  {
    method: 'delete',
    path: `${WEBHOOKS}/{integrationId}`,
    summary: 'Delete a webhook integration',
    credential: 'ownerSession',
    answers: { 204: null },
    errors: found,
  },
  {
    method: 'get',
    path: `${PROJECT}/deliveries`,
    summary: 'Delivery log, newest first',
    credential: 'ownerSession',
    query: {
      integration_id: { schema: z.uuid(), description: 'Only deliveries to this receiver.' },
      blog_id: { schema: z.uuid(), description: 'Only deliveries of this blog.' },
      cursor,
      limit: pageSize,
    },
    answers: { 200: owner.pageOf(owner.delivery) },
    errors: found,
  },
  {
    method: 'get',
    path: `${PROJECT}/deliveries/{deliveryId}`,
    summary: 'Get a delivery with its attempts',
    credential: 'ownerSession',
    answers: { 200: owner.delivery },
    errors: found,
  },
];

/** Every operation behind the gateway's one origin. */
export const httpSurface: readonly Operation[] = [
  ...publicOperations,
  ...accountOperations,
  ...projectOperations,
  ...blogOperations,
  ...publicKeyOperations,
  ...integrationOperations,
];
