import { openAs } from '../../actions.ts';
import type { Stories } from '../stories.ts';

/** A key for an agent, from its making to its end. */
export function describeAgents({ dashboard, newBrowser }: Stories): void {
  describe('an agent’s key', () => {
    it('is shown once, works with the MCP instructions of the page, and is revoked after a warning', async () => {
      const { local, administrator } = dashboard();
      const { id: project } = await administrator.api.post<{ id: string }>('projects', { name: 'Robots' });
      const context = await newBrowser();
      const page = await openAs(context, administrator, `/projects/${project}/agents`);
      const readWith = async (key: string) =>
        (await fetch(`${local.origin}/blog/api/v1/agent/blogs`, { headers: { authorization: `Bearer ${key}` } }))
          .status;

      await page.getByRole('heading', { name: 'No agent keys yet' }).waitFor();
      await page.getByRole('button', { name: 'Create key' }).first().click();
      const making = page.getByRole('dialog', { name: 'Create an agent key' });
      expect(await making.getByRole('radio', { name: 'Draft' }).isChecked()).toBe(true);
      await making.getByText('Write and edit drafts, and add images. You publish.').waitFor();
      await making.getByLabel('Name').fill('Weeder');
      await making.getByRole('button', { name: 'Create key' }).click();
      const shown = page.getByRole('dialog', { name: 'Copy your key' });
      await shown.getByText('You won’t see it again.').waitFor();
      const key = (await shown.getByText(/^sk_agent_\w+/).textContent()) ?? '';
      // It can be closed by its button alone.
      await page.keyboard.press('Escape');
      await shown.getByRole('button', { name: 'I’ve copied it' }).click();
      await page.getByText('Weeder').waitFor();
      expect(await page.content()).not.toContain(key);
      expect(await readWith(key)).toBe(200);

      const setUp = page.getByRole('region', { name: 'Setup for Claude Code' });
      expect(await setUp.textContent()).toContain(`${local.origin}/mcp`);
      expect(await setUp.textContent()).not.toContain(key);
      await page.getByRole('tab', { name: 'Cursor' }).click();
      await page.getByText('Add to ~/.cursor/mcp.json.').waitFor();

      const publishWith = async (of: string) => {
        const { id } = await administrator.api.post<{ id: string }>(`projects/${project}/blogs`, { title: 'Weeds' });
        const headers = { authorization: `Bearer ${of}` };
        const answer = await fetch(`${local.origin}/blog/api/v1/agent/blogs/${id}/publish`, {
          method: 'POST',
          headers,
        });
        return answer.status;
      };
      expect(await publishWith(key)).toBe(403);
      await page.getByRole('cell', { name: 'Draft', exact: true }).waitFor();
      await page.getByRole('button', { name: 'Actions for “Weeder”' }).click();
      await page.getByRole('menuitem', { name: 'Change permission' }).click();
      const changing = page.getByRole('dialog', { name: 'Change the permission of “Weeder”?' });
      await changing.getByRole('radio', { name: 'Publish' }).check();
      await changing.getByRole('button', { name: 'Change permission' }).click();
      await page.getByRole('cell', { name: 'Publish', exact: true }).waitFor();
      expect(await publishWith(key)).toBe(202);

      await page.reload();
      await page.getByRole('button', { name: 'Actions for “Weeder”' }).click();
      await page.getByRole('menuitem', { name: 'Revoke key' }).click();
      const asked = page.getByRole('dialog', { name: 'Revoke the key “Weeder”?' });
      await asked.getByText('The agent loses access immediately.').waitFor();
      await asked.getByText(/Used/).waitFor();
      await asked.getByRole('button', { name: 'Revoke key' }).click();
      await page.getByRole('heading', { name: 'No agent keys yet' }).waitFor();
      expect(await readWith(key)).toBe(401);
      await context.close();
    });
  });
}
