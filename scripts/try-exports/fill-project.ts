import { whenProjectIsKnown } from '@blog-content/local-services';
import { setTimeout as sleep } from 'node:timers/promises';
import { png } from '../try-examples/png.ts';
import type { Stack } from '../try-examples/start-stack.ts';

/** In no page of a site. */
export const DRAFT_TITLE = 'A draft that nobody may see';
export const SITE_URL = 'https://kitchen.example.com';
/** What a published post is called in the end. */
const RENAMED = 'new-name';
const WITHIN_MS = 60_000;
const POLL_MS = 100;

/** A project, and how to ask for what belongs to it. */
export interface FilledProject {
  readonly id: string;
  readonly publicKey: string;
}

/** A post as the public API gives it. */
export interface PublicPost {
  readonly slug: string;
  readonly title: string;
  readonly content: string;
}

export async function newProject({ owner }: Stack, name: string): Promise<FilledProject> {
  const { id } = await owner.post<{ id: string }>('projects', { name, site_url: SITE_URL });
  const { public_key: publicKey } = await whenProjectIsKnown(() =>
    owner.post<{ public_key: string }>(`projects/${id}/public-key`),
  );
  return { id, publicKey };
}

/** All that is published, once it is so many posts. */
export async function publicPosts(
  { origin }: Stack,
  { publicKey }: FilledProject,
  count: number,
): Promise<PublicPost[]> {
  const url = `${origin}/blog/api/v1/public/blogs?limit=100&include_content=true`;
  for (const deadline = Date.now() + WITHIN_MS; ; await sleep(POLL_MS)) {
    const answer = await fetch(url, { headers: { authorization: `Bearer ${publicKey}` } });
    const { blogs } = (await answer.json()) as { blogs: PublicPost[] };
    if (blogs.length === count && blogs.some(({ slug }) => slug === RENAMED))
      return blogs.sort((a, b) => (a.slug < b.slug ? -1 : 1));
    if (Date.now() > deadline) throw new Error(`The public API gives ${blogs.length} posts of ${count}.`);
  }
}

/** What site generators stumble over. */
const postsWith = (image: string) => {
  const links = '<a href="[INTERNAL:markdown]#part">there</a>, <a href="[INTERNAL:draft]">a draft</a>, [INTERNAL:html]';
  const md = '[there]([INTERNAL:html]), [a draft]([INTERNAL:draft]), [INTERNAL:braces]';
  return [
    {
      ...{ slug: 'html', title: 'yes: "it\'s" <b>& {{ more }}', featured_image_url: image, keyword: '007' },
      ...{ excerpt: 'On\n  two lines', meta_title: '- a', meta_description: '#x: {% y %}' },
      ...{ categories: ['Dinner', '1.10', 'null'], tags: ['a, b', 'R&D', '2024-01-31', 'Süß'] },
      content: `<p>See ${links}.</p>\n\n<p>*no* _emphasis_ here</p><figure><img src="${image}" alt="A bowl"></figure><table><thead><tr><th>a</th><th>b</th></tr></thead><tbody><tr><td>1</td><td>2</td></tr></tbody></table>`,
    },
    {
      slug: 'loose',
      title: 'Loose words',
      content: `loose <em>words</em>\n\n<img src="${image}"> and more\n\n    far`,
    },
    {
      slug: 'code',
      title: 'Code',
      content:
        '<pre><code class="language-js">a\n\n\n  b {{ c }} {% d %} {{&lt; e &gt;}}\n\n*f*</code></pre><p>after</p>',
    },
    {
      slug: 'markdown',
      title: 'Markdown',
      content_markdown: `# Head\n\nTo ${md}.\n\n## Part\n\n- one\n  1. two\n\n> quote\n\n![A bowl](${image} "t")\n\n| a | b |\n|---|--:|\n| 1 | 2 |\n`,
    },
    {
      slug: 'braces',
      title: 'Braces {{ title }}',
      content_markdown: 'Text {{ a }} and {% b %}.\n\n```liquid\n{% raw %}{{ c }}\n```\n',
    },
    {
      slug: 'shortcodes',
      title: 'Shortcodes',
      content_markdown: 'Write `{{< figure src="x" >}}` or:\n\n```\n{{% note %}}\n```\n',
    },
    {
      slug: 'relative',
      title: 'A missing picture',
      content_markdown: 'Here: ![x](pics/missing.png), and [about](/about/).',
    },
    {
      slug: 'mixed',
      title: 'HTML in Markdown',
      content_markdown:
        '<div class="note">\n\n**Bold** in it\n\n</div>\n\n<details><summary>More</summary>Hidden</details>\n',
    },
    {
      slug: 'scripts',
      title: '日本茶 و شاي',
      content: '<p dir="rtl">شاي</p><p>日本茶 — “tea” … 100 %</p>',
      tags: ['日本'],
    },
    { slug: 'empty', title: 'Nothing yet', content: '' },
    {
      slug: 'notes',
      title: 'Notes',
      content_markdown: 'A claim.[^1]\n\n- [x] done\n\nTerm\n: Meaning\n\n## Named {#id}\n\n[^1]: Source.\n',
    },
    {
      slug: 'raw',
      title: 'Raw',
      content:
        '<p>a</p><p>1. b</p><p># c</p><p>&lt;script&gt; &amp;amp; [d](e) `f` ~~g~~ | h</p><hr><blockquote><p>i</p></blockquote>',
    },
    { slug: 'ends-in-dashes', title: '---', content_markdown: '---\n\na\n\n---\n' },
    { slug: 'renamed', title: 'Renamed', content: '<p>Was elsewhere. <a href="[INTERNAL:html]">x</a></p>' },
  ];
};

/** Fills a project; resolves to the number of its published posts. */
export async function fillProject({ origin, owner }: Stack, { id }: FilledProject): Promise<number> {
  const call = async (path: string, body: string | Uint8Array<ArrayBuffer>, type: string) => {
    const headers = { authorization: `Bearer ${owner.token}`, 'content-type': type };
    const answer = await fetch(`${origin}/blog/api/v1/owner/projects/${id}/${path}`, { method: 'POST', headers, body });
    if (!answer.ok) throw new Error(`${path}: ${answer.status} ${(await answer.text()).slice(0, 500)}`);
    return (await answer.json()) as { id: string; url: string };
  };
  const create = (post: object) => call('blogs', JSON.stringify(post), 'application/json');
  const image = await call('images?alt=A+bowl', png(), 'image/png');
  const content = '<p>Not yet. <a href="[INTERNAL:html]">x</a></p>';
  await create({ title: DRAFT_TITLE, slug: 'draft', content, featured_image_url: image.url });
  const posts = postsWith(image.url);
  const ids: string[] = [];
  for (const post of posts) ids.push((await create(post)).id);
  const renamed = ids.at(-1) ?? '';
  await owner.post(`projects/${id}/blogs/publish`, { blog_ids: ids });
  const headers = { authorization: `Bearer ${owner.token}`, 'content-type': 'application/json' };
  const url = `${origin}/blog/api/v1/owner/projects/${id}/blogs/${renamed}`;
  await fetch(url, { method: 'PATCH', headers, body: JSON.stringify({ slug: RENAMED }) });
  await owner.post(`projects/${id}/blogs/${renamed}/publish`);
  return posts.length;
}
