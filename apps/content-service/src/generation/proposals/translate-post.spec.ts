import { proposeTranslation, type Translation } from './translate-post.ts';

describe('the fields of a translation', () => {
  it.each([
    ['title', 300],
    ['excerpt', 1_000],
  ])('are as long as they may be, and end with a whole character: %s', (name, length) => {
    const long = `${'x'.repeat(length - 1)}😀😀`;
    const source = {
      id: 'a',
      revision: 1,
      language: 'en',
      title: 'Tea',
      fields: { [name]: 'Tea' },
      content: '<p>Tea</p>',
    };
    const translation: Translation = { source, into: 'de', kept: {}, present: '', translated: [long, 'Tee'] };
    const { changes } = proposeTranslation({ notes: null }, translation);
    expect(changes).toMatchObject({ [name]: 'x'.repeat(length - 1) });
  });
});
