import type { BrowserContext, Page } from 'playwright-core';
import { eventually, looksGood, openAs, violations } from '../actions.ts';
import type { Stories } from './stories.ts';

const FIELDS = [
  { name: 'subtitle', label: 'Subtitle', kind: 'text', help: 'Below the title' },
  { name: 'rating', label: 'Rating', kind: 'number' },
  { name: 'sponsored', label: 'Sponsored', kind: 'boolean' },
  { name: 'day', label: 'Day', kind: 'date' },
  { name: 'shop', label: 'Shop', kind: 'url' },
  { name: 'size', label: 'Size', kind: 'choice', choices: ['S', 'M'] },
  {
    name: 'facts',
    label: 'Facts',
    kind: 'json',
    json_schema: { type: 'object', properties: { hot: { type: 'boolean' } } },
  },
  { name: 'next_post', label: 'Next post', kind: 'post' },
];

/** Values of the project's data fields, next to the text. */
export function describeDataOfPosts({ dashboard, newBrowser }: Stories): void {
  describe('the data of a post', () => {
    let context: BrowserContext;
    let page: Page;
    let at: string;
    let path: string;
    let project: string;
    let next: string;
    const api = () => dashboard().administrator.api;
    const field = (name: string) =>
      page.getByRole('region', { name: 'Post settings' }).getByLabel(name, { exact: true });
    const stored = async () => (await api().get<{ data: object }>(at)).data;

    beforeAll(async () => {
      project = (await api().post<{ id: string }>('projects', { name: 'Shop' })).id;
      next = (await api().post<{ id: string }>(`projects/${project}/blogs`, { title: 'White tea' })).id;
      const post = await api().post<{ id: string }>(`projects/${project}/blogs`, { title: 'Green tea' });
      at = `projects/${project}/blogs/${post.id}`;
      path = `/projects/${project}/posts/${post.id}`;
      context = await newBrowser([/status of 422 /]);
      page = await openAs(context, dashboard().administrator, path);
    });

    afterAll(() => context?.close());

    it('leads to the settings while the project has no fields', async () => {
      await page.getByText('Data', { exact: true }).click();
      await page.getByRole('link', { name: 'Add data fields' }).click();
      await page.getByText('No data fields yet').waitFor();
      await api().put(`projects/${project}/data-fields`, { fields: FIELDS });
    });

    it('is written into a control of each kind', async () => {
      await page.goto(path);
      await field('Subtitle').fill('With rice');
      await field('Rating').fill('4.5');
      await field('Sponsored').check();
      await field('Day').fill('2026-03-01');
      await field('Shop').fill('https://tea.example');
      await field('Size').selectOption('M');
      await field('Facts').fill('{"hot": true}');
      await eventually(async () =>
        expect(await stored()).toEqual({
          subtitle: 'With rice',
          rating: 4.5,
          sponsored: true,
          day: '2026-03-01',
          shop: 'https://tea.example/',
          size: 'M',
          facts: { hot: true },
        }),
      );
    });

    it('refers to a post that is searched for', async () => {
      await page.getByRole('button', { name: 'Choose post: Next post' }).click();
      const dialog = page.getByRole('dialog', { name: 'Next post' });
      await dialog.getByRole('searchbox').fill('white');
      await dialog.getByRole('radio', { name: 'White tea' }).check();
      await dialog.getByRole('button', { name: 'Use this post' }).click();
      await page.getByRole('group', { name: 'Next post' }).getByText('White tea').waitFor();
      await eventually(async () => expect(await stored()).toMatchObject({ next_post: { post_id: next } }));
    });

    it('says at the control what is wrong, and saves it once it is right', async () => {
      await field('Rating').fill('four');
      await page.getByText('Enter a number.').first().waitFor();
      await page.getByRole('status').getByText('Some changes weren’t saved').waitFor();
      await page.getByRole('button', { name: 'Publish', exact: true }).click();
      const sheet = page.getByRole('dialog', { name: 'Publish post' });
      await sheet.getByText('“Rating” has a change that isn’t saved and won’t go live').waitFor();
      await looksGood(page);
      await sheet.getByRole('button', { name: /^Fix: “Rating” has/ }).click();
      await eventually(async () =>
        expect(await field('Rating').evaluate((e) => e === document.activeElement)).toBe(true),
      );
      await field('Facts').fill('{"hot": "very"}');
      await page.getByText('hot: must be true or false').waitFor();
      expect(await violations(page)).toEqual([]);
      await field('Facts').fill('');
      await field('Rating').fill('5');
      await field('Subtitle').fill('');
      await eventually(async () => {
        const data = await stored();
        expect(data).toMatchObject({ rating: 5, size: 'M' });
        expect(Object.keys(data)).not.toContain('facts');
        expect(Object.keys(data)).not.toContain('subtitle');
      });
    });

    it('keeps values of deleted and changed fields, and says so', async () => {
      const fields = FIELDS.filter(({ name }) => name !== 'size');
      const changed = fields.map((one) => (one.name === 'shop' ? { ...one, kind: 'number' } : one));
      await api().put(`projects/${project}/data-fields`, { fields: changed });
      await page.reload();
      await page.getByText('The stored value doesn’t fit this field. It’s kept, but not published.').waitFor();
      await page.getByText(/^Values without a field are kept but not published: size\./).waitFor();
      await field('Rating').fill('3');
      await eventually(async () => expect(await stored()).toMatchObject({ rating: 3, size: 'M' }));
    });

    it('is accessible, in dark too, and fits a phone', () => looksGood(page));
  });
}
