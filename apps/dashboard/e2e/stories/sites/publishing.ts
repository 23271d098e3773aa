import { whenProjectIsKnown } from '@blog-content/local-services';
import { startReceiver, type Receiver, type ReceiverAnswer } from '@blog-content/testing';
import type { BrowserContext, Page } from 'playwright-core';
import { eventually, goTo, openAs } from '../../actions.ts';
import { WEBHOOK_SECRET } from '../../running-dashboard.ts';
import type { Stories } from '../stories.ts';

const LIVE = 'https://garden.example/blog/beans/';

/** A publish on its way to readers and receivers, and pages that move by themselves. */
export function describePublishing({ dashboard, newBrowser }: Stories): void {
  describe('a publish', () => {
    let context: BrowserContext;
    let page: Page;
    let project: string;
    let post: string;
    const receivers: Receiver[] = [];
    const answers: Record<string, ReceiverAnswer> = {
      'Names its page': { body: { ok: true, url: LIVE } },
      'Names no page': { body: { ok: true } },
      'Is broken': { status: 500 },
      'Is slow': { delayMs: 4_000 },
    };
    const says = (name: string, words: string | RegExp) =>
      eventually(async () =>
        expect(
          await page
            .getByRole('listitem')
            .filter({ has: page.getByRole('heading', { level: 3, name }) })
            .textContent(),
        ).toMatch(words),
      );

    beforeAll(async () => {
      const { api } = dashboard().administrator;
      project = (await api.post<{ id: string }>('projects', { name: 'Beans' })).id;
      for (const name of Object.keys(answers)) {
        const receiver = await startReceiver({ secret: WEBHOOK_SECRET, respond: () => answers[name] ?? {} });
        receivers.push(receiver);
        await whenProjectIsKnown(() =>
          api.post(`projects/${project}/webhooks`, { name, url: receiver.url, secret: WEBHOOK_SECRET }),
        );
      }
      post = (await api.post<{ id: string }>(`projects/${project}/blogs`, { title: 'Beans', content: '<p>Soak.</p>' }))
        .id;
      context = await newBrowser([/status of 50\d /, /ERR_/, /status of 404 .*\/blogs\//]);
      page = await openAs(context, dashboard().administrator, `/projects/${project}/publishing`);
    });

    afterAll(async () => {
      await context?.close();
      for (const receiver of receivers) await receiver.close();
    });

    it('appears in the list live, and shows its outcome at each receiver', async () => {
      await page.getByRole('heading', { name: 'Nothing published yet' }).waitFor();
      await dashboard().administrator.api.post(`projects/${project}/blogs/${post}/publish`);
      await page.getByRole('link', { name: 'Beans' }).click();
      await page.getByText(/^Live in \d/).waitFor();
      await says('Is slow', /Sent \(attempt 1\)/);
      await says('Names its page', 'Returned 200');
      expect(await page.getByRole('link', { name: LIVE }).getAttribute('href')).toBe(LIVE);
      await says('Names no page', /Returned 200/);
      await page.getByText('the destination returned no public URL').first().waitFor();
      await says('Names its page', /Delivered/);
      await says('Is broken', /Failed.*Failed after 1 attempt/);
      await page.getByText('Your server had an error.').waitFor();
      await says('Is slow', /Returned 200 in 4\.\d s/);
      await page.getByText('Live · 1 failed').waitFor();
      await page.getByText('1 of 4 destinations didn’t get it').waitFor();
    });

    it('that failed is resent to one receiver, and the log shows the request and the response', async () => {
      answers['Is broken'] = { body: { ok: true } };
      await page.getByRole('button', { name: 'Resend' }).click();
      await page.waitForURL(/\/webhooks\/deliveries\//);
      await page.getByText('Resent').first().waitFor();
      await eventually(async () => expect(await page.getByText('Status 200').count()).toBe(1));
      await page.getByRole('list', { name: 'Timing' }).waitFor();
      await page.getByRole('tab', { name: 'Request' }).click();
      await page.getByRole('region', { name: 'Request: Body' }).getByText('"title": "Beans"').waitFor();
    });

    it('is live without a failure after a resend, in the list and on its own page', async () => {
      await goTo(page, `/projects/${project}/publishing`);
      const shown = (words: string) => page.getByText(words, { exact: true }).filter({ visible: true });
      await shown('Live').waitFor();
      await shown('Delivered to 4 of 4 destinations').waitFor();
      const main = page.locator('main');
      await eventually(async () => expect(await main.getByText(/failed/i).count()).toBe(0));
      await page.getByRole('link', { name: 'Beans' }).click();
      await says('Is broken', /Delivered later/);
      expect(await page.getByText('didn’t get it').count()).toBe(0);
    });

    it('is repeated after a confirmation that names the receivers, and its own page opens', async () => {
      await goTo(page, `/projects/${project}/publishing`);
      await page.getByRole('link', { name: 'Beans' }).first().click();
      await page.getByRole('button', { name: 'Publish again' }).click();
      const dialog = page.getByRole('dialog', { name: 'Publish the post again?' });
      await dialog.getByText('Is slow').waitFor();
      const before = page.url();
      await dialog.getByRole('button', { name: 'Publish again' }).click();
      await eventually(() => Promise.resolve(expect(page.url()).not.toBe(before)));
      await page.getByText('Revision 2').waitFor();
      await says('Names its page', /Returned 200/);
    });

    it('is filtered by state and by publisher, and names the change', async () => {
      await goTo(page, `/projects/${project}/publishing`);
      const rows = page.getByRole('table', { name: 'Publishes' }).getByRole('row');
      await rows.filter({ hasText: 'Updated' }).filter({ hasText: 'Person' }).waitFor();
      await rows.filter({ hasText: 'Replaced' }).filter({ hasText: 'Published' }).waitFor();
      const narrow = async (field: string, value: string, found: number) => {
        await page.getByRole('combobox', { name: field }).selectOption(value);
        await eventually(async () => expect(await rows.count()).toBe(found === 0 ? 0 : found + 1));
      };
      await narrow('State', 'With failures', 0);
      await page.getByRole('heading', { name: 'No publishes match' }).waitFor();
      await narrow('State', 'Delivered', 2);
      await narrow('Published by', 'Agent', 0);
      await page.reload();
      await page.getByRole('button', { name: 'Show all publishes' }).click();
      await eventually(async () => expect(await rows.count()).toBe(3));
      await goTo(page, `/projects/${project}`);
    });

    it('is still updated live after the service was killed while the page was open', async () => {
      const content = dashboard().local.services['content-service'];
      await goTo(page, `/projects/${project}/publishing`);
      await eventually(async () => expect(await page.getByRole('row').count()).toBe(3));
      await content.kill('SIGKILL');
      await content.start();
      await dashboard().administrator.api.post(`projects/${project}/blogs/${post}/publish`);
      await eventually(async () => expect(await page.getByRole('row').count()).toBe(4));
    });

    it('has deliveries that link to the post, until it is deleted', async () => {
      const { api } = dashboard().administrator;
      const { id } = await api.post<{ id: string }>(`projects/${project}/blogs`, {
        title: 'Peas',
        content: '<p>Shell.</p>',
      });
      await api.post(`projects/${project}/blogs/${id}/publish`);
      await goTo(page, `/projects/${project}/webhooks/deliveries?post=${id}`);
      await page.getByRole('link', { name: 'Peas' }).first().click();
      await page.getByRole('link', { name: 'Edit post' }).waitFor();
      const path = `/blog/api/v1/owner/projects/${project}/blogs/${id}`;
      const deleted = await context.request.delete(path, { headers: { authorization: `Bearer ${api.token}` } });
      expect(deleted.ok()).toBe(true);
      await page.reload();
      await page.getByRole('link', { name: 'All deliveries of this post' }).waitFor();
      await eventually(async () => expect(await page.getByRole('link', { name: 'Edit post' }).count()).toBe(0));
    });

    it('of an agent shows in the log when a failed delivery is retried', async () => {
      const { local, administrator } = dashboard();
      const { api } = administrator;
      answers['Is broken'] = { status: 500 };
      const { key } = await api.post<{ key: string }>(`projects/${project}/agent-keys`, { name: 'Agent' });
      const { id } = await api.post<{ id: string }>(`projects/${project}/blogs`, { title: 'Peas' });
      const authorization = `Bearer ${key}`;
      const publish = `${local.origin}/blog/api/v1/agent/blogs/${id}/publish`;
      expect(await fetch(publish, { method: 'POST', headers: { authorization } })).toMatchObject({ ok: true });
      const delivery = await eventually(async () => {
        const { items } = await api.get<{ items: { id: string; status: string; attempts: unknown[] }[] }>(
          `projects/${project}/deliveries?blog_id=${id}`,
        );
        const waiting = items.find(({ status, attempts }) => status === 'pending' && attempts.length > 0);
        if (waiting === undefined) throw new Error('No delivery waits for a retry yet.');
        return waiting;
      });
      const log = await context.newPage();
      await log.goto(`/projects/${project}/webhooks/deliveries/${delivery.id}`);
      await log.getByText('Next attempt').waitFor();
      await log.close();
    });
  });
}
