import type { BrowserContext, Page } from 'playwright-core';
import { eventually, openAs, sticksOut, violations } from '../actions.ts';
import type { Stories } from './stories.ts';

interface Declared {
  readonly fields: readonly { readonly name: string; readonly kind: string; readonly choices: readonly string[] }[];
}

/** The fields that a project declares for the data of its posts. */
export function describeDataFields({ dashboard, newBrowser }: Stories): void {
  describe('data fields', () => {
    let context: BrowserContext;
    let page: Page;
    let id: string;
    const api = () => dashboard().administrator.api;
    const stored = () => api().get<Declared>(`projects/${id}/data-fields`);
    const names = async () => (await stored()).fields.map(({ name }) => name);
    const dialog = (name: string) => page.getByRole('dialog', { name });
    const add = async (label: string, kind: string, fill: () => Promise<void> = async () => {}) => {
      await page.getByRole('main').getByRole('button', { name: 'Add field' }).click();
      await dialog('Add field').getByRole('textbox', { name: 'Label' }).fill(label);
      await dialog('Add field').getByRole('combobox', { name: 'Kind' }).selectOption(kind);
      await fill();
      await dialog('Add field').getByRole('button', { name: 'Add field' }).click();
    };
    const choose = async (label: string, item: string) => {
      await page.getByRole('button', { name: `Actions for ${label}` }).focus();
      await page.keyboard.press('Enter');
      await page.getByRole('menuitem', { name: item }).click();
    };

    beforeAll(async () => {
      id = (await api().post<{ id: string }>('projects', { name: 'Shelf' })).id;
      context = await newBrowser([/status of (422|412) /]);
      page = await openAs(context, dashboard().administrator, `/projects/${id}/settings/data`);
    });

    afterAll(() => context?.close());

    it('are added from an empty page, with a name from the label', async () => {
      await page.getByText('No data fields yet').waitFor();
      await add('Reading time', 'Number');
      await page.getByText('reading_time · Number').waitFor();
      await add('Size', 'Choice', () => dialog('Add field').getByRole('textbox', { name: 'Choices' }).fill('S\nM'));
      await page.getByText('size · Choice').waitFor();
      expect((await stored()).fields).toMatchObject([
        { name: 'reading_time', kind: 'number' },
        { name: 'size', kind: 'choice', choices: ['S', 'M'] },
      ]);
    });

    it('say at the control what is refused, and keep what was typed', async () => {
      await add('Facts', 'JSON', () =>
        dialog('Add field').getByRole('textbox', { name: 'JSON Schema' }).fill('{"type":"string","pattern":"a"}'),
      );
      await dialog('Add field').getByText('pattern: is not supported.').waitFor();
      const schema = dialog('Add field').getByRole('textbox', { name: 'JSON Schema' });
      await schema.fill('{');
      await dialog('Add field').getByRole('button', { name: 'Add field' }).click();
      await dialog('Add field').getByText('Enter valid JSON.').waitFor();
      expect(await violations(page)).toEqual([]);
      await schema.fill('{"type":"string"}');
      await dialog('Add field').getByRole('button', { name: 'Add field' }).click();
      await page.getByText('facts · JSON').waitFor();
    });

    it('are reordered by keyboard', async () => {
      await choose('Facts', 'Move up');
      await eventually(async () => expect(await names()).toEqual(['reading_time', 'facts', 'size']));
      await page.getByRole('status').getByText('Facts is now number 2').waitFor({ state: 'attached' });
    });

    it('are changed, and deleted after a warning about what happens to values', async () => {
      await choose('Size', 'Edit');
      await dialog('Edit “Size”').getByRole('textbox', { name: 'Choices' }).fill('S');
      await dialog('Edit “Size”').getByText('Posts keep removed choices').waitFor();
      await dialog('Edit “Size”').getByRole('textbox', { name: 'Choices' }).fill('S\nM\nL');
      await dialog('Edit “Size”').getByRole('button', { name: 'Save field' }).click();
      await dialog('Edit “Size”').waitFor({ state: 'detached' });
      expect((await stored()).fields.at(-1)?.choices).toEqual(['S', 'M', 'L']);
      await choose('Facts', 'Delete');
      await dialog('Delete “Facts”?')
        .getByText('Posts keep their values, but their next publish leaves them out.')
        .waitFor();
      await dialog('Delete “Facts”?').getByRole('button', { name: 'Delete field' }).click();
      await eventually(async () => expect(await names()).toEqual(['reading_time', 'size']));
    });

    it('fit a phone, and are accessible', async () => {
      await page.getByText('size · Choice').waitFor();
      expect(await violations(page)).toEqual([]);
      await page.setViewportSize({ width: 360, height: 740 });
      await eventually(async () => expect(await sticksOut(page)).toEqual([]));
    });
  });
}
