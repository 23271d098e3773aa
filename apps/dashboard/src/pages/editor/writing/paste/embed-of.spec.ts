import { embedOf } from './embed-of.ts';

describe('embedOf', () => {
  it.each([
    ['https://www.youtube.com/watch?v=dQw4w9WgXcQ', 'https://www.youtube-nocookie.com/embed/dQw4w9WgXcQ'],
    ['https://youtu.be/dQw4w9WgXcQ?t=42', 'https://www.youtube-nocookie.com/embed/dQw4w9WgXcQ?start=42'],
    ['https://m.youtube.com/shorts/dQw4w9WgXcQ', 'https://www.youtube-nocookie.com/embed/dQw4w9WgXcQ'],
    ['https://vimeo.com/76979871', 'https://player.vimeo.com/video/76979871'],
    ['https://open.spotify.com/track/abc123', 'https://open.spotify.com/embed/track/abc123'],
    [
      'https://soundcloud.com/someone/a-song',
      'https://w.soundcloud.com/player/?url=https%3A%2F%2Fsoundcloud.com%2Fsomeone%2Fa-song',
    ],
    ['https://codepen.io/someone/pen/abc', 'https://codepen.io/someone/embed/abc'],
    ['https://codesandbox.io/s/abc-def', 'https://codesandbox.io/embed/abc-def'],
  ])('embeds %s', (page, src) => {
    expect(embedOf(page)?.src).toBe(src);
  });

  it.each([
    'https://example.com/watch?v=dQw4w9WgXcQ',
    'https://www.youtube.com/',
    'https://www.youtube.com/watch?v=%22onload=',
    'https://www.youtube.com.evil.example/watch?v=dQw4w9WgXcQ',
    'See https://youtu.be/dQw4w9WgXcQ',
    'javascript:alert(1)',
    '',
  ])('embeds nothing of %j', (text) => {
    expect(embedOf(text)).toBeNull();
  });
});
