import { startReceiver, type ReceivedRequest, type Receiver, type ReceiverAnswer } from '@blog-content/testing';
import type { BrowserContext, Page } from 'playwright-core';
import { eventually, openAs, violations } from '../../actions.ts';
import { streamed } from '../model-answers.ts';
import type { Stories } from '../stories.ts';

const NO_META = { excerpt: '', meta_title: '', meta_description: '', keyword: '', categories: [], tags: [] };

/** Changes that a model proposes, and a person decides on. */
export function describeImproving({ dashboard, newBrowser }: Stories): void {
  describe('the proposals for a post', () => {
    let context: BrowserContext;
    let page: Page;
    let model: Receiver;
    let answer: ReceiverAnswer = { hang: true };
    let project: string;
    let post: string;
    const api = () => dashboard().administrator.api;
    const stored = () => api().get<{ title: string }>(`projects/${project}/blogs/${post}`);
    const propose = async (kind: string) => {
      await page.getByLabel('What to suggest').selectOption(kind);
      await page.getByRole('button', { name: 'Suggest', exact: true }).click();
    };
    const proposal = () => page.getByRole('dialog', { name: 'Suggestion' });

    beforeAll(async () => {
      model = await startReceiver({ respond: () => answer });
      project = (await api().post<{ id: string }>('projects', { name: 'Drafts' })).id;
      post = (
        await api().post<{ id: string }>(`projects/${project}/blogs`, {
          title: 'Nettles',
          content: '<p>Nettles make soup.</p>',
        })
      ).id;
      const target = await api().post<{ id: string }>(`projects/${project}/blogs`, { title: 'Soup', keyword: 'soup' });
      await api().post(`projects/${project}/blogs/${target.id}/publish`);
      context = await newBrowser();
      page = await openAs(context, dashboard().administrator, `/projects/${project}/posts/${post}`);
      await page.getByText('Improve with AI', { exact: true }).click();
    });

    afterAll(async () => {
      await context?.close();
      await model?.close();
    });

    it('offer links alone while there is no model, and lead to where one is set up', async () => {
      await page.getByText('Without an AI model, only links to other posts can be suggested.').waitFor();
      const link = page.getByRole('link', { name: 'Set up an AI model' });
      expect(await link.getAttribute('href')).toBe(`/projects/${project}/settings`);
      const kind = page.getByLabel('What to suggest');
      expect(await kind.inputValue()).toBe('links');
      expect(await kind.locator('option:not([disabled])').allTextContents()).toEqual(['Links to other posts']);
      await page.getByRole('button', { name: 'Suggest', exact: true }).click();
      await proposal().waitFor();
      await page.keyboard.press('Escape');
      expect(await page.getByRole('alert').count()).toBe(0);
      await api().put(`projects/${project}/generation-settings`, { base_url: model.url, model: 'm' });
      await page.reload();
      await page.getByText('Improve with AI', { exact: true }).click();
      await kind.locator('option[value=titles]:not([disabled])').waitFor({ state: 'attached' });
      await kind.selectOption('A translation (new draft)');
      const suggest = page.getByRole('button', { name: 'Suggest', exact: true });
      expect(await suggest.isDisabled()).toBe(true);
      await page.getByRole('combobox', { name: 'Language', exact: true }).selectOption('de');
      expect(await suggest.isEnabled()).toBe(true);
    });

    it('show how far they are by themselves, and are stopped while the model is silent', async () => {
      await propose('Other titles');
      await page.getByText(/\(0 of \d\)/).waitFor();
      await page.getByRole('button', { name: 'Stop', exact: true }).click();
      await page.getByText('Stopped', { exact: true }).waitFor();
      await page.getByRole('button', { name: 'Close', exact: true }).click();
      expect(await stored()).toMatchObject({ title: 'Nettles' });
    });

    it('are accepted by choosing, and the text on the page is the accepted one', async () => {
      answer = streamed({ titles: ['Soup of nettles', 'What nettles are good for'] });
      await propose('Other titles');
      await proposal().getByLabel('What nettles are good for').check();
      expect(await stored()).toMatchObject({ title: 'Nettles' });
      await proposal().getByRole('button', { name: 'Accept' }).click();
      await proposal().waitFor({ state: 'detached' });
      expect(await page.getByLabel('Title', { exact: true }).inputValue()).toBe('What nettles are good for');
      expect(await stored()).toMatchObject({ title: 'What nettles are good for' });
    });

    it('show what they would change, and change nothing when they are rejected', async () => {
      answer = streamed({ ...NO_META, meta_title: 'Soup' });
      const before = await stored();
      await propose('Meta title and description');
      await proposal()
        .getByRole('row', { name: /^Meta title.*Soup/ })
        .waitFor();
      await proposal().getByRole('button', { name: 'Dismiss' }).click();
      await page.getByText('Suggestion dismissed').waitFor();
      expect(await stored()).toEqual(before);
    });

    it('come with a report where the post itself was generated: what no source supports is marked', async () => {
      const form = ({ body }: ReceivedRequest) => /"name":"(outline|section|meta)"/.exec(body.toString())?.[1] ?? '';
      const says: Readonly<Record<string, object>> = {
        outline: { title: 'Comfrey', sections: [{ heading: 'Leaves', points: ['feed'] }] },
        section: {
          blocks: [{ kind: 'paragraph', text: 'Comfrey feeds 97 plants.', items: [], rows: [], sources: [] }],
        },
        meta: { ...NO_META, excerpt: 'Comfrey.' },
      };
      model.respondWith((request) => streamed(says[form(request)] ?? {}));
      const begun = await api().post<{ id: string }>(`projects/${project}/blogs/generate`, {
        topic: 'Comfrey',
        length: 200,
      });
      const made = await eventually(async () => {
        const job = await api().get<{ status: string; blog_id: string }>(`projects/${project}/generations/${begun.id}`);
        return job.status === 'succeeded' && job.blog_id;
      });
      await page.goto(`/projects/${project}/posts/${made}`);
      await page.getByText('Improve with AI', { exact: true }).click();
      const report = page.getByRole('region', { name: 'How it was written' });
      await report.locator('mark', { hasText: 'Comfrey feeds 97 plants.' }).waitFor();
      expect(await report.textContent()).toContain('a figure');
      for (const colorScheme of ['light', 'dark'] as const) {
        await page.emulateMedia({ colorScheme });
        await eventually(async () => expect(await violations(page, ['color-contrast'])).toEqual([]));
      }
    });
  });
}
