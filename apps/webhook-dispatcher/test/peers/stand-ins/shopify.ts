import type { ReceiverAnswer } from '@blog-content/testing';
import { buildSchema, graphql } from 'graphql';
import { type StandInRequest, type StandIn, startStandIn } from './stand-in.ts';

/**
 * The part of Shopify's schema that is used, in the version of 2026-10:
 *
 * - https://shopify.dev/docs/api/admin-graphql/2026-10/objects/Article
 * - https://shopify.dev/docs/api/admin-graphql/2026-10/mutations/articleCreate, `articleUpdate` and `articleDelete`
 * - https://shopify.dev/docs/api/admin-graphql/2026-10/mutations/metafieldsDelete
 * - https://shopify.dev/docs/api/admin-graphql/2026-10/queries/articles and `blog`
 * - https://shopify.dev/docs/api/admin-graphql/2026-10/enums/ArticleCreateUserErrorCode
 */
const SCHEMA = buildSchema(`
  scalar HTML
  scalar DateTime
  type Query {
    blog(id: ID!): Blog
    articles(first: Int, after: String, query: String): ArticleConnection!
    currentAppInstallation: AppInstallation!
  }
  type Mutation {
    articleCreate(article: ArticleCreateInput!): ArticleCreatePayload
    articleUpdate(id: ID!, article: ArticleUpdateInput!): ArticleUpdatePayload
    articleDelete(id: ID!): ArticleDeletePayload
    metafieldsDelete(metafields: [MetafieldIdentifierInput!]!): MetafieldsDeletePayload
  }
  type AppInstallation { accessScopes: [AccessScope!]! }
  type AccessScope { handle: String!, description: String! }
  type Blog { id: ID!, handle: String!, title: String! }
  type ArticleConnection { nodes: [Article!]! }
  type Article {
    id: ID!, title: String!, handle: String!, body: HTML!, summary: HTML, tags: [String!]!, isPublished: Boolean!
    createdAt: DateTime!, publishedAt: DateTime, blog: Blog!
  }
  input AuthorInput { name: String, userId: ID }
  input ArticleImageInput { url: String, altText: String }
  input MetafieldInput { namespace: String, key: String, type: String, value: String }
  input MetafieldIdentifierInput { ownerId: ID!, namespace: String!, key: String! }
  type MetafieldsDeletePayload { userErrors: [UserError!]! }
  type UserError { field: [String!], message: String! }
  input ArticleCreateInput {
    blogId: ID, author: AuthorInput!, title: String!, handle: String, body: HTML, summary: HTML, isPublished: Boolean
    publishDate: DateTime, tags: [String!], image: ArticleImageInput, metafields: [MetafieldInput!], templateSuffix: String
  }
  input ArticleUpdateInput {
    blogId: ID, author: AuthorInput, title: String, handle: String, body: HTML, summary: HTML, isPublished: Boolean
    publishDate: DateTime, tags: [String!], image: ArticleImageInput, metafields: [MetafieldInput!], templateSuffix: String
    redirectNewHandle: Boolean
  }
  type ArticleCreatePayload { article: Article, userErrors: [ArticleCreateUserError!]! }
  type ArticleUpdatePayload { article: Article, userErrors: [ArticleUpdateUserError!]! }
  type ArticleDeletePayload { deletedArticleId: ID, userErrors: [ArticleDeleteUserError!]! }
  type ArticleCreateUserError { code: ArticleCreateUserErrorCode, field: [String!], message: String! }
  type ArticleUpdateUserError { code: ArticleUpdateUserErrorCode, field: [String!], message: String! }
  type ArticleDeleteUserError { code: ArticleDeleteUserErrorCode, field: [String!], message: String! }
  enum ArticleCreateUserErrorCode {
    AMBIGUOUS_AUTHOR, AMBIGUOUS_BLOG, AUTHOR_FIELD_REQUIRED, AUTHOR_MUST_EXIST, BLANK, BLOG_REFERENCE_REQUIRED, INVALID
    INVALID_PUBLISH_DATE, INVALID_TYPE, INVALID_VALUE, NOT_FOUND, TAKEN, TOO_LONG, UPLOAD_FAILED
  }
  enum ArticleUpdateUserErrorCode {
    AMBIGUOUS_AUTHOR, AMBIGUOUS_BLOG, AUTHOR_MUST_EXIST, BLANK, INVALID, INVALID_PUBLISH_DATE, INVALID_TYPE
    INVALID_VALUE, NOT_FOUND, TAKEN, TOO_LONG, UPLOAD_FAILED
  }
  enum ArticleDeleteUserErrorCode { NOT_FOUND }
`);

