import type { BrowserContext, Page } from 'playwright-core';
import { eventually, looksGood, openAs, violations } from '../../actions.ts';
import type { Stories } from '../stories.ts';

/** Who wrote a post, in the editor's settings. */
export function describePostAuthors({ dashboard, newBrowser }: Stories): void {
  describe('the authors of a post', () => {
    let context: BrowserContext;
    let page: Page;
    let project: string;
    let post: string;
    const ids: string[] = [];
    const api = () => dashboard().administrator.api;
    const field = () => page.getByRole('combobox', { name: 'Authors' });
    const button = (name: string) => page.getByRole('button', { name, exact: true });
    const row = (name: string) => page.getByRole('list', { name: 'Authors in order' }).getByText(name, { exact: true });
    const option = (name: string) => page.getByRole('option', { name });
    const said = (words: string) => page.getByRole('status').getByText(words).waitFor({ state: 'attached' });
    const focused = () => page.evaluate(() => document.activeElement?.getAttribute('aria-label'));
    const become = (slugs: string[]) =>
      eventually(async () => {
        const { authors } = await api().get<{ authors: string[] }>(`projects/${project}/blogs/${post}`);
        expect(authors).toEqual(slugs);
      });
    const remove = async (author: string) => {
      const { local, administrator } = dashboard();
      const answer = await fetch(`${local.origin}/blog/api/v1/owner/projects/${project}/authors/${author}`, {
        method: 'DELETE',
        headers: { authorization: `Bearer ${administrator.api.token}` },
      });
      expect(answer.status).toBe(204);
    };
    const reopen = async () => {
      await page.goto(`/projects/${project}/posts/${post}`);
      await page.locator('#post-content').waitFor();
    };

    beforeAll(async () => {
      project = (await api().post<{ id: string }>('projects', { name: 'Almanac' })).id;
      post = (await api().post<{ id: string }>(`projects/${project}/blogs`, { title: 'Frost' })).id;
      const editor = { email: 'almanac@example.com', password: 'a password of the almanac' };
      const asked = { email: editor.email, project_id: project, role: 'editor' };
      const { token } = await api().post<{ token: string }>('invitations', asked);
      await api().post('invitations/accept', { token, password: editor.password });
      context = await newBrowser();
      page = await openAs(context, editor, `/projects/${project}/posts/${post}`);
    });

    afterAll(() => context?.close());

    it('lead to the project’s settings while it has no authors', async () => {
      await page.getByText('This project has no authors yet.').waitFor();
      expect(await violations(page)).toEqual([]);
      await page.getByRole('link', { name: 'Add authors in Settings' }).click();
      await page.getByRole('heading', { name: 'No authors yet' }).waitFor();
    });

    it('are found by name, and saved in order', async () => {
      for (const name of ['Ada Lovelace', 'Mary Somerville', 'Émilie du Châtelet']) {
        ids.push((await api().post<{ id: string }>(`projects/${project}/authors`, { name })).id);
      }
      await reopen();
      await field().click();
      await option('Ada Lovelace').waitFor();
      await page.keyboard.type('some');
      await option('Ada Lovelace').waitFor({ state: 'detached' });
      await page.keyboard.press('Enter');
      await said('Mary Somerville added');
      await field().fill('ada');
      await option('Ada Lovelace').click();
      await become(['mary-somerville', 'ada-lovelace']);
      await field().click();
      await option('Émilie').waitFor();
      await option('Ada Lovelace').waitFor({ state: 'detached' });
      await eventually(async () => expect(await violations(page)).toEqual([]));
      await page.keyboard.press('Escape');
      await option('Émilie').waitFor({ state: 'detached' });
      expect(await field().isVisible()).toBe(true);
    });

    it('are moved by keyboard, which stays at the button', async () => {
      await button('Move Mary Somerville down').focus();
      await page.keyboard.press('Enter');
      await said('Mary Somerville is now number 2');
      await become(['ada-lovelace', 'mary-somerville']);
      expect(await focused()).toBe('Move Mary Somerville down');
      await page.keyboard.press('Enter');
      await page.keyboard.press('Shift+Tab');
      expect(await focused()).toBe('Move Mary Somerville up');
      await page.keyboard.press('Enter');
      await become(['mary-somerville', 'ada-lovelace']);
      expect(await focused()).toBe('Move Mary Somerville up');
      await looksGood(page);
    });

    it('are removed, and the keyboard goes to the next one', async () => {
      await button('Remove Mary Somerville').focus();
      await page.keyboard.press('Enter');
      await become(['ada-lovelace']);
      expect(await focused()).toBe('Remove Ada Lovelace');
      expect(await button('Move Ada Lovelace up').count()).toBe(0);
    });

    it('keep renamed authors, and show deleted ones until they are removed', async () => {
      await field().fill('du');
      await option('Émilie du Châtelet').click();
      await become(['ada-lovelace', 'emilie-du-chatelet']);
      await api().patch(`projects/${project}/authors/${ids[0]}`, { name: 'Ada King', slug: 'ada-king' });
      await remove(ids[2]!);
      await reopen();
      await row('Ada King').waitFor();
      await row('emilie-du-chatelet').waitFor();
      await page.getByText('Deleted: readers don’t see this author.').waitFor();
      await looksGood(page);
      await button('Move emilie-du-chatelet up').click();
      await become(['emilie-du-chatelet', 'ada-king']);
      await button('Remove emilie-du-chatelet').click();
      await become(['ada-king']);
    });
  });
}
