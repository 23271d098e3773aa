import { whenProjectIsKnown } from '@blog-content/local-services';
import { startReceiver, type Receiver, type ReceiverAnswer } from '@blog-content/testing';
import type { BrowserContext, Page } from 'playwright-core';
import { openAs, settled, violations } from '../../actions.ts';
import type { Stories } from '../stories.ts';

/** IndexNow, turned on, checked and turned off, by keyboard. */
export function describeIndexNow({ dashboard, newBrowser }: Stories): void {
  describe('IndexNow', () => {
    let context: BrowserContext;
    let page: Page;
    let site: Receiver;
    let project: string;
    const press = async (name: string) => {
      const button = page.getByRole('button', { name, exact: true });
      await button.focus();
      await page.keyboard.press('Enter');
    };

    beforeAll(async () => {
      const { api } = dashboard().administrator;
      site = await startReceiver({ respond: () => ({ status: 404 }) });
      const site_url = `http://127.0.0.1:${site.port}`;
      project = (await api.post<{ id: string }>('projects', { name: 'Site to be found', site_url })).id;
      await whenProjectIsKnown(() => api.get(`projects/${project}/webhooks`));
      context = await newBrowser();
      page = await openAs(context, dashboard().administrator, `/projects/${project}/deploy-hook`);
    });

    afterAll(async () => {
      await context?.close();
      await site?.close();
    });

    it('is off until an owner turns it on, and then shows what the site must serve', async () => {
      await press('Turn on IndexNow');
      await page.getByRole('button', { name: 'Check key file' }).waitFor();
      const { key } = await dashboard().administrator.api.get<{ key: string }>(`projects/${project}/index-now`);
      await page.getByText(`${key}.txt`, { exact: true }).waitFor();
      await page.getByText(key, { exact: true }).waitFor();
      await page.getByText(`http://127.0.0.1:${site.port}/${key}.txt`, { exact: true }).waitFor();
      await page.getByText('Nothing sent yet.').waitFor();
      await page.getByText('Check the key file to start.').waitFor();
    });

    it('says what is wrong with the key file, until the site serves it', async () => {
      await press('Check key file');
      await page.getByText('The key file isn’t right').waitFor();
      await page.getByText(/^No file at http/).waitFor();
      await page.getByText(/^Key file not found, checked .*No file at http/).waitFor();
      expect(await violations(page)).toEqual([]);
      const { key } = await dashboard().administrator.api.get<{ key: string }>(`projects/${project}/index-now`);
      site.respondWith(({ path }): ReceiverAnswer => (path === `/${key}.txt` ? { body: key } : { status: 404 }));
      await press('Check key file');
      await page.getByText('Your site serves the key').waitFor();
      await page.getByText(/^Key file found/).waitFor();
    });

    it('is turned off after a confirmation', async () => {
      await press('Turn off');
      // A moment after it has opened, the dialog moves the focus to its harmless button.
      await page.locator('button:focus', { hasText: 'Cancel' }).waitFor();
      await press('Turn off IndexNow');
      await page.getByText('IndexNow is off.', { exact: true }).waitFor();
      await settled(page);
    });
  });
}
