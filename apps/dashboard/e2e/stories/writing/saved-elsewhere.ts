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
      // The page reads everything again once its stream has begun.
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

    it('keeps its slug when a version from before a rename is restored, and says what is live and what is lost', async () => {
      await api().post(`${pathOf()}/publish`);
      await api().patch(pathOf(), { slug: `tall-hedges-${post.id}`, content: '<p>Yew.</p>' });
      await api().post(`${pathOf()}/publish`);
      await page.reload();
      await page.locator('#post-content').getByText('Yew.').waitFor();
      await page.getByText('Version history', { exact: true }).click();
      await page
        .getByText(/^Version 2 · /)
        .getByText('Live')
        .waitFor();
      await page.getByRole('button', { name: /^Version 1: / }).click();
      await page.getByText('Green: only in the current draft. Red: only in version 1.').waitFor();
      await page.getByRole('button', { name: 'Restore this version' }).click();
      const dialog = page.getByRole('dialog', { name: 'Restore version 1?' });
      await dialog.getByText(`The post keeps its current slug, “tall-hedges-${post.id}”.`).waitFor();
      expect(await dialog.getByText('Edits you haven’t published are lost.').count()).toBe(0);
      await dialog.getByRole('button', { name: 'Restore version', exact: true }).click();
      await page.getByText('Version 1 restored as a draft. Click Update to put it live').waitFor();
      await page.locator('#post-content').getByText('Beech.').waitFor();
      expect(await api().get(pathOf())).toMatchObject({ slug: `tall-hedges-${post.id}`, content: '<p>Beech.</p>' });
    });

    it('is unpublished or deleted only after Undo was offered', async () => {
      await api().post(`${pathOf()}/publish`);
      await page.getByText('Published', { exact: true }).waitFor();
      const ask = async (item: string, title: string, button: string) => {
        await page.getByRole('button', { name: 'More actions' }).click();
        await page.getByRole('menuitem', { name: item }).click();
        await page.getByRole('dialog', { name: title }).getByRole('button', { name: button }).click();
      };
      const undo = async () => {
        await page.getByRole('button', { name: 'Undo', exact: true }).click();
        await page.getByText('Undone', { exact: true }).waitFor();
      };
      await ask('Unpublish', 'Unpublish this post?', 'Unpublish');
      await undo();
      expect(await api().get(pathOf())).toMatchObject({ state: 'published' });
      await ask('Unpublish', 'Unpublish this post?', 'Unpublish');
      await page.getByText('Unpublishing this post…').waitFor();
      await page.getByText('Post unpublished').waitFor();
      expect(await api().get(pathOf())).toMatchObject({ state: 'unpublished' });
      await ask('Delete post', 'Delete this post?', 'Delete post');
      await page.getByRole('heading', { level: 1, name: 'Posts' }).waitFor();
      await undo();
      expect(await api().get(pathOf())).toMatchObject({ state: 'unpublished' });
    });
  });
}
