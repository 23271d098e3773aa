import { readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { DRAFT_TITLE, SITE_URL, type PublicPost } from './fill-project.ts';

/** Posts with what not every generator reads in Markdown. */
const NOT_EVERYWHERE: ReadonlySet<string> = new Set(['notes']);
/** Links that lead to pages that only the old site had. */
const ELSEWHERE: ReadonlySet<string> = new Set(['/about/']);

/** What is wrong with a built site, as sentences. @param isHtml whether all posts were exported as HTML. */
export async function checkBuild(folder: string, posts: readonly PublicPost[], isHtml: boolean): Promise<string[]> {
  const wrong: string[] = [];
  const pages = (await readdir(folder, { recursive: true })).filter((path) => path.endsWith('.html'));
  for (const page of pages) {
    const html = await readFile(join(folder, page), 'utf8');
    for (const never of [DRAFT_TITLE, 'INTERNAL:', 'raw HTML omitted']) {
      if (html.includes(never)) wrong.push(`${page} has “${never}”`);
    }
  }
  const built = pages
    .map((path) => /^blog\/([^/]+)\/index\.html$/.exec(path)?.[1])
    .filter((slug) => slug !== undefined);
  for (const slug of built)
    if (!posts.some((post) => post.slug === slug) && slug !== 'renamed') wrong.push(`${slug} was built`);
  for (const post of posts)
    wrong.push(...(await checkPost(folder, post, isHtml)).map((what) => `${post.slug}: ${what}`));
  return wrong;
}

async function checkPost(folder: string, { slug, content, title }: PublicPost, isHtml: boolean): Promise<string[]> {
  const html = await readFile(join(folder, 'blog', slug, 'index.html'), 'utf8').catch(() => null);
  if (html === null) return ['there is no page'];
  const wrong: string[] = [];
  const [, article = ''] = /<article>([^]*)<\/article>/.exec(html) ?? [];
  const expected = wordsOf(content);
  const found = wordsOf(article.replace(/<h1[^]*?<\/h1>/, ''));
  if ((isHtml || !NOT_EVERYWHERE.has(slug)) && found !== expected) wrong.push(`it says “${found}”, not “${expected}”`);
  if (!wordsOf(html).includes(wordsOf(title.replaceAll('<', '&lt;')))) wrong.push(`its title is not “${title}”`);
  const page = new URL(`/blog/${slug}/`, SITE_URL);
  if (!isHtml && NOT_EVERYWHERE.has(slug)) return wrong;
  for (const [, name, address = ''] of article
    .replaceAll(/<(code|pre)\b[^]*?<\/\1>/g, '')
    .matchAll(/ (href|src)="([^"]*)"/g)) {
    const url = new URL(address.replaceAll('&amp;', '&'), page);
    if (url.origin !== page.origin || ELSEWHERE.has(url.pathname) || address.startsWith('#')) continue;
    const file = join(folder, decodeURIComponent(url.pathname), url.pathname.endsWith('/') ? 'index.html' : '');
    const isThere = await stat(file).then(
      (entry) => entry.isFile(),
      () => false,
    );
    if (!isThere && !address.endsWith('missing.png')) wrong.push(`its ${name} ${address} is broken`);
  }
  const images = (text: string) => text.split('<img').length - 1;
  // The hero is in front matter, not in the content that readers get.
  if (images(article) < images(content)) wrong.push(`it has ${images(article)} images, not ${images(content)}`);
  return wrong;
}

/** Letters and digits alone: generators write quotes and dashes in their own way. */
const wordsOf = (html: string): string =>
  html
    .replaceAll(/<(?:style|script)[^]*?<\/(?:style|script)>/g, ' ')
    .replaceAll(/<\/?(?:span|em|strong|b|i|code|a|s|del|sup|sub)\b[^<>]*>/g, '')
    .replaceAll(/<[^<>]*>/g, ' ')
    .replaceAll(/&#(x?)([\da-f]+);/gi, (_, hex, code) => String.fromCodePoint(parseInt(String(code), hex ? 16 : 10)))
    .replaceAll(/&(?:lt|gt|amp|quot|hellip|mdash|ndash|[lr][ds]quo);/g, ' ')
    .replaceAll(/[^\p{L}\p{N}]+/gu, ' ')
    .trim();
