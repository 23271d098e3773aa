/* eslint-disable @nx/enforce-module-boundaries -- docs/ is of no package. */
import api from 'virtual:api';
import { docs as text } from '../strings/sites/docs.ts';
import type { Guide, GuideName } from './guide.ts';

const LOAD_GUIDE: Readonly<Record<GuideName, () => Promise<{ default: Guide }>>> = {
  'fetch-posts': () => import('../../../../docs/guides/fetch-posts.md?guide'),
  'receive-webhooks': () => import('../../../../docs/guides/receive-webhooks.md?guide'),
  'write-with-an-agent': () => import('../../../../docs/guides/write-with-an-agent.md?guide'),
  'move-here': () => import('../../../../docs/guides/move-here.md?guide'),
  'move-away': () => import('../../../../docs/guides/move-away.md?guide'),
  'consume-lifecycle': () => import('../../../../docs/guides/consume-lifecycle.md?guide'),
  'quickstart-site': () => import('../../../../docs/quickstart-site.md?guide'),
  'quickstart-agent': () => import('../../../../docs/quickstart-agent.md?guide'),
  webhooks: () => import('../../../../docs/webhooks.md?guide'),
  'public-api-extensions': () => import('../../../../docs/public-api-extensions.md?guide'),
  destinations: () => import('../../../../docs/destinations.md?guide'),
  'making-posts': () => import('../../../../docs/making-posts.md?guide'),
  configuration: () => import('../../../../docs/configuration.md?guide'),
  troubleshooting: () => import('../../../../docs/troubleshooting.md?guide'),
  security: () => import('../../../../SECURITY.md?guide'),
  limits: () => import('../../../../docs/limits.md?guide'),
  contract: () => import('../../../../docs/contract.md?guide'),
};

/** A page of /docs. */
export interface DocsEntry {
  /** What follows `/docs/`. */
  readonly name: string;
  readonly title: string;
  readonly load: () => Promise<{ default: Guide }>;
}

const guide = (name: GuideName): DocsEntry => ({ name, title: text.names[name], load: LOAD_GUIDE[name] });

/** Every page, in the order of the sidebar. */
export const MENU: readonly { readonly title: string; readonly entries: readonly DocsEntry[] }[] = [
  {
    title: text.groups.start,
    entries: [guide('quickstart-site'), guide('quickstart-agent'), guide('fetch-posts'), guide('receive-webhooks')],
  },
  {
    title: text.groups.guides,
    entries: [
      guide('write-with-an-agent'),
      guide('making-posts'),
      guide('destinations'),
      guide('move-here'),
      guide('move-away'),
      guide('consume-lifecycle'),
    ],
  },
  {
    title: text.groups.details,
    entries: [
      guide('public-api-extensions'),
      guide('webhooks'),
      guide('contract'),
      guide('limits'),
      guide('configuration'),
      guide('troubleshooting'),
      guide('security'),
    ],
  },
  {
    title: text.reference,
    entries: [{ name: 'api', title: text.introduction, load: api.introduction }, ...api.groups],
  },
];

export const findEntry = (name: string): DocsEntry | undefined =>
  MENU.flatMap(({ entries }) => entries).find((entry) => entry.name === name);
