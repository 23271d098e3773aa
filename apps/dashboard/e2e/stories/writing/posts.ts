import type { BrowserContext, Page } from 'playwright-core';
import { eventually, openAs } from '../../actions.ts';
import { RECEIVER_NAME } from '../../running-dashboard.ts';
import type { Stories } from '../stories.ts';

const POSTS = 55;

/** The list of posts, and publishing several of them. */
export function describePosts({ dashboard, newBrowser }: Stories): void {
  describe('the posts', () => {
    let context: BrowserContext;
    let page: Page;
    const titles = () => page.getByRole('table', { name: 'Posts' }).locator('a[data-post]').allTextContents();

    beforeAll(async () => {
      const { api } = dashboard().administrator;
      for (let number = 1; number <= POSTS; number++) {
        await api.post(`projects/${dashboard().projectId}/blogs`, {
          title: `Bed ${String(number).padStart(2, '0')}`,
          content: '<p>Carrots, and what grows beside them.</p>',
        });
      }
      context = await newBrowser([/status of 404 .*\/blogs\//]);
      page = await openAs(context, dashboard().administrator, `/projects/${dashboard().projectId}/posts`);
    });

    afterAll(() => context?.close());

    it('are listed a page at a time, and a reload shows the same page', async () => {
      await eventually(async () => expect(await titles()).toHaveLength(50));
      await page.getByRole('status').getByText('The first 50 posts.').waitFor();
      await page.getByRole('button', { name: 'Next page' }).focus();
      await page.keyboard.press('Enter');
      await eventually(async () => expect(await titles()).toHaveLength(POSTS - 50));
      const second = await titles();
      await page.getByRole('status').getByText('The last 5 posts.').waitFor();
      expect(await page.locator(':focus').getByRole('link').allTextContents()).toEqual(second.slice(0, 1));
      await page.reload();
      await eventually(async () => expect(await titles()).toEqual(second));
      await page.getByRole('button', { name: 'First page' }).click();
      await eventually(async () => expect(await titles()).toHaveLength(50));
    });

    it('are found by their words and by their state, and no match says so', async () => {
      await page.goto(`/projects/${dashboard().projectId}/posts`);
      await page.getByLabel('Search').fill('bed 07');
      await eventually(async () => expect(await titles()).toEqual(['Bed 07']));
      await page.getByRole('status').getByText('1 post.').waitFor();
      await page.getByLabel('Search').fill('no such post');
      await page.getByRole('heading', { name: 'No post matches' }).waitFor();
      await page.getByRole('status').getByText('No post matches').waitFor();
      await page.getByRole('button', { name: 'Show all posts' }).click();
      await eventually(async () => expect(await titles()).toHaveLength(50));
      await page.getByLabel('State').selectOption('Published');
      await page.getByRole('heading', { name: 'No post matches' }).waitFor();
    });

    it('that are not there lead on', async () => {
      await page.goto(`/projects/${dashboard().projectId}/posts/${crypto.randomUUID()}`);
      await page.getByRole('alert').getByText('It is not there').waitFor();
      await page.getByRole('link', { name: 'Go to Home' }).click();
      await page.getByRole('heading', { level: 1, name: 'Home' }).waitFor();
    });

    it('are moved through and selected with the keyboard alone', async () => {
      await page.goto(`/projects/${dashboard().projectId}/posts?q=bed`);
      await eventually(async () => expect(await titles()).toHaveLength(50));
      await page.locator('a[data-post]').first().focus();
      await page.keyboard.press('ArrowDown');
      await page.keyboard.press('Space');
      await page.keyboard.press('ArrowDown');
      await page.keyboard.press('Space');
      await page.getByText('2 posts selected').waitFor();
    });

    it('are published several at once, after the page has said whom that tells, and the receiver gets each', async () => {
      const before = [...dashboard().receiver.requests];
      await page.goto(`/projects/${dashboard().projectId}/posts`);
      for (const title of ['Bed 51', 'Bed 52']) await page.getByLabel(`Select “${title}”`).check();
      await page.getByRole('button', { name: 'Publish …', exact: true }).click();
      const dialog = page.getByRole('dialog', { name: 'Publish 2 posts?' });
      await dialog.getByText(RECEIVER_NAME).waitFor();
      await dialog.getByText('blog.published').waitFor();
      expect(dashboard().receiver.requests).toEqual(before);
      await dialog.getByRole('button', { name: 'Publish' }).click();
      await page.getByText('2 posts published.').waitFor();
      for (const title of ['Bed 51', 'Bed 52']) {
        const told = await dashboard().receiver.waitFor((request) => request.json()['title'] === title);
        expect(told.signature).toBe('valid');
        expect(told.json()).toMatchObject({ event: 'blog.published' });
      }
      await page.getByLabel('State').selectOption('Published');
      await eventually(async () => expect((await titles()).sort()).toEqual(['Bed 51', 'Bed 52']));
    });
  });
}
