import { setImmediate as nextIteration } from 'node:timers/promises';
import { OperationalError } from '@blog-content/service-runtime';
import { createContentWork, type ContentWork } from './content-work.ts';

let work: ContentWork;
/** However busy the machine is, what is not about time is not refused for it. */
const PATIENT = { deadlineMs: 170_000, maxWaitMs: 170_000 };
const byItself = (projectId: string) => Promise.resolve(projectId);
beforeAll(() => {
  work = createContentWork(byItself, PATIENT);
});
afterAll(() => work.close());

const longPost = '<p>A sentence of a long post.</p>'.repeat(8_000);

async function refusalOf(work: Promise<unknown>): Promise<unknown> {
  try {
    await work;
  } catch (error) {
    if (error instanceof OperationalError) return [error.status, error.errors];
    throw error;
  }
  return undefined;
}

/** How many iterations of the event loop there were before the work was done. */
async function iterationsDuring(work: Promise<unknown>): Promise<number> {
  let iterations = 0;
  const count = () => {
    iterations += 1;
    counting = setImmediate(count);
  };
  let counting = setImmediate(count);
  await work;
  clearImmediate(counting);
  return iterations;
}

describe('work on content', () => {
  it('does not block the event loop while large content is cleaned, published or compared', async () => {
    expect(await iterationsDuring(work.clean('p', { content: longPost }))).toBeGreaterThan(0);
    expect(await iterationsDuring(work.clean('p', { content_markdown: '- *a*\n'.repeat(3_000) }))).toBeGreaterThan(0);
    expect(
      await iterationsDuring(work.publish('p', { html: longPost, hero: 'https://cdn.example/a.jpg', images: [] })),
    ).toBeGreaterThan(0);
    expect(await iterationsDuring(work.diff('p', longPost, `${longPost}<p>b</p>`))).toBeGreaterThan(0);
    // Of these, comparing takes long though they are small.
    expect(await iterationsDuring(work.diff('p', 'a\n'.repeat(2_000), 'b\n'.repeat(2_000)))).toBeGreaterThan(1);
  });

  it('gives the same result for large content as for small', async () => {
    expect(await work.clean('p', { content: `${longPost}<script>x</script>` })).toEqual({
      content: longPost,
      contentMarkdown: null,
      linkSlugs: [],
    });
    expect(await work.clean('p', { content_markdown: '*[INTERNAL:tea]*' })).toEqual({
      content: '<p><em>[INTERNAL:tea]</em></p>\n',
      contentMarkdown: '*[INTERNAL:tea]*',
      linkSlugs: ['tea'],
    });
    expect(await work.publish('p', { html: `${longPost}[INTERNAL:tea]`, hero: null, images: [] })).toEqual({
      html: `${longPost}[INTERNAL:tea]`,
      linkSlugs: ['tea'],
    });
    expect(await work.diff('p', longPost, longPost)).toEqual([{ change: 'same', html: longPost }]);
  });

  it('refuses work that exceeds its deadline with 422', async () => {
    const hasty = createContentWork(byItself, { deadlineMs: 1 });
    const message = 'takes more than 0.001 s or too much memory to process: simplify or split it';
    expect(await refusalOf(hasty.clean('p', { content: '<i>a</i>'.repeat(25_000) }))).toEqual([
      422,
      [{ field: 'content', message }],
    ]);
    expect(await refusalOf(hasty.clean('p', { content_markdown: '**a'.repeat(25_000) }))).toEqual([
      422,
      [{ field: 'content_markdown', message }],
    ]);
    await hasty.close();
  });

  it('refuses work of an account with a full queue with 429, over all of its projects, and runs another account’s', async () => {
    const ofAccounts = createContentWork((projectId) => Promise.resolve(projectId.split(' ')[0] ?? ''), PATIENT);
    const post = '<p>a</p>'.repeat(1_100);
    const many = Array.from({ length: 40 }, (_, n) => refusalOf(ofAccounts.clean(`greedy ${n}`, { content: post })));
    expect(await refusalOf(ofAccounts.clean('other 1', { content: post }))).toBeUndefined();
    const refused = (await Promise.all(many)).filter((refusal) => refusal !== undefined);
    expect(refused).toEqual(Array.from({ length: 40 - 33 }, () => [429, undefined]));
    await ofAccounts.close();
  });

  it('paces an account’s large publishes one after the other, without delaying another account', async () => {
    const slow = createContentWork((projectId) => Promise.resolve(projectId.split(' ')[0] ?? ''), {
      ...PATIENT,
      publishedPerSecond: longPost.length / 100,
    });
    const large = { html: longPost, hero: null, images: [] };
    await slow.publish('busy 1', large);
    let isNextDone = false;
    const next = slow.publish('busy 2', large).finally(() => (isNextDone = true));
    // Refused when it has waited for too long.
    next.catch(() => undefined);
    expect(await slow.publish('other 1', large)).toEqual({ html: longPost, linkSlugs: [] });
    expect(await slow.publish('busy 1', { ...large, html: '<p>a</p>' })).toEqual({ html: '<p>a</p>', linkSlugs: [] });
    const cleaned = { content: longPost, contentMarkdown: null, linkSlugs: [] };
    expect(await slow.clean('busy 1', { content: longPost })).toEqual(cleaned);
    expect(isNextDone).toBe(false);
    await slow.close();

    await work.publish('p', large);
    expect(await work.publish('p', large)).toEqual({ html: longPost, linkSlugs: [] });
  });

  it('drops waiting publishes once the process is about to end, and publishes the ones under way immediately', async () => {
    const stopping = new AbortController();
    const ending = createContentWork(byItself, {
      ...PATIENT,
      stopping: stopping.signal,
      publishedPerSecond: longPost.length / 100,
    });
    const large = { html: longPost, hero: null, images: [] };
    await ending.publish('busy', large);
    const refusals: unknown[] = [];
    const noteRefusal = async () => refusals.push(await refusalOf(ending.publish('busy', large)));
    void noteRefusal();
    stopping.abort();
    void noteRefusal();
    await nextIteration();
    expect(refusals).toEqual([
      [429, undefined],
      [429, undefined],
    ]);
    expect(await ending.publish('other', large)).toEqual({ html: longPost, linkSlugs: [] });
    await ending.close();
  });
});
