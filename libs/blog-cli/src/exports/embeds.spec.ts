import { frameFor, keptFrames } from './embeds.ts';

const srcOf = (html: string | null) => /src="([^"]*)"/.exec(html ?? '')?.[1] ?? null;

describe('the player for a URL', () => {
  it.each([
    ['https://www.youtube.com/watch?v=dQw4w9WgXcQ', 'https://www.youtube.com/embed/dQw4w9WgXcQ'],
    ['http://youtube.com/watch?feature=x&v=dQw4w9WgXcQ&t=1m30s', 'https://www.youtube.com/embed/dQw4w9WgXcQ?start=90'],
    ['https://youtu.be/dQw4w9WgXcQ?si=x&t=43', 'https://www.youtube.com/embed/dQw4w9WgXcQ?start=43'],
    ['https://m.youtube.com/shorts/dQw4w9WgXcQ', 'https://www.youtube.com/embed/dQw4w9WgXcQ'],
    ['https://www.youtube.com/live/dQw4w9WgXcQ?feature=share', 'https://www.youtube.com/embed/dQw4w9WgXcQ'],
    ['https://www.youtube.com/playlist?list=PLx-1', 'https://www.youtube.com/embed/videoseries?list=PLx-1'],
    ['https://vimeo.com/76979871', 'https://player.vimeo.com/video/76979871'],
    ['https://vimeo.com/channels/staffpicks/76979871', 'https://player.vimeo.com/video/76979871'],
    ['https://vimeo.com/76979871/abcdef1234', 'https://player.vimeo.com/video/76979871?h=abcdef1234'],
    ['https://open.spotify.com/intl-de/track/4uLU6hMC', 'https://open.spotify.com/embed/track/4uLU6hMC'],
    ['https://soundcloud.com/a/b', 'https://w.soundcloud.com/player/?url=https%3A%2F%2Fsoundcloud.com%2Fa%2Fb'],
    ['https://codepen.io/ann/pen/AbC', 'https://codepen.io/ann/embed/AbC'],
    ['https://www.youtube.com/@channel', null],
    ['https://www.youtube.com/watch?v="><script>', null],
    ['https://youtube.com.evil.example/watch?v=dQw4w9WgXcQ', null],
    ['https://vimeo.com/about', null],
    ['https://example.com/a', null],
    ['not an address', null],
  ])('%s → %s', (address, src) => {
    expect(srcOf(frameFor(address))).toBe(src);
  });
});

describe('frames of a post', () => {
  it('are kept over https for the hosts that the service allows, and become players', () => {
    const given = [
      'http://www.youtube.com/embed/dQw4w9WgXcQ',
      '//player.vimeo.com/video/76979871?a=1&amp;b=2',
      'https://youtube.com/embed/dQw4w9WgXcQ',
    ].map((src) => `<iframe width="9" src='${src}'></iframe>`);
    expect(keptFrames(given.join(''))).toEqual({
      html: [
        'https://www.youtube.com/embed/dQw4w9WgXcQ',
        'https://player.vimeo.com/video/76979871?a=1&amp;b=2',
        'https://www.youtube.com/embed/dQw4w9WgXcQ',
      ]
        .map((src) => `<iframe width="9" src="${src}"></iframe>`)
        .join(''),
      lostFrames: [],
    });
  });

  it('are named when they are dropped', () => {
    const html = '<iframe src="https://maps.google.com/maps?q=x"></iframe><iframe src="/local"></iframe>';
    expect(keptFrames(html)).toEqual({ html, lostFrames: ['maps.google.com', 'the site itself'] });
  });
});
