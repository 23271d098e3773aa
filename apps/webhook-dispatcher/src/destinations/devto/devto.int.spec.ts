import { DEVTO_LIMITED, type DevToStandIn, startDevToStandIn } from '../../../test/peers/stand-ins/devto.ts';
import { prepareRecordedGround, type RecordedGround } from '../../../test/peers/stand-ins/recorded-ground.ts';
import { MAX_MARKDOWN_TAGS } from './convert-in-thread.ts';

describe('by the recorded contract of dev.to', () => {
  let devto: DevToStandIn;
  let recorded: RecordedGround;
  beforeAll(async () => {
    devto = await startDevToStandIn();
    recorded = await prepareRecordedGround(devto);
  });
  afterAll(async () => {
    await recorded[Symbol.asyncDispose]();
    await devto[Symbol.asyncDispose]();
  });
  const isCreation = ({ method }: { method: string }) => method === 'POST';

  it('an article says where its original is, and has four tags of letters and digits at most', async () => {
    const blog = recorded.newBlog();
    const revision = {
      categories: ['Web Dev', 'C++'],
      tags: ['c', 'Café', '日本', 'node.js', 'x'.repeat(40), 'late'],
      featured_image_url: 'https://cdn.example/tea.jpg',
    };
    const outcome = await recorded.deliver(blog.published({ revision }));
    const article = devto.articleOf(outcome?.external_id ?? '');
    expect(article).toMatchObject({
      canonical_url: `https://site.example/blog/${blog.title.replaceAll(' ', '-')}/`,
      main_image: 'https://cdn.example/tea.jpg',
      description: 'Hot drinks.',
      body_markdown: 'Hot.',
      tags: ['webdev', 'c', 'cafe', 'nodejs'],
    });
  });

  it('a title that is too long for it is cut, and found again when the answer was lost', async () => {
    const blog = recorded.newBlog();
    const title = `${blog.title} ${'x'.repeat(150)}`;
    devto.loseNextAnswer(isCreation);
    const outcome = await recorded.deliver(blog.published({ trigger: 'autopilot', revision: { title } }));
    expect(outcome).toMatchObject({ outcome: 'succeeded', attempts: 2 });
    expect(await devto.peer.postsTitled(blog.title)).toMatchObject([{ id: outcome?.external_id }]);
  });

  it('an attempt waits as long as the response asks', async () => {
    devto.answerNext(isCreation, DEVTO_LIMITED(1));
    const outcome = await recorded.deliver(recorded.newBlog().published());
    expect(outcome).toMatchObject({ outcome: 'succeeded', attempts: 1 });
  });

  it('a refusal of dev.to fails permanently, in its words, without the credential and invalid characters', async () => {
    const title = 'Twice within five minutes';
    const publish = () => recorded.deliver(recorded.newBlog().published({ trigger: 'autopilot', revision: { title } }));
    expect(await publish()).toMatchObject({ outcome: 'succeeded' });
    const detail = 'dev.to rejected the post: Title has already been used in the last five minutes';
    expect(await publish()).toMatchObject({ outcome: 'failed', attempts: 1, status_code: 422, detail });
    const error = `No\u0000 ${devto.peer.integration.secret} ${'x'.repeat(1_000)}`;
    devto.answerNext(isCreation, { status: 422, body: { error, status: 422 } });
    const { detail: said } = (await recorded.deliver(recorded.newBlog().published())) ?? {};
    expect(said).toMatch(/^dev\.to rejected the post: No •••• x{400,}$/);
    expect(said?.length).toBe(500);
  });

  it.each([['https://site.example'], [null]])(
    'an article is never taken for that of another blog of the same title: at the site %s',
    async (site_url) => {
      const [first, second] = [recorded.newBlog(), recorded.newBlog()];
      const { title } = first;
      const { external_id: id } = (await recorded.deliver(first.published({ site_url }))) ?? {};
      const article = devto.articleOf(id ?? '');
      for (let time = 1; time <= 2; time += 1) {
        const content = '<p>Another one.</p>';
        const outcome = await recorded.deliver(second.published({ site_url, revision: { title, content } }));
        expect(outcome).toMatchObject({ outcome: 'failed', status_code: 422 });
      }
      expect(await recorded.deliver(second.unpublished())).toMatchObject({ outcome: 'succeeded' });
      expect(devto.articleOf(id ?? '')).toEqual(article);
    },
  );

  it('a post that cannot become Markdown makes no request', async () => {
    const blog = recorded.newBlog();
    devto.answerNext(isCreation, { status: 422, body: { error: 'No.', status: 422 } });
    await recorded.deliver(blog.published());
    const before = devto.requests.length;
    const content = '<b>'.repeat(MAX_MARKDOWN_TAGS);
    expect(await recorded.deliver(blog.published({ revision: { content } }))).toMatchObject({ reason: 'unsendable' });
    expect(devto.requests.length).toBe(before);
  });

  it('a post that is nested too deeply for Markdown fails, and the next one does not', async () => {
    const content = `${'<blockquote>'.repeat(6_000)}x${'</blockquote>'.repeat(6_000)}`;
    const deep = recorded.newBlog().published({ trigger: 'autopilot', revision: { content } });
    expect(await recorded.deliver(deep)).toMatchObject({ outcome: 'failed', attempts: 1, reason: 'unsendable' });
    expect(await recorded.deliver(recorded.newBlog().published())).toMatchObject({ outcome: 'succeeded' });
  });

  it('a deleted post stays as a draft, because the API cannot delete', async () => {
    const blog = recorded.newBlog();
    const first = await recorded.deliver(blog.published());
    expect(await recorded.deliver(blog.deleted())).toMatchObject({ outcome: 'succeeded', status_code: 200 });
    expect(devto.articleOf(first?.external_id ?? '')).toMatchObject({ published: false });
  });
});
