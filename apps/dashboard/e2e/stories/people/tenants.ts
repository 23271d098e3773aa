import { whenProjectIsKnown } from '@blog-content/local-services';
import { randomUUID } from 'node:crypto';
import type { BrowserContext, Page } from 'playwright-core';
import pg from 'pg';
import { eventually, goTo, looksGood, openAs, violations } from '../../actions.ts';
import type { Stories } from '../stories.ts';

/** All projects, as the administrator sees them: who is loud, what fails, what is stopped and what is parked. */
export function describeTenants({ dashboard, newBrowser }: Stories): void {
  describe('the administrator’s page of tenants', () => {
    let context: BrowserContext;
    let page: Page;
    let project: string;
    let events: string[];
    const api = () => dashboard().administrator.api;
    const row = (name: string) => page.getByRole('row').filter({ hasText: name });
    const act = async (name: string, action: string) => {
      await page.getByRole('button', { name: `Actions for ${name}` }).click();
      await page.getByRole('menuitem', { name: action }).click();
    };

    beforeAll(async () => {
      project = (await api().post<{ id: string }>('projects', { name: 'Beekeeper' })).id;
      await whenProjectIsKnown(() => api().get(`projects/${project}/webhooks`));
      context = await newBrowser([/status of 403 /]);
      page = await openAs(context, dashboard().administrator, '/account');
      const client = new pg.Client({ connectionString: dashboard().local.databaseUrls['public-read-service'] });
      await client.connect();
      const blogId = randomUUID();
      events = [randomUUID(), randomUUID()];
      for (const [index, id] of events.entries()) {
        const event = { id, topic: 'blog.lifecycle', type: 'blog.unknown', partition: 0, offset: '1', data: {} };
        await client.query(
          `INSERT INTO parked_event (topic, key, event_id, partition, "offset", project_id, blog_id, event, error,
             failures, retry_at)
           VALUES ('story', $1, $2, 0, '1', $3, $1, $4, $5, 5, now() + interval '1 hour')`,
          [blogId, id, project, JSON.stringify(event), index === 0 ? 'invalid input syntax for type json' : null],
        );
      }
      await client.end();
    });

    afterAll(() => context?.close());

    it('is reached from the account, and lists every project with its use', async () => {
      await page.getByRole('link', { name: 'Tenants' }).click();
      await page.getByRole('heading', { name: 'Tenants' }).waitFor();
      await row('Beekeeper').waitFor();
      await eventually(async () => expect(await row('Beekeeper').innerText()).toMatch(/OK/));
      expect(await row('Beekeeper').innerText()).toContain(dashboard().administrator.email);
    });

    it('names project, post and event of what is parked, and is accessible with it', async () => {
      const parked = page.getByRole('list', { name: 'Parked events' });
      await parked.getByText('Project Beekeeper').waitFor();
      await parked.getByText(`event ${events[0]}`).waitFor();
      await parked.getByText('1 event waits behind it').waitFor();
      await looksGood(page);
    });

    it('retries, and skips after a confirmation', async () => {
      await page.getByRole('button', { name: 'Retry blog.unknown' }).click();
      await page.getByText('The service tries it within five seconds').waitFor();
      for (const behind of ['1 event waits behind it', '0 events wait behind it']) {
        await page.getByText(behind).waitFor();
        await page.getByRole('button', { name: 'Skip blog.unknown' }).click();
        await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).waitFor();
        await page.getByRole('dialog').getByRole('button', { name: 'Skip' }).click();
        await page.getByRole('dialog').waitFor({ state: 'hidden' });
      }
      await page.getByText('No events are parked.').waitFor();
    });

    it('searches, sorts, and says where there is nothing', async () => {
      await page.getByRole('searchbox', { name: 'Search projects' }).fill('beekeep');
      await eventually(async () => expect(await page.getByRole('row').count()).toBe(2));
      await page.getByRole('searchbox', { name: 'Search projects' }).fill('nobody has this');
      await page.getByText('No project matches your search').waitFor();
      await page.getByRole('button', { name: 'Show all projects' }).click();
      await row('Beekeeper').waitFor();
      await page.getByRole('combobox', { name: 'Sort by' }).selectOption('storage');
      await eventually(() => expect(page.url()).toContain('sort=storage'));
      await row('Beekeeper').waitFor();
      await page.getByRole('combobox', { name: 'Sort by' }).selectOption('newest');
    });

    it('suspends a project, whose members see why, and resumes it', async () => {
      await row('Beekeeper').waitFor();
      await act('Beekeeper', 'Suspend');
      const dialog = page.getByRole('dialog', { name: 'Suspend “Beekeeper”?' });
      expect(await violations(page)).toEqual([]);
      await dialog.getByRole('radio', { name: 'Everything' }).check();
      await dialog.getByRole('textbox', { name: 'Reason' }).fill('Unpaid invoice');
      await dialog.getByRole('button', { name: 'Suspend' }).click();
      await row('Beekeeper').getByText('Suspended, with public API').waitFor();

      await goTo(page, `/projects/${project}`);
      await page.getByText('An administrator suspended this project').waitFor();
      await page.getByText('Their reason: Unpaid invoice').waitFor();
      expect(await violations(page)).toEqual([]);

      await goTo(page, '/tenants');
      await act('Beekeeper', 'Resume');
      await page.getByRole('dialog').getByRole('button', { name: 'Resume' }).click();
      await page.getByText('Project resumed').waitFor();
      await eventually(async () => expect(await row('Beekeeper').innerText()).not.toContain('Suspended'));
    });

    it('sets the quotas of a project, whose members see how much is left', async () => {
      await row('Beekeeper').waitFor();
      await act('Beekeeper', 'Set quotas');
      const dialog = page.getByRole('dialog', { name: 'Set quotas for “Beekeeper”' });
      await dialog.getByRole('textbox', { name: 'Posts' }).fill('5');
      await dialog.getByRole('textbox', { name: 'Image storage in MB' }).fill('1.5');
      expect(await violations(page)).toEqual([]);
      await dialog.getByRole('button', { name: 'Save quotas' }).click();
      await dialog.waitFor({ state: 'hidden' });
      const seen = () =>
        api().get<{ quotas: { used: number; allowed: number | null }[] }>(`projects/${project}/quotas`);
      expect((await seen()).quotas).toMatchObject([
        { name: 'posts', used: 0, allowed: 5 },
        { name: 'publishes_per_day', used: 0, allowed: null },
        { name: 'storage_bytes', used: 0, allowed: 1_572_864 },
      ]);
      for (const title of ['One', 'Two', 'Three', 'Four']) await api().post(`projects/${project}/blogs`, { title });
      await goTo(page, `/projects/${project}/settings`);
      const usage = page.getByRole('region', { name: 'Usage' });
      await usage.getByText('4 of 5').waitFor();
      await usage.getByText('Nearly used up: Posts').waitFor();
      await looksGood(page);
    });

    it('sets and removes the quotas of an account', async () => {
      await goTo(page, '/account');
      const { email } = dashboard().administrator;
      const open = async () => {
        await page.getByRole('button', { name: `Actions for ${email}` }).click();
        await page.getByRole('menuitem', { name: 'Set quotas' }).click();
      };
      const field = page.getByRole('dialog').getByRole('textbox', { name: 'Publishes per day' });
      await open();
      await field.fill('1000');
      await page.getByRole('button', { name: 'Save quotas' }).click();
      await field.waitFor({ state: 'hidden' });
      await open();
      expect(await field.inputValue()).toBe('1 000');
      await field.fill('');
      await page.getByRole('button', { name: 'Save quotas' }).click();
      await field.waitFor({ state: 'hidden' });
      const { items } = await api().get<{ items: { email: string; quotas: object }[] }>('accounts?limit=100');
      expect(items.find((account) => account.email === email)?.quotas).toEqual({
        posts: null,
        publishes_per_day: null,
        storage_bytes: null,
      });
    });

    it('shows nothing to anyone else', async () => {
      const person = await dashboard().invite('editor');
      const elsewhere = await newBrowser();
      const other = await openAs(elsewhere, person, '/tenants');
      await other.getByText('Only administrators can see this page').waitFor();
      expect(await other.getByRole('table').count()).toBe(0);
      await elsewhere.close();
    });
  });
}
