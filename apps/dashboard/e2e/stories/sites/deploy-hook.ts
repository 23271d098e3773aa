import { whenProjectIsKnown } from '@blog-content/local-services';
import { startReceiver, type Receiver } from '@blog-content/testing';
import type { BrowserContext, Page } from 'playwright-core';
import { eventually, openAs, settled } from '../../actions.ts';
import type { Stories } from '../stories.ts';

/** A deploy hook, set up from a preset. */
export function describeDeployHook({ dashboard, newBrowser }: Stories): void {
  describe('the deploy hook', () => {
    let context: BrowserContext;
    let page: Page;
    let host: Receiver;
    let project: string;
    let before: string;

    beforeAll(async () => {
      const { api } = dashboard().administrator;
      host = await startReceiver({ respond: () => ({ status: 201, body: { id: 'build-1' } }) });
      project = (await api.post<{ id: string }>('projects', { name: 'Built site' })).id;
      await whenProjectIsKnown(() => api.get(`projects/${project}/webhooks`));
      context = await newBrowser([/status of 422 .*\/deploy-hook$/]);
      before = (await api.post<{ id: string }>(`projects/${project}/blogs`, { title: 'Before' })).id;
      await api.post(`projects/${project}/blogs/${before}/publish`);
      page = await openAs(context, dashboard().administrator, `/projects/${project}/deploy-hook`);
    });

    afterAll(async () => {
      await context?.close();
      await host?.close();
    });

    it('is filled in by a preset, whose gaps must be filled before it is saved', async () => {
      await page.getByRole('heading', { name: 'No deploy hook yet' }).waitFor();
      await page.getByLabel('Host').selectOption('Vercel');
      await page.getByRole('textbox', { name: 'URL' }).fill('https://someone.invalid/x');
      await page.getByRole('button', { name: 'Save' }).click();
      await page.getByText('has no DNS address record').waitFor();
      await page.getByLabel('Host').selectOption('GitHub Actions');
      expect(await page.getByText('has no DNS address record').count()).toBe(0);
      expect(await page.getByRole('textbox', { name: 'Body' }).inputValue()).toBe('{"event_type":"blog-published"}');
      expect(await page.getByRole('button', { name: 'Save' }).isEnabled()).toBe(false);
      // Another host leaves nothing of the preset before.
      await page.getByLabel('Host').selectOption('Other');
      await page.getByRole('textbox', { name: 'URL' }).fill(host.url);
      expect(await page.getByText('Replace the <placeholders>').count()).toBe(0);
      expect(await page.getByRole('button', { name: 'Save' }).isEnabled()).toBe(true);
      await page.getByLabel('Host').selectOption('GitHub Actions');
      await page.getByRole('textbox', { name: 'URL' }).fill(host.url);
      await page.getByText('Replace the <placeholders> under Advanced.').waitFor();
      await page.getByLabel('Value of header 2').fill('Bearer a-token-of-the-host');
      await page.getByRole('button', { name: 'Save' }).click();
      await page.getByText('Active', { exact: true }).waitFor();
    });

    it('is tested, and the host gets exactly the configured request', async () => {
      await page.getByRole('button', { name: 'Test', exact: true }).click();
      await page.getByText('Your host returned 201').waitFor();
      expect(host.requests).toHaveLength(1);
      expect(host.requests[0]).toMatchObject({ method: 'POST' });
      expect(host.requests[0]?.headers['authorization']).toBe('Bearer a-token-of-the-host');
      expect(host.requests[0]?.json()).toEqual({ event_type: 'blog-published' });
      await page.getByRole('cell', { name: 'Test' }).waitFor();
    });

    it('keeps what others have saved since, and warns before replacing it', async () => {
      const { api } = dashboard().administrator;
      const hook = `projects/${project}/deploy-hook`;
      const saved = () => api.get<{ method: string; headers: object; body: string; active: boolean }>(hook);
      const body = page.getByRole('textbox', { name: 'Body' });
      const save = page.getByRole('button', { name: 'Save' });
      const written = async () => {
        const { method, headers, active } = await saved();
        return { method, headers, active };
      };
      await api.put(hook, { ...(await written()), body: '{"saved":"meanwhile"}' });
      await page.getByLabel('Value of header 2').fill('Bearer another-token');
      await save.click();
      await eventually(async () => expect(await body.inputValue()).toBe('{"saved":"meanwhile"}'));
      await eventually(async () =>
        expect(await saved()).toMatchObject({
          headers: { Authorization: 'Bearer another-token' },
          body: '{"saved":"meanwhile"}',
        }),
      );

      await api.put(hook, { ...(await written()), body: '{"saved":"again"}' });
      await body.fill('{"mine":true}');
      await save.click();
      await page.getByText('Someone else just changed these settings.').waitFor();
      expect((await saved()).body).toBe('{"saved":"again"}');
      await save.click();
      await eventually(async () => expect((await saved()).body).toBe('{"mine":true}'));
    });

    it('shows a change of a post live, while changes are gathered', async () => {
      const { api } = dashboard().administrator;
      const blog = await api.post<{ id: string }>(`projects/${project}/blogs`, { title: 'Changed' });
      await api.post(`projects/${project}/blogs/${blog.id}/publish`);
      await page.getByText('1 post published').waitFor({ timeout: 20_000 });
      await page.getByText('Collecting changes').waitFor();
    });

    it('does not show as pending for a post that was published before it existed', async () => {
      const { api } = dashboard().administrator;
      const { items } = await api.get<{ items: { id: string }[] }>(`projects/${project}/blogs/${before}/publishes`);
      const elsewhere = await context.newPage();
      await elsewhere.goto(`/projects/${project}/publishing/${items[0]!.id}`);
      await elsewhere.getByText(/^Live in /).waitFor();
      await settled(elsewhere);
      expect(await elsewhere.getByText('Site rebuild').count()).toBe(0);
      await elsewhere.close();
    });

    it('is paused, which cancels waiting requests, and deleted, which keeps its history', async () => {
      const choose = async (action: string) => {
        await page.getByRole('button', { name: 'More actions' }).click();
        await page.getByRole('menuitem', { name: action }).click();
      };
      await choose('Pause');
      await page.getByRole('dialog').getByRole('button', { name: 'Pause deploy hook' }).click();
      await page.getByRole('cell', { name: 'Canceled', exact: true }).waitFor();
      await choose('Delete');
      await page.getByRole('button', { name: 'Delete deploy hook' }).click();
      await page.getByRole('heading', { name: 'No deploy hook yet' }).waitFor();
      await page.getByText('1 post published').waitFor();
    });
  });
}
