import type { BrowserContext, Page } from 'playwright-core';
import { startReceiver } from '@blog-content/testing';
import { eventually, goTo, openAs } from '../actions.ts';
import type { Stories } from './stories.ts';

interface Project {
  readonly name: string;
  readonly site_url: string | null;
}

/** A project's name, address, model and end. */
export function describeSettings({ dashboard, newBrowser }: Stories): void {
  describe('the settings', () => {
    let context: BrowserContext;
    let page: Page;
    let id: string;
    let address: string;
    const api = () => dashboard().administrator.api;
    const stored = () => api().get<Project>(`projects/${id}`);
    const name = (on = page) => on.getByRole('textbox', { name: 'Name', exact: true });
    const site = (on = page) => on.getByRole('textbox', { name: 'Site URL' });
    const save = (on = page) => on.getByRole('main').getByRole('button', { name: 'Save' });

    beforeAll(async () => {
      id = (await api().post<{ id: string }>('projects', { name: 'Pond' })).id;
      address = `/projects/${id}/settings`;
      context = await newBrowser([/status of (422|409) /, /status of 404 .*\/projects\//]);
      page = await openAs(context, dashboard().administrator, address);
    });

    afterAll(() => context?.close());

    it('save a name immediately, and the site URL after a warning about what that changes', async () => {
      await name().fill('Pond and stream');
      await save().click();
      await page.getByRole('button', { name: 'Project: Pond and stream' }).waitFor();
      await site().fill('https://pond.example/blog');
      await save().click();
      const dialog = page.getByRole('dialog', { name: 'Change the site URL?' });
      await dialog.getByText('Posts at destinations keep their old links').waitFor();
      expect((await stored()).site_url).toBeNull();
      await dialog.getByRole('button', { name: 'Change URL' }).click();
      await dialog.waitFor({ state: 'detached' });
      expect(await stored()).toMatchObject({ name: 'Pond and stream', site_url: 'https://pond.example/blog' });
      expect(await save().isDisabled()).toBe(true);
    });

    it('explain that links between posts are root-relative without a site URL', async () => {
      await site().fill('');
      await save().click();
      const dialog = page.getByRole('dialog', { name: 'Change the site URL?' });
      await dialog.getByText('links between posts start with /blog/').waitFor();
      await dialog.getByRole('button', { name: 'Cancel' }).click();
      await dialog.waitFor({ state: 'detached' });
      await site().fill('https://pond.example/blog');
    });

    it('refuse an invalid host without a request', async () => {
      await site().fill('nonsense');
      await save().click();
      await page.getByText('Enter a web address, such as example.com.').waitFor();
      expect(await page.getByRole('dialog').count()).toBe(0);
      await site().fill('https://pond.example/blog');
    });

    it('show a refusal at its field, and keep the input', async () => {
      await site().fill('https://someone:secret@pond.example/');
      await save().click();
      await page.getByRole('button', { name: 'Change URL' }).click();
      await page.getByRole('dialog').getByRole('alert').getByText('must not have a user name or password').waitFor();
      await page.getByRole('button', { name: 'Cancel' }).click();
      await page.locator('input[aria-invalid=true]').waitFor();
      expect(await site().inputValue()).toBe('https://someone:secret@pond.example/');
      expect((await stored()).site_url).toBe('https://pond.example/blog');
      await site().fill('https://pond.example/blog');
    });

    it('keep what others have saved, and warn before they replace it', async () => {
      const theirs = await newBrowser();
      const other = await openAs(theirs, dashboard().administrator, address);
      await site(other).fill('https://pond.example/new');
      await save(other).click();
      await other.getByRole('button', { name: 'Change URL' }).click();
      await other.getByRole('dialog').waitFor({ state: 'detached' });

      await name().fill('Stream');
      await save().click();
      await page.getByRole('button', { name: 'Project: Stream' }).waitFor();
      expect(await stored()).toEqual(expect.objectContaining({ name: 'Stream', site_url: 'https://pond.example/new' }));
      expect(await site().inputValue()).toBe('https://pond.example/new');

      await other.reload();
      await name(other).fill('Theirs');
      await save(other).click();
      await other.getByRole('button', { name: 'Project: Theirs' }).waitFor();
      await name().fill('Mine');
      await save().click();
      await page.getByText('Someone else just changed these settings.').waitFor();
      expect((await stored()).name).toBe('Theirs');
      await save().click();
      await page.getByRole('button', { name: 'Project: Mine' }).waitFor();
      expect((await stored()).name).toBe('Mine');
      await theirs.close();
    });

    it('ask before leaving with unsaved changes, also on a reload', async () => {
      await name().fill('Not saved');
      await page.getByRole('link', { name: 'Posts', exact: true }).click();
      const question = page.getByRole('dialog', { name: 'Leave without saving?' });
      await question.getByRole('button', { name: 'Cancel' }).click();
      expect(await name().inputValue()).toBe('Not saved');

      const asked: string[] = [];
      page.on('dialog', (dialog) => {
        asked.push(dialog.type());
        void dialog.dismiss();
      });
      await page.close({ runBeforeUnload: true });
      await eventually(() => Promise.resolve(expect(asked).toEqual(['beforeunload'])));
      expect(await name().inputValue()).toBe('Not saved');

      await save().click();
      await page.getByRole('button', { name: 'Project: Not saved' }).waitFor();
      await page.reload();
      await page.getByRole('link', { name: 'Posts', exact: true }).click();
      await page.getByRole('heading', { level: 1, name: 'Posts' }).waitFor();
      expect(asked).toHaveLength(1);
    });

    it('accept only public model URLs, and keep the key, which is never shown again', async () => {
      await goTo(page, `${address}/model`);
      const model = page.getByRole('main');
      await model.getByRole('textbox', { name: 'API key' }).fill('a-key-of-a-model-server-1234');
      await model.getByLabel('Model', { exact: true }).fill('writer-1');
      const server = model.getByLabel('Base URL');
      await server.fill('https://10.0.0.1/v1');
      await model.getByRole('button', { name: 'Save' }).click();
      await eventually(async () => expect(await server.getAttribute('aria-invalid')).toBe('true'));
      await server.fill('http://127.0.0.1:9/v1');
      await model.getByRole('button', { name: 'Save' }).click();
      await model.getByText('This project uses writer-1.').waitFor();
      await model.getByText(/A key ending in .*1234 is saved/).waitFor();
      expect(await page.content()).not.toContain('a-key-of-a-model-server');
      expect(await model.getByRole('textbox', { name: 'API key' }).inputValue()).toBe('');
    });

    it('test the model in the form, and show the response of its server', async () => {
      const model = page.getByRole('main');
      await model.getByText('POST /chat/completions').waitFor();
      await model.getByRole('button', { name: 'Test' }).click();
      await model.getByText('The model doesn’t work').waitFor();
      await model.getByText('The model’s server could not be reached (ECONNREFUSED).').waitFor();

      const server = await startReceiver({
        respond: () => ({ status: 401, body: { error: { message: 'No such key: a-new-key-of-ours' } } }),
      });
      await model.getByLabel('Base URL').fill(new URL('/v1', server.url).href);
      await model.getByRole('textbox', { name: 'API key' }).fill('a-new-key-of-ours');
      await model.getByRole('button', { name: 'Test' }).click();
      await model.getByText('The model’s server returned 401.').waitFor();
      await model.getByText('No such key: ••••').waitFor();
      await model.getByRole('row', { name: 'Status 401' }).waitFor();

      const completion = {
        model: 'writer-1-large',
        choices: [{ finish_reason: 'stop', message: { content: '{"answer":"Ready."}' } }],
      };
      server.respondWith(() => ({ body: completion }));
      await model.getByRole('button', { name: 'Test' }).click();
      await model.getByText('The model works').waitFor();
      await model.getByRole('row', { name: 'Model writer-1-large' }).waitFor();
      await model.getByRole('row', { name: 'Structured output Yes, by JSON schema' }).waitFor();
      await model.getByLabel('Base URL').fill('http://127.0.0.1:9/v1');
      await model.getByRole('textbox', { name: 'API key' }).fill('');
      await server.close();
    });

    it('refuse a model URL without a model, and focus the missing field', async () => {
      const model = page.getByRole('main');
      const field = model.getByRole('textbox', { name: 'Model', exact: true });
      await field.fill('');
      await model.getByRole('button', { name: 'Save' }).click();
      expect(await field.evaluate((element) => element.matches(':focus:invalid'))).toBe(true);
      await model.getByText('Fill in this field.').waitFor();
      expect(await model.getByRole('alert').count()).toBe(0);
      await field.fill('writer-1');
    });

    it('truncate a long project name', async () => {
      await goTo(page, address);
      await name().fill('A pond that has a name too long for such a window');
      await save().click();
      await page.setViewportSize({ width: 360, height: 740 });
      const shown = page
        .getByRole('button', { name: /^Project: / })
        .getByText('A pond that has a name too long for such a window');
      await shown.waitFor();
      const { isCut, ...style } = await shown.evaluate((element) => {
        const { display, textOverflow } = getComputedStyle(element);
        return { isCut: element.scrollWidth > element.clientWidth, display, textOverflow };
      });
      expect(isCut).toBe(true);
      // In a flex container the words would be an item of it, which is cut without one.
      expect(style).toEqual({ display: 'block', textOverflow: 'ellipsis' });
      await page.setViewportSize({ width: 1280, height: 720 });
      await name().fill('Not saved');
      await save().click();
      await page.getByRole('button', { name: 'Project: Not saved' }).waitFor();
    });

    it('explain a deletion, and delete the project once its posts are unpublished and its name is typed', async () => {
      const blog = await api().post<{ id: string }>(`projects/${id}/blogs`, { title: 'Frogs' });
      await api().post(`projects/${id}/blogs/${blog.id}/publish`);
      await page.goto(address);
      await page.getByRole('navigation', { name: 'Settings' }).getByRole('link', { name: 'Danger zone' }).click();
      const end = page.getByRole('main');
      await end.getByText('Unpublish all posts first').waitFor();
      expect(await end.getByRole('button', { name: 'Delete project' }).isDisabled()).toBe(true);
      await api().post(`projects/${id}/blogs/${blog.id}/unpublish`);

      await end.getByRole('button', { name: 'Delete project' }).click();
      const dialog = page.getByRole('dialog', { name: 'Delete “Not saved”?' });
      await dialog.getByText('Export what you want to keep first.').waitFor();
      const confirm = dialog.getByRole('button', { name: 'Delete project' });
      expect(await confirm.isDisabled()).toBe(true);
      await dialog.getByLabel('Type “Not saved” to confirm').fill('Not saved');
      await confirm.click();
      await page.getByText('Project deleted').waitFor();
      await page.goto(address);
      await page.getByRole('heading', { name: 'Page not found' }).waitFor();
    });
  });
}
