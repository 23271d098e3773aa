import { useQuery } from '@tanstack/react-query';
import {
  listBlogsOptions,
  listPublishesOptions,
  listWebhooksOptions,
} from '../../../generated/@tanstack/react-query.gen.ts';
import type { BlogItem, Publish, PublicKey } from '../../../generated/types.gen.ts';
import { useProject } from '../../../parts/project.tsx';
import { usePublicKey } from '../../../api/use-public-key.ts';

export interface Setup {
  /** The newest post, which the last step publishes. */
  readonly post: BlogItem | null;
  readonly publicKey: PublicKey | null;
  readonly hasWebhook: boolean;
  /** The newest publish that readers have, else the newest one. */
  readonly published: Publish | null;
}

export type StepName = 'write' | 'connect' | 'publish';

/** How far the project is on its way to a first published post. Undefined until that is known; null if it can't be. */
export function useSetup(): Setup | null | undefined {
  const path = { projectId: useProject().id };
  const posts = useQuery(listBlogsOptions({ path, query: { limit: 1 } }));
  const publicKey = usePublicKey(path.projectId);
  const webhooks = useQuery(listWebhooksOptions({ path, query: { limit: 100 } }));
  const publishes = useQuery(listPublishesOptions({ path, query: { limit: 50 } }));
  if ([posts, publicKey, webhooks, publishes].some(({ data, isError }) => isError && data === undefined)) return null;
  if (!posts.data || publicKey.data === undefined || !webhooks.data || !publishes.data) return undefined;
  const { items } = publishes.data;
  return {
    post: posts.data.items[0] ?? null,
    publicKey: publicKey.data,
    hasWebhook: webhooks.data.items.length > 0,
    published: items.find(({ live }) => live) ?? items[0] ?? null,
  };
}
