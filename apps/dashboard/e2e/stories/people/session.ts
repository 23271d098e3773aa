import type { Route } from 'playwright-core';
import { signIn } from '@blog-content/local-services';
import { eventually, openAs, openByForm, signInAs, signOutEverywhere, violations } from '../../actions.ts';
import type { Stories } from '../stories.ts';

/** Signing in and being signed out. */
export function describeSession({ dashboard, newBrowser }: Stories): void {
  describe('the session', () => {
    it('asks to sign in at any URL, and shows that page afterwards', async () => {
      const context = await newBrowser();
      const page = await openByForm(
        context,
        dashboard().administrator,
        `/projects/${dashboard().projectId}/posts?q=bed`,
      );
      await page.getByRole('heading', { level: 1, name: 'Posts' }).waitFor();
      expect(await page.getByRole('searchbox').inputValue()).toBe('bed');
      await context.close();
    });

    it('says below a field what is missing or wrong in it, and goes to the first one', async () => {
      const context = await newBrowser();
      const page = await context.newPage();
      await page.goto('/');
      const email = page.getByLabel('Email');
      const submit = page.getByRole('button', { name: 'Sign in' });
      await submit.click();
      await eventually(async () => expect(await page.getByText('Fill in this field.').count()).toBe(2));
      expect(await email.evaluate((field) => field.matches(':focus'))).toBe(true);
      expect(await email.getAttribute('aria-invalid')).toBe('true');
      expect(await violations(page)).toEqual([]);
      await email.fill('anna');
      await eventually(async () => expect(await page.getByText('Fill in this field.').count()).toBe(1));
      await submit.click();
      await page.getByText('Enter an email address, such as anna@example.com.').waitFor();
      await context.close();
    });

    it('says that the email or the password is wrong, and allows another try', async () => {
      const context = await newBrowser();
      const page = await context.newPage();
      await page.goto('/');
      await signInAs(page, { ...dashboard().administrator, password: 'not the password at all' });
      await page.getByRole('alert').getByText('Wrong email or password').waitFor();
      expect(await page.getByLabel('Email').inputValue()).toBe(dashboard().administrator.email);
      await signInAs(page, dashboard().administrator);
      await page.getByRole('button', { name: 'Account' }).waitFor();
      await context.close();
    });

    it('does not count as ended while the service is away, and continues when it is back', async () => {
      const context = await newBrowser([/status of 503 /]);
      const page = await openAs(context, dashboard().administrator, `/projects/${dashboard().projectId}/members`);
      await page.route('**/session/browser/refresh', (route) => route.fulfill({ status: 503 }));
      await page.reload();
      await page.getByText('Something went wrong on our side').waitFor();
      expect(await page.getByLabel('Email').count()).toBe(0);
      await page.unrouteAll();
      await page.getByRole('button', { name: 'Try again' }).click();
      await page.getByRole('heading', { level: 1, name: 'Members' }).waitFor();
      await context.close();
    });

    it('survives a reload, ends with a sign-out, and shows nothing to a reload after that', async () => {
      const context = await newBrowser();
      const page = await openAs(context, dashboard().administrator, `/projects/${dashboard().projectId}/members`);
      await page.reload();
      await page.getByRole('button', { name: 'Account' }).click();
      await page.getByText(/Version \d+\.\d+\.\d+/).waitFor();
      await page.getByRole('menuitem', { name: 'Sign out' }).click();
      await page.getByRole('heading', { level: 1, name: 'Sign in' }).waitFor();
      await page.reload();
      await page.getByRole('heading', { level: 1, name: 'Sign in' }).waitFor();
      await context.close();
    });

    it('ends immediately without a network: a hanging refresh does not delay it, and no reload resumes it', async () => {
      const context = await newBrowser([/status of 401 /, /ERR_FAILED/]);
      const page = await openAs(context, dashboard().administrator, `/projects/${dashboard().projectId}/settings`);
      const refreshing = Promise.withResolvers<void>();
      await page.route('**/session/browser/refresh', () => refreshing.resolve());
      await page.route('**/session/browser', (route) => route.abort());
      await page.route('**/owner/projects/*/members*', (route) => route.fulfill({ status: 401 }));
      await page.getByRole('link', { name: 'Members', exact: true }).click();
      await refreshing.promise;
      await page.getByRole('button', { name: 'Account' }).click();
      await page.getByRole('menuitem', { name: 'Sign out' }).click();
      await page.getByRole('heading', { level: 1, name: 'Sign in' }).waitFor();
      await page.reload();
      await page.getByRole('heading', { level: 1, name: 'Sign in' }).waitFor();
      await page.unrouteAll();
      const told = page.waitForResponse('**/session/browser');
      await page.reload();
      expect((await told).status()).toBe(204);
      expect((await context.request.post('/blog/api/v1/owner/session/browser/refresh')).status()).toBe(401);
      await context.close();
    });

    it('ends in every tab, even one that waits to refresh it', async () => {
      const context = await newBrowser([/status of 401 /, /ERR_FAILED/]);
      const path = `/projects/${dashboard().projectId}/settings`;
      const page = await openAs(context, dashboard().administrator, path);
      const other = await context.newPage();
      await other.goto(path);
      const [first, second] = [page, other].map((tab) => tab.getByRole('link', { name: 'Members', exact: true }));
      // It has the session from a refresh of its own, which may come after the page has loaded.
      await second?.waitFor();
      const held = Promise.withResolvers<Route>();
      await page.route('**/session/browser/refresh', (route) => held.resolve(route));
      let refreshes = 0;
      other.on('request', (request) => (refreshes += Number(request.url().endsWith('/session/browser/refresh'))));
      await context.route('**/owner/projects/*/members*', (route) => route.fulfill({ status: 401 }));
      await first?.click();
      const refresh = await held.promise;
      await second?.click();
      await other.waitForFunction(async () => (await navigator.locks.query()).pending?.length === 1);
      await page.getByRole('button', { name: 'Account' }).click();
      await page.getByRole('menuitem', { name: 'Sign out' }).click();
      await page.getByRole('heading', { level: 1, name: 'Sign in' }).waitFor();
      // The browser hands what one tab has written on to the other in a moment.
      await other.waitForFunction(() => localStorage.getItem('blog-content.signed-out') !== null);
      await refresh.abort();
      await other.getByRole('dialog', { name: 'Sign in again' }).waitFor();
      expect(refreshes).toBe(0);
      await context.close();
    });

    it('saves the last edit before it ends, or asks', async () => {
      const { administrator } = dashboard();
      const { id: projectId } = await administrator.api.post<{ id: string }>('projects', { name: 'Last words' });
      const { id } = await administrator.api.post<{ id: string }>(`projects/${projectId}/blogs`, { title: 'Old' });
      const context = await newBrowser([/ERR_FAILED/]);
      const page = await openAs(context, administrator, `/projects/${projectId}/posts/${id}`);
      await page.getByLabel('Title', { exact: true }).fill('Written last');
      const signOut = async () => {
        // The editor has no menu of its own for it.
        await page.keyboard.press('Control+k');
        await page.getByRole('combobox').fill('Sign out');
        await page.getByRole('option', { name: 'Sign out' }).click();
      };
      await page.route(`**/blogs/${id}`, (route) =>
        route.request().method() === 'PATCH' ? route.abort() : route.continue(),
      );
      await signOut();
      await page.getByRole('dialog', { name: 'Leave without saving?' }).getByRole('button', { name: 'Cancel' }).click();
      await page.unrouteAll();
      await signOut();
      await page.getByRole('heading', { level: 1, name: 'Sign in' }).waitFor();
      expect(await administrator.api.get(`projects/${projectId}/blogs/${id}`)).toMatchObject({ title: 'Written last' });
      await context.close();
    });

    it('drops requests that wait when someone signs out, so the next person does not send them', async () => {
      const [person, next] = [await dashboard().invite('owner'), await dashboard().invite('owner')];
      const context = await newBrowser();
      const page = await openAs(context, person, '/new-project');
      await page.getByLabel('Name').fill('Of who was here before');
      await signOutEverywhere(dashboard(), person);
      await page.getByRole('button', { name: 'Create project' }).click();
      await page.getByRole('button', { name: 'Use another account' }).click();
      await signInAs(page, next);
      await page.getByRole('heading', { level: 1, name: 'New project' }).waitFor();
      await page.getByLabel('Name').fill('Of who came next');
      await page.getByRole('button', { name: 'Create project' }).click();
      await page.getByRole('button', { name: 'Project: Of who came next' }).waitFor();
      const api = await signIn(dashboard().local.origin, next.email, next.password);
      expect(JSON.stringify(await api.get('projects'))).not.toContain('Of who was here before');
      await context.close();
    });

    it('that has ended elsewhere asks to sign in again, and saves the typed text afterwards', async () => {
      const person = await dashboard().invite('owner');
      const context = await newBrowser();
      const page = await context.newPage();
      await page.goto('/new-project');
      await signInAs(page, person);
      await page.getByLabel('Name').fill('Typed before the session ended');
      await signOutEverywhere(dashboard(), person);
      await page.getByRole('button', { name: 'Create project' }).click();
      const dialog = page.getByRole('dialog', { name: 'Sign in again' });
      await dialog.getByText(person.email).waitFor();
      await signInAs(page, person);
      await page.getByRole('button', { name: 'Project: Typed before the session ended' }).waitFor();
      await context.close();
    });

    it('that ends during typing does not put the text into the password field, and keeps it', async () => {
      const person = await dashboard().invite('owner');
      const asPerson = () => signIn(dashboard().local.origin, person.email, person.password);
      const api = await asPerson();
      const { id: projectId } = await api.post<{ id: string }>('projects', { name: 'Written in long sessions' });
      const blogs = `projects/${projectId}/blogs`;
      const { id } = await api.post<{ id: string }>(blogs, { title: 'Long', content: '<p>Begun.</p>' });
      const context = await newBrowser();
      const page = await openAs(context, person, `/projects/${projectId}/posts/${id}`);
      let signIns = 0;
      page.on('request', (request) => (signIns += Number(request.url().endsWith('/session/browser'))));
      await page.locator('#post-content p').first().click();
      // No answer says that the session has ended before this is typed.
      const typed = Promise.withResolvers<void>();
      await page.route('**/blog/api/v1/**', async (route) => {
        await typed.promise;
        await route.continue();
      });
      await signOutEverywhere(dashboard(), person);
      await page.keyboard.press('Control+End');
      await page.keyboard.type(' Before.');
      typed.resolve();
      const dialog = page.getByRole('dialog', { name: 'Sign in again' });
      while ((await dialog.count()) === 0) await page.keyboard.type(' On and on.', { delay: 30 });
      await page.keyboard.type(' And after.', { delay: 30 });
      await page.keyboard.press('Enter');
      expect(await dialog.getByRole('textbox', { name: 'Password' }).inputValue()).toBe('');
      expect(signIns).toBe(0);
      await signInAs(page, person);
      const again = await asPerson();
      await eventually(async () => {
        const { content } = await again.get<{ content: string }>(`${blogs}/${id}`);
        expect(content).toMatch(/Begun\. Before\./);
        expect(content).toContain((await page.locator('#post-content').textContent()) ?? '');
      });
      await page.unrouteAll({ behavior: 'wait' });
      await context.close();
    });
  });
}
