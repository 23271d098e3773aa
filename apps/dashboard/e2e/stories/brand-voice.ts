import { startReceiver, type Receiver } from '@blog-content/testing';
import type { BrowserContext, Page } from 'playwright-core';
import { eventually, goTo, looksGood, openAs, violations } from '../actions.ts';
import type { Stories } from './stories.ts';

/** What a model answers to every request. */
const ANSWER = {
  choices: [
    {
      index: 0,
      finish_reason: 'stop',
      message: { role: 'assistant', content: JSON.stringify({ titles: ['Cheap bread'] }) },
    },
  ],
  usage: { prompt_tokens: 10, completion_tokens: 10 },
};

/** A project's notes, and where people see that they were used. */
export function describeBrandVoice({ dashboard, newBrowser }: Stories): void {
  describe('the brand voice', () => {
    let context: BrowserContext;
    let page: Page;
    let model: Receiver;
    let id: string;
    const api = () => dashboard().administrator.api;
    const stored = () => api().get<Record<string, unknown>>(`projects/${id}/brand-voice`);
    const save = () => page.getByRole('button', { name: 'Save', exact: true }).click();
    const field = (name: string) => page.getByRole('textbox', { name, exact: true });

    beforeAll(async () => {
      const body = JSON.stringify({ id: 'x', object: 'chat.completion', created: 0, model: 'm', ...ANSWER });
      model = await startReceiver({ respond: () => ({ headers: { 'content-type': 'application/json' }, body }) });
      id = (await api().post<{ id: string }>('projects', { name: 'Bakery' })).id;
      context = await newBrowser([/status of (422|412) /]);
      page = await openAs(context, dashboard().administrator, `/projects/${id}/settings/voice`);
    });

    afterAll(async () => {
      await context?.close();
      await model?.close();
    });

    it('is written from an empty page, with counts toward its limits', async () => {
      await page.getByText('No brand voice yet').waitFor();
      expect(await violations(page)).toEqual([]);
      await page.getByRole('button', { name: 'Write brand voice' }).click();
      await field('Voice').fill('Calm.');
      await page.getByText('How posts sound. 5/2,000').waitFor();
      await field('Facts').fill('We have baked since 1987.\n\nWe use rye.');
      await page.getByText('One per line, 2/50').waitFor();
      await field('Words to avoid').fill('cheap');
      await page.getByRole('button', { name: 'Add term' }).click();
      await field('Term 1').fill('levain');
      await field('Meaning of term 1').fill('A starter');
      await page.getByRole('button', { name: 'Add source' }).click();
      await field('Title of source 1').fill('Prices');
      await field('Text of source 1').fill('A loaf of bread costs 6 euros.');
      await page.getByText('30/10,000').waitFor();
      await save();
      await page.getByText('Brand voice saved').waitFor();
      expect(await stored()).toMatchObject({
        version: 1,
        voice: 'Calm.',
        facts: ['We have baked since 1987.', 'We use rye.'],
        words_to_avoid: ['cheap'],
        glossary: [{ term: 'levain', meaning: 'A starter' }],
        sources: [{ title: 'Prices', text: 'A loaf of bread costs 6 euros.' }],
      });
    });

    it('says at the field what is refused, and which line', async () => {
      await field('Facts').fill(`Short.\n${'x'.repeat(301)}`);
      await field('Words to use').fill('Cheap');
      await save();
      await page.getByText('Fact 2: Must have at most 300 characters (got 301)').waitFor();
      await page.getByText('Word 1: Must not also be a word to use (got “cheap”)').waitFor();
      await field('Facts').fill('We have baked since 1987.');
      await field('Words to use').fill('sourdough');
      await save();
      await eventually(async () => expect(await stored()).toMatchObject({ version: 2, words_to_use: ['sourdough'] }));
    });

    it('keeps what another owner saved elsewhere in it', async () => {
      await field('Audience').fill('People who bake');
      const { version: _version, updated_at: _updatedAt, ...document } = await stored();
      await api().put(`projects/${id}/brand-voice`, { ...document, voice: 'Bold.' });
      await save();
      await eventually(async () =>
        expect(await stored()).toMatchObject({ version: 4, voice: 'Bold.', audience: 'People who bake' }),
      );
      expect(await field('Voice').inputValue()).toBe('Bold.');
    });

    it('loses a row, and fits a phone', async () => {
      await page.getByRole('button', { name: 'Remove term levain' }).click();
      await save();
      await eventually(async () => expect(await stored()).toMatchObject({ version: 5, glossary: [] }));
      await looksGood(page);
    });

    it('shows editors the notes, without a form', async () => {
      const person = { email: 'reader-of-notes@example.com', password: 'a password of this story' };
      const asked = { email: person.email, project_id: id, role: 'editor' };
      const { token } = await api().post<{ token: string }>('invitations', asked);
      await api().post('invitations/accept', { token, password: person.password });
      const theirs = await newBrowser();
      const editor = await openAs(theirs, person, `/projects/${id}/settings/voice`);
      await editor.getByRole('region', { name: 'Facts' }).getByText('We have baked since 1987.').waitFor();
      await editor.getByText('Prices: A loaf of bread costs 6 euros.').waitFor();
      expect(await editor.getByRole('main').getByRole('button').count()).toBe(0);
      expect(await violations(editor)).toEqual([]);
      await theirs.close();
    });

    it('is named in the report on a draft', async () => {
      const made = await api().post<{ id: string }>(`projects/${id}/blogs/generate`, { topic: 'Bread' });
      const { blog_id: blog } = await eventually(async () => {
        const job = await api().get<{ status: string; blog_id: string }>(`projects/${id}/generations/${made.id}`);
        expect(job.status).toBe('succeeded');
        return job;
      });
      await page.setViewportSize({ width: 1280, height: 800 });
      await goTo(page, `/projects/${id}/posts/${blog}`);
      await page.getByText('Improve with AI', { exact: true }).click();
      await page.getByText('Notes used: sources (version 5)').waitFor();
    });

    it('is named in a suggestion, with the words to avoid that it has', async () => {
      await api().put(`projects/${id}/generation-settings`, { base_url: model.url, model: 'm' });
      await page.reload();
      await page.getByText('Improve with AI', { exact: true }).click();
      await page.locator('option[value=titles]:not([disabled])').waitFor({ state: 'attached' });
      await page.getByLabel('What to suggest').selectOption('Other titles');
      await page.getByRole('button', { name: 'Suggest', exact: true }).click();
      const dialog = page.getByRole('dialog', { name: 'Suggestion' });
      await dialog.getByText('Has words to avoid: “cheap”.').waitFor();
      await dialog
        .getByText('Notes used: voice, audience, facts, words to use, words to avoid, sources (version 5)')
        .waitFor();
      expect(await violations(page)).toEqual([]);
    });
  });
}
