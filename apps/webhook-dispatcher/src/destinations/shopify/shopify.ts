import { escapeHtml } from '@blog-content/link-resolver';
import type { destinationParts } from '@blog-content/payload-schemas';
import { z } from 'zod';
import type { Destination, DestinationPost, PlacedPost } from '../destination.ts';
import type { TargetClient } from '../target-client.ts';
import { MAX_SLUGS_TRIED, slugsLike, withFreeSlug } from '../with-free-slug.ts';
import { createAdminApi } from './admin-api.ts';

const userErrors = z.array(
  z.object({ code: z.string().nullish(), field: z.array(z.string()).nullish(), message: z.string() }),
);
const article = z.object({ id: z.string(), handle: z.string(), blog: z.object({ handle: z.string() }) });
const payload = z.object({ article: article.nullish(), userErrors });
type Payload = z.infer<typeof payload>;
const created = z.object({ articleCreate: payload });
const updated = z.object({ articleUpdate: payload });
const deleted = z.object({ articleDelete: z.object({ userErrors }) });
const takenOff = z.object({ metafieldsDelete: z.object({ userErrors }) });
const found = z.object({
  articles: z.object({
    nodes: z.array(
      article.extend({
        title: z.string(),
        createdAt: z.coerce.date(),
        blog: z.object({ id: z.string(), handle: z.string() }),
      }),
    ),
  }),
});
const access = z.object({
  blog: z.object({ id: z.string() }).nullable(),
  currentAppInstallation: z.object({ accessScopes: z.array(z.object({ handle: z.string() })) }),
});

const ARTICLE = 'article { id handle blog { handle } } userErrors { code field message }';
const CREATE = `mutation ($article: ArticleCreateInput!) { articleCreate(article: $article) { ${ARTICLE} } }`;
const UPDATE = `mutation ($id: ID!, $article: ArticleUpdateInput!) { articleUpdate(id: $id, article: $article) { ${ARTICLE} } }`;
const DELETE = 'mutation ($id: ID!) { articleDelete(id: $id) { userErrors { code field message } } }';
const TAKE_OFF = `mutation ($metafields: [MetafieldIdentifierInput!]!) {
  metafieldsDelete(metafields: $metafields) { userErrors { field message } }
}`;
const FIND = `query ($query: String!, $first: Int!) {
  articles(first: $first, query: $query) { nodes { id title handle createdAt blog { id handle } } }
}`;
const ACCESS = 'query ($id: ID!) { blog(id: $id) { id } currentAppInstallation { accessScopes { handle } } }';

/** Either of them lets articles be written. */
const WRITING_SCOPES = ['write_content', 'write_online_store_pages'];

