import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { QUIET, type StartedWordPress } from '../try-destinations/wordpress.ts';
import { run } from '../try-destinations/processes.ts';
import { png } from '../try-examples/png.ts';
import { SHARING, SOON, type ExpectedPost, type FilledSite } from './expected.ts';

interface MadeEntry {
  readonly id: number;
  readonly link: string;
}

interface Media extends MadeEntry {
  readonly source_url: string;
}

const DATE = '2024-01-31T09:30:00';
const PUBLISHED_AT = '2024-01-31T09:30:00.000Z';
const MAX_EXPORT_BYTES = 64 * 2 ** 20;

/** Fills a WordPress by its REST API, as its editors and plugins do. */
export async function fillWordPress({
  url,
  rest,
  user,
  applicationPassword,
  site,
}: StartedWordPress): Promise<FilledSite> {
  await mkdir(join(site, 'wp-content/mu-plugins'), { recursive: true });
  await writeFile(join(site, 'wp-content/mu-plugins/imports.php'), PLUGINS);
  await setPermalinks(site, '/%year%/%monthnum%/%postname%/');
  let credentials = `${user}:${applicationPassword}`;
  const call = async <T>(method: string, path: string, body?: object | Uint8Array<ArrayBuffer>): Promise<T> => {
    const isFile = body instanceof Uint8Array;
    const answer = await fetch(`${rest}/${path}`, {
      method,
      headers: {
        authorization: `Basic ${Buffer.from(credentials).toString('base64')}`,
        ...(isFile
          ? { 'content-type': 'image/png', 'content-disposition': `attachment; filename="${path.split('#')[1]}"` }
          : { 'content-type': 'application/json' }),
      },
      ...(body && { body: isFile ? body : JSON.stringify(body) }),
    });
    const text = await answer.text();
    if (!answer.ok) throw new Error(`WordPress answered ${answer.status} to ${path}: ${text.slice(0, 300)}`);
    return JSON.parse(text) as T;
  };
  const picture = (name: string, grey: number) => call<Media>('POST', `media#${name}`, png(grey));
  const term = async (kind: string, name: string) => (await call<MadeEntry>('POST', kind, { name })).id;
  const write = (body: object, kind = 'posts') =>
    call<MadeEntry>('POST', kind, { status: 'publish', date_gmt: DATE, ...body });

  const owner = await call<{ name: string; email: string }>('POST', 'users/me?context=edit', {
    name: 'Olive O’Owner',
  });
  // What a new WordPress has of its own.
  for (const kind of ['posts', 'pages']) {
    const found = await call<MadeEntry[]>('GET', `${kind}?status=any&context=edit`);
    for (const { id } of found) await call('DELETE', `${kind}/${id}?force=true`);
  }

  const [hero, pot, loaf, crumb] = [
    await picture('hero.png', 40),
    await picture('pot.png', 80),
    await picture('loaf.png', 120),
    await picture('crumb.png', 160),
  ];
  await call('POST', `media/${hero.id}`, { alt_text: 'Soup & "bread"' });
  const [dinner, stews] = [await term('categories', 'Dinner'), await term('categories', 'Soups & stews')];
  const [winter, research] = [await term('tags', 'winter'), await term('tags', 'R&D')];
  const tip = await write(
    { title: 'Tip', content: '<!-- wp:paragraph -->\n<p>Taste it.</p>\n<!-- /wp:paragraph -->' },
    'blocks',
  );
  const secret = await write(
    {
      title: 'A secret',
      status: 'draft',
      content: '<!-- wp:paragraph -->\n<p>Not for all.</p>\n<!-- /wp:paragraph -->',
    },
    'blocks',
  );

  const bread = await write({
    title: 'Bread & butter',
    slug: 'bread',
    categories: [dinner],
    content: classicContent({ loaf, crumb, pot }),
  });
  const soup = await write({
    title: 'Tomato soup',
    slug: 'tomato-soup',
    content: blocksContent({ url, pot, crumb, loaf, bread: bread.link, tip: tip.id, secret: secret.id }),
    excerpt: '<strong>Red</strong> &amp; warm.',
    categories: [dinner, stews],
    tags: [winter, research],
    featured_media: hero.id,
    meta: {
      ...{ _yoast_wpseo_title: 'Best tomato soup', _yoast_wpseo_metadesc: '%%excerpt%%' },
      _yoast_wpseo_focuskw: 'tomato soup',
      _yoast_wpseo_canonical: SHARING.canonical_url,
      '_yoast_wpseo_meta-robots-noindex': '1',
      '_yoast_wpseo_opengraph-title': SHARING.og_title,
      '_yoast_wpseo_opengraph-description': SHARING.og_description,
      '_yoast_wpseo_opengraph-image': pot.source_url,
      '_yoast_wpseo_twitter-title': SHARING.x_title,
      '_yoast_wpseo_twitter-description': SHARING.x_description,
      '_yoast_wpseo_twitter-image': loaf.source_url,
    },
  });
  await write({
    title: 'Croutons',
    slug: 'croutons',
    meta: { _yoast_wpseo_title: '%%title%% %%page%% %%sep%% %%sitename%%' },
    content: `On <a href="/2024/01/bread/">bread</a>, in <a href="${url}/?p=${soup.id}">soup</a>, as <a href="${url}/about/">ever</a>.\n\n<img src="/wp-content/uploads/${loaf.source_url.split('/wp-content/uploads/')[1]}" alt="A loaf">`,
  });
  const stew = await write({ title: 'Half a stew', status: 'draft', content: 'Not yet.' });
  await write({
    title: 'Next decade',
    slug: 'next-decade',
    status: 'future',
    date_gmt: '2036-01-01T08:00:00',
    content: 'Far.',
  });
  await write({ title: 'Soon', slug: 'soon', status: 'future', date_gmt: SOON.slice(0, 19), content: 'Later.' });
  await write({ title: 'For us', slug: 'for-us', status: 'private', content: 'Ours.' });
  await write({ title: 'Behind a word', slug: 'behind-a-word', password: 'sesame', content: 'Secret.' });
  await write({ title: 'To be read', slug: 'to-be-read', status: 'pending', content: 'Waits.' });
  await write({ title: '🍜 Ramen', content: 'Noodles.' });
  await write({ title: '味噌汁', content: `だし。<a href="${url}/2024/01/behind-a-word/">…</a>` });
  await write({ title: 'Crème brûlée', content: 'https://vimeo.com/76979871' });
  await write({
    title: 'Salad',
    slug: 'salad',
    content: 'Green.',
    meta: {
      ...{ custom_permalink: 'recipes/salad-of-the-day.html', rank_math_focus_keyword: 'green salad,salad' },
      ...{ rank_math_canonical_url: SHARING.canonical_url, rank_math_robots: ['noindex', 'nofollow'] },
      ...{ rank_math_facebook_title: SHARING.og_title, rank_math_facebook_description: SHARING.og_description },
      ...{ rank_math_facebook_image: pot.source_url, rank_math_twitter_image: loaf.source_url },
      ...{ rank_math_twitter_title: SHARING.x_title, rank_math_twitter_description: SHARING.x_description },
    },
  });
  const tea = await write({ title: 'Tea', slug: 'green-tea', content: 'Hot.' });
  await call('POST', `posts/${tea.id}`, { slug: 'tea' });
  await write({ title: 'Members', slug: 'members', content: '[membership]Ours.[/membership]' });
  const sitemap = await write({ title: 'Sitemap', slug: 'sitemap', content: 'Of the kitchen.' });
  const gone = await write({ title: 'Thrown away', content: 'Gone.' });
  await call('DELETE', `posts/${gone.id}`);
  await write({ title: 'About', slug: 'about', content: 'Us.' }, 'pages');
  await write({ title: 'Bread, the page', slug: 'bread', content: 'Ours.' }, 'pages');
  await write({ title: 'A card of a recipe', slug: 'card', content: 'By a plugin.' }, 'recipe');
  await call('POST', 'comments', { post: soup.id, content: 'Good.' });

  // An author's words are cleaned when they are saved, unlike an administrator's.
  const author = {
    ...{ username: 'author', email: 'author@example.com', password: applicationPassword, roles: ['author'] },
    name: 'Arthur Author',
  };
  const { id } = await call<MadeEntry>('POST', 'users', author);
  const { password } = await call<{ password: string }>('POST', `users/${id}/application-passwords`, { name: 'tests' });
  credentials = `author:${password}`;
  await write({ title: 'Salt & "pepper" <em>now</em>', slug: 'salt', content: 'Grind & stir.' });

  const published = { state: 'published', publishedAt: PUBLISHED_AT } as const;
  const draft = { state: 'draft', publishedAt: null } as const;
  const hidden = { state: 'draft', publishedAt: PUBLISHED_AT } as const;
  const video = '<iframe src="https://www.youtube.com/embed/aqz-KE-bpKQ"';
  const posts: readonly ExpectedPost[] = [
    {
      ...{ title: 'Tomato soup', slug: 'tomato-soup', ...published, categories: ['Dinner', 'Soups & stews'] },
      ...{ tags: ['R&D', 'winter'], excerpt: 'Red & warm.', metaTitle: 'Best tomato soup', images: 3 },
      ...{ metaDescription: 'Red & warm.', keyword: 'tomato soup', heroAlt: 'Soup & "bread"' },
      sharing: SHARING,
      has: [
        '<a href="[INTERNAL:bread]#crust">',
        '<figcaption class="wp-element-caption">A pot</figcaption>',
        video,
        '<p>Taste it.</p>',
        '<code>[gallery ids="1"] stays &amp; is code</code>',
        '<h2 class="wp-block-heading" id="crust">Crust</h2>',
      ],
      hasNot: ['wp:', 'latest-posts', 'Not for all.'],
    },
    {
      ...{ title: 'Bread & butter', slug: 'bread', ...published, categories: ['Dinner'], images: 4 },
      has: [
        '<p>Flour and water.</p>',
        '<p style="text-align: center">* * *</p>',
        '<p>Salt.<br />\nTime.</p>',
        '<figcaption>A <em>loaf</em>, cut</figcaption>',
        'one\n\n  two',
        '<li>Knead</li>',
        video,
        '[contact-form to="me"]',
        '[caption] is a word in brackets',
      ],
      hasNot: ['[gallery', '[/caption]', '[embed', '<p><ul>', '<p></p>', '<p><pre>'],
    },
    {
      ...{ title: 'Croutons', slug: 'croutons', ...published, images: 1, metaTitle: 'Croutons - Tests' },
      has: ['<a href="[INTERNAL:bread]">', '<a href="[INTERNAL:tomato-soup]">', `<a href="${url}/about/">`],
    },
    { title: 'Half a stew', slug: `half-a-stew-${stew.id}`, ...draft },
    { title: 'Next decade', slug: 'next-decade', state: 'draft', publishedAt: '2036-01-01T08:00:00.000Z' },
    { title: 'Soon', slug: 'soon', state: 'draft', publishedAt: SOON, isScheduled: true },
    { title: 'For us', slug: 'for-us', ...hidden },
    { title: 'Behind a word', slug: 'behind-a-word', ...hidden },
    { title: 'To be read', slug: 'to-be-read', ...draft },
    { title: '🍜 Ramen', slug: 'ramen', ...published },
    {
      ...{ title: '味噌汁', slug: 'wei-ceng-zhi', ...published },
      has: ['<a href="[INTERNAL:behind-a-word]">'],
    },
    {
      ...{ title: 'Crème brûlée', slug: 'creme-brulee', ...published },
      has: ['<iframe src="https://player.vimeo.com/video/76979871"'],
    },
    { title: 'Salad', slug: 'salad', ...published, keyword: 'green salad', sharing: SHARING },
    { title: 'Tea', slug: 'tea', ...published },
    { title: 'Members', slug: 'members', ...hidden },
    { title: 'Sitemap', slug: `sitemap-${sitemap.id}`, ...published },
    {
      title: 'Salt & "pepper" now',
      slug: 'salt',
      ...published,
      authors: [author.name],
      has: ['<p>Grind &amp; stir.</p>'],
    },
  ];
  const was = (slug: string) => `/2024/01/${slug}/`;
  const redirects = [
    ...['tomato-soup', 'bread', 'croutons', 'tea', 'salt', 'creme-brulee', 'for-us', 'behind-a-word', 'members'].map(
      (slug) => `${was(slug)} /blog/${slug}/ 301`,
    ),
    `${was('green-tea')} /blog/tea/ 301`,
    `${was('sitemap')} /blog/sitemap-${sitemap.id}/ 301`,
    `${was('%f0%9f%8d%9c-ramen')} /blog/ramen/ 301`,
    `${was(encodeURIComponent('味噌汁').toLowerCase())} /blog/wei-ceng-zhi/ 301`,
    '/recipes/salad-of-the-day.html /blog/salad/ 301',
  ];
  const said = [
    '2 pages not imported (posts only): About; Bread, the page',
    '1 item of type “recipe” not imported (posts only): A card of a recipe',
    '1 password-protected post, imported as a draft: Behind a word',
    '1 private post, imported as a draft: For us',
    `2 scheduled posts (pass --publish to schedule them here): Next decade (2036-01-01T08:00:00.000Z); Soon (${SOON})`,
    '1 post pending review, imported as a draft: To be read',
    '1 post in the trash, not imported: Thrown away',
    'posts/for-us.html: Kept as a draft: it is private in WordPress',
    'posts/behind-a-word.html: Kept as a draft: it has a password in WordPress',
    'posts/to-be-read.html: Kept as a draft: it awaits review in WordPress',
    'posts/members.html: Kept as a draft: parts of it may be for members only in WordPress',
    '`date: 2036-01-01T08:00:00.000Z` in the export is in the future',
    '3 posts were live and are drafts here',
    'Kept as a draft: its date is more than two years ahead',
    '1 post may have members-only sections, imported as a draft: Members (membership)',
    'Unpublished or oversized shared blocks not imported: A secret (Tomato soup)',
    '1 comment not imported',
    '1 post uses files that stay on the old site: Bread & butter',
    'contact-form (Bread & butter)',
    'latest-posts (Tomato soup)',
  ];
  const authors = [
    { name: owner.name, email: owner.email },
    { name: author.name, email: author.email },
  ] as const;
  return { posts, authors, redirects, said };
}

