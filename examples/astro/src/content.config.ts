import { defineCollection } from 'astro:content';
import { z } from 'astro/zod';
import { blog } from './blog';

const posts = defineCollection({
  schema: z.object({
    title: z.string(),
    excerpt: z.string(),
    meta_title: z.string(),
    meta_description: z.string(),
    featured_image_url: z.string().nullable(),
    categories: z.array(z.string()),
    published_at: z.coerce.date(),
  }),
  loader: {
    name: 'blog',
    async load({ store, parseData, generateDigest }) {
      const published = new Set<string>();
      for await (const post of blog.all({ includeContent: true })) {
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