/** Shopify's GraphQL Admin API: operations run against the recorded part of its schema. */
export async function startShopifyStandIn(): Promise<ShopifyStandIn> {
  const articles = new Map<string, Article>();
  let count = 0;
  const make = (given: ArticleInput): Article => {
    const id = `gid://shopify/Article/${(count += 1)}`;
    const made = { ...EMPTY, ...given, id, createdAt: new Date().toISOString(), blog: BLOG };
    articles.set(id, made);
    return made;
  };
  const isTaken = (handle: string | undefined, ownId: string | null) =>
    [...articles.values()].some((one) => one.handle === handle && one.id !== ownId);

  const root = {
    blog: ({ id }: { id: string }) => (id === BLOG.id ? BLOG : null),
    currentAppInstallation: { accessScopes: SCOPES.map((handle) => ({ handle, description: handle })) },
    articles: ({ query, first }: { query: string; first: number }) => {
      const [, alternatives = '', blogId] = /^\((.+)\) AND blog_id:(\d+)$/.exec(query) ?? [];
      const terms = alternatives.split(' OR ');
      const isAsked = ({ handle, blog }: Article) =>
        terms.includes(`handle:${handle}`) && blog.id.endsWith(`/${blogId}`);
      const nodes = [...articles.values()].filter(isAsked);
      return { nodes: nodes.slice(0, first) };
    },
    articleCreate: ({ article }: { article: ArticleInput }) => {
      if (article.blogId !== BLOG.id) return refused('NOT_FOUND', ['article'], 'Must reference an existing blog.');
      return refusalOf(article, null) ?? { article: make(article), userErrors: [] };
    },
    articleUpdate: ({ id, article }: { id: string; article: ArticleInput }) => {
      const known = articles.get(id);
      if (known === undefined) return refused('NOT_FOUND', ['id'], 'Article does not exist');
      const refusal = refusalOf(article, id);
      if (refusal !== null) return refusal;
      const given = article.metafields ?? [];
      const others = known.metafields.filter(({ key }) => !given.some((one) => one.key === key));
      const changed = { ...known, ...article, metafields: [...others, ...given] };
      articles.set(id, changed);
      return { article: changed, userErrors: [] };
    },
    metafieldsDelete: ({ metafields }: { metafields: { ownerId: string; key: string }[] }) => {
      for (const { ownerId, key } of metafields) {
        const known = articles.get(ownerId);
        if (known === undefined) continue;
        articles.set(ownerId, { ...known, metafields: known.metafields.filter((one) => one.key !== key) });
      }
      return { userErrors: [] };
    },
    articleDelete: ({ id }: { id: string }) =>
      articles.delete(id)
        ? { deletedArticleId: id, userErrors: [] }
        : { deletedArticleId: null, userErrors: refused('NOT_FOUND', ['id'], 'Article does not exist').userErrors },
  };
  const refusalOf = ({ handle, metafields = [] }: ArticleInput, id: string | null) => {
    if (isTaken(handle, id)) return refused('TAKEN', ['article', 'handle'], 'Handle has already been taken');
    const blank = metafields.findIndex(({ value }) => value === '');
    if (blank === -1) return null;
    return refused('BLANK', ['article', 'metafields', String(blank), 'value'], "Value can't be blank");
  };

  const answer = async ({ route, headers, json }: StandInRequest): Promise<ReceiverAnswer> => {
    if (route !== `POST /${SHOP}/admin/api/2026-10/graphql.json`) return { status: 404, body: { errors: 'Not Found' } };
    if (headers['x-shopify-access-token'] !== TOKEN) {
      // https://shopify.dev/docs/api/admin-graphql#status_and_error_codes
      const errors = '[API] Invalid API key or access token (unrecognized login or wrong password)';
      return { status: 401, body: { errors } };
    }
    const { query, variables } = json as { query: string; variables: Record<string, unknown> };
    const result = await graphql({ schema: SCHEMA, source: query, variableValues: variables, rootValue: root });
    return { body: { ...result, extensions: { cost: { requestedQueryCost: 10, throttleStatus: THROTTLE } } } };
  };

  const server = await startStandIn(answer);
  return {
    ...server,
    apis: { shopify: (shopUrl) => `${server.origin}/${new URL(shopUrl).host}/admin/api/2026-10/graphql.json` },
    articleOf: (id) => articles.get(id),
    peer: {
      kind: 'shopify',
      name: 'Shopify, by its recorded contract',
      habits: { form: 'html', copiesImages: false, choosesSlugs: true, keepsDeleted: false, label: (name) => name },
      integration: {
        url: `https://${SHOP}/`,
        secret: TOKEN,
        settings: { blog_id: BLOG.id.replace(/\D/g, ''), author: 'Ada' },
      },
      wrongSecret: `shpat_${'f'.repeat(32)}`,
      seoOf: null,
      postsTitled: (title) =>
        Promise.resolve(
          [...articles.values()]
            .filter((one) => one.title.startsWith(title))
            .map((one) => ({
              id: one.id,
              title: one.title,
              slug: one.handle,
              html: one.body,
              excerpt: one.summary,
              isShown: one.isPublished,
              labels: one.tags,
              featuredImage: one.image?.url ?? null,
            })),
        ),
      titles: (beginning) =>
        Promise.resolve([...articles.values()].map(({ title }) => title).filter((one) => one.startsWith(beginning))),
      write: ({ title, slug }) => Promise.resolve(make({ title, handle: slug, isPublished: true }).id),
      remove: (id) => {
        articles.delete(id);
        return Promise.resolve();
      },
    },
  };
}

