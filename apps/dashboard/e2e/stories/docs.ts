import type { BrowserContext, Page } from 'playwright-core';
import { GUIDE_NAMES } from '../../src/docs/guide.ts';
import { eventually, settled, sticksOut, violations } from '../actions.ts';
import type { Stories } from './stories.ts';

/** The API reference and the guides, which nobody has to sign in for. */
export function describeDocs({ dashboard, newBrowser }: Stories): void {
  describe('the documents', () => {
    let context: BrowserContext;
    let page: Page;
    const elsewhere: string[] = [];

    beforeAll(async () => {
      context = await newBrowser();
      page = await context.newPage();
      page.on('request', (request) => {
        const { origin, protocol } = new URL(request.url());
        if (protocol.startsWith('http') && origin !== dashboard().local.origin) elsewhere.push(request.url());
      });
    });

    afterAll(() => context?.close());

    async function suitsEverybody(): Promise<void> {
      expect(await violations(page)).toEqual([]);
      await page.setViewportSize({ width: 360, height: 740 });
      await eventually(async () => expect(await sticksOut(page)).toEqual([]));
      await page.setViewportSize({ width: 1280, height: 800 });
    }
    const COLOURS = ['color-contrast', 'link-in-text-block'];
    const filter = () => page.getByPlaceholder('Filter');
    const begun = () => page.getByText('Every credential is a bearer token').waitFor();

    it('are reached from the sign-in page', async () => {
      await page.setViewportSize({ width: 1280, height: 800 });
      await page.goto('/');
      await page.getByRole('link', { name: 'API reference and guides' }).click();
      await begun();
      expect(await page.title()).toBe('API reference · Blog Content Service');
    });

    it('have a reference for everybody, in light and dark', async () => {
      await suitsEverybody();
      await page.emulateMedia({ colorScheme: 'dark' });
      await begun();
      await eventually(async () => expect(await violations(page, COLOURS)).toEqual([]));
      await page.getByText('Get one published blog').first().click();
      await page.getByRole('heading', { name: 'Get one published blog' }).waitFor();
      expect(await violations(page, COLOURS)).toEqual([]);
      await page.emulateMedia({ colorScheme: 'light' });
      await page.getByRole('heading', { name: 'Get one published blog' }).waitFor();
      await suitsEverybody();
    });

    it('have a reference that the keyboard alone walks: one sees where it is, opens an operation, and scrolls', async () => {
      const focused = () =>
        page.evaluate(() => {
          let element = document.activeElement!;
          while (element.shadowRoot?.activeElement) element = element.shadowRoot.activeElement;
          const { outlineStyle, outlineWidth } = getComputedStyle(element);
          return {
            element: element.localName,
            text: element.textContent ?? '',
            isSeen: outlineStyle !== 'none' && outlineWidth === '2px',
            scrolled: element.scrollTop,
          };
        });
      await filter().focus();
      for (let tabs = 0; tabs < 12 && !(await focused()).text.includes('Get one published blog'); tabs += 1) {
        await page.keyboard.press('Tab');
      }
      expect(await focused()).toMatchObject({ text: expect.stringContaining('Get one published blog'), isSeen: true });
      await page.keyboard.press('Enter');
      await page.getByRole('heading', { name: 'Get one published blog' }).waitFor();
      await eventually(async () => expect((await focused()).element).toBe('main'));
      await page.getByRole('link', { name: 'Skip to the content' }).focus();
      await page.keyboard.press('Enter');
      await eventually(async () => expect((await focused()).element).toBe('main'));
      await page.setViewportSize({ width: 1280, height: 320 });
      await page.keyboard.press('PageDown');
      await eventually(async () => expect((await focused()).scrolled).toBeGreaterThan(0));
      await page.setViewportSize({ width: 1280, height: 800 });
    });

    it.each([
      ['public-read-service', '/blog/api/v1/public/blogs', 'List published blogs'],
      ['content-service', '/blog/api/v1/owner/session', 'Sign in'],
      ['webhook-dispatcher', '/blog/api/v1/owner/projects/{projectId}/deliveries', 'deliver'],
    ])('have in the reference what %s answers at %s, and the filter finds it', async (_service, path, words) => {
      await filter().fill(path);
      await page.getByRole('navigation').getByText(words).first().click();
      await page.getByRole('main').getByText(path, { exact: true }).first().waitFor();
    });

    it('have an address for each operation, which a reload and a narrow window go to as well', async () => {
      const path = '/blog/api/v1/public/blogs/{slug}';
      await filter().fill(path);
      await page.getByRole('navigation').getByText('Get one published blog').first().click();
      const operation = page.getByRole('main').getByText(path, { exact: true }).first();
      await operation.waitFor();
      await page.setViewportSize({ width: 360, height: 740 });
      await page.reload();
      await operation.waitFor();
      await page.locator('.endpoint-body').waitFor();
      expect(await sticksOut(page)).toEqual([]);
      expect(await violations(page)).toEqual([]);
      await page.setViewportSize({ width: 1280, height: 800 });
    });

    const sections = new Set<string>(['/docs']);
    const links = new Set<string>();

    it.each(GUIDE_NAMES)('have the guide %s for everybody, in light and dark', async (name) => {
      await page.emulateMedia({ colorScheme: 'light' });
      await page.goto(`/docs/${name}`);
      await settled(page);
      const title = await page.getByRole('heading', { level: 1 }).innerText();
      expect(await page.title()).toBe(`${title} · Blog Content Service`);
      await suitsEverybody();
      await page.emulateMedia({ colorScheme: 'dark' });
      await eventually(async () => expect(await violations(page, COLOURS)).toEqual([]));
      const main = page.locator('main');
      sections.add(`/docs/${name}`);
      for (const id of await main.locator('[id]').evaluateAll((all) => all.map(({ id }) => id))) {
        sections.add(`/docs/${name}#${id}`);
      }
      const hrefs = await main.locator('a').evaluateAll((all) => all.map((link) => (link as HTMLAnchorElement).href));
      for (const href of hrefs) links.add(href);
    });

    it('link to sections and files that there are, over all guides', async () => {
      const inside = [...links]
        .map((href) => new URL(href))
        .filter(({ origin }) => origin === dashboard().local.origin);
      expect(inside.length).toBeGreaterThan(GUIDE_NAMES.length);
      const isFile = ({ pathname }: URL) => /\.\w+$/.test(pathname);
      const dead = inside
        .filter((to) => !isFile(to))
        .map(({ pathname, hash }) => pathname + decodeURIComponent(hash))
        .filter((to) => !sections.has(to));
      expect(dead).toEqual([]);
      for (const file of inside.filter(isFile))
        expect([file.href, (await fetch(file)).status]).toEqual([file.href, 200]);
    });

    it('show the section that an address names', async () => {
      await page.goto('/docs/limits');
      await settled(page);
      const last = await page.locator('main h2').last().getAttribute('id');
      await page.goto('about:blank');
      await page.goto(`/docs/limits#${last}`);
      await eventually(async () => expect(await page.evaluate(() => window.scrollY)).toBeGreaterThan(0));
    });

    it('say where there is none, and which there are', async () => {
      await page.goto('/docs/no-such-guide');
      await page.getByRole('heading', { name: 'There is no such document' }).waitFor();
      await suitsEverybody();
      await page.getByRole('main').getByRole('link', { name: 'Limits' }).click();
      await page.getByRole('heading', { level: 1, name: 'Limits' }).waitFor();
    });

    it('ask nobody but their own origin', () => {
      expect(elsewhere).toEqual([]);
    });
  });
}
