import api from 'virtual:api';
import documents from 'virtual:documents';
import { docs as text } from '../strings/sites/docs.ts';
import { PACKAGE_NAMES, type DocumentName, type Guide } from './guide.ts';

/** A page of /docs. */
export interface DocsEntry {
  /** What follows `/docs/`. */
  readonly name: string;
  readonly title: string;
  readonly load: () => Promise<{ default: Guide }>;
}

const page = (name: DocumentName): DocsEntry => ({ name, title: text.names[name], load: documents[name] });

/** Every page, in the order of the sidebar. */
export const MENU: readonly { readonly title: string; readonly entries: readonly DocsEntry[] }[] = [
  {
    title: text.groups.start,
    entries: [page('fetch-posts'), page('receive-webhooks'), page('write-with-an-agent'), page('move-here')],
  },
  {
    title: text.groups.guides,
    entries: [
      page('quickstart-site'),
      page('quickstart-agent'),
      page('making-posts'),
      page('destinations'),
      page('move-away'),
      page('consume-lifecycle'),
    ],
  },
  { title: text.groups.packages, entries: PACKAGE_NAMES.map(page) },
  {
    title: text.groups.reference,
    entries: [page('public-api-extensions'), page('webhooks'), page('contract'), page('limits')],
  },
  {
    title: text.groups.operate,
    entries: [page('configuration'), page('troubleshooting'), page('security')],
  },
  {
    title: text.reference,
    entries: [{ name: 'api', title: text.introduction, load: api.introduction }, ...api.groups],
  },
];

export const findEntry = (name: string): DocsEntry | undefined =>
  MENU.flatMap(({ entries }) => entries).find((entry) => entry.name === name);
