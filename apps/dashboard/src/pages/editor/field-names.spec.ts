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

  it('is refused for what the service says of the whole, or for what the answer means', () => {
    expect(reasonOf('slug', refused('body', 'is wrong'))).toBe('Because.');
    expect(reasonOf('content', new ApiError(413, null))).toBe('Too large. Send less data.');
  });
});
