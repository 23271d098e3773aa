import type { BrowserContext, Page } from 'playwright-core';
import { eventually, openAs, violations } from '../../actions.ts';
import type { Stories } from '../stories.ts';

interface Post {
  readonly id: string;
  readonly state: string;
  readonly published_at: string | null;
  readonly previous_published_at: string | null;
  readonly publish_at: string | null;
}

/** As a field for a day and time holds it, by the clocks of Berlin in summer and winter. */
const AUGUST = { field: '2025-08-08T12:00', iso: '2025-08-08T10:00:00.000Z' };
const MAY = {
  field: `${new Date().getFullYear() + 1}-05-01T09:00`,
  iso: `${new Date().getFullYear() + 1}-05-01T07:00:00.000Z`,
};

/** The publication date of a post: set, cleared, kept when it is published again. */
export function describeDates({ dashboard, newBrowser }: Stories): void {
  describe('the publication date', () => {
    let context: BrowserContext;
    let page: Page;
    let post: Post;

    const api = () => dashboard().administrator.api;
    const blogs = () => `projects/${dashboard().projectId}/blogs`;
    const stored = () => api().get<Post>(`${blogs()}/${post.id}`);
    const field = () => page.getByLabel('Publication date', { exact: true });
    const open = async (fields: object = {}) => {
      post = await api().post<Post>(blogs(), { title: 'Leaf mould', content: '<p>A year.</p>', ...fields });
      await reopen();
    };
    const reopen = async () => {
      await page.goto(`/projects/${dashboard().projectId}/posts/${post.id}`);
      await page.locator('#post-content p').first().waitFor();
    };
    const becomes = (expected: Partial<Post>) => eventually(async () => expect(await stored()).toMatchObject(expected));
    const dialog = () => page.getByRole('dialog');

    beforeAll(async () => {
      context = await newBrowser();
      page = await openAs(context, dashboard().administrator, `/projects/${dashboard().projectId}/posts`);
    });
    afterAll(() => context?.close());

    it('is shown with the time zone, set and cleared', async () => {
      await open({ published_at: AUGUST.iso });
      expect(await field().inputValue()).toBe(AUGUST.field);
      await page.getByText('Defaults to the time you publish. Times are in Europe/Berlin.').waitFor();
      await page.getByRole('button', { name: 'Clear the date' }).click();
      await becomes({ published_at: null });
      await field().fill(AUGUST.field);
      await becomes({ published_at: AUGUST.iso });
      expect(await violations(page)).toEqual([]);
    });

    it('is refused out of bounds, and in the future for a published post, before anything is saved', async () => {
      await open();
      await field().fill('1969-12-31T12:00');
      await page.getByText('Choose a date from 1970 to 10 years from now.').waitFor();
      await api().post(`${blogs()}/${post.id}/publish`);
      await reopen();
      await field().fill(MAY.field);
      await page.getByText('A published post needs a date in the past.').waitFor();
      expect((await stored()).published_at).not.toBe(MAY.iso);
    });

    it('in the future makes a publish a schedule, and says so', async () => {
      await open();
      await field().fill(MAY.field);
      await page.getByText('This is in the future, so Publish schedules the post.').waitFor();
      await becomes({ published_at: MAY.iso });
      await page.getByRole('button', { name: 'Publish', exact: true }).click();
      await dialog()
        .getByText(/^It goes live on May /)
        .waitFor();
      await dialog().getByRole('button', { name: 'Schedule', exact: true }).click();
      await becomes({ state: 'draft', publish_at: MAY.iso });
      await page.getByText('The post goes live then.').waitFor();
    });

    it('in the future is replaced when the sheet is set to Now, and the field shows the date of the publish', async () => {
      await open({ published_at: MAY.iso });
      await page.getByRole('button', { name: 'Publish', exact: true }).click();
      await dialog().getByText(`Times are in Europe/Berlin.`).waitFor();
      await dialog().getByText('Now', { exact: true }).click();
      await dialog().getByRole('button', { name: 'Publish', exact: true }).click();
      await becomes({ state: 'published' });
      await dialog().getByRole('button', { name: 'Done' }).click();
      const { published_at: date } = await stored();
      const berlin = new Intl.DateTimeFormat('sv', {
        timeZone: 'Europe/Berlin',
        dateStyle: 'short',
        timeStyle: 'short',
      });
      expect(Math.abs(Date.parse(date!) - Date.now())).toBeLessThan(120_000);
      await eventually(async () =>
        expect(await field().inputValue()).toBe(berlin.format(new Date(date!)).replace(' ', 'T')),
      );
      expect(await page.getByText('Defaults to the time you publish.').count()).toBe(0);
    });

    it('is kept or renewed when a post is published again after an unpublish', async () => {
      for (const choice of ['Keep', 'Use now'] as const) {
        await open({ published_at: AUGUST.iso });
        await api().post(`${blogs()}/${post.id}/publish`);
        await api().post(`${blogs()}/${post.id}/unpublish`);
        await reopen();
        expect(await stored()).toMatchObject({ published_at: null, previous_published_at: AUGUST.iso });
        await page.getByRole('button', { name: 'Publish', exact: true }).click();
        await dialog()
          .getByText(/^Keep Aug 8, 2025/)
          .waitFor();
        expect(await violations(page)).toEqual([]);
        await dialog()
          .getByText(choice === 'Keep' ? /^Keep / : choice)
          .click();
        await dialog().getByRole('button', { name: 'Publish', exact: true }).click();
        await becomes({ state: 'published' });
        const { published_at: date } = await stored();
        expect([choice, date === AUGUST.iso]).toEqual([choice, choice === 'Keep']);
      }
    });
  });
}
