import { startReceiver, type Receiver } from '@blog-content/testing';
import type { BrowserContext, Locator, Page } from 'playwright-core';
import { clickInText, eventually, looksGood, openAs } from '../actions.ts';
import { translated } from './model-answers.ts';
import type { Stories } from './stories.ts';

interface Post {
  readonly id: string;
  readonly title: string;
  readonly language: string | null;
}

/** A post in several languages: what there is, what is out of date, and a new one. */
export function describeLanguages({ dashboard, newBrowser }: Stories): void {
  describe('the languages of a post', () => {
    let context: BrowserContext;
    let page: Page;
    let project: string;
    let source: Post;
    const api = () => dashboard().administrator.api;
    const blogs = () => `projects/${project}/blogs`;
    const stored = (id: string) => api().get<Post>(`${blogs()}/${id}`);
    const publish = (id: string) => api().post(`${blogs()}/${id}/publish`);
    const translations = () => page.getByRole('region', { name: 'Translations' });
    const open = async (id: string) => {
      await page.goto(`/projects/${project}/posts/${id}`);
      await page.getByText('Languages', { exact: true }).click();
    };

    beforeAll(async () => {
      project = (await api().post<{ id: string }>('projects', { name: 'Apothecary' })).id;
      source = await api().post<Post>(blogs(), { title: 'Sage tea', content: '<p>Sage for the throat.</p>' });
      await publish(source.id);
      context = await newBrowser();
      page = await openAs(context, dashboard().administrator, `/projects/${project}/posts/${source.id}`);
      await page.evaluate(() => localStorage.setItem('editor-settings', 'open'));
    });

    afterAll(() => context?.close());

    it('begin with its own, from a list with native names or by a tag', async () => {
      await open(source.id);
      await page.getByText('Set the language of this post to add translations.').waitFor();
      const language = page.getByRole('combobox', { name: 'Language of this post' });
      expect(await language.locator('option', { hasText: 'German' }).allTextContents()).toEqual([
        'Austrian German · Österreichisches Deutsch',
        'German · Deutsch',
        'Swiss High German · Schweizer Hochdeutsch',
      ]);
      await language.selectOption('Another language…');
      const tag = page.getByRole('textbox', { name: 'Language tag' });
      await tag.fill('english');
      await page.getByText('Enter a language tag, such as de-LI.').waitFor();
      await tag.fill('EN-ie');
      await eventually(async () => expect(await stored(source.id)).toMatchObject({ language: 'en-IE' }));
      await language.selectOption('English');
      await eventually(async () => expect(await stored(source.id)).toMatchObject({ language: 'en' }));
      await translations().getByText('No translations yet.').waitFor();
      await looksGood(page);
    });

    it('gain one as a draft, which opens', async () => {
      await publish(source.id);
      await open(source.id);
      const add = page.getByRole('region', { name: 'Add a translation' });
      expect(await add.locator('option', { hasText: /^English$/ }).count()).toBe(0);
      await add.getByRole('combobox', { name: 'Add a translation' }).selectOption('German · Deutsch');
      await add.getByRole('button', { name: 'Add translation' }).click();
      await page.getByText('German draft created').waitFor();
      await page.getByText('Languages', { exact: true }).click();
      await eventually(async () =>
        expect(await page.getByRole('combobox', { name: 'Language of this post' }).inputValue()).toBe('de'),
      );
      await translations().getByRole('link', { name: 'English: Sage tea' }).waitFor();
      await translations().getByText('Up to date with English').waitFor();
      // The source has its translation key since.
      await translations().getByText('Publish it again so that readers find it among the translations.').waitFor();
    });

    it('are found by readers once both are published, as the publish sheet of each says', async () => {
      const sheet = (name: string) => page.getByRole('dialog', { name });
      const press = (name: string) => page.getByRole('button', { name, exact: true }).click();
      await press('Publish');
      await sheet('Publish post')
        .getByText('Readers can find this translation once “Sage tea” is published again.')
        .waitFor();
      await looksGood(page);
      await sheet('Publish post').getByRole('button', { name: 'Publish', exact: true }).click();
      await sheet('Publish post').getByRole('heading', { name: 'It’s live' }).waitFor();
      await sheet('Publish post').getByRole('link', { name: '“Sage tea”' }).click();
      await page.waitForURL((url) => url.pathname.endsWith(source.id));
      await page.getByText('Languages', { exact: true }).click();
      const own = translations().locator('[data-language=en]');
      await own.getByText('Publish it again so that readers find it among the translations.').waitFor();
      await press('Update');
      await sheet('Update post').getByText('Newly linked translations: German').waitFor();
      await looksGood(page);
      await sheet('Update post').getByRole('button', { name: 'Update', exact: true }).click();
      await sheet('Update post').getByRole('heading', { name: 'It’s live' }).waitFor();
      await press('Done');
      await own.getByText('This post').waitFor();
      await own.getByText(/^Publish it again/).waitFor({ state: 'detached' });
      await translations().getByText('1 revision behind English').waitFor();
    });

    it('are told apart by their languages where posts are listed and chosen', async () => {
      const german = (await api().get<{ items: Post[] }>(`${blogs()}?q=sage`)).items.find(
        ({ language }) => language === 'de',
      )!;
      const plain = await api().post<Post>(blogs(), { title: 'Sage in a pot' });
      const fields = [{ name: 'next_post', label: 'Next post', kind: 'post' }];
      await api().put(`projects/${project}/data-fields`, { fields });
      await api().patch(`${blogs()}/${plain.id}`, { data: { next_post: { post_id: german.id } } });
      await page.goto(`/projects/${project}/posts`);
      const languagesOf = async (rows: Locator) => {
        await rows.first().waitFor();
        return rows.evaluateAll((all) =>
          all.map((row) => row.querySelector('[role=img]')?.getAttribute('aria-label') ?? null),
        );
      };
      const table = page.getByRole('table', { name: 'Posts' });
      expect(await languagesOf(table.locator('tbody tr'))).toEqual([null, 'German', 'English']);
      await looksGood(page);
      await page.keyboard.press('Control+k');
      const palette = page.getByRole('dialog', { name: 'Search posts, pages and actions' });
      expect(await languagesOf(palette.getByRole('group', { name: 'Recent posts' }).getByRole('option'))).toEqual([
        ...[null, 'German', 'English'],
      ]);
      await page.goto(`/projects/${project}/publishing`);
      const publishes = page.getByRole('table', { name: 'Publishes' }).locator('tbody tr');
      expect(new Set(await languagesOf(publishes))).toEqual(new Set(['German', 'English']));
      await looksGood(page);
      await page.goto(`/projects/${project}/calendar`);
      await page.getByRole('link', { name: /German Sage tea$/ }).waitFor();
      await page.goto(`/projects/${project}/posts/${plain.id}`);
      const reference = page.getByRole('group', { name: 'Next post' });
      await reference.getByRole('img', { name: 'German' }).waitFor();
      await reference.getByRole('button', { name: 'Change post: Next post' }).click();
      const choice = page.getByRole('dialog', { name: 'Next post' });
      await choice.getByRole('radio', { name: 'Sage tea German Published' }).waitFor();
      await choice.getByRole('radio', { name: 'Sage tea English Published' }).waitFor();
      await looksGood(page);
      await page.keyboard.press('Escape');
      await clickInText(page.locator('#post-content'));
      await page.keyboard.press('Control+k');
      const link = page.getByRole('dialog', { name: 'Link' });
      await link.getByRole('radio', { name: 'Sage tea German Published' }).waitFor();
      await link.getByRole('radio', { name: 'Sage tea English Published' }).waitFor();
      await page.keyboard.press('Escape');
    });

    it('get links of their language, as the preview of the linking post shows', async () => {
      const german = (await api().get<{ items: Post[] }>(`${blogs()}?q=sage`)).items.find(
        ({ language }) => language === 'de',
      )!;
      const content = '<p>Wie <a href="[INTERNAL:sage-tea]">hier</a>, und [INTERNAL:sage-tea].</p>';
      const linking = await api().post<Post>(blogs(), { title: 'Kräuter', content, language: 'de' });
      await page.goto(`/projects/${project}/posts/${linking.id}`);
      await page.getByRole('button', { name: 'Preview' }).click();
      const links = page.frameLocator('iframe').getByRole('link');
      await links.filter({ hasText: 'Sage tea' }).waitFor();
      const hrefs = await links.evaluateAll((all) => all.map((link) => link.getAttribute('href')));
      expect(hrefs).toEqual(Array.from({ length: 2 }, () => '/blog/sage-tea-2/'));
      const listed = page.getByRole('region', { name: 'Links to other posts' }).getByRole('listitem');
      expect(await listed.innerText()).toMatch(/^Sage tea\s+de\s+Published\s+Translation of “Sage tea”$/);
      expect(await listed.getByRole('link').getAttribute('href')).toBe(`/projects/${project}/posts/${german.id}`);
      await looksGood(page);
      await page.keyboard.press('Escape');
      await api().patch(`${blogs()}/${linking.id}`, { language: 'fr' });
      await page.goto(`/projects/${project}/posts/${linking.id}`);
      await page.getByRole('button', { name: 'Preview' }).click();
      await listed.getByRole('img', { name: 'English' }).waitFor();
      expect(await links.last().getAttribute('href')).toBe('/blog/sage-tea/');
      expect(await listed.innerText()).toMatch(/^Sage tea\s+en\s+Published$/);
    });

    it('say how many revisions one is behind, and show what has changed since', async () => {
      await api().patch(`${blogs()}/${source.id}`, { content: '<p>Sage for the throat.</p><p>Two cups a day.</p>' });
      await publish(source.id);
      await api().patch(`${blogs()}/${source.id}`, { title: 'Sage tea for the throat' });
      await publish(source.id);
      await open(source.id);
      await translations().getByText('3 revisions behind English').waitFor();
      await looksGood(page);
      await translations().getByRole('link', { name: 'German: Sage tea' }).click();
      await page.getByText('Languages', { exact: true }).click();
      await translations().getByText('3 revisions behind English').waitFor();
      await translations()
        .getByRole('button', { name: 'Show changes in English since the German translation' })
        .click();
      const dialog = page.getByRole('dialog', { name: 'Changes in English since the translation' });
      await dialog.getByRole('row', { name: /^Title Sage tea Sage tea for the throat$/ }).waitFor();
      await dialog.frameLocator('iframe').getByText('Two cups a day.').waitFor();
      await looksGood(page);
      await dialog.getByRole('button', { name: 'Mark as up to date' }).click();
      await dialog.waitFor({ state: 'detached' });
      await translations().getByText('Up to date with English').waitFor();
    });

    describe('translated by a model', () => {
      let model: Receiver;
      let french: string;
      const suggestion = () => page.getByRole('dialog', { name: 'Suggestion' });
      /** Words of a language that has none of its own: the text in capitals, its markers as they are. */
      const foreign = (text: string) => text.toUpperCase();

      beforeAll(async () => {
        model = await startReceiver({ respond: () => ({ hang: true }) });
        const glossary = [{ term: 'infusion', meaning: 'herbs in hot water' }];
        await api().put(`projects/${project}/brand-voice`, { glossary });
        const content =
          '<h2>Sage</h2><p>Sage for <a href="https://a.example/">the throat</a>.</p><pre>sage --hot</pre>';
        await api().patch(`${blogs()}/${source.id}`, { content });
        await publish(source.id);
      });

      afterAll(() => model?.close());

      it('need one, and say where it is set up', async () => {
        await open(source.id);
        const add = page.getByRole('region', { name: 'Add a translation' });
        await add.getByText('AI can translate for you.').waitFor();
        expect(await add.getByRole('link', { name: 'Set up an AI model' }).getAttribute('href')).toBe(
          `/projects/${project}/settings`,
        );
        expect(await add.getByRole('button', { name: 'Translate with AI' }).count()).toBe(0);
        await looksGood(page);
        await api().put(`projects/${project}/generation-settings`, { base_url: model.url, model: 'm' });
      });

      it('are a suggestion until they are accepted, and then a draft', async () => {
        await open(source.id);
        const add = page.getByRole('region', { name: 'Add a translation' });
        await add.getByRole('combobox', { name: 'Add a translation' }).selectOption('fr');
        await add.getByRole('button', { name: 'Translate with AI' }).click();
        await add.getByText('Translate (0 of 1)').waitFor();
        await looksGood(page);
        await add.getByRole('button', { name: 'Stop' }).click();
        await add.getByRole('button', { name: 'Close' }).click();
        model.respondWith((request) => translated(request, foreign));
        await add.getByRole('button', { name: 'Translate with AI' }).click();
        await suggestion()
          .getByRole('row', { name: /^Title.*SAGE TEA FOR THE THROAT$/ })
          .waitFor();
        await suggestion().frameLocator('iframe').getByText('SAGE FOR THE THROAT.', { exact: true }).waitFor();
        await suggestion().getByText('Glossary').waitFor();
        await looksGood(page);
        expect((await api().get<{ items: object[] }>(`${blogs()}/${source.id}/translations`)).items).toHaveLength(2);
        await suggestion().getByRole('button', { name: 'Accept' }).click();
        await page.getByText('Translation saved as a new draft').waitFor();
        await page.waitForURL((url) => !url.pathname.endsWith(source.id));
        french = page.url().split('/').at(-1) ?? '';
        expect(await stored(french)).toMatchObject({
          ...{ title: 'SAGE TEA FOR THE THROAT', language: 'fr', state: 'draft' },
          content: '<h2>SAGE</h2><p>SAGE FOR <a href="https://a.example/">THE THROAT</a>.</p><pre>sage --hot</pre>',
        });
        await page.getByText('Languages', { exact: true }).click();
        await translations().getByText('Up to date with English').first().waitFor();
      });

      it('are brought up to date with their source by another suggestion', async () => {
        await api().patch(`${blogs()}/${source.id}`, { title: 'Sage tea in winter' });
        await publish(source.id);
        await open(french);
        await translations().getByText('1 revision behind English').first().waitFor();
        await page.getByRole('button', { name: 'Update with AI' }).click();
        await suggestion()
          .getByRole('row', { name: /^Title SAGE TEA FOR THE THROAT SAGE TEA IN WINTER$/ })
          .waitFor();
        await looksGood(page);
        await suggestion().getByRole('button', { name: 'Accept' }).click();
        await suggestion().waitFor({ state: 'detached' });
        await translations().getByText('1 revision behind English').waitFor({ state: 'detached' });
        await eventually(async () =>
          expect(await page.getByLabel('Title', { exact: true }).inputValue()).toBe('SAGE TEA IN WINTER'),
        );
        expect(await stored(french)).toMatchObject({ title: 'SAGE TEA IN WINTER', state: 'draft' });
      });
    });
  });
}
