import type { BrowserContext, Locator, Page } from 'playwright-core';
import { clickInText, eventually, openAs, pressEnd, sticksOut, violations } from '../../actions.ts';
import type { Stories } from '../stories.ts';

interface Post {
  readonly id: string;
  readonly title: string;
  readonly content: string;
}

/** The editor as a page of its own: the bar, the column, the bars over the text, and the settings beside it. */
export function describeEditorPage({ dashboard, newBrowser }: Stories): void {
  describe('the editor’s page', () => {
    let context: BrowserContext;
    let page: Page;
    let post: Post;

    const api = () => dashboard().administrator.api;
    const blogs = () => `projects/${dashboard().projectId}/blogs`;
    const text = () => page.locator('#post-content');
    const open = async (content: string, fields: object = {}) => {
      post = await api().post<Post>(blogs(), { title: 'Hedges', content, ...fields });
      await page.goto(`/projects/${dashboard().projectId}/posts/${post.id}`);
      await text().waitFor();
    };
    const storedIs = (content: RegExp) =>
      eventually(
        async () => {
          const stored = await api().get<Post>(`${blogs()}/${post.id}`);
          expect(stored.content.replaceAll(/>\n+</g, '><').trim()).toMatch(content);
        },
        { timeoutMs: 15_000 },
      );
    const click = (words: string, clickCount = 1) => clickInText(text().getByText(words), { clickCount });
    const bar = (name: string) => page.getByRole('toolbar', { name });

    beforeAll(async () => {
      context = await newBrowser();
      page = await openAs(context, dashboard().administrator, `/projects/${dashboard().projectId}/posts`);
    });
    afterAll(() => context?.close());

    it('has the whole window, a bar of 48 px and a column of at most 720 px', async () => {
      await open('<p>Hawthorn.</p>');
      expect(await page.getByRole('navigation').count()).toBe(0);
      const height = await page
        .getByRole('link', { name: 'Posts', exact: true })
        .locator('xpath=ancestor::header')
        .evaluate((header) => header.getBoundingClientRect().height);
      expect(height).toBe(48);
      const { width } = (await text().boundingBox())!;
      expect(width).toBeLessThanOrEqual(728);
      const title = page.getByLabel('Title', { exact: true });
      expect(await title.evaluate((field) => getComputedStyle(field).borderTopWidth)).toBe('0px');
    });

    it('moves with Enter from the title to the text', async () => {
      await open('');
      expect(await text().locator('p').first().getAttribute('data-hint')).toBe(
        'Start writing, or type / to add a block',
      );
      await page.getByLabel('Title', { exact: true }).click();
      await page.keyboard.press('Enter');
      await page.keyboard.type('Hornbeam');
      await storedIs(/^<p>Hornbeam<\/p>$/);
      await page.getByText('· 1 word').waitFor();
    });

    it('shows formatting above a selection, which the keyboard reaches and leaves', async () => {
      await open('<p>Hazel and beech</p>');
      await click('Hazel', 3);
      await bar('Formatting').waitFor();
      const { y } = (await text().getByText('Hazel').boundingBox())!;
      const shown = (await bar('Formatting').boundingBox())!;
      expect(shown.y + shown.height).toBeLessThanOrEqual(y);
      expect(shown.x).toBeGreaterThanOrEqual(0);
      await page.keyboard.press('Alt+F10');
      await page.keyboard.press('ArrowRight');
      expect(await page.evaluate(() => document.activeElement?.closest('[role=toolbar]') !== null)).toBe(true);
      await page.keyboard.press('Escape');
      await eventually(async () => expect(await page.evaluate(() => document.activeElement?.id)).toBe('post-content'));
      await bar('Formatting').getByRole('button', { name: 'Bold' }).click();
      await storedIs(/^<p><strong>Hazel and beech<\/strong><\/p>$/);
      expect(await violations(page)).toEqual([]);
    });

    it('adds a block by the button beside an empty line', async () => {
      await open('<p>Holly.</p>');
      await click('Holly.');
      await pressEnd(page);
      await page.keyboard.press('Enter');
      await page.getByRole('button', { name: 'Add a block' }).click();
      const menu = page.getByRole('listbox', { name: 'Add a block' });
      await menu.getByRole('option', { name: 'Heading 2' }).click();
      await page.keyboard.type('Berries');
      await storedIs(/<h2>Berries<\/h2>$/);
    });

    it('has the controls of tables, code and images on the block', async () => {
      await open(
        '<table><tbody><tr><td>Yew</td><td>Box</td></tr></tbody></table><pre><code class="language-js">let a;</code></pre><p><img src="/favicon.svg" alt=""></p>',
      );
      await click('Yew');
      await bar('Table').getByRole('button', { name: 'Add column' }).click();
      await storedIs(/<td>Yew<\/td><td><\/td><td>Box<\/td>/);
      await click('let a;');
      await bar('Code block').getByLabel('Language').selectOption('css');
      await storedIs(/<code class="language-css">let a;<\/code>/);
      await text().locator('img[src]').click();
      await bar('Image').getByRole('button', { name: 'Alt text' }).click();
      await page.getByRole('dialog').getByLabel('Alt text').fill('A hedge');
      await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click();
      await page.getByRole('dialog').waitFor({ state: 'detached' });
      await bar('Image').getByRole('button', { name: 'Caption' }).click();
      await page.keyboard.type('In spring');
      await storedIs(/<figure><img [^>]*alt="A hedge"[^>]*><figcaption>In spring<\/figcaption><\/figure>$/);
    });

    it('shows a player as a card, and removes it again', async () => {
      await open(
        '<p>Watch</p><figure><iframe src="https://player.vimeo.com/video/1" title="Vimeo video"></iframe></figure>',
      );
      const card = text().locator('[data-editor-embed]');
      await card.getByText('Vimeo video').waitFor();
      expect((await card.boundingBox())!.height).toBeGreaterThan(100);
      await card.click();
      await bar('Embed').getByRole('button', { name: 'Remove' }).click();
      await eventually(async () => expect(await card.count()).toBe(0));
    });

    it('opens and closes the settings, which are closed at first, reached by the keyboard and left with Escape', async () => {
      await page.evaluate(() => localStorage.removeItem('editor-settings'));
      await open('<p>Privet.</p>');
      const settings = page.getByRole('region', { name: 'Post settings' });
      const button = page.getByRole('button', { name: 'Post settings' });
      await button.waitFor();
      expect(await settings.isVisible()).toBe(false);
      await button.click();
      expect((await settings.boundingBox())!.width).toBe(380);
      await button.click();
      await settings.waitFor({ state: 'hidden' });
      await button.press('Enter');
      await eventually(async () => expect(await page.evaluate(() => document.activeElement?.id)).toBe('post-settings'));
      await page.keyboard.press('Escape');
      await settings.waitFor({ state: 'hidden' });
      expect(await button.evaluate((element) => element === document.activeElement)).toBe(true);
      await button.click();
    });

    it('scrolls the settings along with the text, to their end and back to their beginning', async () => {
      await open(`<p>${'Beech. '.repeat(40)}</p>`.repeat(30));
      const settings = page.getByRole('region', { name: 'Post settings' });
      for (const part of ['Languages', 'Links', 'Version history'])
        await settings.getByText(part, { exact: true }).click();
      await page.getByText('Each publish saves a version here.').waitFor();
      const heading = settings.getByRole('heading', { name: 'Post settings' });
      const end = settings.getByText(/^Last saved/);
      const isShown = (place: Locator) =>
        place.evaluate((element) => {
          const { top, bottom } = element.getBoundingClientRect();
          return top >= 48 && bottom <= innerHeight;
        });
      const scroll = (by: number) => page.evaluate((pixels) => scrollBy(0, pixels), by);
      expect(await settings.evaluate((element) => element.scrollHeight > element.clientHeight + 1)).toBe(false);
      await page.evaluate(() => scrollTo(0, 0));
      await eventually(async () => expect([await isShown(heading), await isShown(end)]).toEqual([true, false]));
      await scroll(2_500);
      await eventually(async () => expect([await isShown(heading), await isShown(end)]).toEqual([false, true]));
      await scroll(-1_500);
      await eventually(async () => expect([await isShown(heading), await isShown(end)]).toEqual([true, false]));
      await scroll(100_000);
      // The page ends with the text.
      await eventually(async () => expect(await isShown(text().locator('p').last())).toBe(true));
      await page.getByRole('button', { name: 'Post settings' }).click();
      await page.getByRole('button', { name: 'Post settings' }).click();
      await eventually(async () => expect([await isShown(heading), await isShown(end)]).toEqual([true, false]));
      await scroll(100_000);
      await eventually(async () => expect([await isShown(heading), await isShown(end)]).toEqual([false, true]));
    });

    it('fits 390 px, where the settings cover the text only while they are open', async () => {
      await page.setViewportSize({ width: 390, height: 780 });
      await open('<p>Laurel.</p>');
      expect(await sticksOut(page)).toEqual([]);
      await page.getByRole('button', { name: 'Preview' }).waitFor();
      await page.getByRole('button', { name: 'Post settings' }).click();
      const settings = page.getByRole('region', { name: 'Post settings' });
      await settings.getByLabel('Post URL').waitFor();
      expect((await settings.boundingBox())!.width).toBe(390);
      expect(await sticksOut(page)).toEqual([]);
      await settings.getByRole('button', { name: 'Close' }).click();
      await click('Laurel.', 3);
      const shown = (await bar('Formatting').boundingBox())!;
      expect(shown.x).toBeGreaterThanOrEqual(0);
      expect(shown.x + shown.width).toBeLessThanOrEqual(390);
      await page.setViewportSize({ width: 1280, height: 800 });
    });
  });
}
