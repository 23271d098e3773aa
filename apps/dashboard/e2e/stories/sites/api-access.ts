import { eventually, openAs } from '../../actions.ts';
import type { Stories } from '../stories.ts';

/** The public key. */
export function describeApiAccess({ dashboard, newBrowser }: Stories): void {
  describe('the public key', () => {
    it('is generated, rotated and revoked, each after a warning about what breaks', async () => {
      const context = await newBrowser();
      const page = await openAs(context, dashboard().administrator, `/projects/${dashboard().projectId}/api-access`);
      const confirm = async (open: string, dialogName: string, button: string) => {
        await page.getByRole('button', { name: open, exact: true }).click();
        const dialog = page.getByRole('dialog', { name: dialogName });
        await dialog.getByRole('button', { name: button }).click();
        await dialog.waitFor({ state: 'detached' });
      };
      const shownKey = async () =>
        (await page
          .getByText(/^pk_live_\w{20,}$/)
          .first()
          .textContent()) ?? '';
      const readWith = async (key: string) =>
        (
          await fetch(`${dashboard().local.origin}/blog/api/v1/public/blogs`, {
            headers: { authorization: `Bearer ${key}` },
          })
        ).status;

      await confirm('Create public key', 'Create a public key?', 'Create public key');
      const first = await shownKey();
      expect(await readWith(first)).toBe(200);
      await confirm('Rotate key', 'Rotate the public key?', 'Rotate key');
      let second = '';
      await eventually(async () => expect((second = await shownKey())).not.toBe(first));
      expect([await readWith(first), await readWith(second)]).toEqual([401, 200]);
      await confirm('Revoke key', 'Revoke the public key?', 'Revoke key');
      await page.getByRole('heading', { name: 'No key yet' }).waitFor();
      expect(await readWith(second)).toBe(401);
      await context.close();
    });
  });
}
