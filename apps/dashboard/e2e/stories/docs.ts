import type { BrowserContext, Page } from 'playwright-core';
import { DOCUMENT_NAMES } from '../../src/docs/guide.ts';
import { eventually, settled, sticksOut, violations } from '../actions.ts';
import type { Stories } from './stories.ts';

/** The guides and the API reference, which nobody has to sign in for. */
export function describeDocs({ dashboard, newBrowser }: Stories): void {
  describe('the documentation', () => {
    let context: BrowserContext;
    let page: Page;
    const elsewhere: string[] = [];

    beforeAll(async () => {
      context = await newBrowser();
      await context.grantPermissions(['clipboard-read', 'clipboard-write']);
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
    const heading = (name: string, level = 1) => page.getByRole('heading', { level, name, exact: true });
    const sidebar = () => page.getByRole('navigation', { name: 'Documentation' });

    it('is linked on the sign-in page, and starts with common tasks', async () => {
      await page.setViewportSize({ width: 1280, height: 800 });
      await page.goto('/');
      await page.getByRole('link', { name: 'API reference and guides' }).click();
      await heading('Documentation').waitFor();
      expect(await page.title()).toBe('Documentation · Blog Content Service');
      await suitsEverybody();
      await page.getByRole('main').getByRole('link', { name: 'API reference' }).click();
      await heading('API reference').waitFor();
    });

    const sections = new Set<string>(['/docs']);
    const links = new Set<string>();
    const gather = async (path: string) => {
      const main = page.locator('main');
      sections.add(path);
      for (const id of await main.locator('[id]').evaluateAll((all) => all.map(({ id }) => id))) {
        sections.add(`${path}#${id}`);
      }
      const hrefs = await main.locator('a').evaluateAll((all) => all.map((link) => (link as HTMLAnchorElement).href));
      for (const href of hrefs) links.add(href);
    };

    it.each([...DOCUMENT_NAMES, 'api', 'api-public-api', 'api-blogs', 'api-webhooks', 'api-accounts'])(
      'has the page %s for everybody, in light and dark',
      async (name) => {
        await page.emulateMedia({ colorScheme: 'light' });
        await page.goto(`/docs/${name}`);
        await settled(page);
        await page.locator('main h1').waitFor();
        expect(await page.title()).toMatch(/^\S.* · Blog Content Service$/);
        await suitsEverybody();
        await page.emulateMedia({ colorScheme: 'dark' });
        await eventually(async () => expect(await violations(page, COLOURS)).toEqual([]));
        await gather(`/docs/${name}`);
      },
    );

    it('links to sections and files that exist, over all guides', async () => {
      const inside = [...links]
        .map((href) => new URL(href))
        .filter(({ origin }) => origin === dashboard().local.origin);
      expect(inside.length).toBeGreaterThan(DOCUMENT_NAMES.length);
      const isFile = ({ pathname }: URL) => /\.\w+$/.test(pathname);
      const dead = inside
        .filter((to) => !isFile(to))
        .map(({ pathname, hash }) => pathname + decodeURIComponent(hash))
        .filter((to) => !sections.has(to));
      expect(dead).toEqual([]);
      for (const file of inside.filter(isFile))
        expect([file.href, (await fetch(file)).status]).toEqual([file.href, 200]);
    });

    it('lists every page in the sidebar, and on a phone behind the menu button', async () => {
      await page.emulateMedia({ colorScheme: 'light' });
      await page.goto('/docs/limits');
      await heading('Limits').waitFor();
      const names = await sidebar().getByRole('link').allInnerTexts();
      expect(names).toEqual(
        expect.arrayContaining([
          'Build a site',
          'Fetch posts',
          'JavaScript client',
          'Webhook receiver',
          'Command line',
          'Contract',
          'Public API',
          'Webhook reference',
          'Webhooks',
        ]),
      );
      expect(await sidebar().getByRole('link', { name: 'Limits' }).getAttribute('aria-current')).toBe('page');
      await page.setViewportSize({ width: 390, height: 800 });
      expect(await sidebar().count()).toBe(0);
      await page.getByRole('button', { name: 'Open menu' }).click();
      await sidebar().getByRole('link', { name: 'Fetch posts' }).click();
      await heading('Fetch posts').waitFor();
      await page.setViewportSize({ width: 1280, height: 800 });
    });

    it('has a sample request and its answer for every operation, beside the fields', async () => {
      await page.goto('/docs/api-blogs#publishBlog');
      const operation = page.locator('section.operation', { has: page.locator('#publishBlog') });
      await operation.getByText('/blogs/{blogId}/publish', { exact: false }).first().waitFor();
      for (const section of await page.locator('section.operation').all()) {
        expect(await section.getByRole('tab').allInnerTexts()).toEqual(['curl', 'JavaScript']);
      }
      const [about, beside] = await Promise.all([
        operation.locator('> div').first().boundingBox(),
        operation.locator('.beside').boundingBox(),
      ]);
      expect(beside?.x).toBeGreaterThan((about?.x ?? 0) + (about?.width ?? 0));
      expect(await operation.locator('.beside').innerText()).toContain('Response 202');
    });

    it('reads the response in each JavaScript sample whose operation has one', async () => {
      await page.goto('/docs/api-webhooks');
      await page.locator('section.operation').first().waitFor();
      for (const section of await page.locator('section.operation', { hasText: 'Fields of the response' }).all()) {
        const code = section.locator('[role=tabpanel][data-language=js] code');
        expect(await code.textContent()).toContain('await response.');
      }
      const deletion = page.locator('section.operation', { has: page.locator('#deleteWebhook') });
      const code = await deletion.locator('[data-language=js] code').textContent();
      expect(code?.endsWith('throw new Error(await response.text());')).toBe(true);
    });

    it('shows on a phone what a request is before its fields, tables as cards, and code free of the Copy button', async () => {
      const phone = await context.browser()!.newContext({
        baseURL: dashboard().local.origin,
        viewport: { width: 390, height: 844 },
        hasTouch: true,
        isMobile: true,
      });
      const small = await phone.newPage();
      await small.goto('/docs/api-blogs');
      const operation = small.locator('section.operation', { has: small.locator('#publishBlog') });
      const top = async (of: string) => (await operation.locator(of).first().boundingBox())?.y ?? 0;
      expect(await top('.beside')).toBeLessThan(await top('.fields'));
      await small.goto('/docs/webhooks');
      await small.locator('table').first().waitFor();
      const wide = await small
        .locator('.wide')
        .evaluateAll((all) => all.filter((one) => one.scrollWidth > one.clientWidth).length);
      expect(wide).toBe(0);
      const cell = small.locator('td', { hasText: 'a post is unpublished' });
      expect(await cell.evaluate((one) => getComputedStyle(one, '::before').content)).toBe('"when"');
      const code = small.locator('.code').first();
      const [text, button] = await Promise.all([
        code.locator('code').first().boundingBox(),
        code.getByRole('button', { name: 'Copy' }).first().boundingBox(),
      ]);
      expect(button?.y).toBeGreaterThanOrEqual((text?.y ?? 0) + (text?.height ?? 0));
      await phone.close();
    });

    it('remembers the language that a reader chose, with the mouse and with the keyboard', async () => {
      const operation = () => page.locator('section.operation').nth(2);
      await operation().getByRole('tab', { name: 'JavaScript' }).click();
      await page.goto('/docs/api-webhooks');
      await operation().getByText('await fetch(').waitFor();
      await operation().getByRole('tab', { name: 'JavaScript' }).focus();
      await page.keyboard.press('ArrowLeft');
      await operation().getByText('curl', { exact: false }).nth(1).waitFor();
      expect(await operation().getByRole('tab', { name: 'curl' }).getAttribute('aria-selected')).toBe('true');
    });

    it('copies a whole block of code without extra indentation', async () => {
      await page.goto('/docs/fetch-posts');
      const code = page.locator('.code', { hasText: 'createClient' }).first();
      await code.waitFor();
      await code.hover();
      await code.getByRole('button', { name: 'Copy' }).click();
      await code.getByText('Copied').waitFor();
      const copied = await page.evaluate(() => navigator.clipboard.readText());
      expect(copied).toBe(await code.locator('code').textContent());
      const lefts = await code.locator('.line').evaluateAll((all) => all.map((line) => line.getBoundingClientRect().x));
      expect(new Set(lefts).size).toBe(1);
    });

    it('marks the current section, and scrolls to the one in the URL', async () => {
      await page.goto('/docs/limits');
      await heading('Limits').waitFor();
      const contents = page.getByRole('complementary', { name: 'On this page' });
      const last = contents.getByRole('link').last();
      const hash = await last.getAttribute('href');
      await page.goto('about:blank');
      await page.goto(`/docs/limits${hash}`);
      await eventually(async () => expect(await page.evaluate(() => window.scrollY)).toBeGreaterThan(0));
      await eventually(async () => expect(await contents.locator('[aria-current]').count()).toBe(1));
    });

    it.each([
      ['rotate the public key', /public key/i],
      ['publish', /publish/i],
      ['signature', /signature/i],
    ])('finds “%s” with the keyboard alone', async (query, title) => {
      await page.goto('/docs');
      await heading('Documentation').waitFor();
      await page.keyboard.press('Control+k');
      const box = page.getByRole('combobox', { name: 'Search the docs' });
      await box.fill(query);
      const first = page.getByRole('option').first();
      await first.waitFor();
      expect(await violations(page)).toEqual([]);
      expect(await first.innerText()).toMatch(title);
      await page.keyboard.press('ArrowDown');
      await page.keyboard.press('ArrowUp');
      await page.keyboard.press('Enter');
      await page.waitForURL(/\/docs\/.+/);
    });

    it('keeps the letters that are typed immediately after the shortcut', async () => {
      await page.goto('/docs/limits');
      await heading('Limits').waitFor();
      await page.keyboard.press('Control+k');
      await page.keyboard.type('redirects');
      expect(await page.getByRole('combobox', { name: 'Search the docs' }).inputValue()).toBe('redirects');
    });

    it.each([
      ['cli', 'Command line'],
      ['listen', 'Command line'],
      ['blog redirects', 'Command line'],
      ['redirects', 'Redirect renamed posts'],
      ['renamed', 'Redirect renamed posts'],
      ['rate limit', '429'],
    ])('finds for “%s” the page that explains it: %s', async (query, explanation) => {
      await page.goto('/docs');
      await heading('Documentation').waitFor();
      await page.keyboard.press('Control+k');
      await page.keyboard.type(query);
      await page.getByRole('option').first().waitFor();
      const first = (await page.getByRole('option').allInnerTexts()).slice(0, 5);
      expect(first.join('\n')).toContain(explanation);
    });

    it('shows each result with its context, and marks the found words', async () => {
      await page.goto('/docs');
      await heading('Documentation').waitFor();
      await page.keyboard.press('Control+k');
      await page.keyboard.type('preview a rename');
      const results = page.getByRole('option', { name: 'Preview a rename' });
      await results.first().waitFor();
      const shown = await results.allInnerTexts();
      expect(new Set(shown).size).toBe(shown.length);
      expect(await results.first().locator('mark').first().innerText()).toMatch(/^(?:preview|a|rename)$/i);
      expect(shown[0]).toContain('/rename');
    });

    it('shows “Page not found” with status 404 and links to others', async () => {
      const lost = await newBrowser([/status of 404/]);
      const nowhere = await lost.newPage();
      expect((await nowhere.goto('/docs/no-such-guide'))?.status()).toBe(404);
      await nowhere.getByRole('heading', { name: 'Page not found' }).waitFor();
      expect(await violations(nowhere)).toEqual([]);
      await nowhere.getByRole('main').getByRole('link', { name: 'Receive webhooks' }).click();
      await nowhere.getByRole('heading', { level: 1, name: 'Receive webhooks' }).waitFor();
      await lost.close();
    });

    it('makes requests to its own origin only', () => {
      expect(elsewhere).toEqual([]);
    });
  });
}
