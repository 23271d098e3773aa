import { whenProjectIsKnown } from '@blog-content/local-services';
import { startReceiver, type Receiver } from '@blog-content/testing';
import type { BrowserContext, Locator, Page } from 'playwright-core';
import { eventually, openAs } from '../../actions.ts';
import type { Stories } from '../stories.ts';

const OLD_SECRET = 'an-old-secret-of-16';

/** A webhook from its first URL to its end. */
export function describeWebhooks({ dashboard, newBrowser }: Stories): void {
  describe('a webhook', () => {
    let context: BrowserContext;
    let page: Page;
    let receiver: Receiver;
    let project: string;
    const tab = (name: string) => page.getByRole('tab', { name, exact: true }).click();
    const button = (name: string) => page.getByRole('button', { name, exact: true });
    const isFocused = (field: Locator) =>
      eventually(async () => expect(await field.evaluate((each) => each === document.activeElement)).toBe(true));
    const choose = async (action: string) => {
      await button('More actions').click();
      await page.getByRole('menuitem', { name: action, exact: true }).click();
    };
    const confirm = async (action: string, verb: string) => {
      await choose(action);
      const dialog = page.getByRole('dialog');
      await dialog.getByRole('button', { name: verb, exact: true }).click();
      await dialog.waitFor({ state: 'detached' });
    };

    beforeAll(async () => {
      const { api } = dashboard().administrator;
      receiver = await startReceiver({ secret: OLD_SECRET });
      project = (await api.post<{ id: string }>('projects', { name: 'Shop' })).id;
      await whenProjectIsKnown(() => api.get(`projects/${project}/webhooks`));
      // A deleted webhook is asked for, and is gone.
      context = await newBrowser([/status of 404 .*\/webhooks\//, /status of 422 .*\/webhooks$/]);
      page = await openAs(context, dashboard().administrator, `/projects/${project}/webhooks`);
    });

    afterAll(async () => {
      await context?.close();
      await receiver?.close();
    });

    it('is one of several kinds of destinations, each with its own required fields first', async () => {
      await button('Add destination').click();
      const dialog = page.getByRole('dialog');
      for (const [kind, field] of [
        ['WordPress', 'Username'],
        ['Webflow', 'Content field'],
        ['Shopify', 'Blog ID'],
      ] as const) {
        await dialog.getByRole('button', { name: kind }).click();
        await dialog.getByRole('textbox', { name: field }).waitFor();
        await isFocused(dialog.getByRole('textbox', { name: 'URL' }));
        await button('All destinations').click();
      }
      await dialog.getByRole('button', { name: 'dev.to' }).click();
      await isFocused(dialog.getByRole('textbox', { name: 'API key' }));
      expect(await dialog.getByRole('textbox', { name: 'URL' }).count()).toBe(0);
      await button('All destinations').click();
      await dialog.getByRole('link', { name: 'Deploy hook' }).waitFor();
    });

    it('is added with checks during typing, and opens its page for a test', async () => {
      await page.getByRole('dialog').getByRole('button', { name: 'Webhook' }).click();
      const dialog = page.getByRole('dialog', { name: 'Add a webhook' });
      await dialog.getByRole('textbox', { name: 'URL' }).fill('shop.example/hook');
      await dialog.getByText('Enter a full URL, starting with https://').waitFor();
      await dialog.getByRole('textbox', { name: 'Signing secret' }).fill('too short');
      await dialog.getByText('At least 16 characters (7 more).').waitFor();
      expect(await dialog.getByRole('button', { name: 'Add webhook' }).isEnabled()).toBe(false);
      await dialog.getByRole('textbox', { name: 'Signing secret' }).fill(OLD_SECRET);
      await dialog.getByText('It isn’t shown again after you save').waitFor();
      // The receiver’s is one of http, on this machine, which this deployment allows.
      await dialog.getByRole('textbox', { name: 'URL' }).fill(receiver.url);
      expect(await dialog.locator('input[aria-invalid=true]').count()).toBe(0);
      await dialog.getByRole('textbox', { name: 'URL' }).fill('https://someone.invalid/hook');
      await dialog.getByRole('button', { name: 'Add webhook' }).click();
      await dialog.getByText('has no DNS address record').waitFor();
      // What was said of the URL before is not said of another one.
      await dialog.getByRole('textbox', { name: 'URL' }).fill(receiver.url);
      expect(await dialog.getByText('has no DNS address record').count()).toBe(0);
      await dialog.getByRole('textbox', { name: 'Name', exact: true }).fill('Shop');
      await dialog.getByRole('button', { name: 'Add webhook' }).click();
      await page.getByRole('heading', { level: 1, name: 'Shop' }).waitFor();
      expect(await page.content()).not.toContain(OLD_SECRET);
    });

    it('is tested, with the response first, the request in a tab, and a fix for a failure', async () => {
      await button('Test').click();
      await page.getByText('The endpoint returned 200 to test.ping').waitFor();
      // A screen reader says it once.
      expect(await page.getByRole('status').getByRole('alert').count()).toBe(0);
      const result = page.getByRole('region', { name: 'Test result' });
      await result.getByText('Status 200').waitFor();
      await result.getByRole('tab', { name: 'Request' }).click();
      await page.getByRole('region', { name: 'Request: Body' }).getByText('"event": "test.ping"').waitFor();
      expect(receiver.requests.map(({ signature }) => signature)).toEqual(['valid']);
      receiver.respondWith(() => ({ status: 404, body: 'nothing here' }));
      await tab('Code');
      await button('Send sample payload').click();
      await page.getByText('blog.published failed').waitFor();
      await page.getByText('Check the path of the URL').waitFor();
      await page.getByRole('region', { name: 'Response: Body' }).getByText('nothing here').waitFor();
      await button('Close test result').click();
      await result.waitFor({ state: 'detached' });
    });

    it('shows how a receiver verifies signatures, and a sample to try it with, in the tab that the URL has', async () => {
      expect(page.url()).toContain('tab=code');
      await page.reload();
      await page.getByRole('tab', { name: 'Python' }).click();
      await page.getByRole('region', { name: 'Receiver in Python' }).getByText('hmac').first().waitFor();
      await button('Show sample payload').click();
      await page.getByRole('region', { name: 'Request: Body' }).getByText('"event": "blog.published"').waitFor();
      await tab('Overview');
    });

    it('shows live that a delivery failed and why, and that it recovered', async () => {
      const { api } = dashboard().administrator;
      const post = await api.post<{ id: string }>(`projects/${project}/blogs`, { title: 'Spades' });
      receiver.respondWith(() => ({ status: 500, body: 'no room' }));
      await api.post(`projects/${project}/blogs/${post.id}/publish`);
      const health = page.getByRole('alert').filter({ hasText: '1 delivery failed' });
      await health.getByText(/500/).first().waitFor();
      await health.getByText('no room').waitFor();
      await page.getByText('Failing', { exact: true }).waitFor();
      receiver.respondWith(() => ({}));
      await health.getByRole('button', { name: 'Resend 1 failed' }).click();
      await page.getByText('Nothing to resend').waitFor();
      await page.getByText('Active', { exact: true }).waitFor();
      await health.waitFor({ state: 'detached' });
      await page.getByRole('img', { name: /^Last \d attempts: median/ }).waitFor();
      receiver.respondWith(() => ({ status: 404, body: 'nothing here' }));
    });

    it('has its own deliveries in a tab, by the title of their posts, with two filters and more', async () => {
      await tab('Deliveries');
      await page.getByRole('link', { name: 'Spades' }).first().waitFor();
      await page.getByLabel('State', { exact: true }).selectOption('Failed');
      await page.getByRole('row').filter({ hasText: 'Sample payload' }).waitFor();
      expect(page.url()).toContain('status=failed');
      await button('More filters').click();
      await page.getByLabel('Event').selectOption('blog.published');
      await page.getByRole('row').filter({ hasText: 'Spades' }).getByText('500').last().waitFor();
      await button('Clear filters').click();
    });

    it('is set to retry manual publishes, update posts when links change, link to where they are live, and sign as Standard Webhooks', async () => {
      await tab('Settings');
      await page.getByText('Advanced', { exact: true }).click();
      const names = [
        /^Update posts when/,
        /^Use live URLs in links/,
        /^Add Standard Webhooks headers/,
        /^Canonical URL$/,
        /^Hide from search engines$/,
        /^Retry manual publishes/,
      ];
      const box = (name: RegExp) => page.getByRole('checkbox', { name });
      // Known only with the first.
      expect(await box(names[1]!).isDisabled()).toBe(true);
      for (const name of names) await box(name).check();
      await button('Save').click();
      await page.getByText('Settings saved').waitFor();
      await page.reload();
      for (const name of names) {
        await box(name).waitFor();
        expect([name, await box(name).isChecked()]).toEqual([name, true]);
      }
    });

    it('gets a new secret, which signs the next request', async () => {
      // In the settings as well as in the menu.
      await button('Rotate secret').click();
      const field = page.getByRole('dialog').getByRole('textbox', { name: 'Signing secret' });
      await page.getByRole('dialog').getByRole('button', { name: 'Generate' }).click();
      // All of it can be seen, to be compared.
      expect(await field.evaluate((each) => each.scrollWidth <= each.clientWidth)).toBe(true);
      await page.getByRole('dialog').getByRole('button', { name: 'Rotate secret' }).click();
      await page.getByRole('dialog').waitFor({ state: 'detached' });
      await button('Test').click();
      await page.getByText('test.ping failed').waitFor();
      expect(receiver.requests.at(-1)?.signature).toBe('invalid');
    });

    it('is paused, resumed by Undo and deleted, each after a confirmation', async () => {
      await confirm('Pause', 'Pause webhook');
      await page.getByText('Paused', { exact: true }).waitFor();
      await button('Undo').click();
      await page.getByText('Active', { exact: true }).waitFor();
      await confirm('Delete', 'Delete webhook');
      await page.getByRole('heading', { name: 'No destinations yet' }).waitFor();
    });

    it('has its tests in the log, which filters find', async () => {
      await page.getByRole('link', { name: 'Delivery log' }).click();
      await page.getByRole('row').nth(3).waitFor();
      await button('More filters').click();
      await page.getByLabel('Reason').selectOption('Sample payload');
      await page.getByRole('row').nth(2).waitFor({ state: 'detached' });
      expect(page.url()).toContain('kind=sample');
      await page.getByRole('link', { name: 'Sample payload' }).click();
      await page
        .getByText(/Deleted webhook/)
        .first()
        .waitFor();
    });
  });
}