/** Tools → Export, without the browser. @param content as export_wp() takes it: all, or post. */
export async function exportWordPress(site: string, file: string, content: 'all' | 'post'): Promise<void> {
  const code = `require '${site}/wp-load.php'; require ABSPATH . 'wp-admin/includes/export.php'; export_wp(['content' => '${content}']);`;
  const { stdout } = await run('php', [...QUIET, '-r', code], { maxBuffer: MAX_EXPORT_BYTES });
  await writeFile(file, stdout);
}

/** Settings → Permalinks. @param structure empty for the plain ones, `/?p=12`. */
export async function setPermalinks(site: string, structure: string): Promise<void> {
  const code = `require '${site}/wp-load.php'; update_option('permalink_structure', '${structure}'); $GLOBALS['wp_rewrite']->init(); flush_rewrite_rules(false);`;
  await run('php', [...QUIET, '-r', code]);
}

type Pictures<Name extends string> = Readonly<Record<Name, Media>>;

/** Of the editor of blocks. */
function blocksContent(
  given: Pictures<'pot' | 'crumb' | 'loaf'> & { url: string; bread: string; tip: number; secret: number },
): string {
  const { pot, crumb, loaf, bread, tip, secret } = given;
  const image = ({ id, source_url: src }: Media, caption = '') =>
    `<!-- wp:image {"id":${id},"sizeSlug":"large"} -->
<figure class="wp-block-image size-large"><img src="${src}" alt="" class="wp-image-${id}"/>${caption && `<figcaption class="wp-element-caption">${caption}</figcaption>`}</figure>
<!-- /wp:image -->`;
  return `<!-- wp:paragraph {"dropCap":true} -->
<p class="has-drop-cap">Red. With <a href="${bread}#crust">bread</a>.</p>
<!-- /wp:paragraph -->

<!-- wp:more -->
<!--more-->
<!-- /wp:more -->

<!-- wp:heading -->
<h2 class="wp-block-heading" id="crust">Crust</h2>
<!-- /wp:heading -->

${image(pot, 'A pot')}

<!-- wp:gallery {"linkTo":"none"} -->
<figure class="wp-block-gallery has-nested-images columns-default is-cropped">${image(loaf)}

${image(crumb)}</figure>
<!-- /wp:gallery -->

<!-- wp:embed {"url":"https://www.youtube.com/watch?v=aqz-KE-bpKQ","type":"video","providerNameSlug":"youtube"} -->
<figure class="wp-block-embed is-type-video is-provider-youtube"><div class="wp-block-embed__wrapper">
https://www.youtube.com/watch?v=aqz-KE-bpKQ
</div></figure>
<!-- /wp:embed -->

<!-- wp:code -->
<pre class="wp-block-code"><code>[gallery ids="1"] stays &amp; is code</code></pre>
<!-- /wp:code -->

<!-- wp:block {"ref":${tip}} /-->

<!-- wp:block {"ref":${secret}} /-->

<!-- wp:latest-posts {"postsToShow":3} /-->`;
}

