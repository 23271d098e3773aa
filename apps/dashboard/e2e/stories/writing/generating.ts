import { startReceiver, type Receiver } from '@blog-content/testing';
import type { BrowserContext, Page } from 'playwright-core';
import { eventually, openAs, sticksOut, violations } from '../../actions.ts';
import type { Stories } from '../stories.ts';

/** A whole post, generated from a form. */
export function describeGenerating({ dashboard, newBrowser }: Stories): void {
  describe('generating a post', () => {
    let context: BrowserContext;
    let page: Page;
    let model: Receiver;
    let project: string;
    const api = () => dashboard().administrator.api;
    const begin = () => page.getByRole('button', { name: 'Generate draft' }).click();

    /** Whether all of it is seen, below the header. */
    const isInWindow = (selector: string) =>
      page.locator(selector).evaluate((element) => {
        const { top, bottom } = element.getBoundingClientRect();
        return top >= 56 && bottom <= innerHeight;
      });

    beforeAll(async () => {
      model = await startReceiver({ respond: () => ({ hang: true }) });
      project = (await api().post<{ id: string }>('projects', { name: 'Written' })).id;
      context = await newBrowser([/status of (422|503) .*\/blogs\/generate/]);
      page = await openAs(context, dashboard().administrator, `/projects/${project}/posts`);
    });

    afterAll(async () => {
      await context?.close();
      await model?.close();
    });

    it('says at its field alone, and leads there, what cannot be a source; asks before what is typed is left', async () => {
      await page.getByRole('link', { name: 'Generate', exact: true }).click();
      await page.getByText('No AI model is configured.').waitFor();
      await page.getByLabel('Topic').fill('Nettles in spring');
      await page.getByLabel('Source URLs').fill('ftp://weeds.example.com');
      await begin();
      await page.getByText(/^Source 1: .*Must start/).waitFor();
      expect(await page.evaluate(() => document.activeElement?.getAttribute('aria-invalid'))).toBe('true');
      expect(await isInWindow('textarea:focus')).toBe(true);
      expect(await page.getByText('must start').count()).toBe(1);
      expect(await page.getByRole('alert').count()).toBe(0);
      await page.getByRole('link', { name: 'Calendar' }).click();
      await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click();
      expect(await page.getByLabel('Topic').inputValue()).toBe('Nettles in spring');
    });

    it('leads to what has gone wrong where that is at no field', async () => {
      await page.getByLabel('Source URLs').fill('');
      await page.route('**/blogs/generate', (route) => route.fulfill({ status: 503 }));
      await begin();
      await page.locator(':focus').getByRole('alert').getByText('Something went wrong on our side').waitFor();
      expect(await isInWindow(':focus')).toBe(true);
      await page.unrouteAll();
    });

    it('ends in the draft, with its report, and leaves nothing to go back to', async () => {
      await page.getByLabel('Source text').fill('Nettles are cut in April. They make a soup.');
      await page.getByText('Advanced options').click();
      await page.getByLabel('Headings').fill('When to cut\nSoup');
      await begin();
      const title = page.getByLabel('Title', { exact: true });
      await title.waitFor();
      expect(await title.inputValue()).toContain('Nettles');
      await page.getByRole('heading', { name: 'When to cut' }).waitFor();
      const { items } = await api().get<{ items: { status: string }[] }>(`projects/${project}/blogs`);
      expect(items).toHaveLength(1);
      await page.goBack();
      await page.getByRole('button', { name: 'Generate draft' }).waitFor();
    });

    it('continues when its page is left or reloaded, and can be stopped', async () => {
      await api().put(`projects/${project}/generation-settings`, { base_url: model.url, model: 'm' });
      await page.getByLabel('Topic').fill('Sorrel');
      await begin();
      await page.getByText(/\(0 of \d+\)/).waitFor();
      await page.getByRole('listitem').getByText('Plan the outline. In progress').waitFor();
      expect(await violations(page)).toEqual([]);
      await page.reload();
      await page.getByText(/\(0 of \d+\)/).waitFor();
      await page.getByRole('button', { name: 'Generate another' }).click();
      await page.getByRole('region', { name: 'In progress' }).getByRole('link', { name: 'Sorrel' }).click();
      await page.setViewportSize({ width: 360, height: 740 });
      // The menu gives its place to the page within a moment.
      await eventually(async () => expect(await sticksOut(page)).toEqual([]));
      await page.getByRole('button', { name: 'Stop', exact: true }).click();
      await page.getByText('Stopped', { exact: true }).waitFor();
      await page.getByRole('button', { name: 'Start over' }).click();
      await page.getByRole('button', { name: 'Generate draft' }).waitFor();
      await eventually(async () => expect(await page.getByText('No AI model is configured.').count()).toBe(0));
      // Until the list of those that run has been asked for again, it may still have this one.
      await page.getByRole('region', { name: 'In progress' }).waitFor({ state: 'detached' });
    });
  });
}