export interface ShopifyStandIn extends StandIn {
  /** An article with all that was written of it. */
  articleOf(id: string): Article | undefined;
}

interface ArticleInput {
  readonly blogId?: string;
  readonly author?: { readonly name: string };
  readonly title?: string;
  readonly handle?: string;
  readonly body?: string;
  readonly summary?: string;
  readonly isPublished?: boolean;
  readonly tags?: readonly string[];
  readonly image?: { readonly url: string; readonly altText: string } | null;
  readonly metafields?: readonly { readonly namespace: string; readonly key: string; readonly value: string }[];
}
interface Article extends Required<ArticleInput> {
  readonly id: string;
  readonly createdAt: string;
  readonly blog: typeof BLOG;
}

const SHOP = 'tea-shop.myshopify.com';
const TOKEN = `shpat_${'0a1b2c3d'.repeat(4)}`;
const SCOPES = ['read_content', 'write_content'];
const BLOG = { id: 'gid://shopify/Blog/389767568', handle: 'news', title: 'News' };
const EMPTY: Required<ArticleInput> = {
  blogId: BLOG.id,
  author: { name: '' },
  title: '',
  handle: '',
  body: '',
  summary: '',
  isPublished: false,
  tags: [],
  image: null,
  metafields: [],
};

const refused = (code: string, field: readonly string[], message: string) => ({
  article: null,
  userErrors: [{ code, field, message }],
});

/** https://shopify.dev/docs/apps/build/apis/graphql-admin/rate-limits */
const THROTTLE = { maximumAvailable: 2_000, currentlyAvailable: 1_990, restoreRate: 100 };

/** What Shopify answers, with 200, when a shop's points are used up; `missing` of them come back at 100 a second. */
export const SHOPIFY_THROTTLED = (missing: number): ReceiverAnswer => ({
  body: {
    errors: [
      {
        message: 'Throttled',
        extensions: { code: 'THROTTLED', documentation: 'https://shopify.dev/api/usage/rate-limits' },
      },
    ],
    extensions: {
      cost: {
        requestedQueryCost: missing,
        actualQueryCost: null,
        throttleStatus: { ...THROTTLE, currentlyAvailable: 0 },
      },
    },
  },
});
