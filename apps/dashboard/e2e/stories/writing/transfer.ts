import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import type { BrowserContext, Page } from 'playwright-core';
import { openPromise } from 'yauzl';
import { goTo, looksGood, openAs } from '../../actions.ts';
import type { Stories } from '../stories.ts';

const FILES = {
  'heather.md': '---\ntitle: Heather\ndescription: In autumn.\n---\n\nIt wants sour soil.\n',
  'moss/moss.md': '---\ntitle: Moss\n---\n\nMoss needs no roots.\n',
  'secret.md': '---\ntitle: Secret\nstatus: pending\nmood: calm\n---\n\nNot yet.\n',
  'broken.md': '---\ntitle: [never closed\n---\n\nText.\n',
  'photo.txt': 'no post',
};

/** A file of a ZIP archive; null when it has no such file. */
async function textIn(archive: string, path: string): Promise<string | null> {
  const zip = await openPromise(archive);
  for await (const entry of zip.eachEntry()) {
    if (entry.fileName === path) return text(await zip.openReadStreamPromise(entry));
  }
  return null;
}

/** A folder that becomes posts, and an archive of them that can be taken elsewhere; an editor may do both. */
export function describeTransfer({ dashboard, newBrowser }: Stories): void {
  describe('import and export', () => {
    let context: BrowserContext;
    let page: Page;
    let id: string;
    let folder: string;
    const api = () => dashboard().administrator.api;
    const posts = () => api().get<{ items: { title: string; state: string }[] }>(`projects/${id}/blogs`);
    const section = (name: string) => page.getByRole('region', { name, exact: true });

    beforeAll(async () => {
      folder = await mkdtemp(join(tmpdir(), 'blog-content-import-'));
      await mkdir(join(folder, 'moor/moss'), { recursive: true });
      for (const [name, text] of Object.entries(FILES)) await writeFile(join(folder, 'moor', name), text);
      id = (await api().post<{ id: string }>('projects', { name: 'Moor' })).id;
      context = await newBrowser([/status of (400|415|422) .*\/(imports|webhooks)/]);
      page = await openAs(context, dashboard().administrator, `/projects/${id}/settings`);
    });

    afterAll(async () => {
      await context?.close();
      await rm(folder, { recursive: true, force: true });
    });

    it('show what would become of each file of a folder before anything happens', async () => {
      await page.getByRole('link', { name: 'Import and export' }).click();
      // The input behind the button is nothing of its own to who hears the page.
      const choices = await section('Import').ariaSnapshot();
      expect(choices.match(/Choose folder/g)).toHaveLength(1);
      await page.locator('input[webkitdirectory]').setInputFiles(join(folder, 'moor'));
      await section('Import').getByText('moor', { exact: true }).waitFor();
      const plan = page.getByRole('table', { name: 'Import preview' });
      await plan.getByRole('row', { name: /Heather.*New/ }).waitFor();
      await plan.getByRole('row', { name: /Moss.*moss\/moss\.md.*New/ }).waitFor();
      await plan.getByRole('row', { name: /broken\.md.*Error/ }).waitFor();
      await plan
        .getByRole('row', {
          name: /Secret.*Kept as a draft: `status: pending` \(line 3\)\. Not imported: mood\..*New/,
        })
        .waitFor();
      await page.getByText('3 new', { exact: true }).waitFor();
      await page.getByText('Nothing will be published.').waitFor();
      await page.getByLabel('Publish posts not marked as drafts').check();
      await plan.getByRole('row', { name: /Secret.*New.*Stays a draft/ }).waitFor();
      await plan.getByRole('row', { name: /Heather.*New.*Published/ }).waitFor();
      await page.getByLabel('Publish posts not marked as drafts').uncheck();
      expect(await plan.getByText('photo.txt').count()).toBe(0);
      expect((await posts()).items).toEqual([]);
    });

    it('import with progress, and name the file that failed, and why', async () => {
      await section('Import').getByRole('button', { name: 'Import 3 posts' }).click();
      const runs = section('Import history');
      await runs.getByText('3 created, 0 updated, 0 skipped, 1 failed').waitFor();
      await runs.getByText('Finished').waitFor();
      const report = page.waitForEvent('download');
      await runs.getByRole('button', { name: /^Actions for the import/ }).click();
      await page.getByRole('menuitem', { name: 'Download report' }).click();
      expect((await report).suggestedFilename()).toMatch(/^import-report-[\da-f]{8}\.txt$/);
      expect(await readFile(await (await report).path(), 'utf8')).toMatch(
        /broken\.md[^]*secret\.md\n.+Not imported: mood\./,
      );
      await runs.getByRole('button', { name: /^Actions for the import/ }).click();
      await page.getByRole('menuitem', { name: 'Show files' }).click();
      const files = page.getByRole('dialog');
      await files.getByRole('row', { name: /broken\.md.*Failed/ }).waitFor();
      expect(await files.getByRole('row', { name: /broken\.md/ }).textContent()).toMatch(/broken\.md.{10,}Failed/);
      expect((await posts()).items.map(({ title }) => title).sort()).toEqual(['Heather', 'Moss', 'Secret']);
      await files.getByRole('link', { name: 'Open post: heather.md' }).click();
      await page.locator('#post-content').getByText('It wants sour soil.').waitFor();
    });

    it('export an archive with its progress and all webhooks, which the import of another project opens', async () => {
      const headers = { Authorization: 'Bearer of-the-receiver' };
      await api().post(`projects/${id}/webhooks`, { name: 'Shop', url: dashboard().receiver.url, headers });
      await goTo(page, `/projects/${id}/transfer`);
      await section('Export').getByText('Secrets and header values are left out.').waitFor();
      const download = page.waitForEvent('download');
      await page.getByRole('button', { name: 'Export project' }).click();
      const file = await download;
      await page.getByText('Export downloaded').waitFor();
      expect(file.suggestedFilename()).toMatch(/^moor.*\.zip$/);
      const archive = join(folder, 'export.zip');
      await file.saveAs(archive);
      expect(JSON.parse((await textIn(archive, 'data/webhooks.json')) ?? '')).toEqual([
        expect.objectContaining({ name: 'Shop', url: dashboard().receiver.url, headers: ['Authorization'] }),
      ]);

      const other = await api().post<{ id: string }>('projects', { name: 'Heath' });
      await page.goto(`/projects/${other.id}/transfer`);
      await page.locator('input[type=file][accept*=zip]').setInputFiles(archive);
      await page.getByText('3 new', { exact: true }).waitFor();
      await page.goto(`/projects/${id}/transfer`);
      await page.locator('input[type=file][accept*=zip]').setInputFiles(archive);
      await page.getByText('3 skipped', { exact: true }).waitFor();
      await page.getByText('Nothing to import from this archive.').waitFor();
      expect(await section('Import').getByRole('button', { name: 'Import', exact: true }).isDisabled()).toBe(true);
      await page.getByLabel('Update existing posts').check();
      await page.getByText('3 updates', { exact: true }).waitFor();
    });

    it('export without webhooks while these cannot be loaded, and say so', async () => {
      await page.goto(`/projects/${id}/transfer`);
      await page.route(/\/webhooks\?/, (route) => route.fulfill({ status: 400, json: { detail: 'Away.' } }));
      const download = page.waitForEvent('download');
      await page.getByRole('button', { name: 'Export project' }).click();
      expect(await textIn(await (await download).path(), 'data/webhooks.json')).toBeNull();
      await section('Export').getByRole('alert').getByText('Exported without webhooks').waitFor();
      await page.unroute(/\/webhooks\?/);
    });

    it('count the authors of an archive apart from its posts', async () => {
      const press = join(folder, 'press');
      await mkdir(join(press, 'data'), { recursive: true });
      await writeFile(join(press, 'data/authors.jsonl'), '{"name":"Ada Lovelace","slug":"ada"}\n');
      await writeFile(join(press, 'fern.md'), '---\ntitle: Fern\nauthors: [ada]\n---\n\nOlder than flowers.\n');
      await page.goto(`/projects/${id}/transfer`);
      await page.locator('input[webkitdirectory]').setInputFiles(press);
      await page.getByLabel('Publish posts not marked as drafts').check();
      const plan = page.getByRole('table', { name: 'Import preview' });
      await plan.getByRole('row', { name: /Fern.*New.*Published/ }).waitFor();
      await plan.getByRole('row', { name: /^Ada Lovelace ?authors\/ada ?New$/ }).waitFor();
      await section('Import').getByRole('button', { name: 'Import 1 post and 1 author' }).waitFor();
      await looksGood(page);
      await page.getByRole('button', { name: 'Choose another' }).click();
    });

    it('say in words that a file is no archive, and that a folder holds no posts', async () => {
      const none = join(folder, 'none');
      await mkdir(none);
      await writeFile(join(none, 'photo.txt'), 'no post');
      await page.locator('input[type=file][accept*=zip]').setInputFiles(join(none, 'photo.txt'));
      await section('Import')
        .getByRole('alert')
        .getByText(/The archive: .*ZIP archive/)
        .waitFor();
      await page.getByRole('button', { name: 'Choose another' }).click();
      await page.locator('input[webkitdirectory]').setInputFiles(none);
      await page.getByText('This folder has no Markdown or HTML files.').waitFor();
    });
  });
}
