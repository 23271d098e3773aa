import { extras } from '@blog-content/payload-schemas';
import { z } from 'zod';
import { cut } from '../../payload/build-payload.ts';
import type { Destination, DestinationPost, PlacedPost, PostAuthor } from '../destination.ts';
import { isSamePerson } from '../post-author.ts';
import { formOf, type ImageCopies, type Upload, withCopies } from '../image-copies.ts';
import type { TargetAnswer, TargetClient } from '../target-client.ts';
import { slugsLike } from '../with-free-slug.ts';

/** What Ghost takes at most, in characters. */
const MAX = { slug: 191, tag: 191, excerpt: 300, title: 300, description: 500, alt: 191 } as const;
/** A post was changed between reading and writing it: it is read and written so often again. */
const MAX_COLLISIONS = 3;

const post = z.object({ id: z.string(), url: z.string().nullish(), slug: z.string().optional() });
const listed = z.object({ posts: z.array(z.unknown()) });
const written = z.object({ posts: z.tuple([post]) });
const version = z.object({
  posts: z.tuple([z.object({ updated_at: z.string(), codeinjection_head: z.string().nullish() })]),
});
const found = z.object({ posts: z.array(post.extend({ title: z.string(), created_at: z.coerce.date() })) });
const staff = z.object({ users: z.array(z.object({ id: z.string(), slug: z.string(), email: z.string().nullish() })) });
const uploaded = z.object({ images: z.tuple([z.object({ url: z.string() })]) });

