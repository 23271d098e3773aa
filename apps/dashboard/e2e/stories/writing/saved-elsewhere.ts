import type { BrowserContext, Page } from 'playwright-core';
import { eventually, openAs } from '../../actions.ts';
import type { Stories } from '../stories.ts';

interface Post {
  readonly id: string;
  readonly content: string;
}

/** A post that is open in the editor, and changes by somebody else’s hand, or by one’s own. */
export function describeSavedElsewhere({ dashboard, newBrowser }: Stories): void {
  describe('a post that is open in the editor', () => {
    let context: BrowserContext;
    let page: Page;
    let post: Post;
    const reads: string[] = [];
    const api = () => dashboard().administrator.api;
    const pathOf = () => `projects/${dashboard().projectId}/blogs/${post.id}`;
    const newest = () => page.getByRole('button', { name: 'Show newest version' });

    beforeAll(async () => {
      context = await newBrowser();
      page = await openAs(context, dashboard().administrator, `/projects/${dashboard().projectId}/posts`);
      page.on('request', (request) => {
        if (request.method() === 'GET' && request.url().endsWith(`/blogs/${post?.id}`)) reads.push(request.url());
      });
    });
    beforeEach(async () => {
      post = await api().post<Post>(`projects/${dashboard().projectId}/blogs`, {
        title: 'Hedges',
        content: '<p>Beech.</p>',
      });
      reads.length = 0;
      await page.goto(`/projects/${dashboard().projectId}/posts/${post.id}`);
      await page.locator('#post-content').getByText('Beech.').waitFor();
      // The page reads all anew once its stream has begun.
      await eventually(() => Promise.resolve(expect(reads).toHaveLength(2)));
    });
    afterAll(() => context?.close());

    it('says that it was saved elsewhere without a reload, and shows the newest text on request', async () => {
      await api().patch(pathOf(), { content: '<p>Beech and yew.</p>' });
      await newest().click();
      await page.locator('#post-content').getByText('Beech and yew.').waitFor();
      expect(await newest().count()).toBe(0);
    });

    it('is read again after a save elsewhere, and not after its own', async () => {
      reads.length = 0;
      await page.locator('#post-content p').first().click();
      await page.keyboard.press('Control+End');
      for (const words of [' Yew.', ' Holly.', ' Privet.']) {
        await page.keyboard.type(words);
        await eventually(async () => expect((await api().get<Post>(pathOf())).content).toContain(words));
      }
      await page.locator('[data-save-state=saved]').waitFor();
      // Its news comes after that of all saves before.
      await api().patch(pathOf(), { content: '<p>Beech and yew.</p>' });
      await newest().waitFor();
      expect(reads).toHaveLength(1);
    });

    it('is published without changes again once its published version is restored', async () => {
      await api().post(`${pathOf()}/publish`);
      await api().patch(pathOf(), { content: '<p>Yew.</p>' });
      await newest().click();
      await page.getByText('Edited', { exact: true }).waitFor();
      await page.getByText('Version history', { exact: true }).click();
      await page.getByRole('button', { name: /^Version 1: / }).click();
      await page.getByRole('button', { name: 'Restore this version' }).click();
      await page.getByRole('button', { name: 'Restore version', exact: true }).click();
      await page.locator('#post-content').getByText('Beech.').waitFor();
      await page.getByText('Edited', { exact: true }).waitFor({ state: 'detached' });
      await page.getByText('Published', { exact: true }).waitFor();
    });
  });
}
