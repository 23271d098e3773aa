import { eventually } from '@blog-content/testing';
import { prepareRecordedGround, type RecordedGround } from '../../../test/peers/stand-ins/recorded-ground.ts';
import type { StandIn } from '../../../test/peers/stand-ins/stand-in.ts';
import { startWebflowStandIn, WEBFLOW_LIMITED } from '../../../test/peers/stand-ins/webflow.ts';

describe('by the recorded contract of Webflow', () => {
  let webflow: StandIn;
  let recorded: RecordedGround;
  beforeAll(async () => {
    webflow = await startWebflowStandIn();
    recorded = await prepareRecordedGround(webflow);
  });
  afterAll(async () => {
    await recorded[Symbol.asyncDispose]();
    await webflow[Symbol.asyncDispose]();
  });
  const isCreation = ({ method, path }: { method: string; path: string }) =>
    method === 'POST' && path.endsWith('/items/live');

  it('an item is published immediately, its fields as the owner has mapped them', async () => {
    const blog = recorded.newBlog();
    const revision = { meta_title: 'All of tea', featured_image_url: 'https://cdn.example/tea.jpg', tags: ['a', 'b'] };
    const outcome = await recorded.deliver(blog.published({ revision }));
    expect(outcome?.live_url).toMatch(/\/post\/rule-/);
    const creation = webflow.requests.filter(isCreation).at(-1)?.json<{ fieldData: object }>();
    expect(creation).toEqual({
      isArchived: false,
      isDraft: false,
      fieldData: {
        name: blog.title,
        slug: blog.title.replaceAll(' ', '-'),
        'post-body': '<p>Hot.</p>',
        'post-summary': 'Hot drinks.',
        'main-image': { url: 'https://cdn.example/tea.jpg', alt: blog.title },
        'category-names': 'Drinks',
        'tag-names': 'a, b',
        'seo-title': 'All of tea',
        'published-on': '2026-11-21T09:00:00.000Z',
      },
    });
  });

  it('an attempt waits a short Retry-After, also of a manual publish', async () => {
    webflow.answerNext(isCreation, WEBFLOW_LIMITED(1));
    const outcome = await recorded.deliver(recorded.newBlog().published());
    expect(outcome).toMatchObject({ outcome: 'succeeded', attempts: 1, status_code: 202 });
  });

  it('a long Retry-After fails the attempt with 429, and delays the autopilot’s next one', async () => {
    webflow.answerNext(isCreation, WEBFLOW_LIMITED(60));
    expect(await recorded.deliver(recorded.newBlog().published())).toMatchObject({
      outcome: 'failed',
      status_code: 429,
      detail: 'The destination is rate limiting and asks to wait 60 s.',
    });
    webflow.answerNext(isCreation, WEBFLOW_LIMITED(60));
    const event = recorded.newBlog().published({ trigger: 'autopilot' });
    const askedAt = Date.now();
    await recorded.send(event);
    const planned = await eventually(() => {
      const [first] = recorded.ground.retriesPlanned(event.id);
      if (first === undefined) throw new Error('no retry is planned yet');
      return first;
    });
    expect(planned).toMatchObject({ status_code: 429, reason: 'status' });
    expect(Date.parse(planned.next_attempt_at) - askedAt).toBeGreaterThanOrEqual(60_000);
  });

  it('an item whose response was lost is made once', async () => {
    const blog = recorded.newBlog();
    webflow.loseNextAnswer(isCreation);
    const outcome = await recorded.deliver(blog.published({ trigger: 'autopilot' }));
    expect(outcome).toMatchObject({ outcome: 'succeeded', attempts: 2 });
    expect(await webflow.peer.postsTitled(blog.title)).toMatchObject([{ id: outcome?.external_id, isShown: true }]);
  });

  it('an item whose slug was taken and whose response was lost is made once', async () => {
    const blog = recorded.newBlog();
    const slug = blog.title.replaceAll(' ', '-');
    await webflow.peer.write({ title: 'Of somebody else', slug });
    webflow.loseNextAnswer((request) => isCreation(request) && request.body.includes(`${slug}-2`));
    const outcome = await recorded.deliver(blog.published({ trigger: 'autopilot' }));
    expect(outcome).toMatchObject({ outcome: 'succeeded', attempts: 2 });
    expect(await webflow.peer.postsTitled(blog.title)).toMatchObject([{ id: outcome?.external_id, slug: `${slug}-2` }]);
  });

  it.each([
    ['<html>Bad Request</html>', 'Webflow rejected the item: no reason given.'],
    [{ message: 'Validation Error', details: ['name is odd'] }, 'Webflow rejected the item: Validation Error'],
  ])('a refusal of any form fails permanently, with its text: %j', async (body, detail) => {
    webflow.answerNext(isCreation, { status: 400, body });
    const outcome = await recorded.deliver(recorded.newBlog().published({ trigger: 'autopilot' }));
    expect(outcome).toMatchObject({ outcome: 'failed', attempts: 1, status_code: 400, detail });
  });

  it('a test says which mapped field the collection lacks, has of another type, or requires and does not get', async () => {
    const { settings } = webflow.peer.integration;
    const detail = async (fields: object) => {
      const tested = await recorded.testWith({ ...settings, fields });
      expect(tested).toMatchObject({ success: false, status_code: 200 });
      return tested['detail'];
    };
    expect(await detail({ content: 'post-boody' })).toContain('no field post-boody for content');
    expect(await detail({ content: 'main-image' })).toContain('is Image, not RichText or PlainText');
    const tested = await recorded.testWith({ ...settings, collection_id: 'f'.repeat(24) });
    expect(tested).toMatchObject({
      success: false,
      status_code: 404,
      detail: 'Webflow has no collection with this ID for this token.',
    });
  });
});
