import { brandVoiceRequest } from '@blog-content/payload-schemas';
import { countWords } from './count-words.ts';

const counts = (words_to_use: string[], ...texts: string[]) =>
  countWords(brandVoiceRequest.parse({ words_to_use }), texts).map(({ count }) => count);

describe('words of a brand voice in a text', () => {
  it('are counted whole and in any case', () => {
    expect(counts(['tea', 'green tea'], 'Tea, TEA! Teapots and steam.', 'Green\n tea’s tea')).toEqual([4, 1]);
  });

  it('may begin or end with any character', () => {
    expect(counts(['C++', '.NET', 'don’t'], "C++ or .NET: don't, donut. XC++")).toEqual([1, 1, 1]);
    expect(counts(['l’eau'], "L'eau")).toEqual([1]);
  });

  it('are found within texts of scripts that separate no words', () => {
    expect(counts(['绿茶', 'お茶'], '我喜欢绿茶和红茶。', '緑のお茶です')).toEqual([1, 1]);
  });

  it('never count twice where they overlap', () => {
    expect(counts(['a a'], 'a a a a a')).toEqual([2]);
  });

  it('are named with the list they are from', () => {
    const notes = brandVoiceRequest.parse({
      words_to_use: ['sourdough'],
      words_to_avoid: ['cheap'],
      glossary: [{ term: 'levain', meaning: 'A starter' }],
    });
    expect(countWords(notes, ['Cheap levain'])).toEqual([
      { list: 'words_to_use', word: 'sourdough', count: 0 },
      { list: 'words_to_avoid', word: 'cheap', count: 1 },
      { list: 'glossary', word: 'levain', count: 1 },
    ]);
  });
});
