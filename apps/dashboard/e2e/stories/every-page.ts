import { readdirSync } from 'node:fs';
import type { BrowserContext, Page } from 'playwright-core';
import { addressOf, idsOfPages, PAGES, type Ids } from '../pages.ts';
import { eventually, goTo, openAs, settled, sticksOut, violations } from '../actions.ts';
import type { Stories } from './stories.ts';

/** What holds on all pages alike. */
export function describeEveryPage({ dashboard, newBrowser }: Stories): void {
  describe('each page', () => {
    let context: BrowserContext;
    let page: Page;
    let ids: Ids;

    beforeAll(async () => {
      ids = await idsOfPages(dashboard());
      context = await newBrowser();
      page = await openAs(context, dashboard().administrator, `/projects/${dashboard().projectId}`);
    });

    afterAll(() => context?.close());

    it.each(PAGES)('%s is accessible: axe finds nothing in light and dark, and it fits 360 px', async (path) => {
      await page.setViewportSize({ width: 1280, height: 800 });
      await page.emulateMedia({ colorScheme: 'light' });
      // Of a list of posts one is enough for axe.
      const found = path.endsWith('/posts') ? '?q=bed+07' : '';
      await goTo(page, addressOf(path, ids) + found);
      expect(await violations(page)).toEqual([]);
      await page.emulateMedia({ colorScheme: 'dark' });
      // Nothing but colours differs, and some of them fade.
      await eventually(async () =>
        expect(await violations(page, ['color-contrast', 'link-in-text-block'])).toEqual([]),
      );
      await page.setViewportSize({ width: 360, height: 740 });
      // The menu gives its place to the page within a moment.
      await eventually(async () => expect(await sticksOut(page)).toEqual([]));
    });
  });

  it('covers every folder of pages, except those without a session', () => {
    const inSettings = ['authors', 'data', 'voice', 'model', 'danger'];
    const folders = [...readdirSync(new URL('../../src/pages', import.meta.url)), ...inSettings];
    expect(PAGES).toHaveLength(folders.length - ['start', 'invitation', 'forgotten-password', 'password-reset'].length);
  });

  it('has an accessible sign-in page in light and dark', async () => {
    const context = await newBrowser();
    const page = await context.newPage();
    await page.setViewportSize({ width: 360, height: 740 });
    await page.goto('/');
    await settled(page);
    expect(await violations(page)).toEqual([]);
    await page.emulateMedia({ colorScheme: 'dark' });
    expect(await violations(page, ['color-contrast'])).toEqual([]);
    expect(await sticksOut(page)).toEqual([]);
    await context.close();
  });
}