/** The blog of a Shopify shop, by the GraphQL Admin API. */
export function createShopify(
  endpoint: string,
  shopUrl: string,
  { blog_id: blogNumber, author }: z.infer<typeof destinationParts.shopify.settings>,
  client: TargetClient,
): Destination {
  const run = createAdminApi(endpoint, client);
  const blogId = `gid://shopify/Blog/${blogNumber}`;

  const fieldsOf = (given: DestinationPost) => ({
    blogId,
    author: { name: author },
    title: given.title,
    body: given.content,
    // It is HTML there.
    summary: escapeHtml(given.excerpt),
    isPublished: true,
    tags: [...new Set([...given.categories, ...given.tags])],
    image: given.featuredImageUrl === null ? null : { url: given.featuredImageUrl, altText: given.title },
    // It takes none that is blank.
    metafields: metafieldsOf(given).filter(({ value }) => value !== ''),
  });
  const blankOf = (given: DestinationPost) => metafieldsOf(given).filter(({ value }) => value === '');
  const takeOff = async (ownerId: string, fields: ReturnType<typeof metafieldsOf>): Promise<void> => {
    if (fields.length === 0) return;
    const variables = { metafields: fields.map(({ namespace, key }) => ({ ownerId, namespace, key })) };
    const { metafieldsDelete } = await run({ query: TAKE_OFF, variables, data: takenOff });
    const [error] = metafieldsDelete.userErrors;
    if (error !== undefined) throw declined(error);
  };

  /** 'gone' for an article to change that is not there, null for a handle that another one has. */
  const written = ({ article: made, userErrors: [error] }: Payload): PlacedPost | 'gone' | null => {
    if (error !== undefined && isGone(error)) return 'gone';
    if (error?.code === 'TAKEN' && error.field?.at(-1) === 'handle') return null;
    if (error !== undefined) throw declined(error);
    if (!made) throw client.declined('Shopify created an article but did not return its ID.');
    return placed(made);
  };
  const placed = ({ id, handle, blog }: z.infer<typeof article>): PlacedPost => ({
    id,
    url: `${shopUrl}/blogs/${blog.handle}/${handle}`,
    slug: handle,
  });
  const write = (given: DestinationPost, send: (input: object) => Promise<Payload>) => {
    const fields = fieldsOf(given);
    return withFreeSlug(given.slug, async (handle) => written(await send({ ...fields, handle })), client);
  };
  const declined = ({ field, message }: z.infer<typeof userErrors>[number]) =>
    client.declined(`Shopify rejected the article: ${[...(field ?? [])].join('.')} ${message}`);

  return {
    async publish(given) {
      const made = await write(given, async (input) => {
        const variables = { article: input };
        return (await run({ query: CREATE, variables, data: created, decides: true })).articleCreate;
      });
      if (made === 'gone') throw client.declined('Shopify rejected the request: the new article does not exist.');
      return made;
    },
    async update(id, given) {
      const changed = await write(given, async (input) => {
        const variables = { id, article: input };
        return (await run({ query: UPDATE, variables, data: updated, decides: true })).articleUpdate;
      });
      if (changed === 'gone') return null;
      await takeOff(id, blankOf(given));
      return changed;
    },
    async unpublish(id) {
      const variables = { id, article: { isPublished: false } };
      const { articleUpdate } = await run({ query: UPDATE, variables, data: updated, decides: true });
      return written(articleUpdate) !== 'gone';
    },
    async delete(id) {
      const { articleDelete } = await run({ query: DELETE, variables: { id }, data: deleted, decides: true });
      const [error] = articleDelete.userErrors;
      if (error !== undefined && !isGone(error)) throw declined(error);
      return error === undefined;
    },
    async findBySlug({ slug }) {
      const slugs = slugsLike(slug);
      const handles = slugs.map((tried) => `handle:${tried}`).join(' OR ');
      const variables = { query: `(${handles}) AND blog_id:${blogNumber}`, first: MAX_SLUGS_TRIED };
      const { articles } = await run({ query: FIND, variables, data: found });
      return articles.nodes
        .filter(({ handle, blog }) => slugs.includes(handle) && blog.id === blogId)
        .map((one) => ({ ...placed(one), title: one.title, createdAt: one.createdAt }));
    },
    async test() {
      const { blog, currentAppInstallation } = await run({ query: ACCESS, variables: { id: blogId }, data: access });
      if (blog === null) throw client.declined('The shop has no blog with this number.');
      const mayWrite = currentAppInstallation.accessScopes.some(({ handle }) => WRITING_SCOPES.includes(handle));
      if (!mayWrite) throw client.declined('The token lacks the scope write_content.');
      return null;
    },
  };
}

/** An author, a blog or an image may not be found, too. */
const isGone = ({ code, field }: z.infer<typeof userErrors>[number]): boolean =>
  code === 'NOT_FOUND' && field?.length === 1 && field[0] === 'id';

/** What Shopify's themes show as an article's title and description in search results. */
const metafieldsOf = (given: DestinationPost) => [
  metafield('title_tag', given.metaTitle ?? given.title),
  metafield('description_tag', given.metaDescription ?? given.excerpt),
];
const metafield = (key: string, value: string) => ({
  namespace: 'global',
  key,
  type: 'single_line_text_field',
  value: value.replace(/\s+/g, ' ').trim(),
});
