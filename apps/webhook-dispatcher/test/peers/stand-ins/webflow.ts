import type { ReceiverAnswer } from '@blog-content/testing';
import { type StandInRequest, objectId, type StandIn, startStandIn } from './stand-in.ts';

/**
 * Webflow's Data API v2, by its documentation:
 *
 * - collections: https://developers.webflow.com/data/reference/cms/collections/get
 * - live items: https://developers.webflow.com/data/reference/cms/collection-items/live-items/create-item-live and
 *   https://developers.webflow.com/data/reference/delete-item-live: an item that is unpublished stays, as a draft
 * - staged items: https://developers.webflow.com/data/reference/cms/collection-items/staged-items/update-item,
 *   `publish-item`, `delete-item` and `list-items` beside it
 * - values by type: https://developers.webflow.com/data/reference/field-types-item-values
 * - errors and limits: https://developers.webflow.com/data/reference/error-handling and `rate-limits` beside it
 *
 * A slug that another item has is refused, as customers report (https://github.com/NangoHQ/nango/pull/5210); the
 * documentation says nothing of it.
 */
export async function startWebflowStandIn(): Promise<StandIn> {
  const items = new Map<string, Item>();
  let count = 0;
  const make = (fieldData: FieldData, isLive: boolean): Item => {
    const id = objectId((count += 1));
    const now = new Date().toISOString();
    const item = { id, fieldData, createdOn: now, lastUpdated: now, lastPublished: isLive ? now : null, isLive };
    items.set(id, item);
    return item;
  };

  const answer = ({ route, query, headers, json }: StandInRequest): ReceiverAnswer => {
    if (headers.authorization !== `Bearer ${TOKEN}`) return problem(401, 'not_authorized', 'Request not authorized');
    const collection = `/v2/collections/${COLLECTION}`;
    if (!route.includes(` ${collection}`)) return NOT_FOUND;
    const [method = '', path = ''] = route.replace(collection, '').split(' ');
    const [, , id = '', live] = path.split('/');
    if (method === 'GET' && path === '') return { body: DESCRIPTION };
    if (method === 'GET' && path === '/items') {
      const found = [...items.values()].filter(({ fieldData }) => fieldData.slug === query.get('slug'));
      return { body: { items: found.map(shown), pagination: { limit: 100, offset: 0, total: found.length } } };
    }
    if (method === 'POST' && path === '/items/live') {
      const { fieldData } = json as { fieldData: FieldData };
      return refusalOf(fieldData, null) ?? { status: 202, body: shown(make(fieldData, true)) };
    }
    if (method === 'POST' && path === '/items/publish') {
      const { itemIds } = json as { itemIds: string[] };
      const published = itemIds.filter((one) => items.has(one));
      for (const one of published) setLive(one, true);
      const missing = itemIds.filter((one) => !items.has(one));
      const errors = missing.map((one) => `Staging item ID ${one} not found.`);
      return { status: 202, body: { publishedItemIds: published, errors } };
    }
    const item = items.get(id);
    if (item === undefined) return NOT_FOUND;
    if (method === 'PATCH' && live === undefined) {
      const { fieldData } = json as { fieldData: FieldData };
      const refused = refusalOf(fieldData, id);
      if (refused !== null) return refused;
      const changed = { ...item, fieldData: { ...item.fieldData, ...fieldData } };
      items.set(id, changed);
      return { body: shown(changed) };
    }
    if (method !== 'DELETE') return NOT_FOUND;
    if (live === 'live') {
      if (!item.isLive) return NOT_FOUND;
      setLive(id, false);
      return { status: 204, body: '' };
    }
    items.delete(id);
    return { status: 204, body: '' };
  };

  const setLive = (id: string, isLive: boolean) => {
    const item = items.get(id);
    if (item === undefined) return;
    items.set(id, { ...item, isLive, lastPublished: isLive ? new Date().toISOString() : item.lastPublished });
  };

  /** What is wrong with an item, as Webflow says it. */
  const refusalOf = (fieldData: FieldData, ownId: string | null): ReceiverAnswer | null => {
    const details: { param: string; description: string }[] = [];
    for (const [slug, value] of Object.entries(fieldData)) {
      const type = DESCRIPTION.fields.find((field) => field.slug === slug)?.type;
      if (type === undefined) details.push({ param: slug, description: `Field not described in schema: undefined` });
      else if (!FITS[type](value)) details.push({ param: slug, description: `Expected value to be a ${type}` });
    }
    const taken = [...items.values()].some(({ id, fieldData: of }) => of.slug === fieldData.slug && id !== ownId);
    if (taken) details.push({ param: 'slug', description: `Unique value is already in database: '${fieldData.slug}'` });
    return details.length === 0 ? null : problem(400, 'validation_error', 'Validation Error', details);
  };

  const server = await startStandIn(answer);
  const image = (value: unknown) => (typeof value === 'object' && value !== null ? (value as Image).url : null);
  return {
    ...server,
    apis: { webflow: `${server.origin}/v2` },
    peer: {
      kind: 'webflow',
      name: 'Webflow, by its recorded contract',
      habits: { form: 'html', copiesImages: false, choosesSlugs: true, keepsDeleted: false, label: (name) => name },
      integration: {
        url: server.origin,
        secret: TOKEN,
        settings: {
          collection_id: COLLECTION,
          fields: {
            content: 'post-body',
            excerpt: 'post-summary',
            featured_image: 'main-image',
            categories: 'category-names',
            tags: 'tag-names',
            meta_title: 'seo-title',
            published_at: 'published-on',
          },
        },
      },
      wrongSecret: 'f'.repeat(64),
      seoOf: null,
      postsTitled: (title) =>
        Promise.resolve(
          [...items.values()]
            .filter(({ fieldData }) => fieldData.name.startsWith(title))
            .map(({ id, fieldData, isLive }) => ({
              id,
              title: fieldData.name,
              slug: fieldData.slug,
              html: text(fieldData['post-body']),
              excerpt: text(fieldData['post-summary']),
              isShown: isLive,
              labels: [...names(fieldData['category-names']), ...names(fieldData['tag-names'])],
              featuredImage: image(fieldData['main-image']),
            })),
        ),
      titles: (beginning) =>
        Promise.resolve(
          [...items.values()].map(({ fieldData }) => fieldData.name).filter((name) => name.startsWith(beginning)),
        ),
      write: ({ title, slug }) => Promise.resolve(make({ name: title, slug }, true).id),
      remove: (id) => {
        items.delete(id);
        return Promise.resolve();
      },
    },
  };
}

