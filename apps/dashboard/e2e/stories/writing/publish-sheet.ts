import { whenProjectIsKnown } from '@blog-content/local-services';
import { startReceiver, type Receiver } from '@blog-content/testing';
import type { BrowserContext, Page } from 'playwright-core';
import { eventually, looksGood, openAs, sticksOut, violations } from '../../actions.ts';
import { WEBHOOK_SECRET } from '../../running-dashboard.ts';
import type { Stories } from '../stories.ts';

interface Post {
  readonly id: string;
  readonly slug: string;
  readonly state: string;
  readonly content: string;
  readonly publish_at: string | null;
}

/** One sheet from the Publish button to “It’s live”. */
export function describePublishSheet({ dashboard, newBrowser }: Stories): void {
  describe('the publish sheet', () => {
    let context: BrowserContext;
    let page: Page;
    let project: string;
    let post: Post;
    let receiver: Receiver;

    const api = () => dashboard().administrator.api;
    const stored = () => api().get<Post>(`projects/${project}/blogs/${post.id}`);
    const open = async (fields: object = {}) => {
      post = await api().post<Post>(`projects/${project}/blogs`, {
        title: 'Willow',
        content: '<p>Bends.</p>',
        ...fields,
      });
      await page.goto(`/projects/${project}/posts/${post.id}`);
      await page.locator('#post-content p').first().waitFor();
    };
    const press = (name: string) => page.getByRole('button', { name, exact: true }).click();
    const sheet = (name = 'Publish post') => page.getByRole('dialog', { name });

    beforeAll(async () => {
      project = (await api().post<{ id: string }>('projects', { name: 'Withies', site_url: 'https://withies.example' }))
        .id;
      receiver = await startReceiver({ secret: WEBHOOK_SECRET });
      await whenProjectIsKnown(() =>
        api().post(`projects/${project}/webhooks`, { name: 'Basket', url: receiver.url, secret: WEBHOOK_SECRET }),
      );
      // The service that reads learns of a new key a moment later.
      context = await newBrowser([/status of 401 .*\/public\/blogs\//, /status of 404 .*\/public\/blogs\//]);
      await context.grantPermissions(['clipboard-read', 'clipboard-write']);
      page = await openAs(context, dashboard().administrator, `/projects/${project}/posts`);
    });
    afterAll(async () => {
      await context?.close();
      await receiver?.close();
    });

    it('says where the post goes and what could be better, and leads to it', async () => {
      await open({ content: '<p>Bends.</p><p><img src="/favicon.svg"></p>' });
      await press('Publish');
      await sheet().getByText('https://withies.example/blog/willow/').waitFor();
      await sheet().getByRole('listitem').filter({ hasText: 'Basket' }).waitFor();
      await sheet().getByText('1 image has no alt text').waitFor();
      await sheet().getByRole('button', { name: 'Fix: No feature image' }).click();
      await sheet().waitFor({ state: 'detached' });
      await eventually(async () =>
        expect(await page.evaluate(() => document.activeElement?.id)).toBe('post-featured_image_url'),
      );
      expect((await stored()).state).toBe('draft');
    });

    it('publishes what is unsaved, too, and says when it is live; with the first post come its JSON and the code', async () => {
      await open();
      await page.locator('#post-content p').first().click();
      await page.keyboard.press('Control+End');
      await page.keyboard.type(' And grows.');
      await press('Publish');
      await sheet().getByRole('button', { name: 'Publish', exact: true }).click();
      await sheet().getByRole('heading', { name: 'It’s live' }).waitFor();
      const timeline = sheet().getByRole('list', { name: 'Timeline' });
      await timeline.getByText(/^Live in \d+ ms$|^Live in [\d.]+ s$/).waitFor();
      await timeline
        .getByRole('listitem')
        .filter({ hasText: 'Basket' })
        .getByText(/^200 in /)
        .waitFor();
      expect(await stored()).toMatchObject({ state: 'published', content: '<p>Bends. And grows.</p>\n' });

      await sheet().getByRole('button', { name: 'Create public key' }).click();
      await sheet().getByRole('tab', { name: 'JSON' }).waitFor();
      await sheet().getByRole('region', { name: 'The post as JSON' }).getByText('"title": "Willow"').waitFor();
      const { public_key: key } = await api().get<{ public_key: string }>(`projects/${project}/public-key`);
      for (const name of ['Astro', 'Next', 'Eleventy', 'Hugo']) await sheet().getByRole('tab', { name }).waitFor();
      await sheet().getByRole('tab', { name: 'Hugo' }).click();
      await sheet().getByRole('region', { name: 'Snippet for Hugo' }).getByText(key).waitFor();
      expect(await violations(page)).toEqual([]);

      const link = sheet().getByRole('link', { name: 'Open post' });
      expect(await link.getAttribute('href')).toBe(`https://withies.example/blog/${post.slug}/`);
      await sheet().getByRole('button', { name: 'Copy link' }).click();
      expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(
        `https://withies.example/blog/${post.slug}/`,
      );
      await sheet().getByRole('tab', { name: 'Eleventy' }).click();
      const template = sheet().getByRole('region', { name: 'Snippet for Eleventy: post.njk' });
      expect(await template.textContent()).toMatch(/^---\n/);
      await sheet().getByRole('button', { name: 'Copy: Snippet for Eleventy: post.njk' }).click();
      expect(await page.evaluate(() => navigator.clipboard.readText())).toMatch(/^---\npagination/);
      for (const width of [390, 1280]) {
        await page.setViewportSize({ width, height: 800 });
        expect(await sticksOut(page)).toEqual([]);
        expect(await sheet().getByRole('button', { name: 'Done' }).evaluate(isInView)).toBe(true);
      }
      await sheet().getByRole('button', { name: 'Done' }).click();
    });

    it('updates a published post, and leads to its log', async () => {
      await page.locator('#post-content p').first().click();
      await page.keyboard.press('Control+End');
      await page.keyboard.type(' Again.');
      await press('Update');
      await sheet('Update post').getByRole('button', { name: 'Update', exact: true }).click();
      await sheet('Update post').getByRole('heading', { name: 'It’s live' }).waitFor();
      expect(await sheet('Update post').getByRole('tab').count()).toBe(0);
      await sheet('Update post').getByRole('link', { name: 'View publish log' }).click();
      await page.getByRole('heading', { level: 1, name: 'Publish log: “Willow”' }).waitFor();
    });

    it('schedules for tomorrow at nine, for Monday, or for any time', async () => {
      await open();
      await press('Publish');
      await sheet().getByText('Schedule', { exact: true }).first().click();
      await looksGood(page);
      await sheet().getByText('Edits you make before then are included.').waitFor();
      await sheet().getByText('Tomorrow 9:00').click();
      await sheet().getByText('Times are in Europe/Berlin.').waitFor();
      await sheet().getByRole('button', { name: 'Schedule', exact: true }).click();
      await sheet().waitFor({ state: 'detached' });
      await page.getByText(/^Scheduled for .+ \(Europe\/Berlin\)$/).waitFor();
      const { publish_at: at } = await stored();
      const berlin = new Intl.DateTimeFormat('en', { timeZone: 'Europe/Berlin', hour: 'numeric', hourCycle: 'h23' });
      expect(berlin.format(new Date(at!))).toBe('09');
      const day = new Date(Date.now() + 30 * 86_400_000).toISOString().slice(0, 10);
      await press('Reschedule');
      await sheet().getByText('Pick', { exact: true }).click();
      await sheet().getByRole('textbox', { name: 'Date and time' }).fill(`${day}T10:00`);
      await sheet().getByRole('button', { name: 'Schedule', exact: true }).click();
      await eventually(async () => expect((await stored()).publish_at).toMatch(day));
    });
  });
}

/** Without scrolling. */
function isInView(element: Element): boolean {
  const { left, top, width, height } = element.getBoundingClientRect();
  return element.contains(document.elementFromPoint(left + width / 2, top + height / 2));
}
