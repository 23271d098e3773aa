import type { Snippet } from '../../parts/looks/code-tabs.tsx';

/** Programs that read the project’s posts, ready to paste; they contain `key` as it is given. */
export function snippets(origin: string, key: string): readonly Snippet[] {
  const api = `${origin}/blog/api/v1/public`;
  const allPosts = `async function allPosts() {
  const api = '${api}';
  const headers = { Authorization: 'Bearer ${key}' };
  const byId = new Map();
  for (let offset = 0, total = 1; offset < total; offset += 50) {
    const answer = await fetch(\`\${api}/blogs?include_content=true&limit=50&offset=\${offset}\`, { headers });
    if (!answer.ok) throw new Error(\`\${answer.status} \${await answer.text()}\`);
    const page = await answer.json();
    for (const post of page.blogs) byId.set(post.id, post);
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
      file: 'posts.mjs',
      code: `// Node 20 or newer
export ${allPosts}`,
    },
    {
      name: 'Astro',
      file: 'src/content.config.ts',
      code: `import { defineCollection } from 'astro:content';
import { z } from 'astro/zod';

${allPosts}

export const collections = {
  blog: defineCollection({
    schema: z.object({ title: z.string(), excerpt: z.string() }),
    loader: {
      name: 'blog-content',
      load: async ({ store, generateDigest }) => {
        store.clear();
        for (const post of await allPosts()) {
          store.set({
            id: post.slug,
            data: { title: post.title, excerpt: post.excerpt },
            digest: generateDigest(post),
            rendered: { html: post.content },
          });
        }
      },
    },
  }),
};`,
      more: [
        {
          file: 'src/pages/blog/[slug].astro',
          code: `---
import { getCollection, render } from 'astro:content';

export async function getStaticPaths() {
  return (await getCollection('blog')).map((post) => ({ params: { slug: post.id }, props: { post } }));
}

const { post } = Astro.props;
const { Content } = await render(post);
---
<h1>{post.data.title}</h1>
<Content />`,
        },
      ],
    },
    {
      name: 'Next',
      file: 'app/blog/[slug]/page.jsx',
      code: `import { notFound } from 'next/navigation';

${allPosts}

export const dynamicParams = false;
export const generateStaticParams = async () => (await allPosts()).map(({ slug }) => ({ slug }));

export default async function Post({ params }) {
  const { slug } = await params;
  const post = (await allPosts()).find((each) => each.slug === slug);
  if (!post) notFound();
  return (
    <article>
      <h1>{post.title}</h1>
      <div dangerouslySetInnerHTML={{ __html: post.content }} />
    </article>
  );
}`,
    },
    {
      name: 'Eleventy',
      file: '_data/posts.mjs',
      code: `export default ${allPosts}`,
      more: [
        {
          file: 'post.njk',
          code: `---
pagination: { data: posts, size: 1, alias: post }
permalink: "/blog/{{ post.slug }}/"
---
<h1>{{ post.title }}</h1>
{{ post.content | safe }}`,
        },
      ],
    },
    {
      name: 'Hugo',
      file: 'content/blog/_content.gotmpl',
      code: `{{ $api := "${api}" }}
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
      more: [
        {
          file: 'hugo.toml',
          code: `[security]
  allowContent = ['text/html', 'text/markdown']`,
        },
      ],
    },
  ];
}

/** Enough of a key to tell it from another one. */
export const masked = (key: string): string => `${key.slice(0, 12)}${'•'.repeat(12)}`;
