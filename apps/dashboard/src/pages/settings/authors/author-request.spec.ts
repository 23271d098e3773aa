import { ApiError } from '../../../api/api-error.ts';
import { fieldErrors } from '../../../parts/explain-error.ts';
import { clashAtField, emptyForm, formOf, requestOf } from './author-request.ts';

describe('the form of an author', () => {
  const form = { ...emptyForm, name: 'Ada' };

  it('reads a label and a URL from each line of links', () => {
    const links = 'My own site  https://ada.example.com \n\nhttps://example.com';
    expect(requestOf({ ...form, links }).links).toEqual([
      { label: 'My own site', url: 'https://ada.example.com' },
      { label: 'https://example.com', url: 'https://example.com' },
    ]);
  });

  it('sends null for what is empty, and no slug where none was typed', () => {
    expect(requestOf(form)).toEqual({
      name: 'Ada',
      bio: null,
      avatar_url: null,
      links: [],
      same_as: [],
      email: null,
      account_id: null,
    });
    expect(requestOf({ ...form, slug: ' ada ' }).slug).toBe('ada');
  });

  it('shows a saved author as they were typed', () => {
    const typed = { ...form, slug: 'ada', bio: 'Tea.', links: 'Site https://a.example\nhttps://b.example' };
    const saved = { ...requestOf(typed), id: '', former_slugs: [], created_at: '' } as Parameters<typeof formOf>[0];
    expect(formOf(saved)).toEqual(typed);
  });

  it('says at the field what another author has', () => {
    const clash = (detail: string) => new ApiError(409, { title: 'Conflict', status: 409, detail });
    const member = clash('This member is already an author of the project.');
    expect(fieldErrors(clashAtField(member))).toEqual({ account_id: 'This member is already an author.' });
    const slug = clash('Another author has or had this slug. Choose a different `slug`.');
    expect(fieldErrors(clashAtField(slug))).toEqual({
      slug: 'Another author has or had this slug. Choose a different one.',
    });
    const other = clash('Limit reached: 500 authors per project. Delete one first.');
    expect(clashAtField(other)).toBe(other);
  });
});
