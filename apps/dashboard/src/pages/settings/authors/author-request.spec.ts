import { emptyForm, formOf, requestOf } from './author-request.ts';

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
});
