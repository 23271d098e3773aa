import type { ImportPlan } from '../../generated/types.gen.ts';

export type Kind = 'post' | 'author' | 'image' | 'settings';

/** Of an export: the data fields that it declares. */
const SETTINGS = /(?:^|\/)data\/settings\.json$/;

/** What a file becomes that is made or changed: only posts have a slug in the plan, and of the others authors a title. */
export function kindOf({ path, slug, title }: ImportPlan['items'][number]): Kind {
  if (slug !== null) return 'post';
  if (title !== null) return 'author';
  return SETTINGS.test(path) ? 'settings' : 'image';
}

/** How many of each an import makes or changes. */
export function countKinds(items: ImportPlan['items']): Readonly<Record<Kind, number>> {
  const counts = { post: 0, author: 0, image: 0, settings: 0 };
  for (const item of items) {
    if (item.outcome === 'create' || item.outcome === 'update') counts[kindOf(item)] += 1;
  }
  return counts;
}
