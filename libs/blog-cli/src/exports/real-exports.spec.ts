import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { readGhost } from '../../test/read-exports.ts';
import { readWordPress } from '../../test/read-exports.ts';
import { writeFiles } from './write-files.ts';

// Parts of what a WordPress 6.1 and a Ghost 6.65 have exported for `npm run try-imports`.
const fixture = (name: string) => readFileSync(join(import.meta.dirname, '../../test/exports', name), 'utf8');
const SITE = 'https://old.example.com';

describe('a real export of WordPress', () => {
  const { posts, authors, notes } = readWordPress(fixture('wordpress.xml'));
  const { files, redirects } = writeFiles(posts);
  const post = (slug: string) => posts.find((one) => one.slug === slug);

  it('has names and titles as text, which WordPress stores as HTML', () => {
    expect(post('tomato-soup')).toMatchObject({
      ...{ categories: ['Dinner', 'Soups & stews'], tags: ['R&D', 'winter'], excerpt: 'Red & warm.' },
      ...{ metaTitle: 'Best tomato soup', metaDescription: 'Red & warm.' },
      featuredImageUrl: `${SITE}/wp-content/uploads/2026/11/hero.png`,
    });
    expect(post('salt')?.title).toBe('Salt & "pepper" now');
  });

  it('has a post with a password as a draft, despite its status “publish”', () => {
    expect(post('behind-a-word')).toMatchObject({ isDraft: true, wasLive: true });
    expect(redirects).toContainEqual({ from: '/2024/01/behind-a-word/', to: '/blog/behind-a-word/' });
    expect(notes).toContain('1 password-protected post, imported as a draft: Behind a word.');
  });

  it('has the paragraphs of a classic post, even if one is marked up', () => {
    expect(files.get('posts/bread.html')).toContain(
      '<p>Flour and water.</p>\n<p style="text-align: center">* * *</p>\n<p>Salt.<br>\nTime.</p>\n<figure>',
    );
    expect(files.get('posts/bread.html')).toContain('<pre>one\n\n  two</pre>');
  });

  it('has the images of galleries, and blocks that posts share', () => {
    const images = files.get('posts/bread.html')?.match(/<img [^>]*uploads\/2026\/11\/\w+\.png"/g);
    expect(images).toHaveLength(4);
    expect(files.get('posts/tomato-soup.html')).toContain('<p>Taste it.</p>');
  });

  it('links from post to post by any of their URLs, and keeps fragments', () => {
    expect(files.get('posts/tomato-soup.html')).toContain('<a href="[INTERNAL:bread]#crust">');
    expect(files.get('posts/croutons.html')).toContain('<a href="[INTERNAL:bread]">');
    expect(files.get('posts/croutons.html')).toContain('<a href="[INTERNAL:tomato-soup]">');
  });

  it('redirects from earlier slugs, and gives a post without Latin letters a slug of its own', () => {
    expect(redirects).toContainEqual({ from: '/2024/01/green-tea/', to: '/blog/tea/' });
    expect(redirects).toContainEqual({ from: '/2024/01/%e5%91%b3%e5%99%8c%e6%b1%81/', to: '/blog/wei-ceng-zhi/' });
  });

  it('lists what is left out by name', () => {
    expect(notes).toEqual([
      '1 password-protected post, imported as a draft: Behind a word.',
      '1 scheduled post (pass --publish to schedule it here): Next decade (2036-01-01T08:00:00.000Z).',
      'Shortcodes kept as text: contact-form (Bread & butter).',
      'WordPress-only blocks not imported: latest-posts (Tomato soup).',
      '1 comment not imported.',
      '1 page not imported (posts only): About.',
      '1 item of type “recipe” not imported (posts only): A card of a recipe.',
    ]);
  });

  it('has the authors of its posts', () => {
    const nothing = { bio: null, avatar_url: null, links: [], same_as: [] };
    expect(authors).toEqual([
      { ...nothing, slug: 'owner', name: 'owner', email: 'owner@example.com' },
      { ...nothing, slug: 'author', name: 'author', email: 'author@example.com' },
    ]);
    expect(post('tomato-soup')?.authors).toEqual(['owner']);
    expect(post('salt')?.authors).toEqual(['author']);
  });

  it('says which featured images are missing when posts alone were exported', () => {
    const alone = fixture('wordpress.xml').replaceAll(/<item>(?:(?!<\/item>)[^])*attachment_url[^]*?<\/item>/g, '');
    expect(readWordPress(alone).notes).toContain(
      '1 post has a featured image that is not in the export (export “All content” to include it): Tomato soup.',
    );
  });
});

describe('a real export of Ghost', () => {
  const { posts, notes } = readGhost(fixture('ghost.json'), SITE);
  const { files } = writeFiles(posts);

  it('has posts for members as drafts, despite their status “published”', () => {
    const members = posts.find(({ slug }) => slug === 'for-members');
    expect(members).toMatchObject({ isDraft: true, wasLive: true, url: `${SITE}/for-members/` });
  });

  it('keeps canonical URLs and texts for sharing', () => {
    const sharing = { canonical_url: 'https://elsewhere.example.com/pea-soup/', og_title: 'Pea soup, shared' };
    expect(posts.find(({ slug }) => slug === 'pea-soup')?.sharing).toEqual(sharing);
    expect(files.get('posts/pea-soup.html')).toContain(
      `canonical_url: "${sharing.canonical_url}"\nog_title: "${sharing.og_title}"\n`,
    );
  });

  it('drops the parts of a post that only members may read', () => {
    const soup = files.get('posts/pea-soup.html') ?? '';
    expect(soup).not.toMatch(/Only for members|kg-gated-block|__GHOST_URL__/);
    for (const words of ['HTML of one’s own', 'A bookmark', 'Mind the pot.', 'The end.', '<iframe'])
      expect(soup).toContain(words);
    expect(soup).toContain('<a href="[INTERNAL:bread]#crust">');
  });

  it('lists what is left out by name', () => {
    expect(notes).toEqual([
      '1 members-only post, imported as a draft: For members.',
      '1 post has members-only sections, not imported: Pea soup & <ham>.',
      '1 scheduled post (pass --publish to schedule it here): Next decade (2036-01-01T08:00:00.000Z).',
      '1 post has code injection, not imported: Pea soup & <ham>.',
      '1 page not imported (posts only): About.',
    ]);
  });
});
