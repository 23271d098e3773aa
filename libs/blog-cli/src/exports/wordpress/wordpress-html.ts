import { frameFor, keptFrames } from '../embeds.ts';
import { MAX_POST_CHARACTERS } from '../exported-post.ts';
import { withAbsoluteAddresses } from '../html/absolute.ts';
import { paragraphsOf } from '../html/paragraphs.ts';
import { attributeText, attributeValue } from '../html/plain-text.ts';
import { changeOutside, CODE, COMMENT, replaceSpans } from '../html/spans.ts';

/** An image of the media library. */
export interface Picture {
  readonly url: string;
  readonly alt: string;
  /** HTML. */
  readonly caption: string;
}

/** Content that posts share. */
export interface SharedBlock {
  readonly title: string;
  /** Null for what not everybody may read. */
  readonly content: string | null;
}

/** What a content may name by numbers. */
export interface WordPressSite {
  /** Where the site is; null when the export does not say. */
  readonly url: string | null;
  readonly pictures: ReadonlyMap<string, Picture>;
  /** By the post that they were sent for. */
  readonly picturesOf: ReadonlyMap<string, readonly Picture[]>;
  readonly sharedBlocks: ReadonlyMap<string, SharedBlock>;
}

export interface WordPressHtml {
  readonly html: string;
  /** Names of shortcodes that stay as text. */
  readonly shortcodes: readonly string[];
  /** Names of blocks that only WordPress can show. */
  readonly lostBlocks: readonly string[];
  /** Names of shared blocks that not everybody may read, or that are too long. */
  readonly lostShared: readonly string[];
  /** Names of what may hide a part of the content from some readers there. */
  readonly gates: readonly string[];
  /** Hosts of frames that posts cannot show. */
  readonly lostFrames: readonly string[];
}

/** What is found while a content is read. */
interface Findings {
  readonly shortcodes: Set<string>;
  readonly lostBlocks: Set<string>;
  readonly lostShared: Set<string>;
  readonly gates: Set<string>;
  /** How many characters the content may still come to. */
  left: number;
}

/**
 * What WordPress makes of stored content when it shows it.
 *
 * @param content of at most MAX_POST_CHARACTERS characters
 * @param postId whose content it is
 * @param url where that is
 */
export function wordPressHtml(
  content: string,
  postId: string,
  site: WordPressSite,
  url: string | null = site.url,
): WordPressHtml {
  const left = MAX_POST_CHARACTERS - content.length;
  const found: Findings = {
    ...{ shortcodes: new Set(), lostBlocks: new Set(), lostShared: new Set(), gates: new Set() },
    left,
  };
  const hasBlocks = /<!--\s*wp:/.test(content);
  const blocks = hasBlocks ? htmlOfBlocks(withSharedBlocks(content, site, found, 1), found) : content;
  const [opened, closed] = [new Set<string>(), new Set<string>()];
  const shown = changeOutside(blocks, CODE, (text) => {
    const replaced = replaceShortcodes(text, postId, site, found);
    for (const [whole, name = ''] of replaced.matchAll(SHORTCODE)) {
      found.shortcodes.add(name);
      (whole.startsWith('[/') ? closed : opened).add(name);
    }
    // One that is escaped is shown.
    return replaced.replaceAll(ESCAPED, '$1');
  });
  // What encloses content may be what shows it to members.
  for (const name of closed) if (opened.has(name) && !OWN_SHORTCODES.has(name)) found.gates.add(name);
  const embedded = hasBlocks ? shown.replaceAll(/\n{3,}/g, '\n\n').trim() : paragraphsOf(embedLines(shown));
  const { html, lostFrames } = keptFrames(embedParagraphs(embedded));
  return {
    html: url === null ? html : withAbsoluteAddresses(html, url),
    lostFrames,
    shortcodes: [...found.shortcodes],
    lostBlocks: [...found.lostBlocks],
    lostShared: [...found.lostShared],
    gates: [...found.gates],
  };
}

