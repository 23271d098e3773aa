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
      if (attributes['style'] === undefined) return { tagName, attribs: attributes };
      const { style, ...rest } = attributes;
      const kept = cleanStyle(style);
      return { tagName, attribs: kept === '' ? rest : { ...rest, style: kept } };
    },
  },
  parseStyleAttributes: false,
  nestingLimit: 200,
};

/**
 * Cleans an author's HTML by an allow-list: no scripts, event handlers, `javascript:` or foreign frames; inline styles that
 * load nothing and cover nothing (decisions "Content"). Attributes come out double-quoted, written the same way each time.
 */
export function cleanHtml(html: string): string {
  return sanitizeHtml(html, OPTIONS);
}

/** Keeps the declarations that can neither load anything nor leave their place nor hide what they say in escapes. */
function cleanStyle(style: string): string {
  if (/[\\@{}<>]|\/\*/.test(style)) return '';
  return style
    .split(';')
    .map((declaration) => declaration.trim())
    .filter((declaration) => /^[a-z-]+\s*:[^:]*$/i.test(declaration))
    .filter((declaration) => !/\b(url|image|image-set|element|expression|attr|env)\s*\(/i.test(declaration))
    .filter((declaration) => !/^(position\s*:\s*(fixed|sticky)|behavior|-moz-binding)/i.test(declaration))
    .join('; ');
}