interface Image {
  readonly url: string;
}
interface FieldData extends Readonly<Record<string, unknown>> {
  readonly name: string;
  readonly slug: string;
}
interface Item {
  readonly id: string;
  readonly createdOn: string;
  readonly lastUpdated: string;
  readonly lastPublished: string | null;
  readonly isLive: boolean;
  readonly fieldData: FieldData;
}

const TOKEN = '0123456789abcdef'.repeat(4);
const COLLECTION = objectId(0xb10c);
const FIELDS = [
  ['name', 'PlainText', true],
  ['slug', 'PlainText', true],
  ['post-body', 'RichText', false],
  ['post-summary', 'PlainText', false],
  ['main-image', 'Image', false],
  ['category-names', 'PlainText', false],
  ['tag-names', 'PlainText', false],
  ['seo-title', 'PlainText', false],
  ['published-on', 'DateTime', false],
] as const;
const DESCRIPTION = {
  id: COLLECTION,
  displayName: 'Blog Posts',
  singularName: 'Blog Post',
  slug: 'post',
  createdOn: '2026-01-01T00:00:00.000Z',
  lastUpdated: '2026-01-01T00:00:00.000Z',
  fields: FIELDS.map(([slug, type, isRequired], index) => ({
    id: objectId(0xf1e0 + index),
    isEditable: true,
    isRequired,
    type,
    slug,
    displayName: slug,
    helpText: null,
  })),
};

const FITS = {
  PlainText: (value: unknown) => typeof value === 'string',
  RichText: (value: unknown) => typeof value === 'string',
  Image: (value: unknown) => value === null || (typeof value === 'object' && typeof (value as Image).url === 'string'),
  DateTime: (value: unknown) => typeof value === 'string' && !Number.isNaN(Date.parse(value)),
};

const shown = ({ isLive, ...item }: Item) => ({
  id: item.id,
  cmsLocaleId: objectId(0x10ca1e),
  lastPublished: item.lastPublished,
  lastUpdated: item.lastUpdated,
  createdOn: item.createdOn,
  isArchived: false,
  isDraft: !isLive,
  fieldData: item.fieldData,
});

const problem = (status: number, code: string, message: string, details: object[] = []): ReceiverAnswer => ({
  status,
  body: { message, code, externalReference: null, details },
});
const NOT_FOUND = problem(404, 'resource_not_found', 'Requested resource not found');

/** What Webflow answers when a token has made more requests than the plan of its site allows in a minute. */
export const WEBFLOW_LIMITED = (retryAfterS: number): ReceiverAnswer => ({
  ...problem(429, 'too_many_requests', 'Too Many Requests'),
  headers: { 'retry-after': String(retryAfterS), 'content-type': 'application/json' },
});

const text = (value: unknown): string => (typeof value === 'string' ? value : '');
const names = (value: unknown): string[] =>
  text(value)
    .split(', ')
    .filter((name) => name !== '');
