import { DRAFT_TITLE, GONE, RENAMED_SLUG, SITE_URL, type ExpectedPage, type Project } from './project.ts';
import type { Site } from './site.ts';

/** Pages that are read concurrently. */
const AT_ONCE = 10;
/** Pages of one list. */
const MAX_PAGES = 100;

/** @returns what is wrong with a site, as sentences; none when it has what was published, and nothing else. */
export async function checkSite(site: Site, { posts, withImage }: Project): Promise<string[]> {
  const wrong: string[] = [];
  const isRenamed = posts.has(RENAMED_SLUG.to);
  const read = async (path: string) => {
    const text = (await site.read(path)) ?? '';
    if (text === '') wrong.push(`${path} is missing`);
    for (const never of [DRAFT_TITLE, '[INTERNAL:', ...(isRenamed ? [`/blog/${RENAMED_SLUG.from}/`] : [])])
      if (text.includes(never)) wrong.push(`${path} has “${never}”`);
    return text;
  };
  const compare = (what: string, found: Iterable<string>, expected: Iterable<string>) => {
    const [has, wants] = [[...found].sort(), [...expected].sort()];
    const missing = wants.filter((slug) => !has.includes(slug));
    const more = has.filter((slug, at) => !wants.includes(slug) || has.indexOf(slug) !== at);
    if (missing.length > 0) wrong.push(`${what} misses ${missing.length}: ${missing.slice(0, 5).join(', ')}`);
    if (more.length > 0) wrong.push(`${what} has ${more.length} extra: ${more.slice(0, 5).join(', ')}`);
  };

  /** The slugs in all pages of a list, the titles of which are looked at, too; and the lists of categories they link to. */
  async function walk(first: string) {
    const [slugs, categories] = [[] as string[], new Map<string, string>()];
    let pages = 0;
    for (let next: string | undefined = first; next !== undefined && pages < MAX_PAGES; pages += 1) {
      const html: string = await read(next);
      if (canonicalOf(html) !== SITE_URL + encodeURI(decodeURI(next))) wrong.push(`${next} has no canonical address`);
      for (const { href, text } of linksOf(html)) {
        const [, slug] = /^\/blog\/([^/]+)\/$/.exec(href) ?? [];
        if (slug !== undefined) slugs.push(slug);
        if (slug !== undefined && text !== posts.get(slug)?.title) wrong.push(`${next} calls ${slug} “${text}”`);
        if (href.startsWith('/categories/')) categories.set(text, href);
      }
      next = linksOf(html).find(({ rel }) => rel === 'next')?.href;
    }
    if (pages < 2) wrong.push(`${first} has one page only`);
    return { slugs, categories };
  }

  const home = await walk('/');
  compare('the list', home.slugs, posts.keys());
  const names = new Set([...posts.values()].map(({ category }) => category));
  for (const name of names) {
    const those = [...posts.values()].filter(({ category }) => category === name).map(({ slug }) => slug);
    const list = home.categories.get(name);
    if (list === undefined) wrong.push(`no link to the category ${name}`);
    else compare(`the category ${name}`, (await walk(list)).slugs, those);
  }

  const waiting = [...posts.values()];
  const worker = async () => {
    for (let post = waiting.pop(); post !== undefined; post = waiting.pop()) {
      wrong.push(...checkPost(post, await read(`/blog/${post.slug}/`)));
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, worker));
  if (!/<img [^>]*srcset="[^"]+ 480w/.test(await read(`/blog/${withImage}/`))) wrong.push(`${withImage} has no srcset`);
  for (const slug of ['draft', GONE]) {
    if (!posts.has(slug) && (await site.read(`/blog/${slug}/`)) !== null)
      wrong.push(`${slug} has a page, and is not published`);
  }

  const before = `/blog/recipe-4/`;
  const { from, to } = RENAMED_SLUG;
  const present = `/blog/${isRenamed ? to : from}/`;
  if (!(await read(before)).includes(`href="${SITE_URL}${present}"`))
    wrong.push(`${before} does not link to ${present}`);
  const target = await site.redirectOf(`/blog/${from}/`);
  if (target !== (isRenamed ? present : null)) wrong.push(`/blog/${from}/ redirects to ${target}`);

  const inRss = slugsIn(await read('/rss.xml'), /<link>([^<]+)<\/link>/g);
  if (inRss.length < 20) wrong.push(`RSS has ${inRss.length} posts`);
  compare(
    'RSS',
    inRss.filter((slug) => !posts.has(slug)),
    [],
  );
  compare('the sitemap', slugsIn(await read('/sitemap.xml'), /<loc>([^<]+)<\/loc>/g), posts.keys());
  return wrong;
}

function checkPost({ slug, title }: ExpectedPage, html: string): string[] {
  const wrong: string[] = [];
  const url = `${SITE_URL}/blog/${slug}/`;
  if (canonicalOf(html) !== url) wrong.push(`${slug} has the canonical address ${canonicalOf(html)}`);
  const heading = textOf(/<h1[^>]*>(.*?)<\/h1>/s.exec(html)?.[1]);
  if (heading !== title) wrong.push(`${slug} has the title “${heading}” (expected “${title}”)`);
  try {
    const [, script = ''] = /<script type="application\/ld\+json">(.*?)<\/script>/s.exec(html) ?? [];
    const { '@type': type, headline, mainEntityOfPage } = JSON.parse(script) as Record<string, unknown>;
    const isRight = type === 'BlogPosting' && headline === title && mainEntityOfPage === url;
    if (!isRight) wrong.push(`${slug} has other JSON-LD: ${script}`);
  } catch {
    wrong.push(`${slug} has no JSON-LD`);
  }
  return wrong;
}

const canonicalOf = (html: string) => /<link rel="canonical" href="([^"]*)"/.exec(html)?.[1];

function linksOf(html: string) {
  return [...html.matchAll(/<a ([^>]*)>(.*?)<\/a>/gs)].map(([, attributes = '', text]) => ({
    href: /href="([^"]*)"/.exec(attributes)?.[1] ?? '',
    rel: /rel="([^"]*)"/.exec(attributes)?.[1],
    text: textOf(text),
  }));
}

const slugsIn = (xml: string, addresses: RegExp) =>
  [...xml.matchAll(addresses)].flatMap(([, url = '']) => /\/blog\/([^/]+)\/$/.exec(url)?.[1] ?? []);

const ENTITIES: Readonly<Record<string, string>> = { lt: '<', gt: '>', quot: '"', amp: '&', '#39': "'", '#34': '"' };

function textOf(html = ''): string {
  return html.replace(/<[^>]*>/g, '').replace(/&(#?\w+);/g, (entity, name: string) => {
    const code = /^#x([0-9a-f]+)$/i.exec(name)?.[1];
    return code === undefined ? (ENTITIES[name] ?? entity) : String.fromCodePoint(parseInt(code, 16));
  });
}
