import { whenProjectIsKnown } from '@blog-content/local-services';
import { startReceiver, type Receiver } from '@blog-content/testing';
import type { BrowserContext, Page } from 'playwright-core';
import { eventually, goTo, openAs } from '../../actions.ts';
import type { Stories } from '../stories.ts';

/** A URL that is wrong, from Home to posts that arrive. */
export function describeFailingWebhook({ dashboard, newBrowser }: Stories): void {
  describe('a failing webhook', () => {
    let context: BrowserContext;
    let page: Page;
    let wrong: Receiver;
    let right: Receiver;
    let project: string;

    const publishInSheet = async (post: string, says?: string) => {
      await goTo(page, `/projects/${project}/posts/${post}`);
      await page.getByRole('button', { name: 'Publish', exact: true }).click();
      const sheet = page.getByRole('dialog');
      if (says !== undefined) await sheet.getByText(says).waitFor();
      await sheet.getByRole('button', { name: 'Publish', exact: true }).click();
      await sheet.getByText('It’s live').waitFor();
    };

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

    it('is fixed in three clicks from Home', async () => {
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
      await page.getByText('Nothing to resend').waitFor();
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

    it('shows a resent failure as solved, in the log and on its own page', async () => {
      await page.getByText('Failed, then delivered').waitFor();
      await page.getByText('Delivered later:').waitFor();
      await page.getByRole('link', { name: 'Delivery log' }).first().click();
      const failure = page.getByRole('row').filter({ hasText: '404' }).filter({ hasText: 'Saws' });
      await failure.getByText('Failed, then delivered').last().waitFor();
      await failure.getByRole('link', { name: 'Saws' }).click();
    });

    it('is on Home, too, after only a resend failed, with the number of posts that “Resend failed” sends', async () => {
      right.respondWith(() => ({ status: 500 }));
      await page.getByRole('button', { name: 'Resend' }).click();
      await page.getByRole('dialog').getByRole('button', { name: 'Resend' }).click();
      await page.getByText('Your server had an error.').waitFor();
      await goTo(page, `/projects/${project}`);
      const attention = page.getByRole('region', { name: 'Needs attention' });
      await attention.getByText('The last delivery to “Repairs” failed').waitFor();
      expect(await attention.getByText('All caught up').count()).toBe(0);
      await page.getByRole('link', { name: 'Webhooks 1 failed' }).click();
      await page.getByRole('button', { name: 'Actions for Repairs' }).click();
      await page.getByRole('menuitem', { name: 'Resend failed' }).click();
      const dialog = page.getByRole('dialog', { name: 'Resend failed deliveries?' });
      await dialog.getByText('1 post to resend.').waitFor();
      right.respondWith(() => ({}));
      await dialog.getByRole('button', { name: 'Resend failed' }).click();
      await dialog.waitFor({ state: 'detached' });
      await page.getByRole('link', { name: 'Webhooks', exact: true }).waitFor();
      await page.getByRole('button', { name: 'Actions for Repairs' }).click();
      await page.getByRole('menuitem', { name: 'Resend failed' }).click();
      await dialog.getByText('Nothing has failed since then.').waitFor();
      expect(await dialog.getByRole('button', { name: 'Resend failed' }).isDisabled()).toBe(true);
      await dialog.getByRole('button', { name: 'Cancel' }).click();
    });

    it('is resent from the sheet that published the post', async () => {
      right.respondWith(() => ({ status: 500 }));
      const { api } = dashboard().administrator;
      const { id } = await api.post<{ id: string }>(`projects/${project}/blogs`, { title: 'Rasps' });
      await publishInSheet(id);
      right.respondWith(() => ({}));
      // Another post arrives, which makes this one no less missing.
      const other = await api.post<{ id: string }>(`projects/${project}/blogs`, { title: 'Chisels' });
      await api.post(`projects/${project}/blogs/${other.id}/publish`);
      const aside = await context.newPage();
      await aside.goto(`/projects/${project}/webhooks`);
      await aside.getByRole('link', { name: 'Repairs' }).click();
      await aside.getByText('1 live post wasn’t delivered').waitFor();
      await aside.getByRole('button', { name: 'Resend 1 failed' }).waitFor();
      await page.getByRole('dialog').getByRole('button', { name: 'Resend' }).click();
      await page.getByRole('dialog').getByText('Delivered later').waitFor();
      await aside.getByText('Nothing to resend').waitFor();
      await aside.close();
      await page.getByRole('dialog').getByRole('button', { name: 'Done' }).click();
    });

    it('that is paused shows what it misses: while publishing, on Home, and once it is resumed', async () => {
      const { api } = dashboard().administrator;
      await goTo(page, `/projects/${project}/webhooks`);
      await page.getByRole('button', { name: 'Actions for Repairs' }).click();
      await page.getByRole('menuitem', { name: 'Pause' }).click();
      await page.getByRole('button', { name: 'Pause webhook' }).click();
      await page.getByText('Paused', { exact: true }).last().waitFor();
      const { id } = await api.post<{ id: string }>(`projects/${project}/blogs`, { title: 'Planes' });
      await publishInSheet(id, '“Repairs” is paused and won’t get it.');
      await page.getByRole('dialog').getByText('Paused, not sent').waitFor();
      await page.getByRole('dialog').getByRole('button', { name: 'Done' }).click();
      await goTo(page, `/projects/${project}/publishing`);
      await page.getByRole('row').filter({ hasText: 'Planes' }).getByText('Not sent to any destination').waitFor();
      await goTo(page, `/projects/${project}`);
      await page.getByText('“Planes” wasn’t sent to it.').waitFor();
      await page.getByRole('link', { name: 'Fix: “Repairs” is paused' }).click();
      await page.getByText('1 live post wasn’t sent here').waitFor();
      await page.getByRole('button', { name: 'More actions' }).click();
      await page.getByRole('menuitem', { name: 'Resume' }).click();
      await page.getByText('Webhook resumed. It missed 1 post').waitFor();
      await page.getByRole('main').getByRole('link', { name: 'Planes' }).click();
      await page.getByRole('button', { name: 'Publish again' }).click();
      await page.getByRole('dialog').getByRole('button', { name: 'Publish again' }).click();
      await page.getByText(/^Returned 200/).waitFor();
      expect(right.requests.at(-1)?.json()).toMatchObject({ title: 'Planes' });
    });
  });
}
