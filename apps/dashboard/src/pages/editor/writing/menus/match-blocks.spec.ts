import { matchBlocks } from './match-blocks.ts';

const blocks = [
  { name: 'Numbered list', words: 'ol ordered' },
  { name: 'List', words: 'ul bullets' },
  { name: 'Dividing line', words: 'hr separator' },
];
const names = (typed: string) => matchBlocks(blocks, typed).map(({ name }) => name);

describe('matchBlocks', () => {
  it('shows all blocks before anything is typed', () => expect(names('')).toHaveLength(3));
  it('finds a block by the beginning of any word of its name', () => expect(names('li')).toContain('Dividing line'));
  it('finds a block by another word for it', () => expect(names('sep')).toEqual(['Dividing line']));
  it('finds nothing in the middle of a word', () => expect(names('ist')).toEqual([]));
});
