export { BlogApiError } from './blog-api-error.ts';
export {
  createClient,
  type AllOptions,
  type BlogClient,
  type CallOptions,
  type ChangesOptions,
  type ClientOptions,
  type Filters,
  type LimitOptions,
  type ListOptions,
} from './create-client.ts';
export type {
  Author,
  ChangePage,
  JsonFeed,
  ListedPost,
  ListedPostWithContent,
  Post,
  PostImage,
  PostList,
  Redirect,
  RelatedPosts,
  RemovedPost,
  Sitemap,
  StructuredData,
} from './posts.ts';
export { memoryCache, type CachedResponse, type ResponseCache } from './response-cache.ts';
