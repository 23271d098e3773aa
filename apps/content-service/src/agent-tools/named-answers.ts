import {
  generation,
  ownerBlog,
  ownerBlogItem,
  proposalItem,
  publish,
  scheduledPublish,
  type Publish,
} from '@blog-content/payload-schemas';
import { z } from 'zod';

/** What tools answer: ids have the names that tools take them by, because a model that has read `id` writes `id`. */
const named = (noun: string) => z.uuid().describe(`ID of the ${noun}.`);

export const post = ownerBlog.omit({ id: true }).extend({ blog_id: named('post') });
/** `linking_posts` where the slug was given. */
export const renamedPost = post.extend({
  linking_posts: z.int().optional().describe('Number of posts that link here. Their links are updated.'),
});
export const postItem = ownerBlogItem.omit({ id: true }).extend({ blog_id: named('post') });
export const publishMade = publish.omit({ id: true }).extend({ publish_id: named('publish') });
export const publishAnswer = z.discriminatedUnion('status', [publishMade, scheduledPublish]);
export const generationAnswer = generation.omit({ id: true }).extend({ generation_id: named('generation') });
export const proposalAnswer = proposalItem.omit({ id: true }).extend({ proposal_id: named('proposal') });

type Shown = { readonly id: string };

export const asPost = <Post extends Shown>({ id, ...post }: Post) => ({ blog_id: id, ...post });
export const asPublish = ({ id, ...made }: Publish) => ({ publish_id: id, ...made });
export const asGeneration = <Job extends Shown>({ id, ...job }: Job) => ({ generation_id: id, ...job });
export const asProposal = <Proposal extends Shown>({ id, ...made }: Proposal) => ({ proposal_id: id, ...made });
