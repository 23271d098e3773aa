/* eslint-disable @nx/enforce-module-boundaries -- docs/ is of no package. */
import type { Guide, GuideName } from './guide.ts';

export const LOAD_GUIDE: Readonly<Record<GuideName, () => Promise<{ default: Guide }>>> = {
  'fetch-posts': () => import('../../../../docs/guides/fetch-posts.md?guide'),
  'receive-webhooks': () => import('../../../../docs/guides/receive-webhooks.md?guide'),
  'write-with-an-agent': () => import('../../../../docs/guides/write-with-an-agent.md?guide'),
  'move-here': () => import('../../../../docs/guides/move-here.md?guide'),
  'move-away': () => import('../../../../docs/guides/move-away.md?guide'),
  'consume-lifecycle': () => import('../../../../docs/guides/consume-lifecycle.md?guide'),
  'quickstart-site': () => import('../../../../docs/quickstart-site.md?guide'),
  'quickstart-agent': () => import('../../../../docs/quickstart-agent.md?guide'),
  webhooks: () => import('../../../../docs/webhooks.md?guide'),
  'making-posts': () => import('../../../../docs/making-posts.md?guide'),
  limits: () => import('../../../../docs/limits.md?guide'),
  contract: () => import('../../../../docs/contract.md?guide'),
};
