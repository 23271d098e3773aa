/** Images of posts in HTML are looked for below the page’s address; those of Markdown are Astro’s own. */
export const ASTRO: Readonly<Record<string, string>> = {
  'package.json': `{
  "name": "blog",
  "private": true,
  "type": "module",
  "scripts": { "build": "astro build", "dev": "astro dev" },
  "dependencies": { "astro": "^7.3.5" }
}
`,
  'astro.config.mjs': `import { cpSync, existsSync } from 'node:fs';
import { defineConfig } from 'astro/config';

const images = new URL('../../images', import.meta.url);
const copyImages = {
  name: 'copy-images',
  hooks: {
    'astro:build:done': ({ dir }) => {
      if (existsSync(images)) cpSync(images, new URL('blog/images', dir), { recursive: true });
    },
  },
};

export default defineConfig({ site: SITE_ADDRESS, integrations: [copyImages] });
`,
  'src/content.config.ts': `import { defineCollection } from 'astro:content';
import { glob } from 'astro/loaders';
import { z } from 'astro/zod';

const blog = defineCollection({
  loader: glob({ pattern: '*.md', base: '../../posts' }),
  schema: z.object({
    title: z.string(),
    description: z.string(),
    pubDate: z.coerce.date(),
    updatedDate: z.coerce.date(),
    draft: z.boolean().default(false),
    image: z.string().optional(),
    categories: z.array(z.string()).default([]),
    tags: z.array(z.string()).default([]),
  }),
});

export const collections = { blog };
`,
  'src/pages/index.astro': `---
import { getCollection } from 'astro:content';

const posts = await getCollection('blog', ({ data }) => !data.draft);
posts.sort((a, b) => b.data.pubDate.valueOf() - a.data.pubDate.valueOf());
---

<html lang="en">
  <head>
    <meta charset="utf-8" />
    <title>{SITE_NAME}</title>
  </head>
  <body>
    <h1>{SITE_NAME}</h1>
    <ul>
      {posts.map((post) => <li><a href={\`/blog/\${post.id}/\`}>{post.data.title}</a></li>)}
    </ul>
  </body>
</html>
`,
  'src/pages/blog/[slug].astro': `---
import { getCollection, render } from 'astro:content';

export async function getStaticPaths() {
  const posts = await getCollection('blog', ({ data }) => !data.draft);
  return posts.map((post) => ({ params: { slug: post.id }, props: { post } }));
}

const { post } = Astro.props;
const { Content } = await render(post);
---

<html lang="en">
  <head>
    <meta charset="utf-8" />
    <title>{post.data.title}</title>
    <meta name="description" content={post.data.description} />
  </head>
  <body>
    <article>
      <h1>{post.data.title}</h1>
      <Content />
    </article>
  </body>
</html>
`,
};
