/* eslint-disable @nx/enforce-module-boundaries -- docs/ is of no package. */
import type { Guide, GuideName } from './guide.ts';

export const LOAD_GUIDE: Readonly<Record<GuideName, () => Promise<{ default: Guide }>>> = {
  'quickstart-site': () => import('../../../../docs/quickstart-site.md?guide'),
  'quickstart-agent': () => import('../../../../docs/quickstart-agent.md?guide'),
  webhooks: () => import('../../../../docs/webhooks.md?guide'),
  'making-posts': () => import('../../../../docs/making-posts.md?guide'),
  limits: () => import('../../../../docs/limits.md?guide'),
  contract: () => import('../../../../docs/contract.md?guide'),
};
