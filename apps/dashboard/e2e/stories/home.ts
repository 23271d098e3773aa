import { whenProjectIsKnown } from '@blog-content/local-services';
import { startReceiver, type Receiver } from '@blog-content/testing';
import type { BrowserContext, Page } from 'playwright-core';
import { eventually, goTo, signInAs, violations } from '../actions.ts';
import type { Stories } from './stories.ts';

const HOUR_MS = 3_600_000;

/** A new project and its setup guide; what needs someone; a service that cannot be reached. */
export function describeHomePage({ dashboard, newBrowser }: Stories): void {
  describe('a project from its beginning', () => {
    let context: BrowserContext;
    let page: Page;
    let project: string;
    let shop: Receiver;
    const api = () => dashboard().administrator.api;
    const guide = () => page.getByRole('region', { name: 'Setup guide' });
    const step = (title: string) => guide().getByRole('button', { name: title });
    const attention = () => page.getByRole('region', { name: 'Needs attention' });
    const goHome = async () => {
      await goTo(page, `/projects/${project}`);
    };
    const isDone = (title: string) =>
      guide()
        .getByRole('button', { name: `${title} Done` })
        .waitFor();
    const isPublished = (title: string) =>
      eventually(async () => {
        const { items } = await api().get<{ items: object[] }>(`projects/${project}/publishes`);
        expect(items).toEqual([expect.objectContaining({ blog_title: title, live: true })]);
      });

    beforeAll(async () => {
      shop = await startReceiver({ respond: () => ({ status: 503 }) });
      context = await newBrowser([
        /status of (422|503) /,
        /ERR_INTERNET_DISCONNECTED/,
        // The service that reads learns of a new key a moment later.
        /status of 401 .*\/public\/blogs\//,
      ]);
      page = await context.newPage();
      await page.goto('/new-project');
      await signInAs(page, dashboard().administrator);
    });

    afterAll(async () => {
      await context?.close();
      await shop?.close();
    });

    it('is created with a name, and shows an invalid URL at its field without losing input', async () => {
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

    it('can be abandoned by Cancel if there is another project, else by signing out', async () => {
      await page.goto('/new-project');
      await page.getByRole('link', { name: 'Cancel' }).click();
      await page.getByRole('heading', { level: 1, name: 'Home' }).waitFor();
      await page.route(/\/owner\/projects\?/, (route) => route.fulfill({ json: { items: [], next_cursor: null } }));
      await page.goto('/new-project');
      await page.getByRole('button', { name: 'Sign out' }).waitFor();
      await page.unrouteAll();
      await page.goto(`/projects/${project}`);
    });

    it('leads a new project from a post over a key to “It’s live”, and ticks off each step by itself', async () => {
      expect(await attention().count()).toBe(0);
      await guide().getByText('0 of 3 done').waitFor();
      await guide().getByRole('button', { name: 'New post' }).click();
      const title = page.getByLabel('Title', { exact: true });
      await title.waitFor();
      expect(await title.evaluate((field: HTMLInputElement) => field.selectionEnd)).toBe('Untitled'.length);
      await page.keyboard.type('The first bed');
      // The slug was made from “Untitled”, and nobody has written another one.
      await eventually(async () => {
        const { items } = await api().get<{ items: object[] }>(`projects/${project}/blogs`);
        expect(items).toEqual([expect.objectContaining({ title: 'The first bed', slug: 'the-first-bed' })]);
      });
      await goHome();
      await isDone('Write your first post');
      await guide().getByRole('button', { name: 'Create public key' }).click();
      await isDone('Connect your site');
      await guide().getByText('Waiting for the first request from your site…').waitFor();
      expect(await violations(page)).toEqual([]);
      await guide().getByRole('button', { name: 'Continue to publish' }).click();
      await guide().getByRole('link', { name: 'Publish “The first bed”' }).click();
      await title.waitFor();
      await page
        .getByRole('button', { name: /^Publish/ })
        .first()
        .click();
      await page.getByRole('dialog').getByRole('button', { name: 'Publish', exact: true }).click();
      await isPublished('The first bed');
      await goHome();
      await guide().getByText('3 of 3 done').waitFor();
      await guide().getByText('It’s live: “The first bed”').waitFor();
      const json = guide().getByRole('region', { name: 'Post as JSON' });
      await json.getByText('"title": "The first bed"').waitFor();
      const href = await guide().getByRole('link', { name: 'Open JSON' }).getAttribute('href');
      const opened = await fetch(new URL(href!, dashboard().local.origin));
      expect(await opened.json()).toEqual(JSON.parse((await json.textContent()) ?? ''));
      expect(await violations(page)).toEqual([]);
    });

    it('keeps showing what readers have while the post’s new slug is a draft', async () => {
      const { items } = await api().get<{ items: { id: string; version: number }[] }>(`projects/${project}/blogs`);
      const blog = `projects/${project}/blogs/${items[0]!.id}`;
      await api().patch(blog, { slug: 'the-second-bed' });
      await page.reload();
      const json = guide().getByRole('region', { name: 'Post as JSON' });
      await json.getByText('"slug": "the-first-bed"').waitFor();
      expect(await guide().getByRole('link', { name: 'Open JSON' }).getAttribute('href')).toContain('/the-first-bed?');
      await api().patch(blog, { slug: 'the-first-bed' });
    });

    it('has working code for each site generator, and remembers the chosen one', async () => {
      await step('Connect your site').click();
      for (const name of ['Astro', 'Next', 'Eleventy', 'Hugo']) {
        await guide().getByRole('tab', { name }).click();
        const code = await guide()
          .getByRole('region', { name: `Code for ${name}` })
          .first()
          .textContent();
        expect(code).toContain(`${dashboard().local.origin}/blog/api/v1/public`);
        expect(code).toMatch(/pk_live_\w{32}/);
      }
      await guide().getByRole('tab', { name: 'JavaScript' }).click();
      await page.reload();
      await step('Connect your site').click();
      const code = await guide().getByRole('region', { name: 'Code for JavaScript' }).textContent();
      const module = `data:text/javascript,${encodeURIComponent(code ?? '')}`;
      const { allPosts } = (await import(module)) as { allPosts: () => Promise<{ title: string }[]> };
      expect((await allPosts()).map(({ title }) => title)).toEqual(['The first bed']);
      await guide().getByText('Last request from your site:').waitFor();
    });

    it('revokes the key with Undo, and shows how to create another', async () => {
      const other = await api().post<{ id: string }>('projects', { name: 'Greenhouse' });
      await whenProjectIsKnown(() => api().get(`projects/${other.id}/webhooks`));
      await page.goto(`/projects/${other.id}`);
      await step('Connect your site').click();
      await guide().getByRole('button', { name: 'Create public key' }).click();
      await isDone('Connect your site');
      await page.getByRole('button', { name: 'Undo' }).click();
      await guide().getByRole('button', { name: 'Create public key' }).waitFor();
      await page.goto(`/projects/${project}`);
    });

    it('hides the guide, and brings it back from the toast, the sidebar, the palette and Home’s menu', async () => {
      const hide = () => guide().getByRole('button', { name: 'Hide guide' }).click();
      const isGone = () => guide().waitFor({ state: 'detached' });
      await hide();
      await isGone();
      await page.getByRole('button', { name: 'Show again' }).click();
      await guide().waitFor();
      await hide();
      await isGone();
      await page.getByRole('link', { name: 'Setup guide' }).click();
      await hide();
      await isGone();
      await page.keyboard.press('Control+k');
      await page.getByRole('combobox', { name: 'Search posts, pages and actions' }).fill('setup');
      await page.getByRole('option', { name: 'Setup guide', selected: true }).waitFor();
      await page.keyboard.press('Enter');
      await hide();
      await isGone();
      await page.getByRole('button', { name: 'More actions' }).click();
      await page.getByRole('menuitem', { name: 'Setup guide' }).click();
      await guide().getByRole('button', { name: 'Finish setup' }).click();
      await isGone();
      await page.reload();
      await attention().getByText('All caught up').waitFor();
      expect(await guide().count()).toBe(0);
      expect(await page.getByRole('link', { name: 'Setup guide' }).count()).toBe(0);
    });

    it('shows the week in three figures that lead to their pages', async () => {
      const figures = page.getByRole('region', { name: 'Last 7 days' });
      await figures.getByRole('link', { name: 'Published this week 1 post' }).waitFor();
      await figures.getByRole('link', { name: 'Delivery success – No deliveries this week' }).waitFor();
      await figures.getByRole('link', { name: /API requests [1-9]\d* in the last 7 days/ }).click();
      await page.getByRole('heading', { level: 1, name: 'API access' }).waitFor();
      await goHome();
    });

    it('names the destination that missed a post, and Fix leads to that delivery', async () => {
      await whenProjectIsKnown(() => api().post(`projects/${project}/webhooks`, { name: 'Shop', url: shop.url }));
      const { id } = await api().post<{ id: string }>(`projects/${project}/blogs`, { title: 'Potatoes' });
      await api().post(`projects/${project}/blogs/${id}/publish`);
      const title = '“Potatoes” is live, but the destination didn’t get it';
      await attention().getByText(title).waitFor();
      await attention()
        .getByText(/^Shop: .*503/)
        .waitFor();
      await page.getByRole('link', { name: 'Publishing 1 failed' }).waitFor();
      await attention()
        .getByRole('link', { name: `Fix: ${title}` })
        .click();
      await page.waitForURL(/\/webhooks\/deliveries\/[^/]+$/);
      await page.getByRole('link', { name: 'Webhooks' }).first().click();
      await page.getByRole('table', { name: 'Webhooks' }).getByRole('link', { name: '1 failed' }).waitFor();
      await page.getByRole('table', { name: 'Webhooks' }).getByRole('link', { name: 'Shop' }).click();
      await page.getByRole('heading', { level: 1, name: 'Shop' }).waitFor();
      await page.getByText('1 delivery failed').waitFor();
      await page.goBack();
      await api().post(`projects/${project}/blogs/${id}/publish`);
      await page.getByRole('table', { name: 'Webhooks' }).getByRole('link', { name: '2 failed' }).waitFor();
      await goHome();
    });

    it('makes one entry of a failing destination and the posts it missed, and Fix leads to its page', async () => {
      for (const title of ['Leaf mould', 'Bean poles']) {
        const { id } = await api().post<{ id: string }>(`projects/${project}/blogs`, { title });
        await api().post(`projects/${project}/blogs/${id}/publish`);
      }
      await attention().getByText('Deliveries to “Shop” are failing').waitFor();
      await attention().getByText('3 posts weren’t delivered.').waitFor();
      await page.getByRole('link', { name: 'Publishing 3 failed' }).waitFor();
      await page.getByRole('link', { name: 'Webhooks 1 failed' }).waitFor();
      expect(await attention().getByRole('listitem').count()).toBe(1);
      expect(await violations(page)).toEqual([]);
      await attention().getByRole('link', { name: 'Fix: Deliveries to “Shop” are failing' }).click();
      await page.getByRole('heading', { level: 1, name: 'Shop' }).waitFor();
      await page
        .getByRole('alert')
        .getByText(/The last \d deliveries failed/)
        .waitFor();
      await goHome();
    });

    it('shows drafts to continue, upcoming posts, and a paused autopilot', async () => {
      const { id } = await api().post<{ id: string }>(`projects/${project}/blogs`, { title: 'Leeks' });
      await api().post<{ id: string }>(`projects/${project}/blogs`, { title: 'A draft about chard' });
      const soon = new Date(Date.now() + 2.5 * HOUR_MS).toISOString();
      await api().put(`projects/${project}/blogs/${id}/schedule`, { publish_at: soon });
      await api().put(`projects/${project}/autopilot`, {
        enabled: true,
        time_zone: 'Europe/Berlin',
        days: ['mon'],
        times: ['09:30'],
      });
      await api().post(`projects/${project}/autopilot/pause`);
      await page.goto(`/projects/${project}`);
      const section = (name: string) => page.getByRole('region', { name, exact: true });
      await section('Upcoming').getByRole('link', { name: 'Leeks in 2 hours' }).waitFor();
      await section('Continue writing').getByRole('link', { name: 'A draft about chard Edited' }).waitFor();
      expect(await section('Continue writing').getByText('Leeks').count()).toBe(0);
      await attention().getByRole('link', { name: 'Fix: Autopilot is paused' }).waitFor();
      await attention().getByRole('link', { name: 'Fix: Autopilot has no AI model' }).click();
      await page.getByRole('heading', { level: 1, name: 'AI model' }).waitFor();
      await goHome();
    });

    it('shows a few of many posts that are missing somewhere, and how many more there are', async () => {
      const answer = await api().get<{ items: { deliveries: object[] }[] }>(`projects/${project}/publishes`);
      const items = Array.from({ length: 50 }, (_, number) => ({
        ...answer.items[0],
        id: `${number}`,
        blog_id: `${number}`,
        blog_title: `Bed ${number}`,
        deliveries: [{ ...answer.items[0]!.deliveries[0], delivery_id: `${number}`, integration_id: `${number}` }],
      }));
      await page.route(/\/publishes\?/, (route) => route.fulfill({ json: { ...answer, items } }));
      await page.goto(`/projects/${project}`);
      await attention().getByText('45 more:').waitFor();
      expect(
        await attention()
          .getByRole('link', { name: /^Fix: “Bed/ })
          .count(),
      ).toBe(5);
      await attention().getByRole('link', { name: 'Fix: Autopilot is paused' }).waitFor();
      await attention().getByRole('link', { name: 'Open Publishing' }).click();
      await page.getByRole('heading', { level: 1, name: 'Publishing' }).waitFor();
      expect(new URL(page.url()).search).toBe('?outcome=failed');
      await page.unrouteAll();
      await page.goto(`/projects/${project}`);
    });

    it('forgets a failure once the destination has the posts', async () => {
      shop.respondWith(() => ({}));
      const { items } = await api().get<{ items: { id: string; title: string }[] }>(`projects/${project}/blogs`);
      const missed = items.filter(({ title }) => ['Potatoes', 'Leaf mould', 'Bean poles'].includes(title));
      for (const { id } of missed) await api().post(`projects/${project}/blogs/${id}/publish`);
      await eventually(async () =>
        expect(
          await attention()
            .getByText(/Potatoes|Shop/)
            .count(),
        ).toBe(0),
      );
      await page.getByRole('link', { name: 'Publishing', exact: true }).waitFor();
      await page.getByRole('link', { name: 'Webhooks', exact: true }).waitFor();
      await page.getByRole('link', { name: 'Webhooks', exact: true }).click();
      await page.getByRole('row').filter({ hasText: 'Shop' }).getByText('Active', { exact: true }).last().waitFor();
    });

    it('says what couldn’t be loaded, and shows it once the service answers again', async () => {
      await page.route(/\/(schedules|blogs)\?/, (route) => route.fulfill({ status: 503 }));
      await page.goto(`/projects/${project}`);
      await attention().getByText('Couldn’t load everything').waitFor();
      expect(await attention().getByText('All caught up').count()).toBe(0);
      await page.unrouteAll();
      await page.getByRole('region', { name: 'Continue writing' }).getByRole('button', { name: 'Try again' }).click();
      await page.getByRole('link', { name: /^A draft about chard/ }).waitFor();
    });

    it('says that the browser is offline, and recovers when the connection is back', async () => {
      await context.setOffline(true);
      await page.getByText('You’re offline.').waitFor();
      await context.setOffline(false);
      await page.getByText('You’re offline.').waitFor({ state: 'detached' });
      await api().post<{ id: string }>(`projects/${project}/blogs`, { title: 'Written elsewhere' });
      await page.getByRole('link', { name: /^Written elsewhere/ }).waitFor();
    });
  });
}
