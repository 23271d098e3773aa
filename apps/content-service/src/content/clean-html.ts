import { imageIdentity } from '@blog-content/link-resolver';
import sanitizeHtml from 'sanitize-html';
import { cleanStyle } from './clean-style.ts';
import { removeImages } from './images/remove-images.ts';

/** Elements of contract §2.4.1 and contract §2.4.5. */
const ELEMENTS = [
  ...['h2', 'h3', 'h4', 'p', 'br', 'hr', 'div', 'span', 'ul', 'ol', 'li', 'dl', 'dt', 'dd', 'blockquote', 'q', 'cite'],
  ...[
    'a',
    'b',
    'strong',
    'i',
    'em',
    'u',
    's',
    'del',
    'ins',
    'sub',
    'sup',
    'small',
    'mark',
    'abbr',
    'kbd',
    'samp',
    'var',
  ],
  ...['code', 'pre', 'time', 'table', 'caption', 'colgroup', 'col', 'thead', 'tbody', 'tfoot', 'tr', 'th', 'td'],
  ...['img', 'figure', 'figcaption', 'picture', 'source', 'video', 'audio', 'track', 'iframe', 'details', 'summary'],
  ...['ruby', 'rt', 'rp', 'input'],
];

const IFRAME_HOSTS = [
  'www.youtube.com',
  'www.youtube-nocookie.com',
  'player.vimeo.com',
  'open.spotify.com',
  'w.soundcloud.com',
  'codepen.io',
  'codesandbox.io',
];

/** What a frame may do: run its host's scripts and open windows; not navigate our page. */
const SANDBOX =
  'allow-scripts allow-same-origin allow-forms allow-presentation allow-popups allow-popups-to-escape-sandbox';
/** Features that a frame may be given: those of players. No camera, place, payment or clipboard. */
const FEATURES = new Set([
  'accelerometer',
  'autoplay',
  'encrypted-media',
  'fullscreen',
  'gyroscope',
  'picture-in-picture',
  'web-share',
]);

/**
 * What becomes `div`: its contents stay separate from what is around them. The text of `xmp` and `textarea` is text,
 * even if it looks like markup.
 */
const DROPPED_BLOCKS = [
  ...[
    'section',
    'article',
    'main',
    'center',
    'address',
    'header',
    'footer',
    'nav',
    'aside',
    'form',
    'fieldset',
    'legend',
  ],
  ...['dialog', 'hgroup', 'search', 'marquee', 'listing', 'body', 'html', 'optgroup', 'select'],
  ...['option', 'textarea', 'xmp'],
];

const MEDIA = ['src', 'controls', 'loop', 'muted', 'playsinline', 'preload', 'width', 'height'];

const OPTIONS = {
  allowedTags: ELEMENTS,
  allowedAttributes: {
    '*': ['class', 'style', 'id', 'title', 'lang', 'dir', 'role', 'data-*', 'aria-*'],
    a: ['href', 'target', 'rel', 'hreflang', 'download'],
    img: ['src', 'srcset', 'sizes', 'alt', 'width', 'height', 'loading', 'decoding'],
    source: ['src', 'srcset', 'sizes', 'type', 'media', 'width', 'height'],
    video: [...MEDIA, 'poster'],
    audio: MEDIA,
    track: ['src', 'kind', 'srclang', 'label', 'default'],
    iframe: [
      'src',
      'width',
      'height',
      'allow',
      'allowfullscreen',
      'loading',
      'frameborder',
      'referrerpolicy',
      'sandbox',
    ],
    ol: ['start', 'reversed', 'type'],
    li: ['value'],
    th: ['colspan', 'rowspan', 'scope', 'abbr', 'headers'],
    td: ['colspan', 'rowspan', 'headers'],
    col: ['span'],
    colgroup: ['span'],
    time: ['datetime'],
    q: ['cite'],
    blockquote: ['cite'],
    details: ['open'],
    // The boxes of task lists, which readers cannot change.
    input: ['type', 'checked', 'disabled'],
  },
  allowedSchemes: ['http', 'https', 'mailto', 'tel'],
  allowedSchemesByTag: {
    img: ['http', 'https'],
    source: ['http', 'https'],
    video: ['http', 'https'],
    audio: ['http', 'https'],
    iframe: ['https'],
  },
  allowedSchemesAppliedToAttributes: ['href', 'src', 'cite', 'poster'],
  allowProtocolRelative: false,
  allowedIframeHostnames: IFRAME_HOSTS,
  transformTags: {
    // h1 belongs to the page; a post begins at h2 (contract §2.4.1).
    h1: 'h2',
    h5: 'h4',
    h6: 'h4',
    menu: 'ul',
    dir: 'ul',
    ...Object.fromEntries(DROPPED_BLOCKS.map((name) => [name, 'div'])),
  },
  selfClosing: ['img', 'br', 'hr', 'col', 'source', 'track', 'input'],
  // Of a frame without a source nothing is left to be seen; of a form’s fields only boxes to tick are more than a form.
  exclusiveFilter: ({ tag, attribs }: sanitizeHtml.IFrame) =>
    (tag === 'iframe' && !attribs['src']) || (tag === 'input' && attribs['type'] !== 'checkbox'),
  // No browser shows the content of an iframe element as text.
  textFilter: (text: string, element: string) => (element === 'iframe' ? '' : text),
  parseStyleAttributes: false,
} satisfies sanitizeHtml.IOptions;

