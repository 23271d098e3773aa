import type { BrowserContext, Page } from 'playwright-core';
import { openAs } from '../../actions.ts';
import type { Person } from '../../running-dashboard.ts';
import type { Stories } from '../stories.ts';

/** Who is in a project, from an invitation to the end of a membership: an owner's browser and a member's. */
export function describeMembers({ dashboard, newBrowser }: Stories): void {
  describe('members', () => {
    let owners: BrowserContext;
    let members: BrowserContext;
    let owner: Page;
    let member: Page;
    let person: Person;
    let address: string;
    const menu = (email: string) => owner.getByRole('button', { name: `Actions for ${email}` }).click();
    const confirm = async (email: string, item: string, says: string, button = item) => {
      await menu(email);
      await owner.getByRole('menuitem', { name: item }).click();
      const dialog = owner.getByRole('dialog');
      await dialog.getByText(says).waitFor();
      await dialog.getByRole('button', { name: button, exact: true }).click();
      await dialog.waitFor({ state: 'detached' });
    };

    beforeAll(async () => {
      const { id } = await dashboard().administrator.api.post<{ id: string }>('projects', { name: 'Orchard' });
      address = `/projects/${id}/members`;
      person = await dashboard().invite('editor');
      // An administrator's invitation of an address that has an account is asked for as a member's then.
      owners = await newBrowser([/status of 409 .*\/(invitations|members)/]);
      members = await newBrowser([/status of (403|404) .*\/projects\//]);
      owner = await openAs(owners, dashboard().administrator, address);
      member = await openAs(members, person, '/account');
    });

    afterAll(() => Promise.all([owners?.close(), members?.close()]));

    it('are invited, and find the invitation on their account page, which leads into the project', async () => {
      await owner.getByRole('button', { name: 'Invite member' }).click();
      await owner.getByRole('textbox', { name: 'Email' }).fill(person.email);
      await owner.getByRole('button', { name: 'Send invitation' }).click();
      await owner.getByRole('dialog', { name: `${person.email} is invited` }).waitFor();
      await owner.getByRole('dialog').getByRole('button', { name: 'Close' }).last().click();
      await owner.getByRole('table', { name: 'Pending invitations' }).waitFor();

      await member.reload();
      await member.getByText('Join “Orchard”').waitFor();
      await member.getByText(`${dashboard().administrator.email} invited you as an editor.`).waitFor();
      await member.getByRole('button', { name: 'Accept the invitation to “Orchard”' }).click();
      await member.getByRole('button', { name: 'Project: Orchard' }).waitFor();
    });

    it('are not invited twice, which the field says', async () => {
      await owner.reload();
      await owner.getByRole('button', { name: 'Invite member' }).click();
      await owner.getByRole('textbox', { name: 'Email' }).fill(person.email);
      await owner.getByRole('button', { name: 'Send invitation' }).click();
      await owner.getByRole('dialog').getByText('They’re already a member.').waitFor();
      expect(await owner.getByRole('alert').count()).toBe(0);
      await owner.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click();
    });

    it('include an owner, and the only one neither leaves nor becomes an editor', async () => {
      await owner.reload();
      await owner.getByRole('button', { name: `Actions for ${person.email}` }).waitFor();
      await owner.getByText('You’re the only owner.').waitFor();
      const { email } = dashboard().administrator;
      expect(await owner.getByRole('button', { name: `Actions for ${email}` }).count()).toBe(0);
    });

    it('become owners after a confirmation, and get the rights of owners', async () => {
      await confirm(person.email, 'Make owner', 'deleting the project');
      await owner.getByRole('button', { name: `Actions for ${dashboard().administrator.email}` }).waitFor();
      await member.goto(address);
      await member.getByRole('button', { name: 'Invite member' }).waitFor();
    });

    it('whose role is lowered while a page is open see a notice, and only what they may do', async () => {
      await member.getByRole('button', { name: 'Invite member' }).click();
      await member.getByRole('textbox', { name: 'Email' }).fill('anybody@example.com');
      await confirm(person.email, 'Make editor', 'no longer manage members');
      await member.getByRole('button', { name: 'Send invitation' }).click();
      const refusal = member.getByRole('dialog').getByRole('alert');
      await refusal.getByText('You don’t have permission').waitFor();
      await refusal.getByText('Ask a project owner.').waitFor();
      await member.getByText('You’re now an editor of this project').waitFor();
      await member.getByRole('button', { name: 'Cancel' }).click();
      await member.getByRole('button', { name: 'Invite member' }).waitFor({ state: 'detached' });
    });

    it('without an account get a link, which is shown once and stops working when revoked', async () => {
      await owner.getByRole('button', { name: 'Invite member' }).click();
      await owner.getByRole('textbox', { name: 'Email' }).fill('new-here@example.com');
      await owner.getByRole('radio', { name: 'Owner' }).check();
      await owner.getByRole('button', { name: 'Send invitation' }).click();
      const dialog = owner.getByRole('dialog', { name: 'new-here@example.com is invited' });
      const link = await dialog.getByText('/invitation#').textContent();
      await dialog.getByRole('button', { name: 'Close' }).click();
      expect(await owner.content()).not.toContain(link);
      await confirm('new-here@example.com', 'Withdraw invitation', 'It can no longer be accepted');

      const strangers = await newBrowser([/status of 422 /]);
      const stranger = await strangers.newPage();
      await stranger.goto(link ?? '');
      await stranger.getByRole('textbox', { name: 'New password' }).fill('a password of a stranger');
      await stranger.getByRole('button', { name: 'Create account' }).click();
      await stranger.getByRole('alert').getByText('This link was already used or has expired.').waitFor();
      await strangers.close();
    });

    it('are removed, and their open page shows “Not found”', async () => {
      await confirm(person.email, 'Remove', 'They lose access immediately.', 'Remove member');
      await owner.getByText(person.email, { exact: true }).waitFor({ state: 'detached' });
      await member.getByRole('link', { name: 'Posts', exact: true }).click();
      await member.getByRole('alert').getByText('not a member of this project').waitFor();
      await member.reload();
      await member.getByRole('heading', { name: 'Page not found' }).waitFor();
    });
  });
}
