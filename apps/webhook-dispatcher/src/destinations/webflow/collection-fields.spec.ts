import { extras, type PostData } from '@blog-content/payload-schemas';
import { TEA } from '../../../test/peers/tea-post.ts';
import { checkMapping, fieldDataOf, type Collection } from './collection-fields.ts';

const collection: Collection = {
  slug: 'post',
  fields: [
    { slug: 'name', type: 'PlainText', isRequired: true },
    { slug: 'slug', type: 'PlainText', isRequired: true },
    { slug: 'post-body', type: 'RichText', isRequired: false },
    { slug: 'author', type: 'Reference', isRequired: true },
  ],
};

describe('a mapping of fields', () => {
  it('fits a collection whose required fields it fills', () => {
    const fields = collection.fields.filter(({ slug }) => slug !== 'author');
    expect(checkMapping({ content: 'post-body' }, { slug: 'post', fields })).toBeNull();
  });

  it('does not fit one that requires more, and lists everything that is wrong', () => {
    expect(checkMapping({ content: 'author', excerpt: 'summary' }, collection)).toBe(
      'The collection does not match: field author for content is Reference, not RichText or PlainText; no field summary for excerpt.',
    );
    expect(checkMapping({ content: 'post-body' }, collection)).toBe(
      'The collection does not match: field author is required but has no value.',
    );
  });
});

describe('the fields of an item', () => {
  const mapping = { content: 'post-body', authors: 'by', language: 'lang', canonical_url: 'original' };
  const author = (name: string) => ({ name, slugs: [name.toLowerCase()], email: null });

  it('have authors by name, the language and the canonical URL', () => {
    const post = {
      ...TEA,
      ...{ authors: [author('Ada'), author('Bob')], canonicalUrl: 'https://tea.example/blog/tea/' },
      extras: extras.of({ language: 'de-AT' }),
    };
    expect(fieldDataOf(post, mapping, collection)).toEqual({
      ...{ 'post-body': '<p>Tea</p>', by: 'Ada, Bob', lang: 'de-AT', original: 'https://tea.example/blog/tea/' },
      name: 'Tea',
    });
    expect(fieldDataOf(TEA, mapping, collection)).toMatchObject({ by: '', lang: '', original: null });
  });

  it('have the data that the collection has fields for, by name and type, but for what is mapped', () => {
    const types = {
      'prep-time': 'Number',
      vegan: 'Switch',
      shop: 'Link',
      day: 'DateTime',
      note: 'PlainText',
      level: 'Option',
    };
    const fields = Object.entries(types).map(([slug, type]) => ({ slug, type, isRequired: false }));
    const fieldsOf = (data: PostData) =>
      fieldDataOf(
        { ...TEA, extras: extras.of({ data }) },
        { content: 'post-body', keyword: 'note' },
        { slug: 'post', fields },
      );
    const own = { name: TEA.title, 'post-body': TEA.content, note: TEA.keyword ?? '' };
    const fits = { 'prep-time': 5, vegan: false, shop: 'https://tea.example/', day: '2026-11-29' };
    const { 'prep-time': prep_time, ...others } = fits;
    const unknown = { level: 'hard', elsewhere: 1, name: 'Other', slug: 'other', note: 'Other' };
    expect(fieldsOf({ prep_time, ...others, ...unknown })).toEqual({ ...own, ...fits });
    const wrong = { prep_time: '5', vegan: 1, shop: 'soon', day: 'today', level: { a: 1 } };
    expect(fieldsOf(wrong)).toEqual(own);
  });
});
