import { paragraphsOf } from './paragraphs.ts';

/** A file of the media library. */
export interface Attachment {
  readonly url: string;
  /** Of the post that it was sent for; empty without one. */
  readonly parent: string;
  readonly alt: string;
  /** HTML. */
  readonly caption: string;
}

/** What a content may name by numbers. */
export interface WordPressSite {
  /** Where the site is; null when the export does not say. */
  readonly url: string | null;
  readonly attachments: ReadonlyMap<string, Attachment>;
  /** Contents of blocks that posts share. */
  readonly sharedBlocks: ReadonlyMap<string, string>;
}

export interface WordPressHtml {
  readonly html: string;
  /** Names of shortcodes that stay as text. */
  readonly shortcodes: readonly string[];
  /** Names of blocks that only WordPress can show. */
  readonly lostBlocks: readonly string[];
}

/** What WordPress makes of stored content when it shows it. @param postId whose content it is. */
export function wordPressHtml(content: string, postId: string, site: WordPressSite): WordPressHtml {
  const lost = new Set<string>();
  const hasBlocks = /<!--\s*wp:/.test(content);
  const blocks = hasBlocks ? htmlOfBlocks(content, site, lost) : content;
  const names = new Set<string>();
  const shown = outsideOfCode(blocks, (text) => {
    const replaced = replaceShortcodes(text, postId, site);
    for (const [, name = ''] of replaced.matchAll(SHORTCODE)) names.add(name);
    // One that is escaped is shown.
    return replaced.replaceAll(ESCAPED, '$1');
  });
  const html = hasBlocks ? shown.replaceAll(/\n{3,}/g, '\n\n').trim() : paragraphsOf(linkAddresses(shown));
  return { html: absolute(html, site.url), shortcodes: [...names], lostBlocks: [...lost] };
}

/** How deep shared blocks may stand in each other, and the most characters that a content may come to by them. */
const MAX_SHARED = { depth: 3, characters: 1_000_000 };

function htmlOfBlocks(content: string, { sharedBlocks }: WordPressSite, lost: Set<string>): string {
  let html = content;
  for (let depth = 0; depth < MAX_SHARED.depth && html.length < MAX_SHARED.characters; depth += 1) {
    html = html.replaceAll(
      /<!--\s*wp:block\s+\{[^{}]*?"ref":\s*(\d+)[^{}]*\}\s*\/-->/g,
      (whole, id) => sharedBlocks.get(String(id)) ?? whole,
    );
  }
  // One without HTML is made anew each time that it is shown.
  for (const [, name = ''] of html.matchAll(/<!--\s*wp:([a-z0-9/-]+)(?:\s+\{(?:(?!-->)[^])*\})?\s*\/-->/g))
    lost.add(name);
  return html
    .replaceAll(/<!--\s*\/?wp:[^]*?-->|<!--(?:more|nextpage|noteaser)[^]*?-->/g, '')
    .replaceAll(
      /(class="wp-block-embed__wrapper">\s*)(https?:\/\/[^\s<]+)(\s*<)/g,
      (_whole, before, url, after) => `${before}${linkTo(String(url))}${after}`,
    );
}

const CODE = /(<(?:pre|code|script|style)[\s>][^]*?<\/(?:pre|code|script|style)>)/i;

const outsideOfCode = (html: string, change: (text: string) => string): string =>
  html
    .split(CODE)
    .map((part, index) => (index % 2 === 1 ? part : change(part)))
    .join('');

const SHORTCODE = /(?<!\[)\[\/?([a-z][a-z0-9_-]*)(?:[ /][^\]\n]*)?\](?!\])/g;
const ESCAPED = /\[(\[[a-z][a-z0-9_-]*(?: [^\]\n]*)?\])\]/g;

/** Those of WordPress' own that show what an export has. */
function replaceShortcodes(text: string, postId: string, { attachments }: WordPressSite): string {
  return text
    .replaceAll(/(?<!\[)\[(?:wp_)?caption([^\]]*)\]([^]*?)\[\/(?:wp_)?caption\]/g, (whole, attributes, inner) => {
      const [, image, words = ''] =
        /^\s*((?:<a\s[^>]*>)?\s*<img\s[^>]*>\s*(?:<\/a>)?)([^]*)$/i.exec(String(inner)) ?? [];
      if (image === undefined) return whole;
      return figure(image.trim(), words.trim() || attribute(String(attributes), 'caption'));
    })
    .replaceAll(/(?<!\[)\[gallery([^\]]*)\](?!\])/g, (whole, attributes) => {
      const ids = attribute(String(attributes), 'ids', 'include');
      const images =
        ids === ''
          ? [...attachments.values()].filter(({ parent }) => parent === postId)
          : ids.split(',').flatMap((id) => attachments.get(id.trim()) ?? []);
      const figures = images
        .filter(({ url }) => /\.(?:png|jpe?g|gif|webp|avif)$/i.test(url))
        .map(({ url, alt, caption }) => figure(`<img src="${escape(url)}" alt="${escape(alt)}">`, caption));
      return figures.length === 0 ? whole : `\n\n${figures.join('\n')}\n\n`;
    })
    .replaceAll(/(?<!\[)\[embed[^\]]*\]\s*(https?:\/\/[^\s<[]+)\s*\[\/embed\]/g, (_whole, url) => linkTo(String(url)))
    .replaceAll(/(?<!\[)\[(audio|video)\s([^\]]*)\](?:\s*\[\/\1\])?/g, (whole, kind, attributes) => {
      const url = attribute(String(attributes), 'src', 'mp3', 'm4a', 'ogg', 'wav', 'flac', 'mp4', 'm4v', 'webm', 'ogv');
      return url === '' ? whole : `<${kind} controls src="${escape(url)}"></${kind}>`;
    });
}

const figure = (image: string, caption: string): string =>
  `<figure>${image}${caption === '' ? '' : `<figcaption>${caption}</figcaption>`}</figure>`;

/** The value of the first attribute that a shortcode has; empty without. */
function attribute(attributes: string, ...names: string[]): string {
  const found = new Map(
    [...attributes.matchAll(/([a-z0-9_-]+)=(?:"([^"]*)"|'([^']*)'|([^\s"'\]]+))/g)].map(
      ([, name = '', double, single, bare]) => [name, double ?? single ?? bare ?? ''] as const,
    ),
  );
  return names.map((name) => found.get(name) ?? '').find((value) => value !== '') ?? '';
}

/** An address on a line of its own is shown as what stands there, which takes its provider; here it is a link. */
const linkAddresses = (text: string): string =>
  outsideOfCode(text, (part) =>
    part.replaceAll(/^[ \t]*(https?:\/\/[^\s<>"]+)[ \t]*$/gm, (_whole, url) => linkTo(String(url))),
  );

function linkTo(url: string): string {
  const address = escape(url.replaceAll('&amp;', '&').replaceAll('&#038;', '&'));
  return `<a href="${address}">${address}</a>`;
}

const escape = (value: string): string =>
  value.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;');

/** Links and files of the same site with its address. */
function absolute(html: string, site: string | null): string {
  if (site === null) return html;
  return html.replaceAll(/<[a-z][^<>]*>/gi, (tag) =>
    tag.replaceAll(/(\s(?:href|src|poster)\s*=\s*)(["'])(\/[^"']*)\2/gi, (whole, before, quote, path) => {
      const given = String(path).replaceAll('&amp;', '&');
      return URL.canParse(given, site) ? `${before}${quote}${escape(new URL(given, site).href)}${quote}` : whole;
    }),
  );
}
