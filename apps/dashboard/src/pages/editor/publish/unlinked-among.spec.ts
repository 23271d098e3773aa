import type { Translation } from '../languages/use-translations.ts';
import { unlinkedAmong } from './unlinked-among.ts';

const post = (language: string, state: Translation['state'], isLinked: boolean): Translation => ({
  ...{ blog_id: language, language, title: language, slug: language, revision: 1, translated_from: null },
  ...{ state, is_linked: isLinked },
});

describe('the translations that readers don’t find yet', () => {
  it('are with the source, which was published before it had one', () => {
    const items = [post('de', 'draft', false), post('en', 'published', false)];
    expect(unlinkedAmong(items, 'de')).toEqual({ added: [], others: [items[1]] });
    expect(unlinkedAmong(items, 'en')).toEqual({ added: ['de'], others: [] });
  });

  it('are none where all that is published names the others', () => {
    const items = [post('de', 'draft', false), post('en', 'published', true), post('fr', 'deleted', false)];
    for (const { blog_id: id } of items.slice(0, 2)) {
      expect(unlinkedAmong(items, id)).toEqual({ added: [], others: [] });
    }
    expect(unlinkedAmong([], 'de')).toEqual({ added: [], others: [] });
  });
});
