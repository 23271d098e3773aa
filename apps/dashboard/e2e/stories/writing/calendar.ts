import type { BrowserContext, Page } from 'playwright-core';
import { eventually, openAs } from '../../actions.ts';
import type { Stories } from '../stories.ts';

/** The month after this one, in which every day is still to come. */
function nextMonth(): { readonly month: string; readonly at: (day: number, time: string) => string } {
  const now = new Date();
  const month = new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + 1, 15)).toISOString().slice(0, 7);
  return { month, at: (day, time) => `${month}-${String(day).padStart(2, '0')}T${time}` };
}

/** The clock of the browser’s owner. */
const inBerlin = (iso: string, style: Intl.DateTimeFormatOptions): string =>
  new Intl.DateTimeFormat('en-US', { timeZone: 'Europe/Berlin', ...style }).format(new Date(iso));

/** A time on which the clocks of Berlin are put forward. */
function skippedTime(): string {
  const at = new Date(Date.UTC(new Date().getUTCFullYear() + 1, 2, 31));
  at.setUTCDate(31 - at.getUTCDay());
  return `${at.toISOString().slice(0, 10)}T02:30`;
}

/** Posts that will be published by themselves, moved and kept from it. */
export function describeCalendar({ dashboard, newBrowser }: Stories): void {
  describe('the calendar', () => {
    let context: BrowserContext;
    let page: Page;
    let project: string;
    const { month, at } = nextMonth();
    const noonUtc = at(15, '12:00:00Z');
    const api = () => dashboard().administrator.api;
    const entry = () => page.getByRole('table').getByRole('button', { name: /Frost/ });
    const cell = (day: number) => page.getByRole('cell', { name: new RegExp(`^${day}\\b`) }).first();
    const plannedFor = async () => {
      const { items } = await api().get<{ items: { publish_at: string }[] }>(`projects/${project}/schedules`);
      return items[0]?.publish_at ?? null;
    };
    const becomes = (day: string, time: string) =>
      eventually(async () => {
        const planned = (await plannedFor()) ?? '';
        expect(inBerlin(planned, { day: 'numeric' })).toBe(day);
        expect(inBerlin(planned, { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' })).toBe(time);
      });

    beforeAll(async () => {
      project = (await api().post<{ id: string }>('projects', { name: 'Almanac' })).id;
      const { id } = await api().post<{ id: string }>(`projects/${project}/blogs`, { title: 'Frost' });
      await api().post(`projects/${project}/blogs`, { title: 'Thaw' });
      await api().put(`projects/${project}/blogs/${id}/schedule`, { publish_at: noonUtc });
      context = await newBrowser();
      page = await openAs(context, dashboard().administrator, `/projects/${project}/calendar?month=${month}`);
    });

    afterAll(() => context?.close());

    it('shows a scheduled post on its day, at the time of whoever looks', async () => {
      await page.getByText('Times are in Europe/Berlin.').waitFor();
      const time = inBerlin(noonUtc, { timeStyle: 'short' }).replace(/\s/, ' ');
      await eventually(async () =>
        expect((await entry().textContent())?.replace(/\s/g, ' ')).toContain(`${time} Frost`),
      );
      expect(await cell(15).getByRole('button', { name: /Frost/ }).count()).toBe(1);
    });

    it('speaks of dragging only where there are weeks to drag over', async () => {
      await page.getByText('by dragging it').waitFor();
      await page.setViewportSize({ width: 640, height: 740 });
      await page.getByText('Open one to move it to another day.').waitFor();
      expect(await page.getByText('by dragging it').isVisible()).toBe(false);
      await page.setViewportSize({ width: 1280, height: 720 });
    });

    it('moves a post to the day that it is dragged to, at the same time of day', async () => {
      await entry().dragTo(cell(20));
      await page.getByText(/“Frost” is published .* now\./).waitFor();
      await cell(20).getByRole('button', { name: /Frost/ }).waitFor();
      await becomes('20', inBerlin(noonUtc, { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' }));
    });

    it('moves a post by the keyboard alone', async () => {
      await entry().focus();
      await page.keyboard.press('Enter');
      const field = page.getByRole('dialog').getByLabel('Published at');
      await eventually(async () =>
        expect(await field.evaluate((input) => input === document.activeElement)).toBe(true),
      );
      await field.fill(at(22, '08:15'));
      await page.keyboard.press('Enter');
      await cell(22).getByRole('button', { name: /Frost/ }).waitFor();
      await becomes('22', '08:15');
    });

    it('takes no time that is over, or that its day does not have, and says so: typed, or dragged to', async () => {
      await entry().click();
      const dialog = page.getByRole('dialog', { name: 'Schedule of “Frost”' });
      await dialog.getByLabel('Published at').fill('2020-01-01T08:00');
      await dialog.getByText('Choose a time in the future.').waitFor();
      expect(await dialog.getByRole('button', { name: 'Move', exact: true }).isDisabled()).toBe(true);
      await dialog.getByLabel('Published at').fill(skippedTime());
      await dialog.getByText('Clocks change then').waitFor();
      expect(await dialog.getByRole('button', { name: 'Move', exact: true }).isDisabled()).toBe(true);
      await page.keyboard.press('Escape');
      await dialog.waitFor({ state: 'detached' });
      // For whoever looks it is the 18th of that month already.
      await page.clock.setFixedTime(at(18, '12:00:00Z'));
      await entry().dragTo(cell(10));
      await page.getByText('Choose a time in the future.').waitFor();
      await becomes('22', '08:15');
      await page.clock.setFixedTime(new Date());
    });

    it('schedules another post that it has found', async () => {
      await page.getByRole('button', { name: 'Schedule a post …' }).click();
      const dialog = page.getByRole('dialog', { name: 'Schedule a post' });
      await dialog.getByRole('radio', { name: 'Thaw' }).check();
      await dialog.getByLabel('Published at').fill(at(25, '09:00'));
      await dialog.getByRole('button', { name: 'Schedule', exact: true }).click();
      await cell(25).getByRole('button', { name: /Thaw/ }).waitFor();
    });

    it('keeps a post from being published, after it has said what that means', async () => {
      await entry().click();
      await page.getByRole('button', { name: 'Do not publish …' }).click();
      const dialog = page.getByRole('dialog', { name: 'Do not publish “Frost” by itself?' });
      await dialog.getByText('It stays as it is: nobody is told of anything.').waitFor();
      await dialog.getByRole('button', { name: 'End its schedule' }).click();
      await entry().waitFor({ state: 'detached' });
      await becomes('25', '09:00');
    });
  });
}
