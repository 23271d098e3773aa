import api from 'virtual:api';
import { docs as text } from '../strings/sites/docs.ts';
import type { Guide, GuideName } from './guide.ts';
import { LOAD_GUIDE } from './load-guide.ts';

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
      guide('move-here'),
      guide('move-away'),
      guide('consume-lifecycle'),
    ],
  },
  { title: text.groups.details, entries: [guide('webhooks'), guide('contract'), guide('limits')] },
  {
    title: text.reference,
    entries: [{ name: 'api', title: text.introduction, load: api.introduction }, ...api.groups],
  },
];

export const findEntry = (name: string): DocsEntry | undefined =>
  MENU.flatMap(({ entries }) => entries).find((entry) => entry.name === name);
