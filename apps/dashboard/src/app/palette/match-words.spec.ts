import { matchesWords } from './match-words.ts';

describe('what is typed into the palette', () => {
  it.each([
    ['Rotate key', 'rot', true],
    ['Rotate key', 'KEY rot', true],
    ['Rotate key', 'otate', false],
    ['Switch project: Äpfel', 'äp', true],
    ['API access', '', true],
    ['API access', 'api key', false],
  ])('“%s” with “%s” typed: %s', (name, typed, found) => {
    expect(matchesWords(name, typed)).toBe(found);
  });
});
