import { destinations } from '../../strings/sites/destinations.ts';
import { DESTINATION_KINDS, destinationRequest, settingsOf, typedSettings } from './destination-request.ts';

const given = { name: 'Blog', url: 'https://blog.example' };

describe('the request that adds a direct integration', () => {
  it('has every setting that the form offers', () => {
    for (const kind of DESTINATION_KINDS) {
      const settings = Object.fromEntries(destinations[kind].settings.map(({ name }) => [name, `of ${name}`]));
      const request = JSON.stringify(destinationRequest(kind, given, { secret: 's', settings }));
      for (const { name } of destinations[kind].settings) expect(request).toContain(`"of ${name}"`);
    }
  });

  it('maps the fields of a Webflow collection that were typed, and no others', () => {
    const settings = {
      collection_id: ' c ',
      'fields.content': 'post-body ',
      'fields.tags': '',
      'fields.excerpt': 'sum',
    };
    expect(destinationRequest('webflow', given, { secret: 's', settings })).toEqual({
      kind: 'webflow',
      ...given,
      secret: 's',
      settings: { collection_id: 'c', fields: { content: 'post-body', excerpt: 'sum' } },
    });
  });

  it('fills the form as it was typed, except for the choice of links', () => {
    const typed = { collection_id: 'c', 'fields.content': 'post-body', 'fields.tags': 'tags' };
    expect(typedSettings({ ...settingsOf('webflow', typed), links: 'live' })).toEqual(typed);
  });

  it('keeps whether WordPress gets users for authors without one', () => {
    expect(settingsOf('wordpress', typedSettings({ username: 'ada', create_authors: true }))).toEqual({
      username: 'ada',
      create_authors: true,
    });
    expect(settingsOf('wordpress', { username: 'ada' })).toMatchObject({ create_authors: false });
  });

  it('has no URL for dev.to', () => {
    expect(destinationRequest('devto', given, { secret: 's', settings: {} })).not.toHaveProperty('url');
  });
});
