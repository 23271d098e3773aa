import type { ImportPlan } from '../../generated/types.gen.ts';

export type Kind = NonNullable<ImportPlan['items'][number]['kind']>;

/** How many of each an import makes or changes. */
export function countKinds(items: ImportPlan['items']): Readonly<Record<Kind, number>> {
  const counts = { post: 0, author: 0, image: 0, data_fields: 0 };
  for (const { kind, outcome } of items) {
    if (kind !== null && (outcome === 'create' || outcome === 'update')) counts[kind] += 1;
  }
  return counts;
}
