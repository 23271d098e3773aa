import type { destinationParts } from '@blog-content/payload-schemas';
import { z } from 'zod';
import type { Destination, DestinationPost, FoundPost, PlacedPost } from '../destination.ts';
import type { TargetAnswer, TargetClient } from '../target-client.ts';
import { slugsLike, withFreeSlug } from '../with-free-slug.ts';
import { checkMapping, type Collection, collectionSchema, fieldDataOf } from './collection-fields.ts';

/** Longest answer with an item in it, in bytes: it repeats all of the item. */
const MAX_WEBFLOW_ITEM_BYTES = 1024 * 1024;

const item = z.object({
  id: z.string(),
  createdOn: z.coerce.date(),
  fieldData: z.object({ name: z.string(), slug: z.string() }),
});
const found = z.object({ items: z.array(item) });
const published = z.object({ errors: z.array(z.string()).nullish() });
const refusal = z
  .object({
    message: z.string().default(''),
    details: z.array(z.object({ param: z.string(), description: z.string() }).partial()).catch([]),
  })
  .catch({ message: 'no reason given.', details: [] });

/** Webflow, by its Data API v2 and a token of the site. `siteUrl` is where the items are read. */
export function createWebflow(
  api: string,
  siteUrl: string,
  { collection_id: collectionId, fields: mapping }: z.infer<typeof destinationParts.webflow.settings>,
  client: TargetClient,
): Destination {
  const collectionUrl = `${api}/collections/${collectionId}`;
  const items = `${collectionUrl}/items`;
  const at = (id: string) => `${items}/${encodeURIComponent(id)}`;

  const readCollection = async (): Promise<Collection> => {
    const answer = await client.call({ method: 'GET', url: collectionUrl, expected: [404] });
    if (answer.statusCode === 404) throw client.declined('Webflow has no collection with this ID for this token.');
    const collection = collectionSchema.parse(answer.json);
    const problem = checkMapping(mapping, collection);
    if (problem !== null) throw client.declined(problem);
    return collection;
  };
  let collection: Promise<Collection> | undefined;
  const collectionOf = () => (collection ??= readCollection());

  /** Null for a slug that another item has. */
  const written = async (answer: TargetAnswer, slug: string): Promise<PlacedPost | null> => {
    if (answer.statusCode === 400) {
      const { message, details } = refusal.parse(answer.json);
      if (details.some(({ param, description = '' }) => param === 'slug' && TAKEN.test(description))) return null;
      const [first] = details;
      throw client.declined(`Webflow rejected the item: ${message} ${first?.param ?? ''} ${first?.description ?? ''}`);
    }
    const [, longId = null] = answer.start === null ? [] : (LONG_ITEM.exec(answer.start) ?? []);
    const made = longId === null ? item.parse(answer.json) : { id: longId, fieldData: { slug } };
    return placed(made.id, made.fieldData.slug);
  };
  const placed = async (id: string, slug: string): Promise<PlacedPost> => {
    const { slug: folder } = await collectionOf();
    return { id, url: `${siteUrl}/${folder}/${slug}`, slug };
  };

  const write = async (
    given: DestinationPost,
    send: (body: object) => Promise<TargetAnswer>,
  ): Promise<PlacedPost | 'gone'> => {
    const fields = fieldDataOf(given, mapping, await collectionOf());
    return withFreeSlug(
      given.slug,
      async (slug) => {
        const answer = await send({ isArchived: false, isDraft: false, fieldData: { ...fields, slug } });
        return answer.statusCode === 404 ? 'gone' : written(answer, slug);
      },
      client,
    );
  };

  return {
    async publish(given) {
      const made = await write(given, (json) =>
        client.call({
          method: 'POST',
          url: `${items}/live`,
          json,
          decides: true,
          expected: [400],
          maxAnswerBytes: MAX_WEBFLOW_ITEM_BYTES,
        }),
      );
      if (made === 'gone') throw new Error('The new item does not exist.');
      return made;
    },
    async update(id, given) {
      // The staged item, then its publication: that also shows one again that is live no more.
      const updated = await write(given, (json) =>
        client.call({
          method: 'PATCH',
          url: at(id),
          json,
          expected: [400, 404],
          maxAnswerBytes: MAX_WEBFLOW_ITEM_BYTES,
        }),
      );
      if (updated === 'gone') return null;
      const json = { itemIds: [id] };
      const answer = await client.call({ method: 'POST', url: `${items}/publish`, json, decides: true });
      const [error] = published.parse(answer.json).errors ?? [];
      if (error !== undefined) throw client.declined(`Webflow did not publish the item: ${error}`);
      return updated;
    },
    async unpublish(id) {
      const url = `${at(id)}/live`;
      return (await client.call({ method: 'DELETE', url, decides: true, expected: [404] })).statusCode !== 404;
    },
    async delete(id) {
      await client.call({ method: 'DELETE', url: `${at(id)}/live`, expected: [404] });
      const url = at(id);
      return (await client.call({ method: 'DELETE', url, decides: true, expected: [404] })).statusCode !== 404;
    },
    async findBySlug({ slug }) {
      const candidates: FoundPost[] = [];
      for (const tried of slugsLike(slug)) {
        const url = `${items}?${new URLSearchParams({ slug: tried, limit: '1' }).toString()}`;
        const answer = await client.call({ method: 'GET', url, maxAnswerBytes: MAX_WEBFLOW_ITEM_BYTES });
        const [first] = found.parse(answer.json).items;
        // The next one is tried only where this one is taken.
        if (first === undefined) break;
        const { name, slug: foundSlug } = first.fieldData;
        candidates.push({ ...(await placed(first.id, foundSlug)), title: name, createdAt: first.createdOn });
      }
      return candidates;
    },
    async test() {
      await readCollection();
      return null;
    },
  };
}

const TAKEN = /unique/i;
const LONG_ITEM = /^\{"id":"([0-9a-f]+)"/;
