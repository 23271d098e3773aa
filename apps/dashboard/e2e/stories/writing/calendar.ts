import type { BrowserContext, Page } from 'playwright-core';
import { eventually, openAs, settled, sticksOut, violations } from '../../actions.ts';
import type { Stories } from '../stories.ts';

/** The month after this one, in which every day is still to come. */
function nextMonth(): { readonly month: string; readonly at: (day: number, time: string) => string } {
  const now = new Date();
  const month = new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + 1, 15)).toISOString().slice(0, 7);
  return { month, at: (day, time) => `${month}-${String(day).padStart(2, '0')}T${time}` };
}

/** By the clock of the viewer. */
const inBerlin = (iso: string, style: Intl.DateTimeFormatOptions): string =>
  new Intl.DateTimeFormat('en-US', { timeZone: 'Europe/Berlin', ...style }).format(new Date(iso));

/** A time on which the clocks of Berlin are put forward. */
function skippedTime(): string {
  const at = new Date(Date.UTC(new Date().getUTCFullYear() + 1, 2, 31));
  at.setUTCDate(31 - at.getUTCDay());
  return `${at.toISOString().slice(0, 10)}T02:30`;
}

/** The noon of a month's first day that the last week of the month before shows; that month has nothing yet. */
function firstWithinAWeek(): Date {
  const now = new Date();
  for (let months = 4; ; months++) {
    const first = new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + months, 1, 12));
    // Weeks begin on Sundays in the language of the browser.
    if (first.getUTCDay() !== 0) return first;
  }
}

