/** A player that posts may show in a frame. */
export interface Embed {
  readonly src: string;
  readonly title: string;
  readonly height: number;
}

const WIDE = 315;

/** Each pattern is of a page's whole URL, without its query; the first group is what the player needs. */
const PLAYERS: readonly { readonly page: RegExp; readonly make: (id: string, url: URL) => Embed }[] = [
  { page: /^(?:www\.|m\.)?youtube\.com\/watch\/?$/, make: (_, url) => youtube(url.searchParams.get('v') ?? '', url) },
  { page: /^(?:www\.|m\.)?youtube\.com\/(?:shorts|live|embed)\/([\w-]+)\/?$/, make: youtube },
  { page: /^youtu\.be\/([\w-]+)\/?$/, make: youtube },
  {
    page: /^(?:www\.|player\.)?vimeo\.com\/(?:video\/)?(\d+)\/?$/,
    make: (id) => ({ src: `https://player.vimeo.com/video/${id}`, title: 'Vimeo video', height: WIDE }),
  },
  {
    page: /^open\.spotify\.com\/(?:embed\/)?((?:track|album|playlist|episode|show)\/\w+)\/?$/,
    make: (id) => ({ src: `https://open.spotify.com/embed/${id}`, title: 'Spotify player', height: 152 }),
  },
  {
    page: /^(?:www\.)?soundcloud\.com\/([\w-]+\/[\w-]+)\/?$/,
    make: (id) => ({
      src: `https://w.soundcloud.com/player/?url=${encodeURIComponent(`https://soundcloud.com/${id}`)}`,
      title: 'SoundCloud player',
      height: 166,
    }),
  },
  {
    page: /^codepen\.io\/([\w-]+\/(?:pen|embed)\/\w+)\/?$/,
    make: (id) => ({
      src: `https://codepen.io/${id.replace('/pen/', '/embed/')}`,
      title: 'CodePen example',
      height: 400,
    }),
  },
  {
    page: /^codesandbox\.io\/(?:s|embed)\/([\w-]+)\/?$/,
    make: (id) => ({ src: `https://codesandbox.io/embed/${id}`, title: 'CodeSandbox example', height: 400 }),
  },
];

/** The player of what a URL shows, where posts may have it (docs/contract.md, "Content"); null for all others. */
export function embedOf(address: string): Embed | null {
  const url = urlOf(address);
  if (url === null) return null;
  const page = `${url.hostname}${url.pathname}`;
  for (const player of PLAYERS) {
    const [whole, id = ''] = player.page.exec(page) ?? [];
    if (whole === undefined) continue;
    const embed = player.make(id, url);
    return embed.src === '' ? null : embed;
  }
  return null;
}

/** The URL that a text is, if it is nothing else. */
export function urlOf(text: string): URL | null {
  const trimmed = text.trim();
  return /^https?:\/\/\S+$/i.test(trimmed) && URL.canParse(trimmed) ? new URL(trimmed) : null;
}

/** The frame's HTML, as posts have it. */
export function frameOf({ src, title, height }: Embed): string {
  const frame = document.createElement('iframe');
  const attributes = { src, title, width: '560', height: String(height), allowfullscreen: '', loading: 'lazy' };
  for (const [name, value] of Object.entries(attributes)) frame.setAttribute(name, value);
  return frame.outerHTML;
}

function youtube(id: string, url: URL): Embed {
  const start = /^(\d+)s?$/.exec(url.searchParams.get('t') ?? url.searchParams.get('start') ?? '')?.[1];
  const query = start === undefined ? '' : `?start=${start}`;
  const src = /^[\w-]{5,20}$/.test(id) ? `https://www.youtube-nocookie.com/embed/${id}${query}` : '';
  return { src, title: 'YouTube video', height: WIDE };
}
