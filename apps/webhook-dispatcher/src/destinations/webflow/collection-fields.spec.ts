import { checkMapping, type Collection } from './collection-fields.ts';

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
