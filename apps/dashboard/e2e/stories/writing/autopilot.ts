import type { BrowserContext, Page } from 'playwright-core';
import { eventually, openAs } from '../../actions.ts';
import type { Stories } from '../stories.ts';

/** The autopilot: its queue, its times, its limits, and how it is stopped. */
export function describeAutopilot({ dashboard, newBrowser }: Stories): void {
  describe('the autopilot', () => {
    let context: BrowserContext;
    let page: Page;
    let project: string;
    const api = () => dashboard().administrator.api;
    const status = () => page.getByRole('region', { name: 'Status' });
    const queue = () => page.getByRole('list', { name: 'Topics that wait, the next one first' });
    const isQueue = (...topics: string[]) =>
      eventually(async () => {
        const shown = await queue().getByRole('listitem').allTextContents();
        expect(shown.map((text) => /^\d+\. (.*?)Edit/.exec(text)?.[1])).toEqual(topics);
      });

    beforeAll(async () => {
      project = (await api().post<{ id: string }>('projects', { name: 'Diary' })).id;
      for (const tag of ['greenhouse', 'potatoes']) {
        await api().post(`projects/${project}/blogs`, { title: `On ${tag}`, tags: [tag] });
      }
      context = await newBrowser();
      page = await openAs(context, dashboard().administrator, `/projects/${project}/autopilot`);
    });

    afterAll(() => context?.close());

    it('gets topics one in each line, and takes them in the order that the arrows give', async () => {
      await page.getByRole('heading', { name: 'No topic waits' }).waitFor();
      await page.getByRole('button', { name: 'Add topics …' }).click();
      await page.getByRole('dialog').getByLabel('Topics').fill('Mulch\n\nHedges\n');
      await page.getByRole('dialog').getByRole('button', { name: 'Add', exact: true }).click();
      await isQueue('Mulch', 'Hedges');
      await page.getByRole('button', { name: 'Move “Hedges” up' }).click();
      await page.getByText('“Hedges” is number 1 now.').waitFor();
      await isQueue('Hedges', 'Mulch');
    });

    it('takes a table of topics, and names the rows that it has left out', async () => {
      await page.getByRole('button', { name: 'Import CSV …' }).click();
      const dialog = page.getByRole('dialog');
      await dialog.getByLabel('CSV').fill('topic,keyword,sources\nPonds,garden pond,\nBad,,no-address\n');
      await dialog.getByRole('button', { name: 'Import', exact: true }).click();
      await page
        .getByRole('dialog', { name: 'Some rows were left out' })
        .getByText(/^Row 3: /)
        .waitFor();
      await page.getByRole('dialog').getByRole('button', { name: 'Close' }).last().click();
      await eventually(async () => expect(await queue().textContent()).toContain('3. Ponds'));
    });

    it('suggests topics, of which none is added that was not chosen', async () => {
      await page.getByRole('button', { name: 'Suggest ten …' }).click();
      const dialog = page.getByRole('dialog', { name: 'Suggested topics' });
      await dialog.getByText('Suggested from your posts, without a model.').waitFor();
      expect(await dialog.getByRole('button', { name: 'Add chosen topics' }).isDisabled()).toBe(true);
      await dialog.getByRole('checkbox', { name: 'greenhouse' }).check();
      await dialog.getByRole('button', { name: 'Add chosen topics' }).click();
      await eventually(async () => expect(await queue().getByRole('listitem').count()).toBe(4));
    });

    it('is turned on with times, a budget and a review window, after it has said what will be published', async () => {
      await status().getByRole('button', { name: 'Set it up …' }).click();
      await page.getByRole('switch', { name: 'The autopilot is on' }).check();
      await page.getByLabel('Times', { exact: true }).fill('nine');
      await page.getByText('“nine” is no time of day: write it as 09:30.').waitFor();
      await page.getByRole('button', { name: 'Save' }).click();
      await page.locator('[aria-invalid=true]:focus').waitFor();
      await page.getByLabel('Times', { exact: true }).fill('09:30, 15:00');
      await page.getByLabel('Time zone').selectOption('Europe/Berlin');
      await page.getByLabel('It is published when its review window ends').check();
      await page.getByLabel('Review window in hours').fill('48');
      await page.getByLabel('Most posts').fill('12');
      await page.getByLabel('Most cost').fill('5');
      await page.getByRole('button', { name: 'Save' }).click();
      const dialog = page.getByRole('dialog', { name: 'Turn on the autopilot?' });
      await dialog.getByText('published by itself when its review window ends').waitFor();
      await dialog.getByRole('button', { name: 'Turn on' }).click();
      await status().getByText('Status: Running').waitFor();
      await status().getByText('Next topic: “Hedges”, ').waitFor();
      await status().getByText('Drafts are published 48 hours after they are written').waitFor();
      await status().getByText('This month: 0 of at most 12 posts, cost 0 of at most 5.').waitFor();
      expect(await api().get(`projects/${project}/autopilot`)).toMatchObject({
        times: ['09:30', '15:00'],
        time_zone: 'Europe/Berlin',
        review_hours: 48,
      });
    });

    it('is paused and goes on, and each is said', async () => {
      await status().getByRole('button', { name: 'Pause …' }).click();
      const dialog = page.getByRole('dialog', { name: 'Pause the autopilot?' });
      await dialog.getByText('Posts in their review window stay drafts.').waitFor();
      await dialog.getByRole('button', { name: 'Pause' }).click();
      await status().getByText('Status: Paused').waitFor();
      await status().getByText('Nothing is planned.').waitFor();
      await status().getByRole('button', { name: 'Go on' }).click();
      await status().getByText('Status: Running').waitFor();
    });
  });
}
