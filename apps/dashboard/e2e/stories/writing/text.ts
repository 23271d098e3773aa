import type { BrowserContext, Page } from 'playwright-core';
import { clickInText, eventually, openAs, pressEnd } from '../../actions.ts';
import type { Stories } from '../stories.ts';

interface Post {
  readonly id: string;
  readonly excerpt: string;
  readonly automatic_excerpt: string;
  readonly content: string;
}

const TABLE = '<table><tbody><tr><td>Ash</td><td>Beech</td></tr><tr><td>Elm</td><td>Oak</td></tr></tbody></table>';

/** The text of a post as it looks, and as the keyboard and the clipboard change it. */
export function describeText({ dashboard, newBrowser }: Stories): void {
  describe('the text of a post', () => {
    let context: BrowserContext;
    let page: Page;
    let post: Post;

    const api = () => dashboard().administrator.api;
    const blogs = () => `projects/${dashboard().projectId}/blogs`;
    const stored = () => api().get<Post>(`${blogs()}/${post.id}`);
    const text = () => page.locator('#post-content');
    const open = async (content: string, title = 'Trees') => {
      post = await api().post<Post>(blogs(), { title, content });
      await page.goto(`/projects/${dashboard().projectId}/posts/${post.id}`);
      await text().waitFor();
    };
    const storedIs = (content: RegExp | string) =>
      eventually(async () => expect((await stored()).content.replaceAll(/>\n+</g, '><').trim()).toMatch(content), {
        timeoutMs: 15_000,
      });
    const click = (words: string) => clickInText(text().getByText(words));
    const paste = (data: Readonly<Record<string, string>>) =>
      text().evaluate((field, given) => {
        const clipboardData = new DataTransfer();
        for (const [type, value] of Object.entries(given)) clipboardData.setData(type, value);
        field.dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }));
      }, data);
    const styleOf = (selector: string, ...names: readonly string[]) =>
      text()
        .locator(selector)
        .first()
        .evaluate((element, asked) => asked.map((name) => getComputedStyle(element).getPropertyValue(name)), names);

    beforeAll(async () => {
      context = await newBrowser();
      page = await openAs(context, dashboard().administrator, `/projects/${dashboard().projectId}/posts`);
    });
    afterAll(() => context?.close());

    it('shows the cells of tables, headings, figures and toggles with borders and room', async () => {
      await open(
        `<p>a</p><h2>Trees</h2>${TABLE}<figure><p>b</p></figure><details open><summary>c</summary><p>d</p></details>`,
      );
      expect(await styleOf('td', 'border-top-width', 'border-top-style')).toEqual(['1px', 'solid']);
      expect(Number.parseFloat((await styleOf('td', 'padding-left'))[0]!)).toBeGreaterThanOrEqual(8);
      expect(Number.parseFloat((await styleOf('h2', 'margin-top'))[0]!)).toBeGreaterThanOrEqual(20);
      expect(await styleOf('details', 'border-top-width')).toEqual(['1px']);
    });

    it('opens the slash menu within the window, and scrolls to what the arrow keys select', async () => {
      await page.setViewportSize({ width: 1000, height: 500 });
      await open(`${'<p>A line.</p>'.repeat(40)}<p>Last.</p>`);
      await click('Last.');
      await pressEnd(page);
      await page.keyboard.press('Enter');
      await page.keyboard.type('/');
      const menu = page.getByRole('listbox', { name: 'Add a block' });
      const inWindow = async () => {
        const { y, height } = (await menu.boundingBox())!;
        expect(y).toBeGreaterThanOrEqual(0);
        expect(y + height).toBeLessThanOrEqual(500);
      };
      await inWindow();
      await page.keyboard.press('ArrowUp');
      const isSeen = () =>
        menu.evaluate((list) => {
          const { top, bottom } = list.querySelector('[aria-selected=true]')!.getBoundingClientRect();
          const frame = list.getBoundingClientRect();
          return top >= frame.top - 1 && bottom <= frame.bottom + 1;
        });
      await eventually(async () => expect(await isSeen()).toBe(true));
      await inWindow();
      await page.keyboard.press('Escape');
      await menu.waitFor({ state: 'detached' });
      await page.setViewportSize({ width: 1280, height: 800 });
    });

    it('adds a row with Tab in the last cell of a table', async () => {
      await open(TABLE);
      await click('Oak');
      await page.keyboard.press('Tab');
      await page.keyboard.type('Yew');
      await storedIs('<tr><td>Elm</td><td>Oak</td></tr><tr><td>Yew</td><td></td></tr>');
    });

    it('leads out of a table at the end and at the beginning with the arrow keys', async () => {
      await open(TABLE);
      await click('Elm');
      await page.keyboard.press('ArrowDown');
      await page.keyboard.type('Below');
      await storedIs(/<\/table><p>Below<\/p>$/);
      await click('Beech');
      await page.keyboard.press('ArrowUp');
      await page.keyboard.type('Above');
      await storedIs(/^<p>Above<\/p><table>/);
    });

    it('leads out of code with Enter on the second empty line', async () => {
      await open('<pre><code>let a;</code></pre><p>End</p>');
      await click('let a;');
      await pressEnd(page);
      for (const key of ['Enter', 'x', 'Enter', 'Enter', 'Enter']) await page.keyboard.press(key);
      await page.keyboard.type('After');
      await storedIs(/^<pre><code>let a;\nx<\/code><\/pre><p>After<\/p><p>End<\/p>$/);
    });

    it('moves between the rows of a table with the arrow keys, and adds nothing', async () => {
      await open(TABLE);
      await click('Ash');
      await page.keyboard.press('ArrowDown');
      await pressEnd(page);
      await page.keyboard.type('!');
      await storedIs(/Elm!<\/td><td>Oak<\/td><\/tr><\/tbody><\/table>$/);
    });

    it('formats Markdown that is pasted, and undoes it in one step', async () => {
      await open('<p>Begin.</p>');
      await click('Begin.');
      await page.keyboard.press('Control+End');
      await page.keyboard.press('Enter');
      await paste({ 'text/plain': '## Trees\n\n- **Ash**\n- [Oak](https://oak.example)\n\n```js\nlet x;\n```\n' });
      await storedIs(
        /<h2>Trees<\/h2><ul><li>(?:<p>)?<strong>Ash<\/strong>.*href="https:\/\/oak\.example".*<pre><code class="language-js">let x;/s,
      );
      await page.keyboard.press('Control+z');
      await storedIs(/^<p>Begin\.<\/p>(?:<p><\/p>)?$/);
    });

    it('keeps Markdown as it is within code', async () => {
      await open('<pre><code>x</code></pre>');
      await click('x');
      await paste({ 'text/plain': '## Not a heading\n- a\n- b' });
      await storedIs(/## Not a heading\n- a\n- b/);
    });

    it('embeds a YouTube URL on a line of its own, and links it elsewhere', async () => {
      await open('<p>See</p>');
      await click('See');
      await page.keyboard.press('Control+End');
      await page.keyboard.press('Enter');
      await paste({ 'text/plain': 'https://www.youtube.com/watch?v=dQw4w9WgXcQ' });
      await storedIs(/^<p>See<\/p><figure><iframe src="https:\/\/www\.youtube-nocookie\.com\/embed\/dQw4w9WgXcQ"/);
      await page.keyboard.type('And ');
      await paste({ 'text/plain': 'https://youtu.be/dQw4w9WgXcQ' });
      await storedIs(/<p>And <a href="https:\/\/youtu\.be\/dQw4w9WgXcQ">/);
    });

    it('makes lists of Word lists, and keeps strikethrough and underline of Google Docs', async () => {
      await open('<p></p>');
      await text().click();
      const item = (marker: string, words: string, level: number, list: number) =>
        `<p class=MsoListParagraph style='mso-list:l${list} level${level} lfo1'><![if !supportLists]><span style='mso-list:Ignore'>${marker}</span><![endif]>${words}</p>`;
      await paste({
        'text/html': `${item('·', 'First', 1, 0)}${item('o', 'Nested', 2, 0)}${item('1.', 'Numbered', 1, 1)}<p><span style="text-decoration:line-through">old</span> <span style="text-decoration:underline">new</span></p>`,
      });
      await storedIs(
        /<ul><li>First<ul><li>Nested<\/li><\/ul><\/li><\/ul><ol><li>Numbered<\/li><\/ol>.*<s>old<\/s> <u>new<\/u>/s,
      );
    });

    it('follows the text with the excerpt, unless somebody writes one', async () => {
      await open('<p>Ash burns green.</p>');
      const field = page.getByLabel('Excerpt');
      const search = page.getByRole('group', { name: 'Search preview' });
      expect(await field.inputValue()).toBe('');
      expect(await field.getAttribute('placeholder')).toBe('Ash burns green.');
      await click('Ash burns green.');
      await page.keyboard.press('Control+End');
      await page.keyboard.type(' Oak does not.');
      const follows = () =>
        eventually(async () => expect(await field.getAttribute('placeholder')).toBe('Ash burns green. Oak does not.'));
      await follows();
      await field.press('x');
      await page.locator('[data-save-state=saved]').waitFor();
      await eventually(async () => expect((await stored()).excerpt).toBe('x'));
      await field.press('Backspace');
      await eventually(async () => expect((await stored()).excerpt).toBe('Ash burns green. Oak does not.'));
      await follows();
      await page.getByText('Search engines', { exact: true }).click();
      await search.getByText('Ash burns green. Oak does not.').waitFor();
      expect(await page.getByLabel('Meta title').getAttribute('placeholder')).toBe('Trees');
      expect(await page.getByLabel('Meta description').getAttribute('placeholder')).toBe(
        'Ash burns green. Oak does not.',
      );
    });

    it('shows in the search preview of a new post what readers would find', async () => {
      await open('', 'Untitled');
      const search = page.getByRole('group', { name: 'Search preview' });
      await page.getByText('Search engines', { exact: true }).click();
      await search.getByText('https://garden.example/blog/').waitFor();
      await search.getByText('Untitled', { exact: true }).waitFor();
      await search.getByText('Taken from the first paragraphs').waitFor();
      await page.getByText('No description: search engines pick text from the page.').waitFor();
      await page.getByText('No image: shared links show text only.').waitFor();
    });

    it('shows what chats and search engines will show, and says what an author may not expect', async () => {
      await open('<p>Ash burns green.</p>', 'Trees');
      await page.getByText('Search engines', { exact: true }).click();
      await page.getByText('Sharing and indexing', { exact: true }).click();
      const shared = page.getByRole('group', { name: 'Preview when shared' });
      await shared.getByText('garden.example', { exact: true }).waitFor();
      await shared.getByText('Trees', { exact: true }).waitFor();
      await page.getByLabel('Title when shared').fill('Green ash');
      await shared.getByText('Green ash', { exact: true }).waitFor();
      expect(await page.getByLabel('Title on X').getAttribute('placeholder')).toBe('Green ash');
      await page.getByLabel('Canonical URL').fill('https://forest.example/ash');
      await page.getByText('asks search engines to show a page on forest.example instead').waitFor();
      await page.getByLabel('Hide from search engines').check();
      await page.getByText('Hidden: search engines are asked').waitFor();
      await page.getByLabel('Meta title').fill('x'.repeat(71));
      await page.getByText('Search results cut off the title: 71 of 70 characters.').waitFor();
      await page.locator('[data-save-state=saved]').waitFor();
      await eventually(async () =>
        expect(await stored()).toMatchObject({
          og_title: 'Green ash',
          canonical_url: 'https://forest.example/ash',
          noindex: true,
        }),
      );
    });
  });
}