/** How deep shared blocks may be nested. */
const MAX_BLOCKS_DEEP = 3;

function withSharedBlocks(content: string, site: WordPressSite, found: Findings, depth: number): string {
  return replaceSpans(content, COMMENT, ({ whole, inner }) => {
    const id = /^\s*wp:block\s/.test(inner) ? refOf(inner) : null;
    const block = id === null ? undefined : site.sharedBlocks.get(id);
    if (block === undefined) return whole;
    if (block.content === null || depth > MAX_BLOCKS_DEEP || block.content.length > found.left) {
      found.lostShared.add(block.title);
      return '';
    }
    found.left -= block.content.length;
    return withSharedBlocks(block.content, site, found, depth + 1);
  });
}

/** @param block the comment of one: `wp:block {"ref":12} /`. */
function refOf(block: string): string | null {
  const { ref } = jsonOf(block);
  return typeof ref === 'number' ? String(ref) : null;
}

function jsonOf(block: string): Readonly<Record<string, unknown>> {
  try {
    const read: unknown = JSON.parse(block.slice(block.indexOf('{'), block.lastIndexOf('}') + 1));
    return typeof read === 'object' && read !== null ? (read as Record<string, unknown>) : {};
  } catch {
    return {};
  }
}

/** Blocks around, or before, what subscribers alone may read. */
const GATES = /^(?:premium-content\/|jetpack\/paywall$)/;

function htmlOfBlocks(content: string, { lostBlocks, gates }: Findings): string {
  const html = replaceSpans(content, COMMENT, ({ whole, inner }) => {
    const [, name] = /^\s*wp:([a-z0-9-]+(?:\/[a-z0-9-]+)?)/.exec(inner) ?? [];
    if (name !== undefined) {
      if (GATES.test(name)) gates.add(name);
      else if (inner.endsWith('/')) {
        const url = /^(?:core-)?embed\b/.test(name) ? jsonOf(inner)['url'] : undefined;
        if (typeof url === 'string' && /^https?:\/\/[^\s<>"]+$/.test(url)) return embed(url);
        // One without HTML is rendered each time that it is shown.
        lostBlocks.add(name);
      }
    }
    return /^(?:\s*\/?wp:|more|nextpage|noteaser)/.test(inner) ? '' : whole;
  });
  return html.replaceAll(
    /(class="wp-block-embed(?:__wrapper|[^"<>]*)">\s*)(https?:\/\/[^\s<>"]+)(\s*<)/g,
    (_whole, before, url, after) => `${before}${embed(String(url))}${after}`,
  );
}

const SHORTCODE = /(?<!\[)\[\/?([a-z][a-z0-9_-]*)(?:[ /][^[\]\n]*)?\](?!\])/g;
const ESCAPED = /\[(\[[a-z][a-z0-9_-]*(?: [^[\]\n]*)?\])\]/g;
/** Those of WordPress' own, which show what they enclose to everybody. */
const OWN_SHORTCODES = new Set(['caption', 'wp_caption', 'gallery', 'playlist', 'embed', 'audio', 'video']);

