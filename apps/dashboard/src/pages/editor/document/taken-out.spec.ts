import { fewer } from './taken-out.ts';

describe('what was taken out of a content', () => {
  it('is what it had more often before, each once, in the order of the content', () => {
    const before = ['<p>', '<form>', '<input>', '<p>', '<input>', 'onclick'];
    expect(fewer(before, ['<p>', '<input>', '<p>'])).toEqual(['<form>', '<input>', 'onclick']);
  });

  it('is nothing where the service has only added or moved something', () => {
    expect(fewer(['<p>', 'id'], ['id', '<p>', 'rel', '<p>'])).toEqual([]);
  });
});
