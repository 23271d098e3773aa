import { whenProjectIsKnown } from '@blog-content/local-services';
import { startReceiver, type Receiver } from '@blog-content/testing';
import type { BrowserContext, Page } from 'playwright-core';
import { eventually, signInAs } from '../actions.ts';
import type { Stories } from './stories.ts';

const HOUR_MS = 3_600_000;

/** A new project and its first steps; what needs somebody; a service that cannot be reached. */
export function describeHomePage({ dashboard, newBrowser }: Stories): void {
  describe('a project from its beginning', () => {
    let context: BrowserContext;
    let page: Page;
    let project: string;
    let shop: Receiver;
    const api = () => dashboard().administrator.api;
    const steps = () => page.getByRole('region', { name: 'Three steps to your first post on your site' });
    const attention = () => page.getByRole('region', { name: 'Needs attention' });
    const home = async () => {
      // The editor has no menu.
      const back = page.getByRole('link', { name: 'Posts', exact: true });
      if ((await page.getByRole('navigation').count()) === 0) await back.click();
      await page.getByRole('link', { name: 'Home', exact: true }).click();
    };
    const isDone = (step: string) => steps().getByText(step).locator('..').getByText('Done', { exact: true }).waitFor();

    beforeAll(async () => {
      shop = await startReceiver({ respond: () => ({ status: 503 }) });
      context = await newBrowser([/status of (422|503) /, /ERR_INTERNET_DISCONNECTED/]);
      page = await context.newPage();
      await page.goto('/new-project');
      await signInAs(page, dashboard().administrator);
    });

    afterAll(async () => {
      await context?.close();
      await shop?.close();
    });

    it('is made with a name; a URL that is none is refused at its field, and what was typed stays', async () => {
      await page.getByLabel('Name').fill('Allotment');
      await page.getByLabel('Site URL').fill('ftp://allotment.example');
      await page.getByRole('button', { name: 'Create project' }).click();
      await page.locator('input[name=site_url][aria-invalid=true]').waitFor();
      expect(await page.getByLabel('Name').inputValue()).toBe('Allotment');
      await page.getByLabel('Site URL').fill('allotment.example');
      await page.getByRole('button', { name: 'Create project' }).click();
      await page.getByRole('heading', { level: 1, name: 'Home' }).waitFor();
      project = /projects\/([^/]+)/.exec(page.url())?.[1] ?? '';
      expect(await api().get(`projects/${project}`)).toMatchObject({ site_url: 'https://allotment.example' });
    });

    it('can be left alone: by Cancel where there is another project, else by signing out', async () => {
      await page.goto('/new-project');
      await page.getByRole('link', { name: 'Cancel' }).click();
      await page.getByRole('heading', { level: 1, name: 'Home' }).waitFor();
      await page.route(/\/owner\/projects\?/, (route) => route.fulfill({ json: { items: [], next_cursor: null } }));
      await page.goto('/new-project');
      await page.getByRole('button', { name: 'Sign out' }).waitFor();
      await page.unrouteAll();
      await page.goto(`/projects/${project}`);
    });

    it('leads from a post over a key to a publish, and each step is ticked off by itself', async () => {
      await attention().getByText('Nothing needs you now.').waitFor();
      await steps().getByRole('button', { name: 'Write a post' }).click();
      await page.getByRole('heading', { level: 1, name: 'Post' }).waitFor();
      const title = page.getByLabel('Title', { exact: true });
      expect(await title.evaluate((field: HTMLInputElement) => field.selectionEnd)).toBe('Untitled'.length);
      await page.keyboard.type('The first bed');
      // The slug was made from “Untitled”, and nobody has written another one.
      await eventually(async () => {
        const { items } = await api().get<{ items: object[] }>(`projects/${project}/blogs`);
        expect(items).toEqual([expect.objectContaining({ title: 'The first bed', slug: 'the-first-bed' })]);
      });
      await home();
      await isDone('1. Write a post');
      await steps().getByRole('link', { name: 'Get a key' }).click();
      await page.getByRole('button', { name: 'Generate key' }).click();
      await page.getByRole('dialog').getByRole('button', { name: 'Generate key' }).click();
      await page
        .getByText(/^pk_live_/)
        .first()
        .waitFor();
      await home();
      await isDone('2. Connect your site');
      await steps().getByRole('link', { name: 'Choose a post to publish' }).click();
      await page.getByRole('link', { name: 'The first bed' }).waitFor();
      await home();
      const { items } = await api().get<{ items: { id: string }[] }>(`projects/${project}/blogs`);
      await api().post(`projects/${project}/blogs/${items[0]!.id}/publish`);
      await steps().waitFor({ state: 'detached' });
    });

    it('says by itself what needs somebody: a receiver that fails, by its name, and a publish that did not arrive', async () => {
      await whenProjectIsKnown(() => api().post(`projects/${project}/webhooks`, { name: 'Shop', url: shop.url }));
      const { id } = await api().post<{ id: string }>(`projects/${project}/blogs`, { title: 'Potatoes' });
      await api().post(`projects/${project}/blogs/${id}/publish`);
      await attention().getByRole('link', { name: 'Publishing “Potatoes” has failed' }).waitFor();
      await attention().getByText('These receivers did not get it: Shop.').waitFor();
      await page.getByRole('link', { name: 'Publishing 1 failed' }).waitFor();
      await page.getByRole('link', { name: 'Webhooks' }).click();
      await page.getByText('1 failed', { exact: true }).last().waitFor();
      await page.getByRole('table', { name: 'Webhooks' }).getByRole('link', { name: 'Shop' }).click();
      await page.getByRole('heading', { level: 1, name: 'Shop' }).waitFor();
      await page.getByText('1 delivery failed').waitFor();
      await page.goBack();
      await api().post(`projects/${project}/blogs/${id}/publish`);
      await page.getByText('2 failed', { exact: true }).last().waitFor();
      await home();
      await page.getByRole('link', { name: 'Webhooks 1 failed' }).waitFor();
      await attention().getByRole('link', { name: 'The receiver “Shop” fails' }).click();
      await page.getByRole('heading', { level: 1, name: 'Shop' }).waitFor();
      await page.getByRole('alert').getByText('The last 2 deliveries failed').waitFor();
    });

    it('says what is due within a day, and that the autopilot is paused', async () => {
      const { id } = await api().post<{ id: string }>(`projects/${project}/blogs`, { title: 'Leeks' });
      const soon = new Date(Date.now() + HOUR_MS).toISOString();
      await api().put(`projects/${project}/blogs/${id}/schedule`, { publish_at: soon });
      await api().put(`projects/${project}/autopilot`, {
        enabled: true,
        time_zone: 'Europe/Berlin',
        days: ['mon'],
        times: ['09:30'],
      });
      await api().post(`projects/${project}/autopilot/pause`);
      await page.goto(`/projects/${project}`);
      await attention().getByRole('link', { name: '“Leeks” will be published' }).waitFor();
      await attention().getByRole('link', { name: 'The autopilot is paused' }).waitFor();
    });

    it('shows a few of many publishes that failed, and how many more there are; they hide nothing else', async () => {
      const answer = await api().get<{ items: object[] }>(`projects/${project}/publishes`);
      const items = Array.from({ length: 50 }, (_, number) => ({
        ...answer.items[0],
        id: `${number}`,
        blog_id: `${number}`,
        blog_title: `Bed ${number}`,
        status: 'failed',
        deliveries: [],
      }));
      await page.route(/\/publishes\?/, (route) => route.fulfill({ json: { ...answer, items } }));
      await page.goto(`/projects/${project}`);
      await attention().getByText('45 more of the newest publishes failed.').waitFor();
      expect(
        await attention()
          .getByRole('link', { name: /^Publishing “Bed/ })
          .count(),
      ).toBe(5);
      await attention().getByRole('link', { name: '“Leeks” will be published' }).waitFor();
      await attention().getByRole('link', { name: 'The autopilot is paused' }).waitFor();
      expect(await attention().getByText('Open the calendar').count()).toBe(0);
      await attention().getByRole('link', { name: 'Open Publishing' }).click();
      await page.getByRole('heading', { level: 1, name: 'Publishing' }).waitFor();
      await page.unrouteAll();
      await page.goto(`/projects/${project}`);
    });

    it('forgets the trouble once what failed was sent again with success', async () => {
      shop.respondWith(() => ({}));
      await page.getByRole('link', { name: 'Publishing “Potatoes” has failed' }).click();
      await page.getByRole('button', { name: 'Resend' }).click();
      await page.getByRole('dialog').getByRole('button', { name: 'Resend' }).click();
      await page.getByText('Status 200').waitFor();
      await home();
      await attention().getByText('“Leeks” will be published').waitFor();
      await eventually(async () =>
        expect(
          await attention()
            .getByText(/Potatoes|Shop/)
            .count(),
        ).toBe(0),
      );
      await page.getByRole('link', { name: 'Webhooks' }).click();
      await page.getByRole('row').filter({ hasText: 'Shop' }).getByText('Active', { exact: true }).last().waitFor();
    });

    it('says what could not be looked up, and shows it once the service answers again', async () => {
      await page.route(/\/(schedules|blogs)\?/, (route) => route.fulfill({ status: 503 }));
      await page.goto(`/projects/${project}`);
      await page.getByText('The service has a problem').waitFor();
      await attention().getByText('Some of this could not be looked up').waitFor();
      expect(await attention().getByText('Nothing needs you now.').count()).toBe(0);
      await page.unrouteAll();
      await page.getByRole('button', { name: 'Try again' }).click();
      await page.getByRole('table', { name: 'Newest posts' }).getByRole('link', { name: 'Potatoes' }).waitFor();
    });

    it('says that one is offline, and goes on by itself when the connection is back', async () => {
      await context.setOffline(true);
      await page.getByText('You’re offline.').waitFor();
      await context.setOffline(false);
      await page.getByText('You’re offline.').waitFor({ state: 'detached' });
      const { id } = await api().post<{ id: string }>(`projects/${project}/blogs`, { title: 'Published meanwhile' });
      await api().post(`projects/${project}/blogs/${id}/publish`);
      await page.getByRole('link', { name: 'Published meanwhile' }).waitFor();
    });
  });
}