/** Posts by day, and their schedules. */
export function describeCalendar({ dashboard, newBrowser }: Stories): void {
  describe('the calendar', () => {
    let context: BrowserContext;
    let page: Page;
    let project: string;
    const { month, at } = nextMonth();
    const noonUtc = at(15, '12:00:00Z');
    const api = () => dashboard().administrator.api;
    const entry = () => page.getByRole('table').getByRole('button', { name: /Frost/ });
    const cell = (day: number) => page.locator(`td[data-cell="${at(day, '').slice(0, 10)}"]`);
    const dayButton = (day: number) => cell(day).locator('[data-day]');
    const focused = () => page.evaluate(() => document.activeElement?.getAttribute('data-day'));
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
    const moveTo = async () => {
      await entry().click();
      await page.getByRole('menuitem', { name: 'Move to…' }).click();
      const dialog = page.getByRole('dialog', { name: 'Move “Frost”' });
      await dialog.waitFor();
      return dialog;
    };

    beforeAll(async () => {
      project = (await api().post<{ id: string }>('projects', { name: 'Almanac' })).id;
      const { id } = await api().post<{ id: string }>(`projects/${project}/blogs`, { title: 'Frost' });
      await api().post(`projects/${project}/blogs`, { title: 'Thaw' });
      await api().put(`projects/${project}/blogs/${id}/schedule`, { publish_at: noonUtc });
      context = await newBrowser();
      page = await openAs(context, dashboard().administrator, `/projects/${project}/calendar?month=${month}`);
    });

    afterAll(() => context?.close());

    it('shows a scheduled post on its day, at the viewer’s time', async () => {
      await page.getByText('Times are in Europe/Berlin.').waitFor();
      const time = inBerlin(noonUtc, { timeStyle: 'short' }).replace(/\s/, ' ');
      await eventually(async () =>
        expect((await entry().textContent())?.replace(/\s/g, ' ')).toContain(`${time} Frost`),
      );
      expect(await cell(15).getByRole('button', { name: /Frost/ }).getAttribute('data-kind')).toBe('scheduled');
      expect(await violations(page)).toEqual([]);
    });

    it('says that nothing is scheduled only when the days of neighboring months are empty, too', async () => {
      const { id } = await api().post<{ id: string }>(`projects/${project}/blogs`, { title: 'Eve' });
      const first = firstWithinAWeek();
      await api().put(`projects/${project}/blogs/${id}/schedule`, { publish_at: first.toISOString() });
      const before = new Date(first.getTime() - 5 * 86_400_000).toISOString().slice(0, 7);
      await page.goto(`/projects/${project}/calendar?month=${before}`);
      await page.locator('td[data-outside]').getByRole('button', { name: /Eve/ }).waitFor();
      await settled(page);
      expect(await page.getByText('Nothing is scheduled or published').count()).toBe(0);
      const later = new Date(first.getTime() + 60 * 86_400_000).toISOString();
      await api().put(`projects/${project}/blogs/${id}/schedule`, { publish_at: later });
      await page.getByText('Nothing is scheduled or published in').waitFor();
      await page.goto(`/projects/${project}/calendar?month=${month}`);
      await entry().waitFor();
    });

    it('shows today legibly among the days of a neighboring month', async () => {
      const first = firstWithinAWeek();
      await page.goto(`/projects/${project}/calendar?month=${first.toISOString().slice(0, 7)}`);
      await page.getByRole('table').waitFor();
      await settled(page);
      await page.clock.setFixedTime(first.getTime() - 86_400_000);
      await page.getByRole('button', { name: 'Next month' }).click();
      await page.getByRole('button', { name: 'Previous month' }).click();
      await page.locator('td[data-outside][aria-current=date]').waitFor();
      await settled(page);
      expect(await violations(page)).toEqual([]);
      await page.clock.setFixedTime(new Date());
      await page.goto(`/projects/${project}/calendar?month=${month}`);
      await entry().waitFor();
    });

    it('moves a post to the day that it is dragged to, at the same time of day, and Undo moves it back', async () => {
      await entry().dragTo(cell(20));
      await page.getByText(/“Frost” moved to/).waitFor();
      await cell(20).getByRole('button', { name: /Frost/ }).waitFor();
      const time = inBerlin(noonUtc, { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' });
      await becomes('20', time);
      await page.getByRole('button', { name: 'Undo' }).click();
      await becomes(inBerlin(noonUtc, { day: 'numeric' }), time);
      await cell(15).getByRole('button', { name: /Frost/ }).waitFor();
    });

    it('moves a post by the keyboard alone', async () => {
      await entry().focus();
      await page.keyboard.press('Enter');
      await page.getByRole('menu', { name: 'Actions for “Frost”' }).waitFor();
      expect(await violations(page)).toEqual([]);
      await page.keyboard.press('ArrowDown');
      await eventually(async () =>
        expect(await page.evaluate(() => document.activeElement?.textContent)).toBe('Move to…'),
      );
      await page.keyboard.press('Enter');
      const field = page.getByRole('dialog').getByLabel('Date and time').last();
      await field.fill(at(22, '08:15'));
      await page.keyboard.press('Enter');
      await cell(22).getByRole('button', { name: /Frost/ }).waitFor();
      await becomes('22', '08:15');
    });

    it('refuses a past time, or one that its day does not have, typed or dragged to', async () => {
      const dialog = await moveTo();
      const field = dialog.getByLabel('Date and time').last();
      await field.fill('2020-01-01T08:00');
      await dialog.getByText('Choose a time in the future.').waitFor();
      expect(await dialog.getByRole('button', { name: 'Move', exact: true }).isDisabled()).toBe(true);
      await field.fill(skippedTime());
      await dialog.getByText('Clocks skip this time').waitFor();
      expect(await dialog.getByRole('button', { name: 'Move', exact: true }).isDisabled()).toBe(true);
      await page.keyboard.press('Escape');
      await dialog.waitFor({ state: 'detached' });
      // For the viewer it is the 18th of that month already.
      await page.clock.setFixedTime(at(18, '12:00:00Z'));
      await entry().dragTo(cell(10));
      await page.getByText('Choose a time in the future.').waitFor();
      await becomes('22', '08:15');
      await page.clock.setFixedTime(new Date());
      await page.reload();
    });

    it('is navigable with the keyboard, across months', async () => {
      await dayButton(1).focus();
      await page.keyboard.press('ArrowRight');
      expect(await focused()).toBe(at(2, '').slice(0, 10));
      await page.keyboard.press('ArrowDown');
      expect(await focused()).toBe(at(9, '').slice(0, 10));
      await page.keyboard.press('PageDown');
      await eventually(async () => expect(await focused()).toMatch(/-01$/));
      expect(await focused()).not.toContain(month);
      await page.keyboard.press('PageUp');
      await eventually(async () => expect(await focused()).toBe(at(1, '').slice(0, 10)));
      await page.keyboard.press('t');
      await page.waitForURL((url) => !url.searchParams.has('month'));
      await page.locator('td[aria-current=date]').waitFor();
      await page.goto(`/projects/${project}/calendar?month=${month}`);
    });

    it('schedules a draft on the day that was clicked, at nine', async () => {
      await cell(25).click({ position: { x: 60, y: 80 } });
      const popover = page.getByRole('dialog', { name: /^Schedule a post on/ });
      expect(await popover.getByLabel('Time').inputValue()).toBe('09:00');
      await popover.getByLabel('Search posts').fill('tha');
      await eventually(async () => expect(await popover.getByRole('listitem').count()).toBe(1));
      expect(await violations(page)).toEqual([]);
      await popover.getByRole('button', { name: 'Thaw' }).click();
      await page.getByText(/“Thaw” scheduled for/).waitFor();
      await cell(25)
        .getByRole('button', { name: /9:00.AM Thaw/ })
        .waitFor();
    });

    it('starts a new post for a day, which stays a draft until it is published', async () => {
      await dayButton(26).focus();
      await page.keyboard.press('Enter');
      await page.getByRole('button', { name: 'New post for this day' }).click();
      await page.waitForURL(/\/posts\/[^/]+$/);
      const { items } = await api().get<{ items: { state: string; published_at: string | null }[] }>(
        `projects/${project}/blogs?q=untitled`,
      );
      expect(items[0]?.state).toBe('draft');
      expect(inBerlin(items[0]?.published_at ?? '', { day: 'numeric' })).toBe('26');
      await page.goto(`/projects/${project}/calendar?month=${month}`);
      const planned = cell(26).getByRole('link', { name: /Untitled/ });
      await planned.waitFor();
      expect(await planned.getAttribute('data-kind')).toBe('planned');
    });

    it('cancels a schedule, and Undo brings it back', async () => {
      await entry().click();
      await page.getByRole('menuitem', { name: 'Cancel schedule' }).click();
      await page.getByText('“Frost” unscheduled').waitFor();
      await entry().waitFor({ state: 'detached' });
      await page.getByRole('button', { name: 'Undo' }).click();
      await becomes('22', '08:15');
    });

    it('is a list of weeks on a phone', async () => {
      await page.setViewportSize({ width: 360, height: 740 });
      await page.getByRole('listitem').getByRole('button', { name: /Frost/ }).waitFor();
      expect(await page.getByRole('table').count()).toBe(0);
      expect(await sticksOut(page)).toEqual([]);
      expect(await violations(page)).toEqual([]);
      await page.setViewportSize({ width: 1280, height: 720 });
    });
  });
}