const CAPTION = {
  begins: /(?<!\[)\[(?:wp_)?caption([^[\]]*)\]/g,
  endOf: () => /\[\/(?:wp_)?caption\]/g,
};

/** Those of WordPress' own that show what an export has. */
function replaceShortcodes(text: string, postId: string, site: WordPressSite, found: Findings): string {
  return replaceSpans(text, CAPTION, ({ whole, begin: [, attributes = ''], inner }) => {
    const [image] = /^(?:<a\s[^<>]*>\s*)?<img\s[^<>]*>\s*(?:<\/a>)?/i.exec(inner.trim()) ?? [];
    if (image === undefined) return whole;
    return figure(image.trim(), inner.trim().slice(image.length).trim() || attribute(attributes, 'caption'));
  })
    .replaceAll(/(?<!\[)\[gallery((?:\s[^[\]]*)?)\](?!\])/g, (whole, attributes) => {
      const figures = galleryOf(attribute(String(attributes), 'ids', 'include'), postId, site, found);
      return figures === '' ? whole : `\n\n${figures}\n\n`;
    })
    .replaceAll(/(?<!\[)\[embed[^[\]]*\]\s*(https?:\/\/[^\s<[]+)\s*\[\/embed\]/g, (_whole, url) => embed(String(url)))
    .replaceAll(
      /(?<!\[)\[(?:youtube|vimeo)[= ]"?((?:https?:\/\/)?[^\s"\]]{1,300})[^\]\n]{0,200}\](?!\])/g,
      (whole, given) => {
        const url = String(given)
          .replace(/^(?=\d+$)/, 'https://vimeo.com/')
          .replace(/^(?=[\w-]+$)/, 'https://youtu.be/');
        return frameFor(url) ?? whole;
      },
    )
    .replaceAll(/(?<!\[)\[(audio|video)\s([^[\]]*)\](?:\s*\[\/\1\])?/g, (whole, kind, attributes) => {
      const url = attribute(String(attributes), 'src', 'mp3', 'm4a', 'ogg', 'wav', 'flac', 'mp4', 'm4v', 'webm', 'ogv');
      if (url === '') return whole;
      return frameFor(attributeText(url)) ?? `<${kind} controls src="${attributeValue(url)}"></${kind}>`;
    });
}

/** The figures of a gallery; empty where it has none, or more than fit into the content. */
function galleryOf(ids: string, postId: string, { pictures, picturesOf }: WordPressSite, found: Findings): string {
  const shown =
    ids === '' ? (picturesOf.get(postId) ?? []) : ids.split(',').flatMap((id) => pictures.get(id.trim()) ?? []);
  let figures = '';
  for (const { url, alt, caption } of shown) {
    figures += `${figure(`<img src="${attributeValue(url)}" alt="${attributeValue(alt)}">`, caption)}\n`;
    if (figures.length > found.left) return '';
  }
  found.left -= figures.length;
  return figures.trimEnd();
}

const figure = (image: string, caption: string): string =>
  `<figure>${image}${caption === '' ? '' : `<figcaption>${caption}</figcaption>`}</figure>`;

/** The value of the first attribute that a shortcode has; empty without. */
function attribute(attributes: string, ...names: string[]): string {
  const found = new Map(
    [...attributes.matchAll(/(?<![a-z0-9_-])([a-z0-9_-]+)=(?:"([^"]*)"|'([^']*)'|([^\s"'\]]+))/g)].map(
      ([, name = '', double, single, bare]) => [name, double ?? single ?? bare ?? ''] as const,
    ),
  );
  return names.map((name) => found.get(name) ?? '').find((value) => value !== '') ?? '';
}

/** An address on a line of its own is shown as what is there. */
const embedLines = (text: string): string =>
  changeOutside(text, CODE, (part) =>
    part.replaceAll(/^[ \t]*(https?:\/\/[^\s<>"]+)[ \t]*$/gm, (_whole, url) => embed(String(url))),
  );

/** So is one in a paragraph of its own, and on a line between blocks, where it has a player. */
const embedParagraphs = (html: string): string =>
  changeOutside(html, CODE, (part) =>
    [/<p(?:\s[^<>]*)?>\s*(https?:\/\/[^\s<>"]+)\s*<\/p>/g, /^[ \t]*(https?:\/\/[^\s<>"]+)[ \t]*$/gm].reduce(
      (text, pattern) =>
        text.replaceAll(pattern, (whole, url) => frameFor(attributeText(String(url))) ?? String(whole)),
      part,
    ),
  );

/** The player of an address; without one, a link. */
function embed(url: string): string {
  const address = attributeValue(url);
  return frameFor(attributeText(url)) ?? `<a href="${address}">${address}</a>`;
}
