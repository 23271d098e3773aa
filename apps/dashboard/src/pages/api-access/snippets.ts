import type { Snippet } from '../../parts/looks/code-tabs.tsx';

/** Programs that read the project’s posts, ready to paste; `key` stands in them as it is given. */
export function snippets(origin: string, key: string): readonly Snippet[] {
  const api = `${origin}/blog/api/v1/public`;
  const allBlogs = `async function allBlogs() {
  const api = '${api}';
  const headers = { Authorization: 'Bearer ${key}' };
  const byId = new Map();
  for (let offset = 0, total = 1; offset < total; offset += 50) {
    const answer = await fetch(\`\${api}/blogs?include_content=true&limit=50&offset=\${offset}\`, { headers });
    if (!answer.ok) throw new Error(\`\${answer.status} \${await answer.text()}\`);
    const page = await answer.json();
    for (const blog of page.blogs) byId.set(blog.id, blog);
    total = page.total;
  }
  return [...byId.values()];
}`;
  return [
    {
      name: 'curl',
      code: `curl -H 'Authorization: Bearer ${key}' '${api}/blogs?limit=10'`,
    },
    {
      name: 'npm package',
      code: `// npm install ${origin}/packages/client.tgz
import { createClient } from '@blog-content/client';
import { fileCache } from '@blog-content/client/file-cache';

const blog = createClient({ baseUrl: '${origin}', key: '${key}', cache: fileCache('.blog-cache') });
for await (const { slug, title } of blog.all({ includeContent: true })) console.log(\`/blog/\${slug}/\`, title);`,
    },
    {
      name: 'JavaScript',
      code: `// blog.mjs, for Node 20 or newer
export ${allBlogs}`,
    },
    {
      name: 'Astro',
      code: `// src/content.config.ts
import { defineCollection } from 'astro:content';
import { z } from 'astro/zod';

${allBlogs}

export const collections = {
  blog: defineCollection({
    schema: z.object({ title: z.string(), excerpt: z.string() }),
    loader: {
      name: 'blog-content',
      load: async ({ store, generateDigest }) => {
        store.clear();
        for (const blog of await allBlogs()) {
          store.set({
            id: blog.slug,
            data: { title: blog.title, excerpt: blog.excerpt },
            digest: generateDigest(blog),
            rendered: { html: blog.content },
          });
        }
      },
    },
  }),
};`,
    },
    {
      name: 'Next',
      code: `// app/blog/[slug]/page.jsx
import { notFound } from 'next/navigation';

${allBlogs}

export const dynamicParams = false;
export const generateStaticParams = async () => (await allBlogs()).map(({ slug }) => ({ slug }));

export default async function Post({ params }) {
  const { slug } = await params;
  const blog = (await allBlogs()).find((each) => each.slug === slug);
  if (!blog) notFound();
  return (
    <article>
      <h1>{blog.title}</h1>
      <div dangerouslySetInnerHTML={{ __html: blog.content }} />
    </article>
  );
}`,
    },
    {
      name: 'Eleventy',
      code: `// _data/blogs.mjs
export default ${allBlogs}

// blog.njk
---
pagination: { data: blogs, size: 1, alias: blog }
permalink: "/blog/{{ blog.slug }}/"
---
<h1>{{ blog.title }}</h1>
{{ blog.content | safe }}`,
    },
    {
      name: 'Hugo',
      code: `{{/* content/blog/_content.gotmpl; hugo.toml needs [security] allowContent = ['text/html', 'text/markdown'] */}}
{{ $api := "${api}" }}
{{ $options := dict "headers" (dict "Authorization" "Bearer ${key}") }}
{{ $total := 1 }}
{{ range $page := seq 0 999 }}
  {{ $offset := mul $page 50 }}
  {{ if lt $offset $total }}
    {{ with try (resources.GetRemote (printf "%s/blogs?include_content=true&limit=50&offset=%d" $api $offset) $options) }}
      {{ with .Err }}{{ errorf "%s" . }}{{ end }}
      {{ with .Value }}
        {{ $answer := .Content | transform.Unmarshal }}
        {{ $total = $answer.total }}
        {{ range $answer.blogs }}
          {{ $.AddPage (dict "path" .slug "title" .title "content" (dict "mediaType" "text/html" "value" .content)) }}
        {{ end }}
      {{ end }}
    {{ end }}
  {{ end }}
{{ end }}`,
    },
  ];
}

/** Enough of a key to tell it from another one. */
export const masked = (key: string): string => `${key.slice(0, 12)}${'•'.repeat(12)}`;
