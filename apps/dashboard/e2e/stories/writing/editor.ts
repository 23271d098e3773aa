import type { BrowserContext, Page } from 'playwright-core';
import { eventually, looksGood, openAs, violations } from '../../actions.ts';
import type { Stories } from '../stories.ts';

const SLOW_MS = 700;
interface Post {
  readonly id: string;
  readonly title: string;
  readonly slug: string;
  readonly state: string;
  readonly excerpt: string;
  readonly content: string;
}

/** Writing a post: what is typed is saved, even if other things happen at the same time. */
export function describeEditor({ dashboard, newBrowser }: Stories): void {
  describe('the editor', () => {
    let context: BrowserContext;
    let page: Page;
    let post: Post;

    const api = () => dashboard().administrator.api;
    const blogs = () => `projects/${dashboard().projectId}/blogs`;
    const stored = () => api().get<Post>(`${blogs()}/${post.id}`);
    const addressOf = ({ id }: Post) => `/projects/${dashboard().projectId}/posts/${id}`;
    const open = async (target = page) => {
      await target.goto(addressOf(post));
      await target.locator('#post-content p').first().waitFor();
    };
    const saved = (target = page) => target.locator('[data-save-state=saved]').waitFor();
    const showAs = async (view: 'HTML view' | 'Text view') => {
      await page.getByRole('button', { name: 'More actions' }).click();
      await page.getByRole('menuitem', { name: view }).click();
    };
    const type = async (words: string, target = page) => {
      await target.locator('#post-content p').first().click();
      await target.keyboard.press('Control+End');
      await target.keyboard.type(words);
    };
    /** Slows saves down, and says how many ran at the same time at most. */
    const slowDown = async () => {
      const seen = { now: 0, most: 0, all: 0 };
      await context.route('**/blogs/*', async (route) => {
        if (route.request().method() !== 'PATCH') return route.continue();
        seen.now += 1;
        seen.all += 1;
        seen.most = Math.max(seen.most, seen.now);
        await new Promise((resolve) => setTimeout(resolve, SLOW_MS));
        await route.continue();
        await (await route.request().response())?.finished();
        seen.now -= 1;
      });
      return seen;
    };

    beforeAll(async () => {
      context = await newBrowser([/status of (412|422) .*\/blogs\//, /Blocked script execution in 'about:srcdoc'/]);
      page = await openAs(context, dashboard().administrator, `/projects/${dashboard().projectId}/posts`);
    });
    beforeEach(async () => {
      post = await api().post<Post>(blogs(), { title: 'Compost', content: '<p>Leaves and peelings.</p>' });
    });
    afterEach(() => context.unrouteAll({ behavior: 'wait' }));
    afterAll(() => context?.close());

    it('saves what is typed by itself, and a reload shows it', async () => {
      await open();
      await type(' And time.');
      await saved();
      await page.reload();
      await page.locator('#post-content').getByText('Leaves and peelings. And time.').waitFor();
      expect((await stored()).content).toContain('And time.');
    });

    it('keeps a post within its text area, no matter which classes its HTML has', async () => {
      await open();
      const fixed = await page.locator('header').getAttribute('class');
      const content = `<p>Leaves.</p><p class="${fixed}">Over everything</p>`;
      post = await api().post<Post>(blogs(), { title: 'Cover', content });
      await open();
      const covering = page.locator('#post-content').getByText('Over everything');
      const text = (await page.locator('#post-content').boundingBox())!;
      const cover = (await covering.boundingBox())!;
      expect(await covering.getAttribute('class')).toContain(fixed);
      expect(cover.y).toBeGreaterThanOrEqual(text.y);
      expect(cover.x).toBeGreaterThanOrEqual(text.x);
    });

    it('sends a settings save after a text save on a slow line, and never takes itself for somebody else', async () => {
      await open();
      const seen = await slowDown();
      await type(' More.');
      await page.getByLabel('Excerpt').fill('About compost.');
      await page.getByLabel('Post URL').fill('about-compost');
      await type(' Still more.');
      await eventually(() => expect(seen.all).toBeGreaterThanOrEqual(2));
      await saved();
      expect(seen.most).toBe(1);
      expect(await page.getByRole('dialog').count()).toBe(0);
      expect(await stored()).toMatchObject({ excerpt: 'About compost.', slug: 'about-compost' });
      expect((await stored()).content).toContain('More. Still more.');
    });

    it('loses neither text nor focus while a save is under way', async () => {
      await open();
      const seen = await slowDown();
      await type(' a');
      await eventually(() => expect(seen.now).toBe(1));
      await page.keyboard.type('b');
      await eventually(() => expect(seen.all).toBeGreaterThanOrEqual(2));
      await page.keyboard.type('c');
      await eventually(async () => expect((await stored()).content).toContain('peelings. abc'));
      expect(await page.evaluate(() => document.activeElement?.id)).toBe('post-content');
    });

    it('shows both versions in a stale tab, and overwrites the newer one only when a person says so', async () => {
      await open();
      const stale = await context.newPage();
      await open(stale);
      await page.bringToFront();
      await type(' Newer.');
      await saved();
      await stale.bringToFront();
      await type(' Stale.', stale);
      const dialog = stale.getByRole('dialog', { name: 'This post was changed elsewhere' });
      await dialog.waitFor();
      expect((await stored()).content).toContain('Newer.');
      expect(await stale.frameLocator('iframe[title^="Your version"]').locator('p').textContent()).toContain('Stale.');
      expect(await stale.frameLocator('iframe[title^="Saved version"]').locator('p').textContent()).toContain('Newer.');
      await dialog.getByRole('button', { name: 'Take theirs' }).click();
      await stale.locator('#post-content').getByText('Newer.').waitFor();

      await page.bringToFront();
      await type(' Newest.');
      await saved();
      await stale.bringToFront();
      await type(' Mine.', stale);
      await dialog.getByRole('button', { name: 'Keep mine' }).click();
      await saved(stale);
      expect((await stored()).content).toContain('Newer. Mine.');
      await stale.close();
    });

    it('asks nothing on leaving: what is not saved yet is saved on the way', async () => {
      await open();
      let asked = 0;
      page.on('dialog', (question) => {
        asked += 1;
        void question.accept();
      });
      await type(' Last words.');
      await page.getByRole('link', { name: 'Posts', exact: true }).click();
      await page.getByRole('heading', { name: 'Posts', level: 1 }).waitFor();
      await eventually(async () => expect((await stored()).content).toContain('Last words.'));
      await open();
      await page.reload();
      expect(asked).toBe(0);
    });

    it('says at the field that a slug is refused, and saves all else', async () => {
      await open();
      await page.getByLabel('Excerpt').fill('Kept.');
      await saved();
      await page.getByLabel('Post URL').fill('sitemap');
      await page.locator('input[aria-invalid=true]').waitFor();
      await type(' Also kept.');
      await eventually(async () => expect((await stored()).content).toContain('Also kept.'));
      expect((await stored()).slug).toBe(post.slug);
    });

    it('names a setting that is refused, also where the settings are closed, says why, and leads to it', async () => {
      await open();
      await page.getByLabel('Post URL').fill('sitemap');
      await page.getByRole('button', { name: 'Post settings' }).click();
      const refusal = page.getByRole('alert').filter({ hasText: 'Post URL' });
      await refusal.getByText('reserved').waitFor();
      await refusal.getByRole('button', { name: 'Go to Post URL' }).click();
      expect(await page.evaluate(() => document.activeElement?.getAttribute('aria-invalid'))).toBe('true');
      await page.keyboard.press('Control+a');
      await page.keyboard.type('about-leaves');
      await refusal.waitFor({ state: 'detached' });
      await eventually(async () => expect((await stored()).slug).toBe('about-leaves'));
    });

    it('says what was taken out of the HTML when it was saved, and the preview shows what was stored', async () => {
      await open();
      await showAs('HTML view');
      const field = page.getByRole('textbox', { name: 'Content' });
      const html = `<p>Kept.<div>A block in it.</div></p><style>p{color:red}</style><form><input></form>
        <iframe src="https://elsewhere.example/"></iframe>
        <p style="position:fixed; color:red" onclick="x()">Over.</p>`;
      await field.fill(html);
      const notice = page.getByRole('alert').filter({ hasText: 'was removed on save' });
      await notice.getByText('can’t contain <style>, <form>, <input>, <iframe>, style: position, onclick.').waitFor();
      expect(await field.inputValue()).toBe(html);
      await page.getByRole('button', { name: 'Preview' }).click();
      const shown = page.frameLocator('iframe').locator('main');
      await shown.getByText('Over.').waitFor();
      expect(await shown.locator('style, form, [style*=position]').count()).toBe(0);
      await page.keyboard.press('Escape');
      await notice.getByRole('button', { name: 'Show what is stored' }).click();
      await notice.waitFor({ state: 'detached' });
      expect(await field.inputValue()).toBe((await stored()).content);
    });

    it('takes event handlers out of HTML before anything of it is parsed: the browser complains of none', async () => {
      await open();
      await showAs('HTML view');
      const run = 'document.title=`Run`';
      const html = `<p><b onclick="${run}">Bold</b> <img alt="" onerror='${run}'></p>`;
      await page.getByRole('textbox', { name: 'Content' }).fill(html);
      await showAs('Text view');
      await page.locator('#post-content b').getByText('Bold').click();
      await page.keyboard.type('er');
      await eventually(async () =>
        // An image without an address goes.
        expect((await stored()).content).toMatch(/^<p><b>.*er.*<\/b> <\/p>/),
      );
    });

    it('keeps the text when its title is refused, and asks before a page with something refused is left', async () => {
      await open();
      await page.getByLabel('Title', { exact: true }).fill('');
      await type(' Precious.');
      await page.getByText('Some changes weren’t saved').waitFor();
      expect((await stored()).content).toContain('Precious.');
      await page.getByRole('link', { name: 'Posts', exact: true }).click();
      const question = page.getByRole('dialog', { name: 'Leave without saving?' });
      await question.getByRole('button', { name: 'Cancel' }).click();
      await page.getByLabel('Title', { exact: true }).fill('Compost again');
      await saved();
      await page.getByRole('link', { name: 'Posts', exact: true }).click();
      await page.getByRole('heading', { name: 'Posts', level: 1 }).waitFor();
    });

    it('links to a post that is a draft, and says that the link will appear later', async () => {
      const target = await api().post<Post>(blogs(), { title: `Worms ${post.id}`, content: '' });
      await open();
      await type(' See ');
      await page.keyboard.press('Control+k');
      const dialog = page.getByRole('dialog', { name: 'Link' });
      await dialog.getByLabel('Find a post').fill(target.title);
      const found = dialog.getByRole('radio', { name: target.title });
      await found.check();
      expect(await dialog.getByText('Readers see plain text until it is').count()).toBeGreaterThan(0);
      await dialog.getByRole('button', { name: 'Set link' }).click();
      await saved();
      expect((await stored()).content).toContain(`<a href="[INTERNAL:${target.slug}]">${target.title}</a>`);
    });

    it('shows a preview, its versions and what improves it, and axe finds nothing in light and dark', async () => {
      await open();
      const settings = page.getByRole('region', { name: 'Post settings' });
      for (const part of ['Search engines', 'Links', 'Version history', 'Improve with AI']) {
        await settings.getByText(part, { exact: true }).click();
      }
      await settings.getByText('Each publish saves a version here.').waitFor();
      await settings.getByRole('group', { name: 'Search preview' }).waitFor();
      await looksGood(page);
      await page.getByRole('button', { name: 'Preview' }).click();
      await page.frameLocator('iframe').getByText('Leaves and peelings.').waitFor();
      await eventually(async () => expect(await violations(page)).toEqual([]));
    });

    it('takes what is pasted without scripts, says which images it cannot take, and undoes it in one step', async () => {
      await open();
      await page.locator('#post-content p').first().click();
      await page.locator('#post-content').evaluate((field) => {
        const clipboardData = new DataTransfer();
        const pixel = 'data:image/gif;base64,R0lGODlhAQABAAAAACw=';
        const run = 'document.title=`Run`';
        clipboardData.setData(
          'text/html',
          `<meta charset="utf-8"><p onclick="${run}">شجرة 🌳 <a href=" JavaScript:${run}">Oak</a><script>${run}</script>
           <img src="${pixel}" onload="${run}"><img src="x:y" onerror="${run}"><svg onload="${run}"></svg></p>
           <div><div><p>Deep</p></div></div>`,
        );
        field.dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }));
      });
      await page.getByText('2 images weren’t pasted').waitFor();
      await page.locator('#post-content').getByText('Deep').waitFor();
      await eventually(async () => expect((await stored()).content).toMatch(/شجرة 🌳 Oak.*Deep/s));
      expect((await stored()).content).not.toMatch(/script|onload|svg/i);
      expect(await page.title()).not.toBe('Run');
      await page.keyboard.press('Control+z');
      await eventually(async () => expect((await stored()).content.trim()).toBe(post.content));
    });
  });
}
