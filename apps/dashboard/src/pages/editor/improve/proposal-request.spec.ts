import { proposalRequest } from './proposal-request.ts';

const asked = { heading: '', language: '', length: 300, instructions: '' };

describe('what is asked for a proposal', () => {
  it('has only what its kind takes', () => {
    expect(proposalRequest({ ...asked, kind: 'titles', language: 'German' })).toEqual({ kind: 'titles' });
    expect(proposalRequest({ ...asked, kind: 'shorten' })).toEqual({ kind: 'shorten', length: 300 });
  });
  it('has the instructions where there are some', () => {
    expect(proposalRequest({ ...asked, kind: 'meta', instructions: ' Short. ' })).toEqual({
      kind: 'meta',
      instructions: 'Short.',
    });
  });
  it('is not sent while what its kind needs is missing', () => {
    expect(proposalRequest({ ...asked, kind: 'translate' })).toBeNull();
    expect(proposalRequest({ ...asked, kind: 'rewrite_section' })).toBeNull();
  });
});