/** Ghost, by its Admin API. */
export function createGhost(url: string, client: TargetClient, copies: ImageCopies): Destination {
  const admin = `${url}/ghost/api/admin`;
  const path = (id: string) => `${admin}/posts/${encodeURIComponent(id)}/`;

  const upload: Upload = async (image) => {
    const { body, type } = formOf(image, { purpose: 'image' });
    const answer = await client.call({
      method: 'POST',
      url: `${admin}/images/upload/`,
      headers: { 'content-type': type },
      body,
      // It looks at the bytes, and has a limit of its own.
      expected: [400, 413, 415, 422],
    });
    const images = uploaded.safeParse(answer.json);
    return images.success ? { id: images.data.images[0].url, url: images.data.images[0].url } : null;
  };

  /** IDs of the authors' staff users. Authors without one are left out: Ghost adds users by invitation only. */
  const staffOf = async (authors: readonly PostAuthor[]): Promise<{ readonly id: string }[]> => {
    if (authors.length === 0) return [];
    const answer = await client.call({ method: 'GET', url: `${admin}/users/?limit=100`, expected: [401, 403] });
    const { users } = staff.safeParse(answer.json).data ?? { users: [] };
    return authors.flatMap((author) => {
      const found = users.find((user) => isSamePerson(author, user));
      return found === undefined ? [] : [{ id: found.id }];
    });
  };

  const fieldsOf = async (given: DestinationPost) => {
    const authors = await staffOf(given.authors);
    const { featuredImageUrl: hero, extras: extra } = given;
    const shown = [hero, ...extras.imagesOf(extra)].filter((url) => url !== null);
    const ownImages = shown.map((url) => ({ url, alt: given.title }));
    const copied = await copies.take([...ownImages, ...given.images], upload);
    const copyOf = (url: string | null) => (url === null ? null : (copied.get(url)?.url ?? url));
    return {
      title: given.title,
      slug: slugOf(given.slug),
      // As one HTML card: of anything else Ghost keeps no inline styles.
      html: `<!--kg-card-begin: html-->\n${withoutCards(withCopies(given.content, copied))}\n<!--kg-card-end: html-->`,
      status: 'published',
      // The first one is the primary tag.
      tags: [...new Set([...given.categories, ...given.tags])].map((name) => ({ name: cut(name, MAX.tag) })),
      feature_image: copyOf(hero),
      feature_image_alt: hero === null ? null : cut(given.title, MAX.alt),
      custom_excerpt: given.excerpt === '' ? null : cut(given.excerpt, MAX.excerpt),
      meta_title: cutText(given.metaTitle, MAX.title),
      meta_description: cutText(given.metaDescription, MAX.description),
      // Without any it keeps those that it has, at first the owner of the site.
      ...(authors.length > 0 && { authors }),
      canonical_url: extra.canonical_url,
      og_title: cutText(extra.og_title, MAX.title),
      og_description: cutText(extra.og_description, MAX.description),
      og_image: copyOf(extra.og_image_url),
      twitter_title: cutText(extra.x_title, MAX.title),
      twitter_description: cutText(extra.x_description, MAX.description),
      twitter_image: copyOf(extra.x_image_url),
    };
  };

  /** Ghost wants to be told which version is changed. Null when there is no such post. */
  const change = async (id: string, fields: object, noindex?: boolean): Promise<PlacedPost | null> => {
    for (let collisions = 0; ; collisions += 1) {
      const read = await client.call({ method: 'GET', url: `${path(id)}?fields=${READ}`, expected: [404] });
      if (read.statusCode === 404) return null;
      const [{ updated_at, codeinjection_head: head = null }] = version.parse(read.json).posts;
      const robots = noindex === undefined ? {} : { codeinjection_head: headWith(noindex, head) };
      const answer = await client.call({
        method: 'PUT',
        url: `${path(id)}?source=html`,
        json: { posts: [{ ...fields, ...robots, updated_at }] },
        decides: true,
        expected: collisions < MAX_COLLISIONS ? [404, 409] : [404],
      });
      if (answer.statusCode === 404) return null;
      if (answer.statusCode !== 409) return placed(answer);
    }
  };

  /**
   * Where a post is that was written. Ghost answers with all of it: a long one's id comes first, and it is asked again.
   */
  const placed = async ({ json, start }: TargetAnswer): Promise<PlacedPost> => {
    const [, longId = null] = start === null ? [] : (LONG_POST.exec(start) ?? []);
    const answered =
      longId === null ? json : (await client.call({ method: 'GET', url: `${path(longId)}?fields=id,url,slug` })).json;
    const [{ id, url: at = null, slug }] = written.parse(answered).posts;
    return { id, url: at, ...(slug !== undefined && { slug }) };
  };

  return {
    async publish(given) {
      const fields = await fieldsOf(given);
      return placed(
        await client.call({
          method: 'POST',
          url: `${admin}/posts/?source=html`,
          json: { posts: [{ ...fields, codeinjection_head: headWith(given.extras.noindex, null) }] },
          decides: true,
        }),
      );
    },
    update: async (id, given) => change(id, await fieldsOf(given), given.extras.noindex),
    unpublish: async (id) => (await change(id, { status: 'draft' })) !== null,
    async delete(id) {
      const url = path(id);
      return (await client.call({ method: 'DELETE', url, decides: true, expected: [404] })).statusCode !== 404;
    },
    async findBySlug({ slug }) {
      const slugs = slugsLike(slugOf(slug)).map((tried) => `'${tried}'`);
      const query = new URLSearchParams({ filter: `slug:[${slugs.join(',')}]`, fields: 'id,title,url,created_at' });
      const { posts } = found.parse(
        (await client.call({ method: 'GET', url: `${admin}/posts/?${query.toString()}` })).json,
      );
      return posts.map(({ id, url = null, title, created_at: createdAt }) => ({ id, url, title, createdAt }));
    },
    async test() {
      listed.parse((await client.call({ method: 'GET', url: `${admin}/posts/?limit=1&fields=id` })).json);
      return null;
    },
  };
}

const READ = 'id,updated_at,codeinjection_head';

const cutText = (text: string | null, most: number): string | null => (text === null ? null : cut(text, most));

/** Ghost has no field for it, but puts these lines of a post into the head of its page. */
const NOINDEX = '<meta name="robots" content="noindex">';

/** The lines of a post with that line, or without; others stay. Null for none. */
function headWith(noindex: boolean, before: string | null): string | null {
  const others = before ? before.split('\n').filter((line) => line.trim() !== NOINDEX) : [];
  const lines = [...(noindex ? [NOINDEX] : []), ...others].join('\n');
  return lines.trim() === '' ? null : lines;
}

const LONG_POST = /^\{"posts":\[\{"id":"([0-9a-f]+)"/;

const slugOf = (slug: string): string => cut(slug, MAX.slug).replace(/(?<!-)-+$/, '');

/** Content that begins or ends a card would end this one. */
const withoutCards = (html: string): string => html.replace(/<!--\s*kg-card[^>]*-->/gi, '');
