import { whenProjectIsKnown } from '@blog-content/local-services';
import { startReceiver, type Receiver } from '@blog-content/testing';
import type { BrowserContext, Page } from 'playwright-core';
import { openAs } from '../../actions.ts';
import type { Stories } from '../stories.ts';

const OLD_SECRET = 'an-old-secret-of-16';

/** A webhook from its first address to its end. */
export function describeWebhooks({ dashboard, newBrowser }: Stories): void {
  describe('a webhook', () => {
    let context: BrowserContext;
    let page: Page;
    let receiver: Receiver;
    let project: string;
    const confirm = async (open: string, button: string) => {
      await page.getByRole('button', { name: open }).click();
      const dialog = page.getByRole('dialog');
      await dialog.getByRole('button', { name: button, exact: true }).click();
      await dialog.waitFor({ state: 'detached' });
    };

    beforeAll(async () => {
      const { api } = dashboard().administrator;
      receiver = await startReceiver({ secret: OLD_SECRET });
      project = (await api.post<{ id: string }>('projects', { name: 'Shop' })).id;
      await whenProjectIsKnown(() => api.get(`projects/${project}/webhooks`));
      // A deleted webhook is asked for, and is gone.
      context = await newBrowser([/status of 404 .*\/webhooks\//]);
      page = await openAs(context, dashboard().administrator, `/projects/${project}/webhooks`);
    });

    afterAll(async () => {
      await context?.close();
      await receiver?.close();
    });

    it('is added with checks while typing, and opens to be tested', async () => {
      await page.getByRole('button', { name: 'Add webhook' }).click();
      const dialog = page.getByRole('dialog', { name: 'Add a webhook' });
      await dialog.getByText('WordPress', { exact: true }).click();
      await dialog.getByRole('textbox', { name: 'User name' }).waitFor();
      await dialog.getByLabel('Application password').waitFor();
      await dialog.getByRole('radio', { name: 'Webflow' }).check();
      await dialog.getByRole('textbox', { name: 'Field of the content' }).waitFor();
      await dialog.getByRole('radio', { name: 'Shopify' }).check();
      await dialog.getByRole('textbox', { name: 'Blog ID' }).waitFor();
      await dialog.getByRole('radio', { name: 'dev.to' }).check();
      await dialog.getByLabel('API key').waitFor();
      expect(await dialog.getByRole('textbox', { name: 'Address' }).count()).toBe(0);
      await dialog.getByText('Webhook', { exact: true }).click();
      await dialog.getByRole('textbox', { name: 'Address' }).fill('http://shop.example/hook');
      await dialog.getByText('It must begin with https://').waitFor();
      await dialog.getByRole('textbox', { name: 'Signing secret' }).fill('too short');
      await dialog.getByText('At least 16 characters: 7 more.').waitFor();
      expect(await dialog.getByRole('button', { name: 'Add webhook' }).isEnabled()).toBe(false);
      await dialog.getByRole('textbox', { name: 'Signing secret' }).fill(OLD_SECRET);
      await dialog.getByText('it is never shown again after saving').waitFor();
      await dialog.getByRole('textbox', { name: 'Address' }).fill(receiver.url);
      await dialog.getByRole('textbox', { name: 'Name', exact: true }).fill('Shop');
      await dialog.getByRole('button', { name: 'Add webhook' }).click();
      await page.getByRole('heading', { level: 1, name: 'Shop' }).waitFor();
      expect(await page.content()).not.toContain(OLD_SECRET);
    });

    it('is tested, with request and answer side by side and what would make it succeed', async () => {
      await page.getByRole('button', { name: 'Test Connection' }).click();
      await page.getByText('The receiver answered 200 to test.ping: a success.').waitFor();
      // A screen reader says it once.
      expect(await page.getByRole('status').getByRole('alert').count()).toBe(0);
      await page.getByRole('region', { name: 'Request: Body' }).getByText('"event": "test.ping"').waitFor();
      expect(receiver.requests.map(({ signature }) => signature)).toEqual(['valid']);
      receiver.respondWith(() => ({ status: 404, body: 'nothing here' }));
      await page.getByRole('button', { name: 'Sample Payload' }).click();
      await page.getByText('blog.published did not succeed').waitFor();
      await page.getByText('Check the path of the URL').waitFor();
      await page.getByRole('region', { name: 'Answer: Body' }).getByText('nothing here').waitFor();
      await page.getByText('Last failure').waitFor();
    });

    it('says that a delivery failed and why, and that none does any more, without a reload', async () => {
      const { api } = dashboard().administrator;
      const post = await api.post<{ id: string }>(`projects/${project}/blogs`, { title: 'Spades' });
      receiver.respondWith(() => ({ status: 500, body: 'no room' }));
      await api.post(`projects/${project}/blogs/${post.id}/publish`);
      const health = page.getByRole('alert').filter({ hasText: 'The newest delivery has failed' });
      await health.getByText('The receiver answered 500').waitFor();
      receiver.respondWith(() => ({}));
      await api.post(`projects/${project}/blogs/${post.id}/publish`);
      await page.getByText('No delivery is failing').waitFor();
      await health.waitFor({ state: 'detached' });
      receiver.respondWith(() => ({ status: 404, body: 'nothing here' }));
    });

    it('is told to send posts again for their links, to link to where they are, and to sign as Standard Webhooks do', async () => {
      const names = [/^Send posts again/, /^Links lead to where/, /^Send the headers of Standard Webhooks/];
      const box = (name: RegExp) => page.getByRole('checkbox', { name });
      // Known only with the first.
      expect(await box(names[1]!).isDisabled()).toBe(true);
      for (const name of names) await box(name).check();
      await page.getByRole('button', { name: 'Save', exact: true }).click();
      await page.getByText('The webhook was saved.').waitFor();
      await page.reload();
      for (const name of names) {
        await box(name).waitFor();
        expect([name, await box(name).isChecked()]).toEqual([name, true]);
      }
    });

    it('gets another secret, which signs the next request', async () => {
      await page.getByRole('button', { name: 'Set a new secret …' }).click();
      await page.getByRole('dialog').getByRole('button', { name: 'Generate' }).click();
      await page.getByRole('dialog').getByRole('button', { name: 'Set secret' }).click();
      await page.getByRole('dialog').waitFor({ state: 'detached' });
      await page.getByRole('button', { name: 'Test Connection' }).click();
      await page.getByText('test.ping did not succeed').waitFor();
      expect(receiver.requests.at(-1)?.signature).toBe('invalid');
    });

    it('is paused, resumed and deleted, each after the page has said what that means', async () => {
      await confirm('Pause …', 'Pause');
      await page.getByText('Paused', { exact: true }).waitFor();
      await page.getByRole('button', { name: 'Resume' }).click();
      await page.getByText('Active', { exact: true }).waitFor();
      await confirm('Delete …', 'Delete webhook');
      await page.getByRole('heading', { name: 'No webhooks yet' }).waitFor();
    });

    it('leaves its tests in the log, which filters find', async () => {
      await page.getByRole('link', { name: 'Delivery log' }).click();
      await page.getByRole('row').nth(3).waitFor();
      await page.getByLabel('Why it was sent').selectOption('Sample Payload');
      await page.getByRole('row').nth(2).waitFor({ state: 'detached' });
      expect(page.url()).toContain('kind=sample');
      await page.getByRole('link', { name: 'blog.published' }).click();
      await page.getByText(/A deleted webhook\. /).waitFor();
    });
  });
}
