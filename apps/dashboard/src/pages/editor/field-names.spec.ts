import { ApiError } from '../../api/api-error.ts';
import { nameOfField, reasonOf } from './field-names.ts';

const refused = (field: string, message: string) =>
  new ApiError(422, { title: 'T', status: 422, detail: 'Because.', errors: [{ field, message }] });

describe('a field of a post', () => {
  it('is called what the form calls it', () => {
    expect(nameOfField('meta_title')).toBe('Meta title');
    expect(nameOfField('keyword')).toBe('Focus keyword');
    expect(nameOfField('categories.1')).toBe('Categories 2');
  });

  it('is refused for what the service says of it, or of an item in it', () => {
    expect(reasonOf('slug', refused('slug', 'is reserved'))).toBe('is reserved');
    expect(reasonOf('tags', refused('tags.0', 'is too long'))).toBe('Tags 1: is too long');
  });

  it('is refused for a language that a translation has, without ids', () => {
    const holder = '“Tea” (0199a9d4-6f4b-7a55-8f3e-2f1f5d3c9b10)';
    const message = `“de” is taken by ${holder}, which has the same \`translation_key\``;
    expect(reasonOf('language', refused('language', message))).toBe(
      'This post already has a German translation: “Tea”',
    );
    expect(reasonOf('language', refused('language', 'is required'))).toBe('is required');
  });

  it('is refused for what the service says of the whole, or for what the answer means', () => {
    expect(reasonOf('slug', refused('body', 'is wrong'))).toBe('Because.');
    expect(reasonOf('content', new ApiError(413, null))).toBe('Too large. Send less data.');
  });
});
