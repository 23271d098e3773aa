import type { destinationParts } from '@blog-content/payload-schemas';
import { z } from 'zod';
import type { Destination, DestinationPost, PlacedPost } from '../destination.ts';
import { formOf, type ImageCopies, type Upload, withCopies } from '../image-copies.ts';
import type { TargetClient } from '../target-client.ts';
import { slugsLike } from '../with-free-slug.ts';
import { dataMeta, rankMathMeta, seoMeta } from './seo.ts';
import { authorId } from './users.ts';
import { lookAtSite, readMetaTypes, type MetaTypes, type WordPressSite } from './site.ts';

/** Most categories, and most tags, that a post is filed under. */
export const MAX_WORDPRESS_TERMS = 20;

const post = z.object({ id: z.int(), link: z.string().nullish(), slug: z.string().optional() });
const found = z.array(post.extend({ title: z.object({ raw: z.string() }), date_gmt: z.string().nullable() }));
const titled = z.object({ title: z.object({ raw: z.string() }) });
const term = z.object({ id: z.int() });
const existingTerm = z.object({ code: z.literal('term_exists'), data: z.object({ term_id: z.coerce.number().int() }) });
const terms = z.array(z.object({ id: z.int(), name: z.string() }));
const media = z.object({ id: z.int(), source_url: z.string() });
const user = z.object({ capabilities: z.record(z.string(), z.unknown()) });

const FIELDS = { _fields: 'id,link,slug' };

