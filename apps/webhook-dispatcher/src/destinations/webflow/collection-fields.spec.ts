import { extras } from '@blog-content/payload-schemas';
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
});
