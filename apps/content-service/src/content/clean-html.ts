import sanitizeHtml from 'sanitize-html';

/** Elements of spec §2.4.1 and decisions "Content". */
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

const MEDIA = ['src', 'controls', 'loop', 'muted', 'playsinline', 'preload', 'width', 'height'];

const OPTIONS: sanitizeHtml.IOptions = {
  allowedTags: ELEMENTS,
  allowedAttributes: {
    '*': ['class', 'style', 'id', 'title', 'lang', 'dir', 'role', 'data-*', 'aria-*'],
    a: ['href', 'target', 'rel', 'hreflang', 'download'],
    img: ['src', 'srcset', 'sizes', 'alt', 'width', 'height', 'loading', 'decoding'],
    source: ['src', 'srcset', 'sizes', 'type', 'media', 'width', 'height'],
    video: [...MEDIA, 'poster'],
    audio: MEDIA,
    track: ['src', 'kind', 'srclang', 'label', 'default'],
    iframe: ['src', 'width', 'height', 'allow', 'allowfullscreen', 'loading', 'frameborder', 'referrerpolicy'],
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
  },
  allowedSchemes: ['http', 'https', 'mailto', 'tel'],
  allowedSchemesByTag: {
    img: ['http', 'https'],
    source: ['http', 'https'],
    video: ['http', 'https'],
    audio: ['http', 'https'],
  },
  allowedSchemesAppliedToAttributes: ['href', 'src', 'cite', 'poster'],
  allowProtocolRelative: false,
  allowedIframeHostnames: IFRAME_HOSTS,
  // h1 belongs to the page; a post begins at h2 (spec §2.4.1).
  transformTags: {
    h1: 'h2',
    h5: 'h4',
    h6: 'h4',
    '*': (tagName, attributes) => {
      const { style, srcset, ...rest } = attributes;
      if (style === undefined && srcset === undefined) return { tagName, attribs: attributes };
      const kept = style === undefined ? '' : cleanStyle(style);
      return {
        tagName,
        attribs: {
          ...rest,
          ...(srcset !== undefined && isSrcset(srcset) && { srcset }),
          ...(kept !== '' && { style: kept }),
        },
      };
    },
  },
  parseStyleAttributes: false,
  nestingLimit: 200,
};

/**
 * Cleans an author's HTML by an allow-list: no scripts, event handlers, `javascript:` or foreign frames; inline styles that
 * load nothing and stay in their place (decisions "Content"). Attributes come out double-quoted, written the same way each time.
 */
export function cleanHtml(html: string): string {
  return sanitizeHtml(html, OPTIONS);
}

/** Longest `srcset`, in characters. */
const MAX_SRCSET = 10_000;
/** A URL, with a width or a density: what the sanitizer's parser accepts. Its white space is HTML’s, not that of `\s`. */
const CANDIDATE = /^[ \t\n\f\r]*[^ \t\n\f\r]+(?:[ \t\n\f\r]+(?:[1-9]\d*w|\d+(?:\.\d+)?x))?[ \t\n\f\r]*$/;

/** Whether a `srcset` can be read. The sanitizer writes what it cannot read to standard output, where the logs are. */
function isSrcset(srcset: string): boolean {
  return srcset.length <= MAX_SRCSET && srcset.split(',').every((candidate) => CANDIDATE.test(candidate));
}

/** Functions that load something, or whose value is not to be seen here; custom ones and custom properties. */
const FUNCTIONS =
  /(?:^|[^a-z])(?:url|src|image|image-set|cross-fade|element|expression|attr|env|var|if|paint)\s*\(|--/i;

/** Keeps the declarations that can neither load anything nor leave their place nor hide what they say in escapes. */
function cleanStyle(style: string): string {
  if (/[\\@{}<>]|\/\*/.test(style)) return '';
  return style
    .split(';')
    .map((declaration) => declaration.trim())
    .filter((declaration) => /^-?[a-z][a-z-]*\s*:[^:]*$/i.test(declaration))
    .filter((declaration) => !FUNCTIONS.test(declaration))
    .filter((declaration) => !/^(?:behavior|-moz-binding)/i.test(declaration))
    .filter(
      (declaration) =>
        !/^position\s*:/i.test(declaration) ||
        /^position\s*:\s*(?:static|relative)\s*(?:!\s*important)?$/i.test(declaration),
    )
    .join('; ');
}