/** WordPress, by its REST API and an application password. */
export function createWordPress(
  url: string,
  { create_authors: mayCreate }: Pick<z.infer<typeof destinationParts.wordpress.settings>, 'create_authors'>,
  client: TargetClient,
  copies: ImageCopies,
): Destination {
  let site: Promise<WordPressSite> | undefined;
  const siteOf = () => (site ??= lookAtSite(url, client));
  let types: Promise<MetaTypes> | undefined;
  const metaTypesOf = async (at: WordPressSite, { extras }: DestinationPost): Promise<MetaTypes> => {
    if (!at.hasSeo && Object.keys(extras.data).length === 0) return new Map();
    return (types ??= readMetaTypes(at, client));
  };

  const termId = async ({ route }: WordPressSite, taxonomy: string, name: string): Promise<number[]> => {
    const made = await client.call({
      method: 'POST',
      url: route(`/wp/v2/${taxonomy}`, { _fields: 'id,code,data' }),
      json: { name },
      // It exists, or this user may not make any.
      expected: [400, 401, 403],
    });
    const own = term.safeParse(made.json);
    if (own.success) return [own.data.id];
    const existing = existingTerm.safeParse(made.json);
    if (existing.success) return [existing.data.data.term_id];
    const query = { search: name, per_page: '100', _fields: 'id,name', context: 'view' };
    const listed = terms.safeParse(
      (await client.call({ method: 'GET', url: route(`/wp/v2/${taxonomy}`, query) })).json,
    );
    const same = (listed.data ?? []).find((one) => one.name.toLowerCase() === name.toLowerCase());
    return same === undefined ? [] : [same.id];
  };
  const termIds = async (site: WordPressSite, taxonomy: string, names: readonly string[]): Promise<number[]> => {
    const ids: number[] = [];
    for (const name of names.slice(0, MAX_WORDPRESS_TERMS)) ids.push(...(await termId(site, taxonomy, name)));
    return ids;
  };

  const uploadTo =
    ({ route }: WordPressSite): Upload =>
    async (image, alt) => {
      const { body, type } = formOf(image, alt === '' ? {} : { alt_text: alt });
      const answer = await client.call({
        method: 'POST',
        url: route('/wp/v2/media', { _fields: 'id,source_url' }),
        headers: { 'content-type': type },
        body,
        // This user may not, or the site takes no such files. WordPress says so with 500, too.
        expected: [400, 401, 403, 413, 415, 500],
      });
      const kept = media.safeParse(answer.json);
      return kept.success ? { id: String(kept.data.id), url: kept.data.source_url } : null;
    };

  const fieldsOf = async (site: WordPressSite, given: DestinationPost) => {
    const hero = given.featuredImageUrl === null ? [] : [{ url: given.featuredImageUrl, alt: given.title }];
    const copied = await copies.take([...hero, ...given.images], uploadTo(site));
    const heroId = given.featuredImageUrl === null ? undefined : copied.get(given.featuredImageUrl)?.id;
    const metaTypes = await metaTypesOf(site, given);
    const meta = { ...dataMeta(given, metaTypes), ...seoMeta(given, metaTypes) };
    const author = await authorId(site, client, given.authors, mayCreate);
    return {
      title: given.title,
      slug: given.slug,
      status: 'publish',
      content: withCopies(given.content, copied),
      excerpt: given.excerpt,
      categories: await termIds(site, 'categories', given.categories),
      tags: await termIds(site, 'tags', given.tags),
      ...(author !== undefined && { author }),
      featured_media: heroId === undefined ? 0 : Number(heroId),
      ...(Object.keys(meta).length > 0 && { meta }),
    };
  };

  /** Null when there is no such post. */
  const write = async (path: string, given: DestinationPost): Promise<PlacedPost | null> => {
    const at = await siteOf();
    const fields = await fieldsOf(at, given);
    const answer = await client.call({
      method: 'POST',
      url: at.route(path, FIELDS),
      json: fields,
      decides: true,
      expected: path === POSTS ? [] : [404, 410],
    });
    if (answer.statusCode > 299) return null;
    const made = post.safeParse(answer.json);
    if (!made.success) throw client.declined('WordPress accepted the post but did not return its ID.');
    await writeRankMath(at, made.data.id, given);
    return placed(made.data);
  };

  const writeRankMath = async (site: WordPressSite, objectID: number, given: DestinationPost): Promise<void> => {
    const meta = rankMathMeta(given, await metaTypesOf(site, given), site);
    if (meta === null) return;
    await client.call({
      method: 'POST',
      url: site.route('/rankmath/v1/updateMeta'),
      json: { objectType: 'post', objectID, meta },
      // The post is there without it.
      expected: [400, 401, 403, 404],
    });
  };

  return {
    async publish(given) {
      const made = await write(POSTS, given);
      if (made === null) throw client.declined('WordPress reports that the new post does not exist.');
      return made;
    },
    update: (id, given) => write(`${POSTS}/${id}`, given),
    async titleOf(id) {
      const { route } = await siteOf();
      const url = route(`${POSTS}/${id}`, { context: 'edit', _fields: 'title' });
      const answer = await client.call({ method: 'GET', url, expected: [404, 410] });
      return answer.statusCode > 299 ? null : titled.parse(answer.json).title.raw;
    },
    async unpublish(id) {
      const { route } = await siteOf();
      const { statusCode } = await client.call({
        method: 'POST',
        url: route(`${POSTS}/${id}`, FIELDS),
        json: { status: 'draft' },
        decides: true,
        expected: [404, 410],
      });
      return statusCode <= 299;
    },
    async delete(id) {
      const { route } = await siteOf();
      const remove = (query: Record<string, string>, expected: number[]) =>
        client.call({
          method: 'DELETE',
          url: route(`${POSTS}/${id}`, { ...FIELDS, ...query }),
          decides: true,
          expected,
        });
      // Into the bin. A site without one says so with 501.
      const { statusCode } = await remove({}, [404, 410, 501]);
      if (statusCode !== 501) return statusCode <= 299;
      return (await remove({ force: 'true' }, [404, 410])).statusCode <= 299;
    },
    async findBySlug({ slug }) {
      const { route } = await siteOf();
      const query = {
        slug: slugsLike(slug).join(','),
        status: 'any',
        context: 'edit',
        _fields: 'id,title,date_gmt,link',
      };
      const posts = found.parse((await client.call({ method: 'GET', url: route(POSTS, query) })).json);
      return posts.map((post) => ({
        ...placed(post),
        title: post.title.raw,
        createdAt: new Date(`${post.date_gmt ?? ''}Z`),
      }));
    },
    async test() {
      const { route } = await siteOf();
      const me = route('/wp/v2/users/me', { context: 'edit', _fields: 'capabilities' });
      const { capabilities } = user.parse((await client.call({ method: 'GET', url: me })).json);
      const missing = NEEDED.filter(([name]) => capabilities[name] !== true).map(([, what]) => what);
      return missing.length === 0
        ? null
        : `This user lacks permission to ${missing.join(' and ')}. Give it the Author role or higher.`;
    },
  };
}

const POSTS = '/wp/v2/posts';
const NEEDED = [
  ['publish_posts', 'publish posts'],
  ['upload_files', 'upload images'],
] as const;

function placed({ id, link = null, slug }: z.infer<typeof post>): PlacedPost {
  return { id: String(id), url: link, ...(slug !== undefined && { slug }) };
}
