import type { BrowserContext, Page } from 'playwright-core';
import { eventually, openByForm, signInAs } from '../../actions.ts';
import type { Person } from '../../running-dashboard.ts';
import type { Stories } from '../stories.ts';

const PASSWORD = 'a newer password of this person';

/** What belongs to a person: password, sessions and invitations, and for an administrator all accounts. */
export function describeAccount({ dashboard, newBrowser }: Stories): void {
  describe('an account', () => {
    let person: Person;
    let here: BrowserContext;
    let page: Page;
    let elsewhere: BrowserContext[];
    let other: Page;
    let writing: Page;
    let post: string;
    const api = () => dashboard().administrator.api;
    const project = () => `projects/${dashboard().projectId}`;

    beforeAll(async () => {
      person = await dashboard().invite('editor');
      post = (await api().post<{ id: string }>(`${project()}/blogs`, { title: 'Dew', content: '<p>Dew falls.</p>' }))
        .id;
      here = await newBrowser([/status of 422 /]);
      page = await openByForm(here, person, '/account');
      elsewhere = await Promise.all([newBrowser(), newBrowser()]);
    });

    afterAll(() => Promise.all([here, ...(elsewhere ?? [])].map((context) => context?.close())));

    it('changes its password, and shows a wrong current one at the field', async () => {
      const change = async (current: string) => {
        await page.getByRole('textbox', { name: 'Current password' }).fill(current);
        await page.getByRole('textbox', { name: 'New password' }).fill(PASSWORD);
        await page.getByRole('button', { name: 'Change password' }).click();
      };
      await change('not the present password');
      const field = page.getByRole('textbox', { name: 'Current password' });
      // At the field, and nowhere else.
      await page.getByText('That isn’t your current password.').waitFor();
      expect(await page.getByRole('alert').count()).toBe(0);
      await eventually(async () => expect(await field.evaluate((each) => each === document.activeElement)).toBe(true));
      await change(person.password);
      await page.getByText('Password changed').waitFor();
      expect(await field.inputValue()).toBe('');
      person = { ...person, password: PASSWORD };
    });

    it('lists its sessions, and signs out everywhere after a confirmation', async () => {
      [other, writing] = await Promise.all([
        openByForm(elsewhere[0]!, person, `/${project()}/posts`),
        openByForm(elsewhere[1]!, person, `/${project()}/posts/${post}`),
      ]);
      await writing.locator('#post-content p').first().waitFor();

      await page.reload();
      await page.getByText('This browser').waitFor();
      await page.getByRole('button', { name: 'Sign out: Chrome, Linux' }).nth(1).waitFor();
      await page.getByRole('button', { name: 'Sign out everywhere' }).click();
      const dialog = page.getByRole('dialog', { name: 'Sign out everywhere?' });
      await dialog.getByText('This ends all your sessions, including this one.').waitFor();
      await dialog.getByRole('button', { name: 'Sign out everywhere' }).click();
      await page.getByRole('heading', { level: 1, name: 'Sign in' }).waitFor();
    });

    it('lists its invitations, and declines one after a confirmation', async () => {
      const meadow = await api().post<{ id: string }>('projects', { name: 'Meadow' });
      await api().post(`projects/${meadow.id}/members`, { email: person.email, role: 'owner' });
      await signInAs(page, person);
      await page.getByText('invited you as an owner.').waitFor();
      await page.getByRole('button', { name: 'Decline the invitation to “Meadow”' }).click();
      await page.getByRole('dialog').getByText('An owner of the project can invite you again.').waitFor();
      await page.getByRole('dialog').getByRole('button', { name: 'Decline' }).click();
      await page.getByText('Invitation declined').waitFor();
      await page.getByRole('region', { name: 'Invitations' }).waitFor({ state: 'detached' });
      expect(await page.getByRole('region', { name: 'All accounts' }).count()).toBe(0);
    });

    it('whose session has ended elsewhere loses no text, which is saved after the next sign-in', async () => {
      await writing.locator('#post-content p').first().click();
      await writing.keyboard.press('Control+End');
      await writing.keyboard.type(' It is typed');
      await writing.getByRole('dialog', { name: 'Sign in again' }).getByText(person.email).waitFor();
      await signInAs(writing, person);
      await writing.getByRole('dialog').waitFor({ state: 'detached' });
      await writing.locator('[data-save-state=saved]').waitFor();
      const { content } = await api().get<{ content: string }>(`${project()}/blogs/${post}`);
      expect(content).toContain('Dew falls. It is typed');
    });

    it('whose session has ended elsewhere has to sign in at the next click in another browser', async () => {
      const asked = other.getByRole('dialog', { name: 'Sign in again' }).getByText(person.email);
      // What the page reads by itself may be asked for a moment before the click.
      await Promise.race([asked.waitFor(), other.getByRole('link', { name: 'Images', exact: true }).click()]);
      await asked.waitFor();
      await other.getByRole('button', { name: 'Use another account' }).click();
      await other.getByRole('heading', { level: 1, name: 'Sign in' }).waitFor();
    });

    it('gets a reset link and is deleted by an administrator, each after a confirmation', async () => {
      const context = await newBrowser();
      const accounts = await openByForm(context, dashboard().administrator, '/account');
      const choose = async (item: string) => {
        await accounts.getByRole('button', { name: `Actions for ${person.email}` }).click();
        await accounts.getByRole('menuitem', { name: item }).click();
      };
      await choose('Create reset link');
      await accounts.getByRole('button', { name: 'Create link' }).click();
      const link = accounts.getByRole('dialog', { name: `Reset link sent to ${person.email}` });
      await link.getByText('/password-reset#').waitFor();
      await link.getByRole('button', { name: 'Close' }).click();
      await choose('Delete account');
      await accounts.getByRole('dialog').getByText('Their posts stay. You can’t undo this.').waitFor();
      await accounts.getByRole('button', { name: 'Delete account' }).click();
      await accounts.getByText('Account deleted').waitFor();
      await accounts.getByText(person.email, { exact: true }).waitFor({ state: 'detached' });
      await context.close();
    });
  });
}
