import type { BrowserContext, Page } from 'playwright-core';
import { eventually, openAs, sticksOut, violations } from '../../actions.ts';
import type { Stories } from '../stories.ts';

interface Post {
  readonly id: string;
  readonly slug: string;
  readonly aliases: readonly string[];
}

/** Renaming a post: what is said before, aliases, and the posts that link to it. */
export function describeRenames({ dashboard, newBrowser }: Stories): void {
  describe('renaming a post', () => {
    let context: BrowserContext;
    let page: Page;
    let tea: Post;

    const api = () => dashboard().administrator.api;
    const blogs = () => `projects/${dashboard().projectId}/blogs`;
    const stored = ({ id }: Post) => api().get<Post>(`${blogs()}/${id}`);
    const make = async (title: string, slug: string, linksTo?: string): Promise<Post> => {
      const content = linksTo === undefined ? '<p>Text.</p>' : `<p>See <a href="[INTERNAL:${linksTo}]">it</a>.</p>`;
      const post = await api().post<Post>(blogs(), { title, slug, content });
      await api().post(`${blogs()}/${post.id}/publish`, {});
      return post;
    };
    const rename = async ({ id }: Post, slug: string) => {
      const answer = await fetch(`${dashboard().local.origin}/blog/api/v1/owner/${blogs()}/${id}`, {
        method: 'PATCH',
        headers: { authorization: `Bearer ${api().token}`, 'content-type': 'application/json' },
        body: JSON.stringify({ slug }),
      });
      expect(answer.status).toBe(200);
    };
    const open = async ({ id }: Post, target = page) => {
      await target.goto(`/projects/${dashboard().projectId}/posts/${id}`);
      await target.locator('#post-content p').first().waitFor();
    };
    const saved = () => page.locator('[data-save-state=saved]').waitFor();

    beforeAll(async () => {
      context = await newBrowser([/status of 409 .*\/blogs\//]);
      page = await openAs(context, dashboard().administrator, `/projects/${dashboard().projectId}/posts`);
      tea = await make('All about tea', 'about-tea');
      for (const number of [1, 2, 3]) await make(`Tea tip ${number}`, `tea-tip-${number}`, 'about-tea');
    });
    afterAll(() => context?.close());

    it('says how many links follow and what becomes of the old URL, before it is saved and until it is published', async () => {
      await open(tea);
      const text =
        'The old URL stays live until you click Update, then redirects if your site supports it. 3 posts link here. Their links will be updated.';
      await page.getByLabel('Post URL').fill('about-green-tea');
      await page.getByText(text).waitFor();
      await saved();
      await page.reload();
      await page.getByText(text).waitFor();
      await page.getByRole('button', { name: 'Update' }).click();
      const dialog = page.getByRole('dialog', { name: 'Update post' });
      await dialog.getByText(text).waitFor();
      expect(await violations(page)).toEqual([]);
      await dialog.getByRole('button', { name: 'Update' }).click();
      await eventually(async () => expect((await stored(tea)).aliases).toEqual(['about-tea']));
      await dialog.getByRole('button', { name: 'Done' }).click();
      await page.getByText(text).waitFor({ state: 'detached' });
    });

    it('lists the posts that link here, and leads to them', async () => {
      await open(tea);
      await page.getByText('Links', { exact: true }).click();
      const section = page.getByRole('region', { name: 'Links to this post' });
      await section.getByText('3 posts link here.').waitFor();
      expect(await section.getByRole('link').allTextContents()).toEqual(['Tea tip 3', 'Tea tip 2', 'Tea tip 1']);
      await section.getByRole('link', { name: 'Tea tip 2' }).click();
      await eventually(async () =>
        expect(await page.getByLabel('Title', { exact: true }).inputValue()).toBe('Tea tip 2'),
      );
    });

    it('says whose alias a slug is, and takes it when a person says so', async () => {
      const other = await make('Another post', 'another-post');
      await open(other);
      const slug = page.getByLabel('Post URL');
      await slug.fill('about-green-tea');
      await page.getByText('“All about tea” has this slug. Choose another.').waitFor();
      expect(await page.getByRole('button', { name: 'Take it' }).count()).toBe(0);
      await slug.fill('about-tea');
      await page.getByText('This slug is an alias of “All about tea”.').waitFor();
      await eventually(async () => expect((await stored(other)).slug).toBe('another-post'));
      expect(await violations(page)).toEqual([]);
      await page.getByRole('button', { name: 'Take it' }).click();
      await eventually(async () => expect((await stored(other)).slug).toBe('about-tea'));
      await saved();
      await page.getByRole('button', { name: 'Take it' }).waitFor({ state: 'detached' });
      expect((await stored(tea)).aliases).toEqual([]);
    });

    it('lists aliases, which owners release and editors only see', async () => {
      const post = await make('Water', 'water');
      await rename(post, 'hot-water');
      await api().post(`${blogs()}/${post.id}/publish`, {});
      const editorContext = await newBrowser();
      const editor = await openAs(editorContext, await dashboard().invite('editor'), '/');
      await open(post, editor);
      await editor.getByText('Links', { exact: true }).click();
      await editor.getByRole('region', { name: 'Aliases' }).getByText('water', { exact: true }).waitFor();
      expect(await editor.getByRole('button', { name: 'Release “water”' }).count()).toBe(0);
      await editorContext.close();
      await open(post);
      await page.getByText('Links', { exact: true }).click();
      for (const width of [390, 1280]) {
        await page.setViewportSize({ width, height: 900 });
        expect(await sticksOut(page)).toEqual([]);
      }
      await page.getByRole('button', { name: 'Release “water”' }).click();
      const dialog = page.getByRole('dialog', { name: 'Release “water”?' });
      await dialog.getByText('Its URL no longer redirects to this post').waitFor();
      await dialog.getByRole('button', { name: 'Release', exact: true }).click();
      await page.getByRole('region', { name: 'Aliases' }).waitFor({ state: 'detached' });
      expect((await stored(post)).aliases).toEqual([]);
    });
  });
}
