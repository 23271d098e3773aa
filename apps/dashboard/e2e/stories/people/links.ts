import pg from 'pg';
import type { Page } from 'playwright-core';
import { eventually, looksGood, openAs, settled, signInAs, sticksOut, violations } from '../../actions.ts';
import type { RunningDashboard } from '../../running-dashboard.ts';
import type { Stories } from '../stories.ts';

const OLD = 'was already used or has expired. Ask for a new one.';

/** What invitations and reset links lead to, without a session. */
export function describeLinks({ dashboard, newBrowser }: Stories): void {
  describe('a link', () => {
    const api = () => dashboard().administrator.api;
    const open = async (path: string, use: (page: Page) => Promise<void>) => {
      const context = await newBrowser([/status of 422 /]);
      const page = await context.newPage();
      await page.goto(path);
      await use(page);
      await context.close();
    };
    const give = async (page: Page, password: string, button: string) => {
      await page.getByRole('textbox', { name: 'New password' }).fill(password);
      await page.getByRole('button', { name: button }).click();
    };

    const accountOf = async (role: 'owner' | 'editor') => {
      const person = await dashboard().invite(role);
      const { items } = await api().get<{ items: { id: string; email: string }[] }>('accounts?limit=100');
      return { ...person, id: items.find(({ email }) => email === person.email)!.id };
    };
    const inDatabase = async (statement: string) => {
      const client = new pg.Client({ connectionString: dashboard().local.databaseUrls['content-service'] });
      await client.connect();
      await client.query(statement);
      await client.end();
    };

    it('of an invitation creates one account and signs it in', async () => {
      const { token } = await api().post<{ token: string }>('invitations', {
        email: 'invited@example.com',
        project_id: dashboard().projectId,
        role: 'editor',
      });
      await open(`/invitation#${token}`, async (page) => {
        await give(page, 'too short', 'Create account');
        await page.getByText('Use at least 12 characters.').waitFor();
        await give(page, 'a password of my own choice', 'Create account');
        await page.getByRole('button', { name: 'Project: Garden notes' }).waitFor();
        await page.goto(`/password-reset#${token}`);
        await page.getByText('You’re signed in as invited@example.com. Sign out').waitFor();
        await page.getByRole('button', { name: 'Sign out' }).click();
        await page.getByRole('textbox', { name: 'New password' }).waitFor();
      });
      await open(`/invitation#${token}`, async (page) => {
        await give(page, 'another password of mine', 'Create account');
        await page.getByRole('alert').getByText(OLD).waitFor();
      });
    });

    it('of a reset sets a password, once', async () => {
      const { id, ...person } = await accountOf('editor');
      const { token } = await api().post<{ token: string }>(`accounts/${id}/password-resets`);
      await open(`/password-reset#${token}`, async (page) => {
        await give(page, 'the new password of mine', 'Set password');
        await page.getByText('Password set.').waitFor();
        await page.goto('/');
        await signInAs(page, { ...person, password: 'the new password of mine' });
        await page.getByRole('button', { name: 'Account' }).waitFor();
      });
      await open(`/password-reset#${token}`, async (page) => {
        await give(page, 'yet another password', 'Set password');
        await page.getByRole('alert').getByText(OLD).waitFor();
      });
    });

    it('in an email resets a forgotten password, and the page answers alike for unknown addresses', async () => {
      const person = await dashboard().invite('editor');
      const context = await newBrowser();
      const page = await context.newPage();
      await page.setViewportSize({ width: 360, height: 740 });
      const askFor = async (email: string) => {
        await page.goto('/');
        await page.getByRole('link', { name: 'Forgot your password?' }).click();
        await settled(page);
        expect([await violations(page), await sticksOut(page)]).toEqual([[], []]);
        await page.getByLabel('Email').fill(email);
        await page.getByRole('button', { name: 'Send reset link' }).click();
        await page.getByText(`If ${email} has an account, a reset link is on its way.`).waitFor();
      };
      await askFor('nobody@example.com');
      await askFor(person.email);
      await page.goto(await linkOf(dashboard(), person.email, 'Reset your password'));
      await page.getByRole('textbox', { name: 'New password' }).fill('the password of my email');
      await page.getByRole('button', { name: 'Set password' }).click();
      await page.getByText('Password set.').waitFor();
      expect(dashboard().mailServer.to('nobody@example.com')).toEqual([]);
      await context.close();
    });

    it('in an email also makes an account, and the page shows it for copying', async () => {
      const context = await newBrowser();
      const page = await openAs(context, dashboard().administrator, `/projects/${dashboard().projectId}/members`);
      await page.getByRole('button', { name: 'Invite member' }).click();
      await page.getByRole('dialog').getByLabel('Email').fill('by-email@example.com');
      await page.getByRole('button', { name: 'Send invitation' }).click();
      const dialog = page.getByRole('dialog', { name: 'by-email@example.com is invited' });
      await dialog.getByText('We sent the invitation to by-email@example.com.').waitFor();
      await dialog.getByLabel('Invitation link').waitFor();
      const other = await newBrowser();
      const invited = await other.newPage();
      await invited.goto(await linkOf(dashboard(), 'by-email@example.com', 'You’re invited to Blog Content Service'));
      await invited.getByRole('textbox', { name: 'New password' }).fill('the password of my email');
      await invited.getByRole('button', { name: 'Create account' }).click();
      await invited.getByRole('button', { name: 'Project: Garden notes' }).waitFor();
      await Promise.all([context.close(), other.close()]);
    });

    it('is shown for copying if the service sends no email, without promising one', async () => {
      const silent = await dashboard().local.startReplica('content-service', { SMTP_URL: '' });
      const context = await newBrowser();
      // What that replica does not answer, the one origin does; and the cookie, which is refused to pages of another.
      await context.route(
        /\/owner\/(?!session\/browser|projects\/[^/]+\/(?:public-key|webhooks|deliveries|deploy-hook))/,
        (route) => {
          const { pathname, search } = new URL(route.request().url());
          return route.continue({ url: `http://127.0.0.1:${silent.port}${pathname}${search}` });
        },
      );
      const page = await context.newPage();
      await page.goto('/');
      await page.getByText('Ask an administrator for a reset link.').waitFor();
      expect(await page.getByRole('link', { name: 'Forgot your password?' }).count()).toBe(0);
      await signInAs(page, dashboard().administrator);
      await page.getByRole('button', { name: 'Account' }).waitFor();
      await page.goto(`/projects/${dashboard().projectId}/members`);
      await page.getByRole('button', { name: 'Invite member' }).click();
      await page.getByText('You’ll get a link to share').waitFor();
      await page.getByRole('dialog').getByLabel('Email').fill('by-hand@example.com');
      await page.getByRole('button', { name: 'Invite', exact: true }).click();
      const dialog = page.getByRole('dialog', { name: 'Share this link' });
      await dialog.getByText('by-hand@example.com needs it').waitFor();
      const link = (await dialog.getByText('/invitation#').textContent()) ?? '';
      expect(await dialog.getByText('was sent').count()).toBe(0);
      await context.close();
      await silent.stop();
      await open(link, async (invited) => {
        await give(invited, 'a password by hand', 'Create account');
        await invited.getByRole('button', { name: 'Project: Garden notes' }).waitFor();
      });
      expect(dashboard().mailServer.to('by-hand@example.com')).toEqual([]);
    });

    it.each([
      ['invitation', '/invitation', 'Create account'],
      ['reset', '/password-reset', 'Set password'],
    ])('of %s that has expired says so, and does nothing', async (kind, path, button) => {
      const { id, email, password } = await accountOf('editor');
      const given = { email: 'too-late@example.com', project_id: dashboard().projectId, role: 'editor' };
      const { token } =
        kind === 'reset'
          ? await api().post<{ token: string }>(`accounts/${id}/password-resets`)
          : await api().post<{ token: string }>('invitations', given);
      await inDatabase(`UPDATE password_reset SET expires_at = now() - interval '1 second' WHERE account_id = '${id}'`);
      await inDatabase(`UPDATE invitation SET expires_at = now() - interval '1 second' WHERE email = '${given.email}'`);
      await open(`${path}#${token}`, async (page) => {
        await give(page, 'the new password of mine', button);
        await page.getByRole('alert').getByText(OLD).waitFor();
        await page.goto('/');
        await signInAs(page, { email, password });
        await page.getByRole('button', { name: 'Account' }).waitFor();
      });
    });

    it.each([
      ['/invitation', 'Create account', '/password-reset'],
      ['/password-reset', 'Set password', '/invitation'],
    ])('that is invalid says so at %s, which is accessible', async (path, button, other) => {
      await open(`${path}#a-token-that-nobody-made`, async (page) => {
        await looksGood(page);
        await give(page, 'the new password of mine', button);
        await page.getByRole('alert').getByText(OLD).waitFor();
        await page.goto(other);
        await page.getByText('This link is incomplete.').waitFor();
      });
    });

    it('that is mistyped leads to an accessible page that links back', async () => {
      await open('/no-such-page', async (page) => {
        await signInAs(page, dashboard().administrator);
        await page.getByRole('heading', { name: 'Page not found' }).waitFor();
        await looksGood(page);
        await page.goto(`/projects/${dashboard().projectId}/no-such-page`);
        await page.getByRole('heading', { name: 'Page not found' }).waitFor();
        expect(await violations(page)).toEqual([]);
        await page.getByRole('link', { name: 'Go to Home' }).click();
        await page.getByRole('button', { name: /^Project: / }).waitFor();
      });
    });
  });
}

/** The link in the last email with that subject to an address, once it has come. */
function linkOf({ mailServer }: RunningDashboard, email: string, subject: string): Promise<string> {
  return eventually(() => {
    const mail = mailServer.to(email).findLast(({ headers }) => headers['subject'] === subject);
    const link = /^http\S+$/m.exec(mail?.text ?? '')?.[0];
    if (link === undefined) throw new Error(`No email “${subject}” to ${email}.`);
    return link;
  });
}