/** Of the editor of before: plain text and shortcodes. */
const classicContent = ({ loaf, crumb, pot }: Pictures<'loaf' | 'crumb' | 'pot'>) => `Flour and water.

<p style="text-align: center">* * *</p>

Salt.
Time.

[caption id="attachment_${loaf.id}" align="alignleft" width="300"]<a href="${loaf.source_url}"><img class="size-medium wp-image-${loaf.id}" src="${loaf.source_url}" alt="A loaf" width="300" height="129" /></a> A <em>loaf</em>, cut[/caption]

<ul>
 	<li>Knead</li>
 	<li>Wait</li>
</ul>
<h3 id="crust">Crust</h3>
<pre>one

  two</pre>

[gallery ids="${crumb.id},${pot.id}"]

<img class="alignnone" src="${pot.source_url}" alt="" />

[embed]https://www.youtube.com/watch?v=aqz-KE-bpKQ[/embed]

[contact-form to="me"]

[[caption]] is a word in brackets.`;

/** A type of posts and addresses of single ones, as plugins make them; which fields those have is theirs. */
const PLUGINS = `<?php
add_action('init', function () {
  register_post_type('recipe', ['public' => true, 'label' => 'Recipes', 'show_in_rest' => true]);
  $writable = ['show_in_rest' => true, 'single' => true, 'type' => 'string', 'auth_callback' => '__return_true'];
  foreach ([
    'custom_permalink', 'rank_math_focus_keyword', 'rank_math_canonical_url', 'rank_math_facebook_title',
    'rank_math_facebook_description', 'rank_math_facebook_image', 'rank_math_twitter_title',
    'rank_math_twitter_description', 'rank_math_twitter_image',
  ] as $name) register_post_meta('post', $name, $writable);
  register_post_meta('post', 'rank_math_robots', [
    'show_in_rest' => ['schema' => ['items' => ['type' => 'string']]], 'type' => 'array',
  ] + $writable);
});
add_filter('post_link', function ($link, $post) {
  $custom = get_post_meta($post->ID, 'custom_permalink', true);
  return $custom ? home_url($custom) : $link;
}, 10, 2);
`;
