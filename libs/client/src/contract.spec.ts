import type * as contract from '@blog-content/payload-schemas';
import type {
  Author,
  JsonFeed,
  ListedPost,
  ListedPostWithContent,
  Post,
  PostList,
  Redirect,
  RelatedPosts,
  RemovedPost,
  Sitemap,
} from './index.ts';
import type { ChangesAnswer } from './walk-changes.ts';

/** True when each type fits the other, to their last field. */
type Same<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false;
/** As one object type, from any composition. */
type Flat<T> = T extends object ? { [K in keyof T]: Flat<T[K]> } : T;

/** Projects declare what data has: the types of the values are theirs. */
type WithData<T> = Omit<T, 'data'> & { data?: { [name: string]: unknown } | undefined };
type ContractListItem = WithData<Omit<contract.PublicBlogListItem, 'content'>>;

describe('the types of the client', () => {
  it('are those of the contract: where they differ, this does not compile', () => {
    const same = {
      listed: true satisfies Same<Flat<ListedPost>, Flat<ContractListItem>>,
      withContent: true satisfies Same<Flat<ListedPostWithContent>, Flat<ContractListItem & { content: string }>>,
      post: true satisfies Same<Flat<Post>, Flat<WithData<contract.PublicBlog>>>,
      list: true satisfies Same<Flat<Omit<PostList, 'blogs'>>, Flat<Omit<contract.PublicBlogList, 'blogs'>>>,
      removed: true satisfies Same<Flat<RemovedPost>, Flat<contract.RemovedBlog>>,
      changes: true satisfies Same<keyof ChangesAnswer<unknown>, Exclude<keyof contract.PublicBlogChanges, 'limit'>>,
      related: true satisfies Same<keyof RelatedPosts, keyof contract.RelatedBlogs>,
      author: true satisfies Same<Flat<Author>, Flat<contract.PublicAuthor>>,
      redirect: true satisfies Same<Flat<Redirect>, Flat<contract.Redirect>>,
      sitemap: true satisfies Same<Flat<Sitemap>, Flat<contract.PublicSitemap>>,
      feed: true satisfies Same<Flat<JsonFeed>, Flat<contract.JsonFeed>>,
    };
    expect(Object.values(same)).not.toContain(false);
  });
});
