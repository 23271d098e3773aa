import { whatMayChange } from './what-may-change.ts';

describe('what may be changed about a member', () => {
  it('an owner changes the role of others and removes them', () => {
    expect(whatMayChange({ isOwner: true, own: false, role: 'editor', owners: 1 })).toEqual({
      role: 'owner',
      remove: true,
    });
    expect(whatMayChange({ isOwner: true, own: false, role: 'owner', owners: 2 })).toEqual({
      role: 'editor',
      remove: true,
    });
  });

  it('the only owner neither leaves nor becomes an editor', () => {
    expect(whatMayChange({ isOwner: true, own: true, role: 'owner', owners: 1 })).toEqual({
      role: null,
      remove: false,
    });
  });

  it('an editor leaves, and changes nothing else', () => {
    expect(whatMayChange({ isOwner: false, own: true, role: 'editor', owners: 1 })).toEqual({
      role: null,
      remove: true,
    });
    expect(whatMayChange({ isOwner: false, own: false, role: 'editor', owners: 1 })).toEqual({
      role: null,
      remove: false,
    });
  });
});
