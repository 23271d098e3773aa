import { attributeText, attributeValue } from './html/plain-text.ts';

interface Provider {
  readonly title: string;
  readonly hosts: RegExp;
  /** The address of its player; null for what is none of its videos. */
  readonly player: (url: URL) => string | null;
}

const match = (text: string, pattern: RegExp): string | null => pattern.exec(text)?.[1] ?? null;

/** Of the hosts whose frames the service keeps. */
const PROVIDERS: readonly Provider[] = [
  {
    title: 'YouTube video',
    hosts: /^(?:(?:www|m|music)\.)?youtube(?:-nocookie)?\.com$|^youtu\.be$/,
    player(url) {
      const { hostname, pathname, searchParams } = url;
      const path = hostname === 'youtu.be' ? `/v${pathname}` : pathname;
      const id = searchParams.get('v') ?? match(path, /^\/(?:v|embed|shorts|live|e)\/([\w-]+)/);
      const list = searchParams.get('list');
      const seconds = secondsOf(searchParams.get('start') ?? searchParams.get('t') ?? '');
      const query = new URLSearchParams({
        ...(list !== null && /^[\w-]+$/.test(list) && { list }),
        ...(seconds > 0 && { start: String(seconds) }),
      });
      const isVideo = id !== null && id !== 'videoseries' && /^[\w-]{6,20}$/.test(id);
      if (!isVideo && !query.has('list')) return null;
      const base = `https://www.youtube.com/embed/${isVideo ? id : 'videoseries'}`;
      return query.size > 0 ? `${base}?${query.toString()}` : base;
    },
  },
  {
    title: 'Vimeo video',
    hosts: /^(?:(?:www|player)\.)?vimeo\.com$/,
    player({ pathname, searchParams }) {
      const [, id, key] = /\/(\d{4,12})(?:\/([0-9a-f]{6,20}))?\/?$/.exec(pathname) ?? [];
      if (id === undefined) return null;
      const secret = key ?? match(searchParams.get('h') ?? '', /^([0-9a-f]{6,20})$/);
      return `https://player.vimeo.com/video/${id}${secret === null ? '' : `?h=${secret}`}`;
    },
  },
  {
    title: 'Spotify player',
    hosts: /^open\.spotify\.com$/,
    player({ pathname }) {
      const path = match(pathname, /^\/(?:intl-\w+\/)?(?:embed\/)?((?:track|album|playlist|episode|show|artist)\/\w+)/);
      return path === null ? null : `https://open.spotify.com/embed/${path}`;
    },
  },
  {
    title: 'SoundCloud player',
    hosts: /^(?:www\.)?soundcloud\.com$/,
    player: ({ href, pathname }) =>
      /^\/[\w-]+\/[\w-]+/.test(pathname) ? `https://w.soundcloud.com/player/?url=${encodeURIComponent(href)}` : null,
  },
  {
    title: 'CodePen',
    hosts: /^codepen\.io$/,
    player({ pathname }) {
      const [, user, id] = /^\/([\w-]+)\/(?:pen|embed|full|details)\/(\w+)/.exec(pathname) ?? [];
      return user === undefined || id === undefined ? null : `https://codepen.io/${user}/embed/${id}`;
    },
  },
];

/** `90`, `90s` or `1m30s`. */
function secondsOf(time: string): number {
  const [, hours = 0, minutes = 0, seconds = 0] = /^(?:(\d{1,3})h)?(?:(\d{1,4})m)?(?:(\d{1,6})s?)?$/.exec(time) ?? [];
  return Number(hours) * 3_600 + Number(minutes) * 60 + Number(seconds);
}

/** The player of a video or a sound as a frame; null for what is none of a host whose frames are kept. */
export function frameFor(address: string): string | null {
  const url = URL.canParse(address) ? new URL(address) : null;
  const provider = PROVIDERS.find(({ hosts }) => url !== null && hosts.test(url.hostname));
  const player = url === null ? null : (provider?.player(url) ?? null);
  if (provider === undefined || player === null) return null;
  const src = attributeValue(player);
  const size = 'width="560" height="315"';
  return `<iframe src="${src}" title="${provider.title}" ${size} allow="fullscreen" loading="lazy"></iframe>`;
}

/** Hosts of frames that the service keeps. */
const KEPT_HOSTS = new Set([
  ...['www.youtube.com', 'www.youtube-nocookie.com', 'player.vimeo.com', 'open.spotify.com', 'w.soundcloud.com'],
  ...['codepen.io', 'codesandbox.io'],
]);

const NO_HOST = 'https://no.host';

/** Frames over https, where they have players, and the hosts of those that the service does not keep. */
export function keptFrames(html: string): { readonly html: string; readonly lostFrames: readonly string[] } {
  const lost = new Set<string>();
  const changed = html.replaceAll(/<iframe\s[^<>]*>/gi, (tag) =>
    tag.replace(/(\ssrc\s*=\s*)(?:"([^"]*)"|'([^']*)')/i, (whole, before, double, single) => {
      const given = attributeText(String(double ?? single)).trim();
      if (!URL.canParse(given, NO_HOST)) return whole;
      const url = new URL(given, NO_HOST);
      if (!/^https?:$/.test(url.protocol)) return whole;
      if (KEPT_HOSTS.has(url.hostname)) {
        url.protocol = 'https:';
        return `${before}"${attributeValue(url.href)}"`;
      }
      const player = PROVIDERS.find(({ hosts }) => hosts.test(url.hostname))?.player(url) ?? null;
      if (player !== null) return `${before}"${attributeValue(player)}"`;
      lost.add(url.origin === NO_HOST ? 'the site itself' : url.hostname);
      return whole;
    }),
  );
  return { html: changed, lostFrames: [...lost] };
}
