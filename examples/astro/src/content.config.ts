import { defineCollection } from 'astro:content';
import { z } from 'astro/zod';
import { blog } from './blog';

/** The fields that pages use. Posts come with these only. */
const FIELDS = [
  ...(['slug', 'title', 'content', 'excerpt', 'meta_title', 'meta_description', 'featured_image_url'] as const),
  ...(['categories', 'published_at', 'authors', 'canonical_url', 'noindex', 'og_title', 'og_description'] as const),
  ...(['og_image', 'x_title', 'x_description', 'x_image', 'language', 'translations', 'data'] as const),
];

const author = z.object({
  slug: z.string(),
  name: z.string(),
  bio: z.string().nullable(),
  avatar_url: z.string().nullable(),
  links: z.array(z.object({ label: z.string(), url: z.string() })),
  url: z.string().nullable(),
  same_as: z.array(z.string()),
});

const image = z.object({ url: z.string(), width: z.number().nullable(), height: z.number().nullable() });

const posts = defineCollection({
  schema: z.object({
    title: z.string(),
    excerpt: z.string(),
    meta_title: z.string(),
    meta_description: z.string(),
    featured_image_url: z.string().nullable(),
    categories: z.array(z.string()),
    published_at: z.coerce.date(),
    authors: z.array(author),
    canonical_url: z.string().nullable(),
    noindex: z.boolean(),
    og_title: z.string().nullable(),
    og_description: z.string().nullable(),
    og_image: image.nullable(),
    x_title: z.string().nullable(),
    x_description: z.string().nullable(),
    x_image: image.nullable(),
    language: z.string().nullable(),
    translations: z.array(z.object({ language: z.string(), slug: z.string(), title: z.string() })),
    /** Values of the project’s data fields. `npx blog types` writes their type. */
    data: z.record(z.string(), z.unknown()),
  }),
  loader: {
    name: 'blog',
    async load({ store, parseData, generateDigest }) {
      const published = new Set<string>();
      for await (const post of blog.all({ fields: FIELDS })) {
        const { slug: id, content: html, ...rest } = post;
        const data = await parseData({ id, data: rest });
        store.set({ id, data, digest: generateDigest({ ...post }), rendered: { html } });
        published.add(id);
      }
      // Astro keeps the store between builds.
      for (const id of store.keys()) if (!published.has(id)) store.delete(id);
    },
  },
});

export const collections = { posts };
