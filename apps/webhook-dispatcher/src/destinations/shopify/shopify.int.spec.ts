import { prepareRecordedGround, type RecordedGround } from '../../../test/peers/stand-ins/recorded-ground.ts';
import { SHOPIFY_THROTTLED, type ShopifyStandIn, startShopifyStandIn } from '../../../test/peers/stand-ins/shopify.ts';

describe('by the recorded contract of Shopify', () => {
  let shopify: ShopifyStandIn;
  let recorded: RecordedGround;
  beforeAll(async () => {
    shopify = await startShopifyStandIn();
    recorded = await prepareRecordedGround(shopify);
  });
  afterAll(async () => {
    await recorded[Symbol.asyncDispose]();
    await shopify[Symbol.asyncDispose]();
  });
  const isCreation = ({ body }: { body: Buffer }) => body.includes('articleCreate');

  it('an article has its author, its image by address, and title and description for search results', async () => {
    const blog = recorded.newBlog();
    const featured_image_url = 'https://cdn.example/tea.jpg';
    const revision = { meta_title: 'All of tea', excerpt: 'Hot & <dry>.', featured_image_url };
    const outcome = await recorded.deliver(blog.published({ revision }));
    expect(outcome?.live_url).toMatch(/^https:\/\/tea-shop\.myshopify\.com\/blogs\/news\/rule-/);
    expect(shopify.articleOf(outcome?.external_id ?? '')).toMatchObject({
      author: { name: 'Ada' },
      summary: 'Hot &amp; &lt;dry&gt;.',
      image: { url: featured_image_url, altText: blog.title },
      metafields: [
        { namespace: 'global', key: 'title_tag', value: 'All of tea' },
        { namespace: 'global', key: 'description_tag', value: 'Hot & <dry>.' },
      ],
    });
  });

  it('waits after THROTTLED until the points are back, even though its status is 200', async () => {
    shopify.answerNext(isCreation, SHOPIFY_THROTTLED(50));
    const outcome = await recorded.deliver(recorded.newBlog().published());
    expect(outcome).toMatchObject({ outcome: 'succeeded', attempts: 1 });
  });

  it('too long a wait fails the attempt, which is retried', async () => {
    const blog = recorded.newBlog();
    shopify.answerNext(isCreation, SHOPIFY_THROTTLED(100_000));
    expect(await recorded.deliver(blog.published())).toMatchObject({ outcome: 'failed', status_code: 200 });
    expect(await shopify.peer.postsTitled(blog.title)).toEqual([]);
  });

  it('an error in userErrors fails permanently, in Shopify’s words', async () => {
    shopify.answerNext(isCreation, {
      body: {
        data: {
          articleCreate: {
            article: null,
            userErrors: [{ code: 'UPLOAD_FAILED', field: ['article', 'image'], message: 'Image upload failed' }],
          },
        },
      },
    });
    expect(await recorded.deliver(recorded.newBlog().published({ trigger: 'autopilot' }))).toMatchObject({
      outcome: 'failed',
      attempts: 1,
      detail: 'Shopify rejected the article: article.image Image upload failed',
    });
  });

  it('an article whose response was lost is made once', async () => {
    const blog = recorded.newBlog();
    shopify.loseNextAnswer(isCreation);
    const outcome = await recorded.deliver(blog.published({ trigger: 'autopilot' }));
    expect(outcome).toMatchObject({ outcome: 'succeeded', attempts: 2 });
    expect(await shopify.peer.postsTitled(blog.title)).toMatchObject([{ id: outcome?.external_id, isShown: true }]);
  });

  it('an article whose slug was taken and whose response was lost is made once', async () => {
    const blog = recorded.newBlog();
    const slug = blog.title.replaceAll(' ', '-');
    await shopify.peer.write({ title: 'Of somebody else', slug });
    shopify.loseNextAnswer((request) => isCreation(request) && request.body.includes(`${slug}-2`));
    const outcome = await recorded.deliver(blog.published({ trigger: 'autopilot' }));
    expect(outcome).toMatchObject({ outcome: 'succeeded', attempts: 2 });
    expect(await shopify.peer.postsTitled(blog.title)).toMatchObject([{ id: outcome?.external_id, slug: `${slug}-2` }]);
  });

  const notFound = (operation: string) => ({
    body: {
      data: {
        [operation]: {
          article: null,
          userErrors: [{ code: 'NOT_FOUND', field: ['article'], message: 'Must reference an existing blog.' }],
        },
      },
    },
  });

  it.each(['articleCreate', 'articleUpdate'])('a blog that is not there fails %s, and loses no article', async (op) => {
    const blog = recorded.newBlog();
    const { external_id: id } = op === 'articleUpdate' ? ((await recorded.deliver(blog.published())) ?? {}) : {};
    shopify.answerNext(({ body }) => body.includes(op), notFound(op));
    const detail = 'Shopify rejected the article: article Must reference an existing blog.';
    expect(await recorded.deliver(blog.published())).toMatchObject({ outcome: 'failed', detail });
    const outcome = await recorded.deliver(blog.published());
    expect(outcome).toMatchObject({ outcome: 'succeeded', ...(id !== undefined && { external_id: id }) });
    expect(await shopify.peer.postsTitled(blog.title)).toHaveLength(1);
  });

  it('an article that replaced a deleted one is hidden, too, even if its response was lost', async () => {
    const blog = recorded.newBlog();
    const first = await recorded.deliver(blog.published());
    await shopify.peer.remove(first?.external_id ?? '');
    shopify.loseNextAnswer(isCreation);
    expect(await recorded.deliver(blog.published())).toMatchObject({ outcome: 'failed' });
    expect(await recorded.deliver(blog.unpublished())).toMatchObject({ outcome: 'succeeded' });
    expect(await shopify.peer.postsTitled(blog.title)).toMatchObject([{ isShown: false }]);
  });

  it('a description that is cleared is cleared there', async () => {
    const blog = recorded.newBlog();
    await recorded.deliver(blog.published());
    const outcome = await recorded.deliver(blog.published({ revision: { excerpt: '' } }));
    const { metafields } = shopify.articleOf(outcome?.external_id ?? '') ?? {};
    expect(metafields?.map(({ key }) => key)).toEqual(['title_tag']);
  });

  it('a test says that the shop has no such blog, and that a token may not write', async () => {
    const { settings } = shopify.peer.integration;
    expect(await recorded.testWith({ ...settings, blog_id: '1' })).toMatchObject({
      success: false,
      detail: 'The shop has no blog with this number.',
    });
    const body = { data: { blog: { id: 'gid://shopify/Blog/1' }, currentAppInstallation: { accessScopes: [] } } };
    shopify.answerNext(() => true, { body });
    expect(await recorded.testWith()).toMatchObject({
      success: false,
      detail: 'The token lacks the scope write_content.',
    });
  });
});
