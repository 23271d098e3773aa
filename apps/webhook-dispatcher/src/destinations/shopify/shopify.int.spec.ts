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

  it('THROTTLED is waited for until its points are back, though it comes with 200', async () => {
    shopify.answerNext(isCreation, SHOPIFY_THROTTLED(50));
    const outcome = await recorded.deliver(recorded.newBlog().published());
    expect(outcome).toMatchObject({ outcome: 'succeeded', attempts: 1 });
  });

  it('what would take too long to wait for is no success, and is retried', async () => {
    const blog = recorded.newBlog();
    shopify.answerNext(isCreation, SHOPIFY_THROTTLED(100_000));
    expect(await recorded.deliver(blog.published())).toMatchObject({ outcome: 'failed', status_code: 200 });
    expect(await shopify.peer.postsTitled(blog.title)).toEqual([]);
  });

  it('an error in userErrors fails for good, in Shopify’s words', async () => {
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
      detail: 'Shopify declined: article.image Image upload failed',
    });
  });

  it('an article whose answer was lost is there once', async () => {
    const blog = recorded.newBlog();
    shopify.loseNextAnswer(isCreation);
    const outcome = await recorded.deliver(blog.published({ trigger: 'autopilot' }));
    expect(outcome).toMatchObject({ outcome: 'succeeded', attempts: 2 });
    expect(await shopify.peer.postsTitled(blog.title)).toMatchObject([{ id: outcome?.external_id, isShown: true }]);
  });

  it('a test says that the shop has no such blog, and that a token may not write', async () => {
    const { settings } = shopify.peer.integration;
    expect(await recorded.testWith({ ...settings, blog_id: '1' })).toMatchObject({
      success: false,
      detail: 'The shop has no blog of this number.',
    });
    const body = { data: { blog: { id: 'gid://shopify/Blog/1' }, currentAppInstallation: { accessScopes: [] } } };
    shopify.answerNext(() => true, { body });
    expect(await recorded.testWith()).toMatchObject({
      success: false,
      detail: 'The token lacks the scope write_content.',
    });
  });
});
