import { existsSync } from 'node:fs';
import { DEMO_IMAGES, demoPosts, type DemoImages } from './posts.ts';

const images = Object.fromEntries(Object.keys(DEMO_IMAGES).map((name) => [name, `served:${name}`])) as DemoImages;
const posts = demoPosts(images);

describe('the posts of the demo', () => {
  it('show pictures of the project’s own library only, all of which are there', () => {
    const shown = posts.flatMap(({ content, featured_image_url: hero }) => [
      ...[...content.matchAll(/<img src="([^"]*)" alt="[^"]+"/g)].map(([, src]) => src),
      ...(hero === undefined ? [] : [hero]),
    ]);
    expect(new Set(shown)).toEqual(new Set(Object.values(images)));
    for (const name of Object.keys(DEMO_IMAGES)) {
      expect([name, existsSync(new URL(`images/${name}.webp`, import.meta.url))]).toEqual([name, true]);
    }
    expect(JSON.stringify(posts)).not.toContain('example.com');
  });

  it('turn placeholders into links, and keep the bare text when the target is not published', () => {
    for (const { content } of posts)
      expect(content.replace(/<a href="\[INTERNAL:[^"]*">[^<]+<\/a>/g, '')).not.toContain('[');
  });
});
