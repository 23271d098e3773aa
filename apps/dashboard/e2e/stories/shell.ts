import { whenProjectIsKnown } from '@blog-content/local-services';
import type { BrowserContext, Page } from 'playwright-core';
import { eventually, goTo, openAs, settled, violations } from '../actions.ts';
import type { Stories } from './stories.ts';

/** What is around the pages: the sidebar, the tabs of a phone, the palette, toasts. */
export function describeShell({ dashboard, newBrowser }: Stories): void {
  describe('the shell', () => {
    let context: BrowserContext;
    let page: Page;
    let project: string;
    const api = () => dashboard().administrator.api;
    const field = () => page.getByRole('combobox', { name: 'Search posts, pages and actions' });
    const chosen = () => page.getByRole('option', { selected: true });
    const search = async (typed: string) => {
      await page.keyboard.press('Control+k');
      await field().waitFor();
      await page.keyboard.type(typed);
    };
    const isAt = (name: string) => page.getByRole('heading', { level: 1, name, exact: true }).waitFor();

    beforeAll(async () => {
      project = (await api().post<{ id: string }>('projects', { name: 'Shells' })).id;
      await api().post('projects', { name: 'Sea glass' });
      for (const title of ['Limpets at low tide', 'Whelks']) await api().post(`projects/${project}/blogs`, { title });
      await whenProjectIsKnown(() => api().post(`projects/${project}/public-key`));
      context = await newBrowser();
      page = await openAs(context, dashboard().administrator, `/projects/${project}`);
    });

    afterAll(() => context?.close());

    it('finds a post by its title with Ctrl+K, and opens it with Enter', async () => {
      await search('limp');
      await eventually(async () => expect(await chosen().textContent()).toBe('Limpets at low tide'));
      expect(await field().getAttribute('aria-activedescendant')).toBe(await chosen().getAttribute('id'));
      expect(await violations(page)).toEqual([]);
      await page.keyboard.press('Enter');
      await page.waitForURL(/\/posts\/[^/]+$/);
      // The URL comes before the page.
      await page.getByLabel('Title', { exact: true }).waitFor();
      await goTo(page, `/projects/${project}`);
    });

    it('goes through posts, actions and pages with the arrow keys', async () => {
      await search('');
      await page.getByRole('group', { name: 'Recent posts' }).getByRole('option', { name: 'Whelks' }).waitFor();
      await page.keyboard.press('ArrowUp');
      expect(await chosen().textContent()).toBe('Docs');
      await page.keyboard.press('ArrowDown');
      await page.keyboard.press('Escape');
      await field().waitFor({ state: 'detached' });
      await search('calen');
      await eventually(async () => expect(await page.getByRole('option').count()).toBe(1));
      await page.keyboard.press('Enter');
      await isAt('Calendar');
    });

    it('runs the action that Enter is pressed on, even if posts are found in between', async () => {
      let answer = (): void => undefined;
      const held = new Promise<void>((resolve) => (answer = resolve));
      await page.route(/\/blogs\?.*q=setup/, async (route) => {
        await held;
        const response = await route.fetch({ url: route.request().url().replace('q=setup', 'q=whelks') });
        await route.fulfill({ response });
      });
      await search('');
      await page.getByRole('group', { name: 'Recent posts' }).getByRole('option', { name: 'Whelks' }).waitFor();
      await field().fill('setup');
      expect(await page.getByRole('option').allTextContents()).toEqual(['Setup guide']);
      answer();
      await page.getByRole('group', { name: 'Posts' }).getByRole('option', { name: 'Whelks' }).waitFor();
      expect(await chosen().textContent()).toBe('Setup guide');
      await page.keyboard.press('Enter');
      await page.getByRole('region', { name: 'Setup guide' }).waitFor();
      await page.unrouteAll();
    });

    it('has controls of 32 px in its own font, a focus ring of 2 px, and no motion for those who reduce it', async () => {
      const button = page.getByRole('button', { name: 'New post' });
      expect((await button.boundingBox())?.height).toBe(32);
      const style = () =>
        button.evaluate((element) => {
          const { fontFamily, outlineWidth, outlineStyle, transitionDuration } = getComputedStyle(element);
          return { fontFamily: fontFamily.split(',')[0], outlineWidth, outlineStyle, transitionDuration };
        });
      await page.emulateMedia({ reducedMotion: 'no-preference' });
      await page.keyboard.press('Tab');
      await button.focus();
      expect(await style()).toEqual({
        fontFamily: '"Geist Variable"',
        outlineWidth: '2px',
        outlineStyle: 'solid',
        transitionDuration: '0.14s',
      });
      expect(await page.evaluate(() => document.fonts.check('14px "Geist Variable"'))).toBe(true);
      await page.emulateMedia({ reducedMotion: 'reduce' });
      expect((await style()).transitionDuration).toBe('0s');
    });

    it('finds “Schedule a post”, and keeps the longest name on one line', async () => {
      await api().post('projects', { name: 'Tides and weather of the coast. '.repeat(6) });
      await page.reload();
      await settled(page);
      await search('schedule');
      await eventually(async () => expect(await chosen().textContent()).toBe('Schedule a post'));
      const line = (await chosen().boundingBox())?.height;
      await field().fill('tides and weather');
      const option = page.getByRole('option', { name: /^Switch project: Tides/ });
      expect((await option.boundingBox())?.height).toBe(line);
      await page.keyboard.press('Escape');
    });

    it('says when nothing is found', async () => {
      await search('zebra crossing');
      await page.getByText('Nothing found for “zebra crossing”').waitFor();
      await page.keyboard.press('Escape');
    });

    it('asks before it rotates the key, and not again after a reload', async () => {
      await search('key rot');
      await eventually(async () => expect(await chosen().textContent()).toBe('Rotate key'));
      await page.keyboard.press('Enter');
      const dialog = page.getByRole('dialog', { name: 'Rotate the public key?' });
      await dialog.waitFor();
      await page.keyboard.press('Control+k');
      expect(await field().count()).toBe(0);
      await page.keyboard.press('Escape');
      await page.reload();
      await settled(page);
      expect(await dialog.count()).toBe(0);
    });

    it('switches the project', async () => {
      await search('switch sea');
      await eventually(async () => expect(await chosen().textContent()).toBe('Switch project: Sea glass'));
      await page.keyboard.press('Enter');
      await page.getByRole('button', { name: 'Project: Sea glass' }).waitFor();
      await goTo(page, `/projects/${project}/settings`);
    });

    it('says what was done at the bottom of the window for four seconds, longer under the pointer', async () => {
      const toasts = page.getByRole('region', { name: 'Notifications' });
      await page.getByRole('textbox', { name: 'Name', exact: true }).first().fill('Shells and sand');
      await page.getByRole('button', { name: 'Save' }).first().click();
      const close = toasts.getByRole('button', { name: 'Close' });
      await close.hover();
      const box = await close.boundingBox();
      const { width, height } = page.viewportSize()!;
      expect(box!.y).toBeGreaterThan(height - 120);
      expect(Math.abs(box!.x - width / 2)).toBeLessThan(300);
      await page.waitForTimeout(4_500);
      expect(await close.count()).toBe(1);
      await page.mouse.move(10, 10);
      await close.waitFor({ state: 'detached', timeout: 8_000 });
    });

    it('has tabs on a phone that lead to Home, posts, a new post, the activity and the menu', async () => {
      await page.setViewportSize({ width: 390, height: 780 });
      const tabs = page.getByRole('navigation', { name: 'Shortcuts' });
      await tabs.getByRole('link', { name: 'Posts' }).click();
      await isAt('Posts');
      expect(await tabs.getByRole('link', { name: 'Posts' }).getAttribute('aria-current')).toBe('page');
      await tabs.getByRole('link', { name: 'Publishing' }).click();
      await isAt('Publishing');
      await tabs.getByRole('button', { name: 'Menu' }).click();
      await page.getByRole('navigation', { name: 'Project pages' }).getByRole('link', { name: 'Agents' }).click();
      await isAt('Agents');
      await page.getByRole('button', { name: 'Search' }).click();
      await field().waitFor();
      await page.keyboard.press('Escape');
      await tabs.getByRole('button', { name: 'New post' }).click();
      await page.waitForURL(/\/posts\/[^/]+$/);
    });
  });
}
