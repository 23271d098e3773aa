import { whenProjectIsKnown } from '@blog-content/local-services';
import { startReceiver, type Receiver } from '@blog-content/testing';
import type { BrowserContext, Page } from 'playwright-core';
import { eventually, openAs } from '../../actions.ts';
import type { Stories } from '../stories.ts';

/** A URL that is wrong, from Home to posts that arrive. */
export function describeFailingWebhook({ dashboard, newBrowser }: Stories): void {
  describe('a failing webhook', () => {
    let context: BrowserContext;
    let page: Page;
    let wrong: Receiver;
    let right: Receiver;
    let project: string;

    beforeAll(async () => {
      const { api } = dashboard().administrator;
      wrong = await startReceiver({ respond: () => ({ status: 404, body: '<h1>Not here</h1>' }) });
      right = await startReceiver();
      project = (await api.post<{ id: string }>('projects', { name: 'Workshop' })).id;
      await whenProjectIsKnown(() => api.post(`projects/${project}/webhooks`, { name: 'Repairs', url: wrong.url }));
      for (const title of ['Saws', 'Files']) {
        const { id } = await api.post<{ id: string }>(`projects/${project}/blogs`, { title });
        await api.post(`projects/${project}/blogs/${id}/publish`);
      }
      await eventually(async () => {
        const { items } = await api.get<{ items: { failing_since: string | null }[] }>(`projects/${project}/webhooks`);
        expect(items[0]?.failing_since).not.toBeNull();
      });
      context = await newBrowser();
      page = await openAs(context, dashboard().administrator, `/projects/${project}`);
    });

    afterAll(async () => {
      await context?.close();
      await Promise.all([wrong?.close(), right?.close()]);
    });

    it('goes from Home to fixed in three clicks', async () => {
      await page
        .getByRole('region', { name: 'Needs attention' })
        .getByRole('link', { name: /Repairs/ })
        .first()
        .click();
      // Why, and what the endpoint said.
      const card = page.getByRole('alert');
      await card.getByText(/404/).first().waitFor();
      await card.getByText('Not here', { exact: true }).waitFor();
      expect(await page.getByRole('button', { name: /^Resend/ }).count()).toBe(1);
      await card.getByRole('link', { name: 'Edit URL' }).click();
      const url = page.getByRole('textbox', { name: 'URL' });
      await eventually(async () => expect(await url.evaluate((field) => field === document.activeElement)).toBe(true));
      // What was there is selected, so typing replaces it.
      await page.keyboard.type(right.url);
      await page.keyboard.press('Enter');
      await page.getByRole('button', { name: 'Resend 2 failed' }).click();
      await page.getByText('No failed deliveries').waitFor();
      await page.getByText('Active', { exact: true }).waitFor();
      expect(right.requests.map((request) => request.json())).toEqual([
        expect.objectContaining({ title: 'Saws' }),
        expect.objectContaining({ title: 'Files' }),
      ]);
    });

    it('shows each delivery as a timeline, with its timing as a bar and the response before the request', async () => {
      await page.getByRole('tab', { name: 'Deliveries' }).click();
      await page.getByRole('row').filter({ hasText: '404' }).getByRole('link', { name: 'Saws' }).click();
      await page.getByRole('heading', { level: 1, name: 'Saws' }).waitFor();
      const steps = page.getByRole('region', { name: 'Timeline' }).getByRole('listitem');
      expect(await steps.allInnerTexts()).toEqual([
        expect.stringContaining('Queued'),
        expect.stringMatching(/Attempt 1[^]*404/),
        expect.stringContaining('Delivery failed'),
      ]);
      await page.getByRole('list', { name: 'Timing' }).getByText('Waiting').waitFor();
      await page.getByRole('region', { name: 'Response: Body' }).getByText('Not here').waitFor();
      await page.getByRole('tab', { name: 'Response' }).focus();
      await page.keyboard.press('ArrowRight');
      await page.getByRole('region', { name: 'Request: Body' }).getByText('"title": "Saws"').waitFor();
      await page.getByRole('button', { name: 'Resend' }).waitFor();
    });
  });
}
