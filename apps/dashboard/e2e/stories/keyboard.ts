import { whenProjectIsKnown } from '@blog-content/local-services';
import type { BrowserContext, Page } from 'playwright-core';
import { eventually, goTo, openAs } from '../actions.ts';
import { WEBHOOK_SECRET } from '../running-dashboard.ts';
import type { Stories } from './stories.ts';

/** Where the keyboard is, for who uses nothing else, in a window as narrow as a phone. */
export function describeKeyboard({ dashboard, newBrowser }: Stories): void {
  describe('the keyboard', () => {
    let context: BrowserContext;
    let page: Page;
    let project: string;
    let webhook: string;
    const api = () => dashboard().administrator.api;
    const press = async (name: string) => {
      await page.getByRole('button', { name, exact: true }).last().focus();
      await page.keyboard.press('Enter');
    };
    const isAt = (element: string, text: string) =>
      eventually(async () => {
        const focused = await page.evaluate(() => {
          const { activeElement } = document;
          return `${activeElement?.getAttribute('role') ?? activeElement?.localName}: ${activeElement?.textContent}`;
        });
        expect(focused.slice(0, element.length + 2 + text.length)).toBe(`${element}: ${text}`);
      });

    beforeAll(async () => {
      project = (await api().post<{ id: string }>('projects', { name: 'Keys' })).id;
      await whenProjectIsKnown(() => api().post(`projects/${project}/public-key`));
      // Without a key the page has another button, which goes when there is one.
      await api().post(`projects/${project}/agent-keys`, { name: 'First' });
      const { url } = dashboard().receiver;
      await whenProjectIsKnown(async () => {
        const made = await api().post<{ id: string }>(`projects/${project}/webhooks`, { url, secret: WEBHOOK_SECRET });
        webhook = made.id;
      });
      context = await newBrowser([/status of 404 .*\/projects\//]);
      page = await openAs(context, dashboard().administrator, `/projects/${project}`);
      await page.setViewportSize({ width: 360, height: 740 });
    });

    afterAll(() => context?.close());

    it('skips a closed menu, and moves to the page that was chosen in it', async () => {
      const link = page.getByRole('link', { name: 'API access' });
      const menu = page.getByRole('button', { name: 'Menu', exact: true });
      await eventually(async () => expect(await link.count()).toBe(0));
      expect(await menu.getAttribute('aria-expanded')).toBe('false');
      await press('Menu');
      await link.focus();
      expect(await menu.getAttribute('aria-expanded')).toBe('true');
      await page.keyboard.press('Enter');
      await page.getByRole('heading', { level: 1, name: 'API access' }).waitFor();
      await isAt('main', 'API access');
      expect(await menu.getAttribute('aria-expanded')).toBe('false');
    });

    it('reaches the themes in their menu, and returns to its button afterwards', async () => {
      await press('Menu');
      await press('Theme');
      await page.getByRole('menuitemradio', { name: 'Dark' }).waitFor();
      await page.keyboard.press('Escape');
      await eventually(async () => expect(await page.locator(':focus').getAttribute('aria-label')).toBe('Theme'));
      await page.keyboard.press('Escape');
      await isAt('button', 'Menu');
    });

    it('returns to the button after its dialog is closed', async () => {
      await press('Rotate key');
      await isAt('button', 'Cancel');
      await page.keyboard.press('Escape');
      await isAt('button', 'Rotate key');
    });

    it('returns to the button after its request', async () => {
      await goTo(page, `/projects/${project}/webhooks/${webhook}`);
      await press('Test');
      await page.getByText('The endpoint returned 200 to test.ping').waitFor();
      await isAt('button', 'Test');
    });

    it('moves into the dialog with the result, and then back to the button', async () => {
      await goTo(page, `/projects/${project}/agents`);
      await press('Create key');
      await page.getByRole('textbox', { name: 'Name' }).fill('Keyboard');
      await page.keyboard.press('Enter');
      await isAt('dialog', 'Copy your key');
      await press('I’ve copied it');
      await isAt('button', 'Create key');
    });

    it('does not move to a button when a field disappears during typing', async () => {
      await page.getByRole('button', { name: 'Create key' }).focus();
      await page.evaluate(() => {
        const field = document.createElement('input');
        document.querySelector('main')?.append(field);
        field.focus();
      });
      await page.keyboard.type('two');
      await page.evaluate(() => document.activeElement?.remove());
      await page.keyboard.type(' more words', { delay: 30 });
      await isAt('main', 'Agents');
      expect(await page.getByRole('dialog').count()).toBe(0);
    });

    it('stays in a dialog that opens during a request, even when that is done', async () => {
      const button = page.getByRole('button', { name: 'Create key' });
      await button.focus();
      await button.evaluate((element) => element.setAttribute('disabled', ''));
      await isAt('body', '');
      await page.evaluate(() => {
        const dialog = document.createElement('div');
        dialog.setAttribute('role', 'dialog');
        dialog.append(document.createElement('textarea'));
        document.body.append(dialog);
        dialog.querySelector('textarea')?.focus();
      });
      await button.evaluate((element) => element.removeAttribute('disabled'));
      await page.keyboard.type('several words', { delay: 30 });
      expect(await page.locator('textarea').inputValue()).toBe('several words');
      await page.evaluate(() => document.querySelector('body > [role=dialog]')?.remove());
      await isAt('main', 'Agents');
    });

    it('reaches the button that shows a password', async () => {
      await goTo(page, '/account');
      await page.getByRole('textbox', { name: 'Current password' }).focus();
      await page.keyboard.type('abc');
      await page.keyboard.press('Tab');
      await page.keyboard.press('Enter');
      await page.locator('input[name=current][type=text]').waitFor();
    });

    it('moves to the page that a dialog led to', async () => {
      const { id } = await api().post<{ id: string }>(`projects/${project}/blogs`, {
        title: 'Keys',
        content: '<p>A</p>',
      });
      await goTo(page, `/projects/${project}/posts/${id}`);
      await press('Publish');
      await isAt('button', 'Cancel');
      await press('Publish');
      await page.getByRole('heading', { name: 'It’s live' }).waitFor();
      await page.getByRole('link', { name: 'View publish log' }).press('Enter');
      await page.getByRole('heading', { level: 1, name: 'Publish log: “Keys”' }).waitFor();
      await isAt('main', 'PublishingPublish log: “Keys”');
    });
  });
}
