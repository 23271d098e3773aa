import type { ProjectQuotas } from '../../../generated/types.gen.ts';

export type QuotaUse = ProjectQuotas['quotas'][number];

/** From here on, members are told. */
const NEAR_PERCENT = 80;

/** How much of a quota is used, up to 100; null for what has no quota. */
export const percentOf = ({ used, allowed }: QuotaUse): number | null =>
  allowed === null ? null : allowed === 0 ? 100 : Math.min(100, (100 * used) / allowed);

/** The quotas that are used up, and those that are nearly. */
export function nearLimit(uses: readonly QuotaUse[]): { readonly full: QuotaUse[]; readonly near: QuotaUse[] } {
  const isFull = (use: QuotaUse) => percentOf(use) === 100;
  return {
    full: uses.filter(isFull),
    near: uses.filter((use) => !isFull(use) && (percentOf(use) ?? 0) >= NEAR_PERCENT),
  };
}