/** The options for one content: its images are spelt as they are the first time, because receivers search for them. */
function optionsWithSpellings(): sanitizeHtml.IOptions {
  const spellings = new Map<string, string>();
  const targets = new Set<string>();
  const clean: sanitizeHtml.Transformer = (tagName, attributes) => {
    const attribs = cleanAttributes(tagName, attributes);
    const { src, name } = attribs;
    // Older HTML names the places that links lead to so. The first of two has the name.
    if (tagName === 'a' && name && attribs['id'] === undefined && !targets.has(name)) attribs['id'] = name;
    if (attribs['id'] !== undefined) targets.add(attribs['id']);
    if (tagName === 'img' && src !== undefined) {
      const identity = imageIdentity(src);
      const spelling = spellings.get(identity);
      if (spelling === undefined) spellings.set(identity, src);
      else attribs['src'] = spelling;
    }
    return { tagName, attribs };
  };
  return { ...OPTIONS, transformTags: { ...OPTIONS.transformTags, '*': clean } };
}

/**
 * Cleans an author's HTML by an allow-list: no scripts, event handlers, `javascript:` or foreign frames; inline styles
 * that load nothing and stay in their place (contract §2.4.5). Attributes come out double-quoted, written the same
 * way each time. What is clean comes out as it is.
 *
 * @param html within the limits of {@link excessOf}.
 */
export function cleanHtml(html: string): string {
  let cleaned = sanitizeHtml(html, optionsWithSpellings());
  // Without the removed elements, others may be nested that cannot be: `<p><x-y><p>`. The parser puts them right.
  for (let time = 0; time < MAX_CLEANINGS; time += 1) {
    const again = sanitizeHtml(cleaned, optionsWithSpellings());
    if (again === cleaned) break;
    cleaned = again;
  }
  return WITHOUT_SOURCE.test(cleaned) ? removeImages(cleaned, isBroken) : cleaned;
}

/** An image that no browser can show: its address was none, or one that is not kept (`data:`). */
const isBroken = ({ src, srcset }: Readonly<Record<string, string>>): boolean => !src && !srcset;
/** Tags as the sanitizer writes them. */
const WITHOUT_SOURCE = /<img(?![^<>]* src="[^"])/;

/** More have not been seen to be needed. */
const MAX_CLEANINGS = 5;

const URL_ATTRIBUTES = ['href', 'src', 'cite', 'poster'];

/** Attributes that an allow-listed name is not enough for. */
function cleanAttributes(element: string, attributes: sanitizeHtml.Attributes): sanitizeHtml.Attributes {
  const cleaned: sanitizeHtml.Attributes = {};
  for (const [name, value] of Object.entries(attributes)) {
    if (/^[a-z\d-]+$/.test(name)) cleaned[name] = value;
  }
  const { style, srcset, allow } = cleaned;
  for (const name of URL_ATTRIBUTES) {
    const url = cleaned[name];
    if (url !== undefined) cleaned[name] = url.replace(WITHOUT_SCHEME, 'https://');
  }
  if (style !== undefined) keepUnlessEmpty(cleaned, 'style', cleanStyle(element, style));
  if (srcset !== undefined) {
    keepUnlessEmpty(cleaned, 'srcset', isSrcset(srcset) ? srcset.replace(CANDIDATES_WITHOUT_SCHEME, '$1https://') : '');
  }
  for (const side of ['width', 'height']) {
    const size = cleaned[side];
    if (size !== undefined && !isSize(size)) delete cleaned[side];
  }
  if (element === 'input') cleaned['disabled'] = '';
  if (element === 'iframe') {
    cleaned['sandbox'] = SANDBOX;
    if (allow !== undefined) keepUnlessEmpty(cleaned, 'allow', cleanFeatures(allow));
  }
  return cleaned;
}

/** Largest width and height of an image, a player or a frame, in pixels. */
const MAX_SIDE = 4_096;

/** Whether a width or a height is one that can be read, and not too large. */
function isSize(size: string): boolean {
  const [, number, percent] = /^(\d{1,4}(?:\.\d+)?)(?:px|(%))?$/.exec(size) ?? [];
  return number !== undefined && Number(number) <= (percent === undefined ? MAX_SIDE : 100);
}

const WITHOUT_SCHEME = /^[ \t\n\f\r]*\/\//;
const CANDIDATES_WITHOUT_SCHEME = /(^[ \t\n\f\r]*|,[ \t\n\f\r]+)\/\//g;

function keepUnlessEmpty(attributes: sanitizeHtml.Attributes, name: string, value: string): void {
  if (value === '') delete attributes[name];
  else attributes[name] = value;
}

/** The features that a frame may have, without whom else it says may have them. */
function cleanFeatures(allow: string): string {
  const asked = allow.split(';').map((directive) => directive.trim().split(/\s/)[0]?.toLowerCase() ?? '');
  return [...new Set(asked)].filter((feature) => FEATURES.has(feature)).join('; ');
}

/** Longest `srcset`, in characters. */
const MAX_SRCSET = 10_000;
/**
 * A URL, with a width or a density: what the sanitizer's parser accepts. Its white space is HTML’s, not that of `\s`.
 */
const CANDIDATE = /^[ \t\n\f\r]*[^ \t\n\f\r]+(?:[ \t\n\f\r]+(?:[1-9]\d*w|\d+(?:\.\d+)?x))?[ \t\n\f\r]*$/;

/** Whether a `srcset` can be read. The sanitizer writes what it cannot read to standard output, where the logs are. */
function isSrcset(srcset: string): boolean {
  return srcset.length <= MAX_SRCSET && srcset.split(',').every((candidate) => CANDIDATE.test(candidate));
}
