import { eventually } from '@blog-content/testing';
import { readFileSync } from 'node:fs';
import type { RunningDashboard } from './running-dashboard.ts';

const router = readFileSync(new URL('../src/app/router.tsx', import.meta.url), 'utf8');
/** Pages by their addresses, as the router has them; `/` redirects, and three are for people who are not signed in. */
export const PAGES = [
  ...[...router.matchAll(/topPage\('(.+?)'/g)].map(([, path = '']) => path),
  '/tenants',
  ...[...router.matchAll(/(?:\bpage\(|^ {2}path: )'(?!\/projects\/|\/tenants)(.+?)'/gm)].map(
    ([, path = '']) => `/projects/$projectId${path}`,
  ),
].filter((path) => !['/', '/invitation', '/forgotten-password', '/password-reset'].includes(path));

/** The values of `$…Id` in addresses. */
export type Ids = Readonly<Record<string, string>>;

export const addressOf = (path: string, ids: Ids): string => path.replaceAll(/\$\w+/g, (name) => ids[name]!);

/** Something for each page to show: a post that is published, and the newest delivery once it has ended. */
export async function idsOfPages({ projectId, administrator: { api } }: RunningDashboard): Promise<Ids> {
  const blog = await api.post<{ id: string }>(`projects/${projectId}/blogs`, { title: 'A post that is looked at' });
  const publish = await api.post<{ id: string }>(`projects/${projectId}/blogs/${blog.id}/publish`);
  const webhooks = await api.get<{ items: { id: string }[] }>(`projects/${projectId}/webhooks`);
  const delivery = await eventually(async () => {
    const { items } = await api.get<{ items: { id: string; publish_id: string; finished_at: string | null }[] }>(
      `projects/${projectId}/deliveries`,
    );
    const ended = items.find(({ publish_id, finished_at }) => publish_id === publish.id && finished_at !== null);
    if (ended === undefined) throw new Error('No delivery of the publish has ended yet.');
    return ended;
  });
  return {
    $projectId: projectId,
    $blogId: blog.id,
    $publishId: publish.id,
    $integrationId: webhooks.items[0]!.id,
    $deliveryId: delivery.id,
  };
}

/** The reference, and a guide for all: nobody has to sign in for them. */
export const DOCS_PAGES = ['/docs', '/docs/webhooks', '/docs/api-blogs'];
