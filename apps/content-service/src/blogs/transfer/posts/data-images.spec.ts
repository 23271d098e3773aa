import { takeDataImages } from './data-images.ts';

const STANDS = /https:\/\/data\.invalid\/[0-9a-f]{64}/;

describe('images that stand in a file', () => {
  it.each([
    ['![Chart][1]\n\n[1]: <data:image/png;base64,iVBO+/w0KGgo=>', 'iVBO+/w0KGgo='],
    ['![Chart](data:image/jpeg;base64,/9j/4AAQ)', '/9j/4AAQ'],
    ['<img src="data:image/png;charset=utf-8;base64,iVBO%2Bw0K%3D" alt="Chart">', 'iVBO+w0K='],
    ["<img src='DATA:IMAGE/GIF;BASE64,R0lGOD'>", 'R0lGOD'],
  ])('are taken out of it: %s', (text, image) => {
    const taken = takeDataImages(text, 'markdown');
    expect(taken.images).toEqual([{ url: expect.stringMatching(STANDS), image }]);
    expect(taken.text).toMatch(STANDS);
    expect(taken.text).not.toMatch(/data:/i);
    expect(taken.others).toBe(0);
  });

  it('are one where they are the same', () => {
    const one = '![a](data:image/png;base64,iVBO)';
    expect(takeDataImages(`${one} ${one}`, 'html').images).toHaveLength(1);
  });

  it.each([
    ['<img src="data:image/svg+xml,%3Csvg/%3E">', '<img src="">'],
    ['![a](data:image/svg+xml;utf8,x)', '![a]()'],
  ])('are counted where they are no base64: %s', (text, left) => {
    expect(takeDataImages(text, 'html')).toEqual({ text: left, images: [], others: 1 });
  });

  it.each([
    '    <img src="data:image/png;base64,iVBO">',
    'Write data:image/png;base64,iVBO there.',
    '&quot;data:image/gif,x',
  ])('are no code and no words: %s', (text) => {
    expect(takeDataImages(text, 'markdown')).toEqual({ text, images: [], others: 0 });
  });

  it('take no longer than their length says', () => {
    for (const piece of ['data:image/png;base64,', 'data:image/', ';a=b', 'A']) {
      const text = `<img src="data:image/png;base64,${piece.repeat(200_000)}`;
      expect(takeDataImages(text, 'html').text.length).toBeGreaterThan(0);
    }
  });
});
