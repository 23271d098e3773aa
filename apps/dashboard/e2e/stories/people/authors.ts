import type { BrowserContext, Page } from 'playwright-core';
import sharp from 'sharp';
import { eventually, openAs, sticksOut, violations } from '../../actions.ts';
import type { Stories } from '../stories.ts';

interface Listed {
  readonly items: readonly { readonly slug: string; readonly avatar_url: string | null; readonly links: unknown[] }[];
}

/** The people who write a project's posts. */
export function describeAuthors({ dashboard, newBrowser }: Stories): void {
  describe('authors', () => {
    let context: BrowserContext;
    let page: Page;
    let project: string;
    const api = () => dashboard().administrator.api;
    const stored = async () => (await api().get<Listed>(`projects/${project}/authors`)).items;
    const dialog = (name: string) => page.getByRole('dialog', { name });
    const field = (name: string) => page.getByRole('dialog').getByRole('textbox', { name });
    const choose = async (name: string, item: string) => {
      await page.getByRole('button', { name: `Actions for ${name}` }).focus();
      await page.keyboard.press('Enter');
      await page.getByRole('menuitem', { name: item }).click();
    };

    beforeAll(async () => {
      project = (await api().post<{ id: string }>('projects', { name: 'Newsroom' })).id;
      context = await newBrowser([/status of (409|422) /]);
      page = await openAs(context, dashboard().administrator, `/projects/${project}/settings/authors`);
    });

    afterAll(() => context?.close());

    it('are added from an empty page, with a slug from the name', async () => {
      await page.getByText('No authors yet').waitFor();
      await page.getByRole('main').getByRole('button', { name: 'Add author' }).click();
      await field('Name').fill('Ada Lovelace');
      await field('Bio').fill('Ada has brewed tea since 1998.');
      await field('Links').fill('Her site https://ada.example.com');
      await dialog('Add author').getByRole('button', { name: 'Add author' }).click();
      await page.getByText('ada-lovelace · Ada has brewed').waitFor();
      expect(await stored()).toMatchObject([
        { slug: 'ada-lovelace', links: [{ label: 'Her site', url: 'https://ada.example.com/' }] },
      ]);
    });

    it('say at the control what is refused, and keep what was typed', async () => {
      await page.getByRole('main').getByRole('button', { name: 'Add author' }).click();
      await field('Name').fill('Ada');
      await field('Profiles').fill('https://example.com/ada\nada');
      await dialog('Add author').getByRole('button', { name: 'Add author' }).click();
      await dialog('Add author').getByText('Line 2: ').waitFor();
      expect(await violations(page)).toEqual([]);
      await field('Profiles').fill('');
      await field('Slug').fill('ada-lovelace');
      await dialog('Add author').getByRole('button', { name: 'Add author' }).click();
      await dialog('Add author').getByText('Another author has or had this slug.').waitFor();
      await field('Slug').fill('ada');
      await dialog('Add author').getByRole('button', { name: 'Add author' }).click();
      await dialog('Add author').waitFor({ state: 'detached' });
      await eventually(async () => expect(await stored()).toHaveLength(2));
    });

    it('get a picture from the image library, while what was typed stays', async () => {
      const picture = await sharp({ create: { width: 64, height: 64, channels: 3, background: 'teal' } })
        .png()
        .toBuffer();
      await choose('Ada Lovelace', 'Edit');
      await field('Slug').fill('ada-king');
      await dialog('Edit “Ada Lovelace”').getByText('The old slug stays reserved').waitFor();
      await dialog('Edit “Ada Lovelace”').getByRole('button', { name: 'Choose image' }).click();
      const file = { name: 'ada.png', mimeType: 'image/png', buffer: picture };
      await page.getByRole('dialog').locator('input[type=file]').setInputFiles([file]);
      await page.getByRole('dialog').getByRole('textbox', { name: 'Alt text' }).fill('Ada');
      await page.getByRole('dialog').getByRole('button', { name: 'Upload' }).click();
      await dialog('Edit “Ada Lovelace”').getByRole('button', { name: 'Replace image' }).waitFor();
      await dialog('Edit “Ada Lovelace”').getByRole('button', { name: 'Save author' }).click();
      await page.getByText('ada-king · Ada has brewed').waitFor();
      expect((await stored())[0]).toMatchObject({ slug: 'ada-king', avatar_url: expect.stringContaining('/images/') });
    });

    it('are deleted after a warning about what happens', async () => {
      await api().post(`projects/${project}/blogs`, { title: 'Tea', authors: ['ada'] });
      await page.getByRole('button', { name: 'Actions for Ada', exact: true }).click();
      await page.getByRole('menuitem', { name: 'Delete' }).click();
      await dialog('Delete “Ada”?').getByText('1 post credits this author and will stop showing them.').waitFor();
      await dialog('Delete “Ada”?').getByRole('button', { name: 'Delete author' }).click();
      await eventually(async () => expect((await stored()).map(({ slug }) => slug)).toEqual(['ada-king']));
    });

    it('fit a phone, and are accessible', async () => {
      await page.getByText('ada-king · ').waitFor();
      expect(await violations(page)).toEqual([]);
      await page.setViewportSize({ width: 360, height: 740 });
      await eventually(async () => expect(await sticksOut(page)).toEqual([]));
      await choose('Ada Lovelace', 'Edit');
      await eventually(async () => expect(await sticksOut(page)).toEqual([]));
    });
  });
}
