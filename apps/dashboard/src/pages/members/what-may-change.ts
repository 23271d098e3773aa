import type { MemberRole } from '../../generated/types.gen.ts';

/**
 * Which buttons a member's row has. A project keeps one owner, so the only one neither leaves nor becomes an editor.
 */
export function whatMayChange(seen: {
  /** Of the person who looks. */
  isOwner: boolean;
  /** Whether the member is the person who looks. */
  own: boolean;
  role: MemberRole;
  owners: number;
}): { readonly role: MemberRole | null; readonly remove: boolean } {
  const needed = seen.role === 'owner' && seen.owners === 1;
  const other = seen.role === 'owner' ? 'editor' : 'owner';
  return {
    role: seen.isOwner && !needed ? other : null,
    remove: (seen.isOwner || seen.own) && !needed,
  };
}
