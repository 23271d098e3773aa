import { openAs, openByForm, signInAs, signOutEverywhere } from '../../actions.ts';
import type { Stories } from '../stories.ts';

/** Signing in and being signed out. */
export function tellOfTheSession({ dashboard, newBrowser }: Stories): void {
  describe('the session', () => {
    it('asks who one is at any address, and shows that page after the sign-in', async () => {
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

    it('says that the email or the password is wrong, and lets one try again', async () => {
      const context = await newBrowser();
      const page = await context.newPage();
      await page.goto('/');
      await signInAs(page, { ...dashboard().administrator, password: 'not the password at all' });
      await page.getByRole('alert').getByText('The email or the password is wrong.').waitFor();
      expect(await page.getByLabel('Email').inputValue()).toBe(dashboard().administrator.email);
      await signInAs(page, dashboard().administrator);
      await page.getByRole('button', { name: 'Account' }).waitFor();
      await context.close();
    });

    it('is not taken for ended while the service cannot say: the page says so, and goes on when it can', async () => {
      const context = await newBrowser([/status of 503 /]);
      const page = await openAs(context, dashboard().administrator, `/projects/${dashboard().projectId}/members`);
      await page.route('**/session/browser/refresh', (route) => route.fulfill({ status: 503 }));
      await page.reload();
      await page.getByText('The service has a problem').waitFor();
      expect(await page.getByLabel('Email').count()).toBe(0);
      await page.unrouteAll();
      await page.getByRole('button', { name: 'Try again' }).click();
      await page.getByRole('heading', { level: 1, name: 'Members' }).waitFor();
      await context.close();
    });

    it('goes on after a reload, ends with a sign-out, and then shows nothing to a reload', async () => {
      const context = await newBrowser();
      const page = await openAs(context, dashboard().administrator, `/projects/${dashboard().projectId}/members`);
      await page.reload();
      await page.getByRole('button', { name: 'Account' }).click();
      await page.getByRole('menuitem', { name: 'Sign out' }).click();
      await page.getByRole('heading', { level: 1, name: 'Sign in' }).waitFor();
      await page.reload();
      await page.getByRole('heading', { level: 1, name: 'Sign in' }).waitFor();
      await context.close();
    });

    it('stays ended when a page asked to refresh it while one signed out', async () => {
      const context = await newBrowser([/status of 401 /]);
      const page = await openAs(context, dashboard().administrator, `/projects/${dashboard().projectId}/members`);
      const [signingOut, signedOut] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
      await page.route('**/session/browser', async (route) => {
        signingOut.resolve();
        await page.getByRole('heading', { level: 1, name: 'Posts' }).waitFor();
        await route.continue();
      });
      await page.route('**/session/browser/refresh', async (route) => {
        await signedOut.promise;
        await route.continue();
      });
      await page.getByRole('button', { name: 'Account' }).click();
      await page.getByRole('menuitem', { name: 'Sign out' }).click();
      await signingOut.promise;
      await page.getByRole('link', { name: 'Posts' }).click();
      await page.getByRole('heading', { level: 1, name: 'Sign in' }).waitFor();
      signedOut.resolve();
      await page.waitForLoadState('networkidle');
      expect(await page.getByRole('heading', { level: 1, name: 'Sign in' }).count()).toBe(1);
      await page.unrouteAll();
      await context.close();
    });

    it('that has ended elsewhere asks to sign in again, and what was typed is saved after it', async () => {
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
  });
}
