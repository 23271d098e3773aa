import {
  generation,
  ownerBlog,
  ownerBlogItem,
  publish,
  scheduledPublish,
  type Publish,
} from '@blog-content/payload-schemas';
import { z } from 'zod';

/**
 * What tools answer, with ids under the names that tools take them by: the HTTP API calls each thing's own `id`, and a
 * model that has read `id` writes `id`. That name stays beside them for agents that were written with it.
 */
const named = (noun: string) => z.uuid().describe(`The ${noun}’s id, as tools take it. \`id\` is the same.`);

export const post = ownerBlog.extend({ blog_id: named('post') });
/** `linking_posts` where the slug was given. */
export const renamedPost = post.extend({
  linking_posts: z.int().optional().describe('How many other posts link here: their links follow.'),
});
export const postItem = ownerBlogItem.extend({ blog_id: named('post') });
export const publishMade = publish.extend({ publish_id: named('publish') });
export const publishAnswer = z.discriminatedUnion('status', [publishMade, scheduledPublish]);
export const generationAnswer = generation.extend({ generation_id: named('generation') });

export const asPost = <Shown extends { readonly id: string }>(shown: Shown) => ({ blog_id: shown.id, ...shown });
export const asPublish = (shown: Publish) => ({ publish_id: shown.id, ...shown });
export const asGeneration = <Shown extends { readonly id: string }>(shown: Shown) => ({
  generation_id: shown.id,
  ...shown,
});
