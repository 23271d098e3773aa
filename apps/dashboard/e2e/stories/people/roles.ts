import type { BrowserContext, Page } from 'playwright-core';
import { goTo, openAs } from '../../actions.ts';
import { addressOf, idsOfPages, PAGES, type Ids } from '../../pages.ts';
import type { Stories } from '../stories.ts';

const PROJECT = '/projects/$projectId';
/** What owners are offered and editors are not, by page; everything else is for both. */
const OWNERS_ALONE: Readonly<Record<string, readonly (string | RegExp)[]>> = {
  '/account': [/^Actions for editor-/],
  [`${PROJECT}/autopilot`]: ['Edit schedule', 'Settings'],
  [`${PROJECT}/webhooks`]: ['Add destination'],
  [`${PROJECT}/webhooks/$integrationId`]: ['Test', 'More actions', 'Settings'],
  [`${PROJECT}/webhooks/deliveries/$deliveryId`]: ['Resend'],
  [`${PROJECT}/deploy-hook`]: ['Save', 'Turn on IndexNow'],
  [`${PROJECT}/api-access`]: ['Create public key'],
  [`${PROJECT}/agents`]: ['Create key'],
  [`${PROJECT}/members`]: ['Invite member'],
  [`${PROJECT}/settings`]: ['Save'],
  [`${PROJECT}/settings/model`]: ['Save', 'Test'],
  [`${PROJECT}/settings/data`]: ['Add field'],
  [`${PROJECT}/settings/voice`]: ['Write brand voice'],
  [`${PROJECT}/settings/danger`]: ['Delete project'],
};

/** Why it is not offered, where something would be missed, and what is there in its place. */
const SAID_TO_EDITORS: Readonly<Record<string, string>> = {
  [`${PROJECT}/autopilot`]: 'Only owners can turn it on.',
  [`${PROJECT}/webhooks/$integrationId`]: 'Response times',
  [`${PROJECT}/deploy-hook`]: 'Project owners can set it up.',
  [`${PROJECT}/api-access`]: 'Project owners can create one.',
  [`${PROJECT}/agents`]: 'Only owners can create keys.',
  [`${PROJECT}/settings`]: 'Site URL',
  [`${PROJECT}/settings/model`]: 'Only owners can change this.',
  [`${PROJECT}/settings/data`]: 'Project owners can add them.',
  [`${PROJECT}/settings/voice`]: 'Project owners can write it.',
  [`${PROJECT}/settings/danger`]: 'Only owners can change this.',
};

/** Each role on every page. An administrator is an owner who also sees all accounts. */
export function describeRoles({ dashboard, newBrowser }: Stories): void {
  describe('an editor', () => {
    let contexts: BrowserContext[];
    let owners: Page;
    let editors: Page;
    let ids: Ids;
    let asked: string[] = [];
    const offered = (page: Page, name: string | RegExp) =>
      page
        .getByRole('button', { name, exact: true })
        .or(page.getByRole('tab', { name, exact: true }))
        .first();

    beforeAll(async () => {
      ids = await idsOfPages(dashboard());
      // No 403 is expected: what is not offered is not asked for either.
      contexts = await Promise.all([newBrowser(), newBrowser()]);
      const person = await dashboard().invite('editor');
      [owners, editors] = await Promise.all([
        openAs(contexts[0]!, dashboard().administrator, '/'),
        openAs(contexts[1]!, person, '/'),
      ]);
      editors.on('request', (request) => asked.push(request.url()));
    });

    afterAll(() => Promise.all((contexts ?? []).map((context) => context.close())));

    it.each(PAGES)('sees at %s only what editors may do, and no list is read without a limit', async (path) => {
      const names = OWNERS_ALONE[path] ?? [];
      asked = [];
      const lookAsOwner = async () => {
        if (names.length > 0) await goTo(owners, addressOf(path, ids));
        for (const name of names) await offered(owners, name).waitFor();
      };
      const lookAsEditor = async () => {
        await goTo(editors, addressOf(path, ids));
        const said = SAID_TO_EDITORS[path];
        if (said !== undefined) await editors.getByText(said).first().waitFor();
      };
      await Promise.all([lookAsOwner(), lookAsEditor()]);
      for (const name of names) expect([name, await offered(editors, name).count()]).toEqual([name, 0]);
      expect(asked.filter((url) => url.includes('cursor='))).toEqual([]);
    });
  });
}
