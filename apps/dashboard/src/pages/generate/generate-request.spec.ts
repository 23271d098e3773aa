import { generateRequest, refusedSources, EMPTY_FIELDS } from './generate-request.ts';

describe('the request for a post', () => {
  it('leaves empty fields to the service', () => {
    expect(generateRequest({ ...EMPTY_FIELDS, topic: ' Green tea ' })).toEqual({
      ...{ topic: 'Green tea', length: 1000, language: 'en', sources: [], pictures: false },
    });
  });

  it('has a heading per line, and a source per URL and for the text', () => {
    const asked = { ...EMPTY_FIELDS, topic: 'Tea', outline: 'Water\n\n Leaves ', tone: 'calm' };
    expect(
      generateRequest({ ...asked, urls: 'https://tea.example.com/a\n', pasted: ' Tea is a plant. ' }),
    ).toMatchObject({
      outline: ['Water', 'Leaves'],
      tone: 'calm',
      sources: [{ url: 'https://tea.example.com/a' }, { text: 'Tea is a plant.' }],
    });
  });
});

describe('a refused source', () => {
  it('is reported at its field: a URL by its number, and the text', () => {
    const asked = { ...EMPTY_FIELDS, urls: 'https://tea.example.com/a\n\nnot a url', pasted: 'Tea is a plant.' };
    const refused = { 'sources.1.url': 'must be an absolute URL', 'sources.2.text': 'is too long' };
    expect(refusedSources(refused, asked)).toEqual({
      urls: 'Source 2: must be an absolute URL',
      pasted: 'is too long',
    });
    expect(refusedSources({}, asked)).toEqual({});
  });
});
