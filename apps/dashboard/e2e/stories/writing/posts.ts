import type { BrowserContext, Page } from 'playwright-core';
import sharp from 'sharp';
import { eventually, openAs, sticksOut, violations } from '../../actions.ts';
import { RECEIVER_NAME } from '../../running-dashboard.ts';
import type { Stories } from '../stories.ts';

const POSTS = 55;

/** The list of posts, and what is done to one or several of them. */
export function describePosts({ dashboard, newBrowser }: Stories): void {
  describe('the posts', () => {
    let context: BrowserContext;
    let page: Page;
    const api = () => dashboard().administrator.api;
    const titles = () => page.getByRole('table', { name: 'Posts' }).locator('a[data-post]').allTextContents();
    const toolbar = () => page.getByRole('toolbar', { name: 'Selected posts' });
    const statesOf = async (query: string) => {
      const { items } = await api().get<{ items: { id: string; title: string; state: string }[] }>(
        `projects/${dashboard().projectId}/blogs?${query}`,
      );
      return items;
    };
    const pathOf = (id: string) => `projects/${dashboard().projectId}/blogs/${id}`;
    const open = async (search = '') => {
      await page.goto(`/projects/${dashboard().projectId}/posts${search}`);
      await page.getByRole('table', { name: 'Posts' }).waitFor();
    };

    beforeAll(async () => {
      for (let number = 1; number <= POSTS; number++) {
        await api().post(`projects/${dashboard().projectId}/blogs`, {
          title: `Bed ${String(number).padStart(2, '0')}`,
          content: '<p>Carrots, and what grows beside them.</p>',
          tags: number <= 3 ? ['roots'] : [],
        });
      }
      context = await newBrowser([/status of (404|422) .*\/blogs\//]);
      page = await openAs(context, dashboard().administrator, `/projects/${dashboard().projectId}/posts`);
    });

    afterAll(() => context?.close());

    it('are listed a page at a time with their total, and a reload shows the same page', async () => {
      await eventually(async () => expect(await titles()).toHaveLength(50));
      const total = (await statesOf('limit=100')).length;
      await page.getByRole('status').getByText(`1–50 of ${total}`).waitFor();
      await page.getByRole('button', { name: 'Next page' }).focus();
      await page.keyboard.press('Enter');
      await eventually(async () => expect(await titles()).toHaveLength(total - 50));
      const second = await titles();
      await page.getByRole('status').getByText(`51–${total} of ${total}`).waitFor();
      await eventually(async () =>
        expect(await page.locator(':focus').getByRole('link').allTextContents()).toEqual(second.slice(0, 1)),
      );
      await page.reload();
      await eventually(async () => expect(await titles()).toEqual(second));
      await page.getByRole('status').getByText(`51–${total} of ${total}`).waitFor();
      await page.getByRole('button', { name: 'First page' }).click();
      await eventually(async () => expect(await titles()).toHaveLength(50));
    });

    it('are found by their words, state and tag, and no match says so', async () => {
      await open();
      await page.getByLabel('Search posts').fill('bed 07');
      await eventually(async () => expect(await titles()).toEqual(['Bed 07']));
      await page.getByRole('status').getByText('1–1 of 1').waitFor();
      await page.getByRole('tab', { name: 'Drafts 1' }).waitFor();
      await page.getByRole('tab', { name: 'Published 0', exact: true }).click();
      await page.getByRole('heading', { name: 'No posts match' }).waitFor();
      await page.getByRole('status').getByText('No posts match').waitFor();
      await page.getByRole('button', { name: 'Clear filters' }).click();
      await eventually(async () => expect(await titles()).toHaveLength(50));
      await page.getByLabel('Tag', { exact: true }).selectOption('roots (3)');
      await eventually(async () => expect((await titles()).sort()).toEqual(['Bed 01', 'Bed 02', 'Bed 03']));
      await page.reload();
      await eventually(async () => expect(await titles()).toHaveLength(3));
      expect(await page.getByLabel('Tag', { exact: true }).inputValue()).toBe('roots');
    });

    it('are sorted by the header of a column, and the URL keeps the order', async () => {
      await open('?q=bed');
      const title = page.getByRole('columnheader', { name: 'Title' });
      await page.getByRole('button', { name: 'Title' }).click();
      await eventually(async () => expect((await titles()).slice(0, 2)).toEqual(['Bed 01', 'Bed 02']));
      expect(await title.getAttribute('aria-sort')).toBe('ascending');
      await page.getByRole('button', { name: 'Title' }).click();
      await eventually(async () => expect((await titles())[0]).toBe(`Bed ${POSTS}`));
      await page.reload();
      await eventually(async () => expect((await titles())[0]).toBe(`Bed ${POSTS}`));
      expect(await title.getAttribute('aria-sort')).toBe('descending');
      expect(await page.getByRole('columnheader', { name: 'Updated' }).getAttribute('aria-sort')).toBe('none');
    });

    it('have no “Untitled” of a new post that was left untouched, and keep one with a single word in it', async () => {
      const { api } = dashboard().administrator;
      const all = async () => {
        const path = `projects/${dashboard().projectId}/blogs?q=Untitled`;
        return (await api.get<{ items: { excerpt: string }[] }>(path)).items.map(({ excerpt }) => excerpt);
      };
      const begin = async () => {
        await page.goto(`/projects/${dashboard().projectId}/posts`);
        await eventually(async () => expect((await titles()).length).toBeGreaterThan(0));
        await page.getByRole('button', { name: 'New post' }).first().click();
        await page.locator('#post-content').waitFor();
      };
      await begin();
      expect(await all()).toHaveLength(1);
      await page.goBack();
      await eventually(async () => expect(await all()).toEqual([]));
      await begin();
      await page.locator('#post-content').click();
      await page.keyboard.type('Leeks');
      await page.goBack();
      await eventually(async () => expect(await all()).toEqual(['Leeks']));
    });

    it('that do not exist lead back home', async () => {
      await page.goto(`/projects/${dashboard().projectId}/posts/${crypto.randomUUID()}`);
      await page.getByRole('alert').waitFor();
      await page.getByRole('link', { name: 'Go to Home' }).click();
      await page.getByRole('heading', { level: 1, name: 'Home' }).waitFor();
    });

    it('are moved through and selected by keyboard, and a range by Shift-click', async () => {
      await open('?q=bed&sort=title');
      await page.locator('a[data-post]').first().focus();
      await page.keyboard.press('x');
      await page.keyboard.press('ArrowDown');
      await page.keyboard.press('Space');
      await toolbar().getByText('2 selected').waitFor();
      await toolbar().getByRole('button', { name: 'Clear selection' }).click();
      await page.getByLabel('Select “Bed 07”').click();
      await page.getByLabel('Select “Bed 04”').click({ modifiers: ['Shift'] });
      await toolbar().getByText('4 selected').waitFor();
      expect(await page.getByLabel('Select “Bed 05”').isChecked()).toBe(true);
      await page.getByLabel('Select all posts on this page').check();
      await toolbar().getByText('50 selected').waitFor();
    });

    it('have a menu that the keyboard opens and that gives the focus back', async () => {
      await open('?q=bed+07');
      const button = page.getByRole('button', { name: 'Actions for “Bed 07”' });
      await button.focus();
      await page.keyboard.press('Enter');
      const menu = page.getByRole('menu', { name: 'Actions for “Bed 07”' });
      await menu.waitFor();
      expect(await violations(page)).toEqual([]);
      expect(await menu.getByRole('menuitem').allTextContents()).toEqual([
        'Edit',
        'Publish',
        'Schedule',
        'Add tag',
        'Delete',
      ]);
      await page.keyboard.press('Escape');
      await menu.waitFor({ state: 'detached' });
      expect(await button.evaluate((element) => element === document.activeElement)).toBe(true);
    });

    it('are published together once the dialog is confirmed, and Undo takes the drafts down again', async () => {
      const before = [...dashboard().receiver.requests];
      await open('?q=bed&sort=title');
      for (const title of ['Bed 31', 'Bed 32']) await page.getByLabel(`Select “${title}”`).check();
      await toolbar().getByRole('button', { name: 'Publish', exact: true }).click();
      const dialog = page.getByRole('dialog', { name: 'Publish 2 posts?' });
      await dialog.getByText(RECEIVER_NAME).waitFor();
      expect(dashboard().receiver.requests).toEqual(before);
      await dialog.getByRole('button', { name: 'Publish' }).click();
      await page.getByText('2 posts published', { exact: true }).waitFor();
      for (const title of ['Bed 31', 'Bed 32']) {
        const told = await dashboard().receiver.waitFor((request) => request.json()['title'] === title);
        expect(told.signature).toBe('valid');
        expect(told.json()).toMatchObject({ event: 'blog.published' });
      }
      await page.getByRole('button', { name: 'Undo' }).click();
      await page.getByText('Undone', { exact: true }).waitFor();
      expect((await statesOf('q=Bed+31'))[0]?.state).toBe('unpublished');
    });

    it('are scheduled together for one of the offered times, and Undo cancels that', async () => {
      await open('?q=bed&sort=title');
      for (const title of ['Bed 41', 'Bed 42', 'Bed 43']) await page.getByLabel(`Select “${title}”`).check();
      await toolbar().getByRole('button', { name: 'Schedule' }).click();
      const dialog = page.getByRole('dialog', { name: 'Schedule 3 posts' });
      expect(await dialog.getByRole('radio', { name: /^Tomorrow 9:00/ }).isChecked()).toBe(true);
      await dialog.getByRole('button', { name: 'Schedule', exact: true }).click();
      await page.getByText('3 posts scheduled', { exact: true }).waitFor();
      await page.getByRole('tab', { name: 'Scheduled 3' }).waitFor();
      await page.getByRole('button', { name: 'Undo' }).click();
      await page.getByText('Undone', { exact: true }).waitFor();
      expect((await statesOf('scheduled=true&q=bed')).length).toBe(0);
    });

    it('are tagged together, and what fails is listed by its title', async () => {
      await open('?q=bed&sort=title');
      for (const title of ['Bed 44', 'Bed 45']) await page.getByLabel(`Select “${title}”`).check();
      await toolbar().getByRole('button', { name: 'Tag' }).click();
      const dialog = page.getByRole('dialog', { name: 'Tag 2 posts' });
      await dialog.getByLabel('Tag').fill('winter');
      const one = (await statesOf('q=Bed+44'))[0]!;
      await page.route(`**/blogs/${one.id}`, (route) =>
        route.request().method() === 'PATCH'
          ? route.fulfill({ status: 422, contentType: 'application/problem+json', body: REFUSED })
          : route.fallback(),
      );
      await dialog.getByRole('button', { name: 'Add tag' }).click();
      await page.getByText('“Bed 45” tagged', { exact: true }).waitFor();
      const failed = page.getByRole('dialog', { name: '1 post failed' });
      await failed.getByText('Bed 44: No more tags.').waitFor();
      await failed.getByRole('button', { name: 'Close' }).last().click();
      await page.unroute(`**/blogs/${one.id}`);
    });

    it('are unpublished, and Undo publishes them again with the date that readers saw', async () => {
      const { id } = (await statesOf('q=Bed+33'))[0]!;
      await api().post(`${pathOf(id)}/publish`);
      const { published_at: date } = await api().get<{ published_at: string }>(pathOf(id));
      await open('?q=bed+33');
      await page.getByRole('button', { name: 'Actions for “Bed 33”' }).click();
      await page.getByRole('menuitem', { name: 'Unpublish' }).click();
      await page
        .getByRole('dialog', { name: 'Unpublish “Bed 33”?' })
        .getByRole('button', { name: 'Unpublish' })
        .click();
      await page.getByText('“Bed 33” unpublished', { exact: true }).waitFor();
      await page.getByRole('button', { name: 'Undo' }).click();
      await page.getByText('Undone', { exact: true }).waitFor();
      expect(await api().get(pathOf(id))).toMatchObject({ state: 'published', published_at: date });
    });

    it('are live with the number of destinations that did not get them, in amber', async () => {
      const { id } = (await statesOf('q=Bed+34'))[0]!;
      dashboard().receiver.respondWith(() => ({ status: 500, body: 'away' }));
      await api().post(`${pathOf(id)}/publish`);
      await open('?q=bed+34');
      const badge = page.getByRole('row', { name: /Bed 34/ }).getByText('Live · 1 failed');
      await badge.waitFor();
      expect(await badge.getAttribute('data-tone')).toBe('warning');
      dashboard().receiver.respondWith(() => ({}));
    });

    it('have a small variant of their feature image beside the title', async () => {
      const { id } = (await statesOf('q=Bed+35'))[0]!;
      const picture = sharp({ create: { width: 1_200, height: 800, channels: 3, background: '#2a7' } }).jpeg();
      const uploaded = await fetch(
        `${dashboard().local.origin}/blog/api/v1/owner/projects/${dashboard().projectId}/images?name=bed.jpg`,
        {
          method: 'POST',
          headers: { authorization: `Bearer ${api().token}`, 'content-type': 'image/jpeg' },
          body: new Uint8Array(await picture.toBuffer()),
        },
      );
      const { id: imageId, url } = (await uploaded.json()) as { id: string; url: string };
      await api().patch(pathOf(id), { featured_image_url: url });
      await eventually(async () => {
        const image = await api().get<{ variants: { made: number } }>(
          `projects/${dashboard().projectId}/images/${imageId}`,
        );
        expect(image.variants.made).toBeGreaterThan(0);
      });
      await open('?q=bed+35');
      const thumbnail = page.getByRole('row', { name: /Bed 35/ }).locator('img');
      await eventually(async () =>
        expect(await thumbnail.evaluate((image: HTMLImageElement) => image.naturalWidth)).toBe(480),
      );
    });

    const deleteTogether = async (...chosen: string[]) => {
      await open('?q=bed&sort=title');
      for (const title of chosen) await page.getByLabel(`Select “${title}”`).check();
      await toolbar().getByRole('button', { name: 'Delete' }).click();
      const dialog = page.getByRole('dialog', { name: `Delete ${chosen.length} posts?` });
      await dialog.getByText('permanently deletes').waitFor();
      return dialog;
    };

    it('are deleted once the dialog has asked and nobody has chosen Undo', async () => {
      const dialog = await deleteTogether('Bed 46', 'Bed 47');
      await dialog.getByRole('button', { name: 'Delete' }).click();
      await page.getByText('Deleting 2 posts…', { exact: true }).waitFor();
      expect(await page.getByRole('row', { name: /Bed 46/, includeHidden: true }).getAttribute('inert')).toBe('');
      expect(await statesOf('q=Bed+46')).toHaveLength(1);
      await page.getByText('2 posts deleted', { exact: true }).waitFor();
      await eventually(async () => expect(await titles()).not.toContain('Bed 46'));
      expect(await statesOf('q=Bed+46')).toEqual([]);
    });

    it('stay when Undo is chosen, and the dialog names the one that was scheduled', async () => {
      const { id } = (await statesOf('q=Bed+48'))[0]!;
      await api().put(`${pathOf(id)}/schedule`, { publish_at: new Date(Date.now() + 86_400_000).toISOString() });
      const dialog = await deleteTogether('Bed 48', 'Bed 49');
      await dialog.getByText('“Bed 48” is scheduled and won’t go live.').waitFor();
      await dialog.getByRole('button', { name: 'Delete' }).click();
      await page.getByRole('button', { name: 'Undo' }).click();
      await page.getByText('Undone', { exact: true }).waitFor();
      await page.goto('about:blank');
      expect(await statesOf('q=Bed+48')).toHaveLength(1);
      expect(await statesOf('q=Bed+49')).toHaveLength(1);
    });

    it('are deleted when the page closes before the toast has gone, and one that was edited meanwhile is not', async () => {
      const dialog = await deleteTogether('Bed 50', 'Bed 51', 'Bed 52');
      await dialog.getByRole('button', { name: 'Delete' }).click();
      await page.getByText('Deleting 3 posts…', { exact: true }).waitFor();
      await api().patch(pathOf((await statesOf('q=Bed+52'))[0]!.id), { excerpt: 'Edited elsewhere.' });
      await page.goto('about:blank');
      await eventually(async () => expect(await statesOf('q=Bed+50')).toEqual([]));
      await eventually(async () => expect(await statesOf('q=Bed+51')).toEqual([]));
      expect(await statesOf('q=Bed+52')).toHaveLength(1);
    });

    it('with unpublished edits are unpublished only after Undo was offered, and scheduled ones stay scheduled', async () => {
      const [live, planned] = [(await statesOf('q=Bed+53'))[0]!, (await statesOf('q=Bed+54'))[0]!];
      await api().post(`${pathOf(live.id)}/publish`);
      await api().patch(pathOf(live.id), { excerpt: 'Not for readers yet.' });
      await api().put(`${pathOf(planned.id)}/schedule`, {
        publish_at: new Date(Date.now() + 86_400_000).toISOString(),
      });
      const unpublish = async () => {
        await open('?q=bed&sort=title');
        for (const title of ['Bed 53', 'Bed 54']) await page.getByLabel(`Select “${title}”`).check();
        await toolbar().getByRole('button', { name: 'Unpublish' }).click();
        const dialog = page.getByRole('dialog', { name: 'Unpublish “Bed 53”?' });
        await dialog.getByText('“Bed 54” is scheduled and stays scheduled.').waitFor();
        await dialog.getByRole('button', { name: 'Unpublish' }).click();
        await page.getByText('Unpublishing “Bed 53”…', { exact: true }).waitFor();
      };
      await unpublish();
      await page.getByRole('button', { name: 'Undo' }).click();
      await page.getByText('Undone', { exact: true }).waitFor();
      expect(await api().get(pathOf(live.id))).toMatchObject({ state: 'published', has_unpublished_changes: true });
      await open('?q=bed+53');
      await page.getByRole('tab', { name: 'Published 0', exact: true }).waitFor();
      await page.getByRole('tab', { name: 'Edited 1' }).waitFor();
      await unpublish();
      await page.getByRole('region', { name: 'Notifications' }).getByRole('button', { name: 'Close' }).last().click();
      await page.getByText('“Bed 53” unpublished', { exact: true }).waitFor();
      expect(await api().get(pathOf(live.id))).toMatchObject({ state: 'unpublished', excerpt: 'Not for readers yet.' });
    });

    it('are cards on a phone, where all can be done without scrolling sideways', async () => {
      await page.setViewportSize({ width: 360, height: 740 });
      await page.goto(`/projects/${dashboard().projectId}/posts?q=bed&sort=title`);
      await page.getByRole('list', { name: 'Posts' }).waitFor();
      await page.getByLabel('Select “Bed 01”').check();
      await toolbar().getByText('1 selected').waitFor();
      expect(await sticksOut(page)).toEqual([]);
      expect(await violations(page)).toEqual([]);
      await page.getByLabel('Sort by').selectOption('Title Z–A');
      await eventually(async () =>
        expect(await page.locator('a[data-post]').first().textContent()).toBe(`Bed ${POSTS}`),
      );
      await page.setViewportSize({ width: 1280, height: 720 });
    });

    it('start with three ways to a first one', async () => {
      const { id } = await api().post<{ id: string }>('projects', { name: 'Nothing yet' });
      await page.goto(`/projects/${id}/posts`);
      await page.getByRole('heading', { name: 'No posts yet' }).waitFor();
      await page.getByRole('link', { name: 'Import' }).waitFor();
      await page.getByRole('link', { name: 'Generate' }).waitFor();
      expect(await violations(page)).toEqual([]);
      await page.getByRole('main').getByRole('button', { name: 'New post' }).click();
      await page.waitForURL(/\/posts\/[^/]+$/);
    });
  });
}

const REFUSED = JSON.stringify({
  type: 'about:blank',
  title: 'Unprocessable content',
  status: 422,
  detail: 'No more tags.',
});
