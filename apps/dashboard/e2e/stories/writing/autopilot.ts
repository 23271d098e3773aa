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
    const queue = () => page.getByRole('list', { name: 'Topics in the queue' });
    const isQueue = (...topics: string[]) =>
      eventually(async () => {
        const shown = await queue().getByRole('listitem').allTextContents();
        expect(shown.map((text) => text.replace(/^\d+/, ''))).toEqual(topics);
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

    it('gets topics one per line, in the order that its menu and the arrow keys set', async () => {
      await page.getByRole('heading', { name: 'The queue is empty' }).waitFor();
      await page.getByRole('button', { name: 'Add topics' }).click();
      await page.getByRole('dialog').getByLabel('Topics').fill('Mulch\n\nHedges\n');
      await page.getByRole('dialog').getByRole('button', { name: 'Add topics' }).click();
      await isQueue('Mulch', 'Hedges');
      await page.getByRole('button', { name: 'Actions for “Hedges”' }).click();
      await page.getByRole('menuitem', { name: 'Move up' }).click();
      await page.getByText('“Hedges” is now number 1').waitFor();
      await isQueue('Hedges', 'Mulch');
      await page.getByRole('button', { name: 'Move “Hedges”, number 1' }).press('ArrowDown');
      await isQueue('Mulch', 'Hedges');
      await page.getByRole('button', { name: 'Move “Hedges”, number 2' }).press('ArrowUp');
      await isQueue('Hedges', 'Mulch');
    });

    it('imports a table of topics, and names the rows that it left out', async () => {
      await page.getByRole('button', { name: 'Import CSV' }).click();
      const dialog = page.getByRole('dialog');
      await dialog.getByLabel('CSV').fill('topic,keyword,sources\nPonds,garden pond,\nBad,,no-address\n');
      await dialog.getByRole('button', { name: 'Import topics' }).click();
      await page
        .getByRole('dialog', { name: 'Some rows were skipped' })
        .getByText(/^Row 3: /)
        .waitFor();
      await page.getByRole('dialog').getByRole('button', { name: 'Close' }).last().click();
      await eventually(async () => expect(await queue().textContent()).toContain('3Ponds'));
    });

    it('suggests topics, and adds only the chosen ones', async () => {
      await page.getByRole('button', { name: 'Suggest topics' }).click();
      const dialog = page.getByRole('dialog', { name: 'Suggested topics' });
      await dialog.getByText('Suggested from your posts.').waitFor();
      expect(await dialog.getByRole('button', { name: 'Add selected topics' }).isDisabled()).toBe(true);
      await dialog.getByRole('checkbox', { name: 'greenhouse' }).check();
      await dialog.getByRole('button', { name: 'Add selected topics' }).click();
      await eventually(async () => expect(await queue().getByRole('listitem').count()).toBe(4));
    });

    it('is turned on with times, a budget and a review window, after naming what will be published', async () => {
      await status().getByRole('button', { name: 'Edit schedule' }).click();
      await page.getByLabel('Times', { exact: true }).fill('nine');
      await page.getByText('“nine” isn’t a time. Use the format 09:30.').waitFor();
      await page.getByRole('button', { name: 'Save', exact: true }).click();
      await page.locator('[aria-invalid=true]:focus').waitFor();
      await page.getByLabel('Times', { exact: true }).fill('09:30, 15:00');
      await page.getByLabel('Time zone').selectOption('Europe/Berlin');
      await page.getByLabel('Publish it after a review window').check();
      await page.getByLabel('Review window in hours').fill('48');
      await page.getByLabel('Posts per month').fill('12');
      await page.getByLabel('Monthly budget').fill('5');
      await page.getByRole('button', { name: 'Save and turn on' }).click();
      const dialog = page.getByRole('dialog', { name: 'Turn on Autopilot?' });
      await dialog.getByText('Posts go live when their review window ends.').waitFor();
      await dialog.getByRole('button', { name: 'Turn on' }).click();
      await status().getByText('On', { exact: true }).waitFor();
      await status()
        .getByText(/^Writes a draft Tuesdays and Thursdays at .+ and .+\.$/)
        .waitFor();
      await status().getByText('“Hedges”').waitFor();
      await status().getByText('Posts go live 48 hours later').waitFor();
      await status().getByText('0 of 12 posts · 0 of 5 spent').waitFor();
      expect(await api().get(`projects/${project}/autopilot`)).toMatchObject({
        times: ['09:30', '15:00'],
        time_zone: 'Europe/Berlin',
        review_hours: 48,
      });
    });

    it('is paused and resumed, each with a notice', async () => {
      await status().getByRole('button', { name: 'Pause' }).click();
      const dialog = page.getByRole('dialog', { name: 'Pause Autopilot?' });
      await dialog.getByText('Posts in their review window stay drafts.').waitFor();
      await dialog.getByRole('button', { name: 'Pause' }).click();
      await status().getByText('Paused', { exact: true }).waitFor();
      await status().getByText('Not scheduled').waitFor();
      await status().getByRole('button', { name: 'Resume' }).click();
      await status().getByText('On', { exact: true }).waitFor();
    });

    it('is turned off by its switch, after naming what stays, and on again with the same schedule', async () => {
      const flip = async (title: string, button: string) => {
        await status().getByRole('switch', { name: 'Autopilot' }).press('Space');
        await page.getByRole('dialog').waitFor();
        const dialog = page.getByRole('dialog', { name: title });
        await dialog.getByRole('button', { name: button, exact: true }).click();
        await dialog.waitFor({ state: 'detached' });
      };
      await flip('Turn off Autopilot?', 'Turn off');
      await status().getByText('Off', { exact: true }).waitFor();
      await flip('Turn on Autopilot?', 'Turn on');
      await status().getByText('On', { exact: true }).waitFor();
      expect(await api().get(`projects/${project}/autopilot`)).toMatchObject({ times: ['09:30', '15:00'] });
    });
  });
}
