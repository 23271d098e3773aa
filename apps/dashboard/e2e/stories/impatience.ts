import type { BrowserContext, Locator, Page } from 'playwright-core';
import { goTo, openAs } from '../actions.ts';
import type { Stories } from './stories.ts';

/** Presses twice before the page has got to anything else, as a busy one lets a double click or a held Enter do. */
const pressTwice = (button: Locator) =>
  button.evaluate(async (element: HTMLElement) => {
    element.click();
    for (let tick = 0; tick < 1_000; tick += 1) await Promise.resolve();
    element.click();
  });

/** People who press twice, go on, or go away before the answer has come. */
export function describeImpatience({ dashboard, newBrowser }: Stories): void {
  describe('for the impatient', () => {
    let context: BrowserContext;
    let page: Page;
    let posts: string[] = [];

    const home = () => `/projects/${dashboard().projectId}`;
    const open = async (path: string) => {
      await goTo(page, path);
      posts = [];
    };
    /** Holds the answers to what the page posts to addresses that end like this, until told. */
    const hold = async (end: string) => {
      const [asked, answered] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
      await page.route(`**/${end}`, async (route) => {
        if (route.request().method() !== 'POST') return route.continue();
        asked.resolve();
        await answered.promise;
        await route.continue();
      });
      return { asked: asked.promise, answer: answered.resolve };
    };

    beforeAll(async () => {
      // A project that was just created may not be known everywhere yet.
      context = await newBrowser([/status of 404 .*\/projects\//]);
      page = await openAs(context, dashboard().administrator, home());
      page.on('request', (request) => {
        if (request.method() === 'POST') posts.push(new URL(request.url()).pathname.split('/').at(-1)!);
      });
    });
    afterEach(() => page.unrouteAll({ behavior: 'wait' }));
    afterAll(() => context?.close());

    it('a double click creates one thing', async () => {
      await open(`${home()}/posts`);
      await pressTwice(page.getByRole('button', { name: 'New post' }).first());
      await page.waitForURL(/\/posts\/[^/]+$/);
      expect(posts).toEqual(['blogs']);

      await open(`${home()}/agents`);
      await page.getByRole('button', { name: 'Create key' }).first().click();
      await page.getByLabel('Name').fill('Pressed twice');
      await pressTwice(page.getByRole('dialog').getByRole('button', { name: 'Create key' }));
      await page.getByRole('button', { name: 'I’ve copied it' }).click();
      expect(posts).toEqual(['agent-keys']);

      await open('/new-project');
      await page.getByLabel('Name').fill('Pressed twice');
      await pressTwice(page.getByRole('button', { name: 'Create project' }));
      await page.getByRole('button', { name: 'Project: Pressed twice' }).waitFor();
      expect(posts).toEqual(['projects']);
    });

    it('a dialog stays until its response, so that a key shown once is seen', async () => {
      await open(`${home()}/agents`);
      await page.getByRole('button', { name: 'Create key' }).first().click();
      await page.getByLabel('Name').fill('Escaped');
      const { asked, answer } = await hold('agent-keys');
      await page.getByLabel('Name').press('Enter');
      await asked;
      await page.keyboard.press('Escape');
      answer();
      await page.getByRole('button', { name: 'I’ve copied it' }).click();
    });

    it('a late response does not navigate away from the current page', async () => {
      await open(home());
      const { asked, answer } = await hold('blogs');
      await page.getByRole('button', { name: 'New post' }).first().click();
      await asked;
      await page.getByRole('link', { name: 'Agents', exact: true }).click();
      await page.getByRole('heading', { level: 1, name: 'Agents' }).waitFor();
      const answered = page.waitForResponse((response) => response.request().method() === 'POST');
      answer();
      await (await answered).finished();
      await page.evaluate(() => new Promise((nothingToDo) => requestIdleCallback(nothingToDo, { timeout: 2_000 })));
      expect(new URL(page.url()).pathname).toBe(`${home()}/agents`);
    });

    it('a selection in one project is not kept in the next', async () => {
      const { api } = dashboard().administrator;
      const { id } = await api.post<{ id: string }>('projects', { name: 'The next one' });
      await api.post(`projects/${id}/blogs`, { title: 'Of the next one' });
      await api.post(`projects/${dashboard().projectId}/blogs`, { title: 'Of the first one' });
      await open(`/projects/${id}/posts`);
      const box = page.getByRole('checkbox', { name: 'Select all posts on this page' });
      await page.getByText('Of the next one').first().waitFor();
      await page.evaluate((path) => history.pushState(null, '', path), `${home()}/posts`);
      await page.getByRole('button', { name: 'Project: Garden notes' }).waitFor();
      // The list of the other project may still be there.
      await page.getByText('Of the first one').first().waitFor();
      await box.check();
      await page.getByText(/\d+ selected/).waitFor();
      await page.goBack();
      await page.getByRole('button', { name: 'Project: The next one' }).waitFor();
      await page.getByText('Of the next one').first().waitFor();
      expect(await page.getByText(/\d+ selected/).count()).toBe(0);
    });
  });
}
