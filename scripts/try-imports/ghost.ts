import { writeFile } from 'node:fs/promises';
import type { StartedGhost } from '../try-destinations/ghost.ts';
import { png } from '../try-examples/png.ts';
import { SHARING, SOON, type ExpectedPost, type FilledSite } from './expected.ts';

interface MadeEntry {
  readonly id: string;
  readonly url: string;
}

const PUBLISHED_AT = '2024-03-01T08:00:00.000Z';

/** Fills a Ghost by its Admin API, with the cards that its editor writes. */
export async function fillGhost(ghost: StartedGhost): Promise<FilledSite> {
  const call = caller(ghost);
  const write = async (body: object, kind: 'posts' | 'pages' = 'posts') => {
    const given = { status: 'published', published_at: PUBLISHED_AT, ...body };
    const made = await call<Record<typeof kind, [MadeEntry]>>('POST', `${kind}/`, { [kind]: [given] });
    return made[kind][0];
  };
  const picture = async (name: string, grey: number) => {
    const form = new FormData();
    form.set('file', new Blob([png(grey)], { type: 'image/png' }), name);
    form.set('purpose', 'image');
    return (await call<{ images: [MadeEntry] }>('POST', 'images/upload/', form)).images[0].url;
  };
  // What a new Ghost has of its own.
  for (const kind of ['posts', 'pages'] as const) {
    const { [kind]: found } = await call<Record<typeof kind, MadeEntry[]>>('GET', `${kind}/?limit=all`);
    for (const { id } of found) await call('DELETE', `${kind}/${id}/`);
  }

  const [hero, pot, loaf, crumb] = [
    await picture('hero.png', 50),
    await picture('pot.png', 90),
    await picture('loaf.png', 130),
    await picture('crumb.png', 170),
  ];
  await write({ title: 'Bread', slug: 'bread', lexical: lexical([paragraph([text('Flour.')])]), tags: ['Baking'] });
  await write({
    title: 'Pea soup & <ham>',
    slug: 'pea-soup',
    lexical: lexical(cards({ url: ghost.url, pot, loaf, crumb })),
    feature_image: hero,
    feature_image_alt: 'A bowl',
    custom_excerpt: 'Split & green.',
    tags: ['Dinner', 'R&D', '#theme-dark'],
    meta_title: 'Best pea soup',
    meta_description: 'An hour.',
    canonical_url: SHARING.canonical_url,
    ...{ og_title: SHARING.og_title, og_description: SHARING.og_description, og_image: pot },
    ...{ twitter_title: SHARING.x_title, twitter_description: SHARING.x_description, twitter_image: loaf },
    codeinjection_head: '<meta name="robots" content="noindex, follow">',
    codeinjection_foot: '<script>1</script>',
  });
  const plain = (words: string) => lexical([paragraph([text(words)])]);
  await write({
    title: 'Half a stew',
    slug: 'half-a-stew',
    status: 'draft',
    published_at: null,
    lexical: plain('Not yet.'),
  });
  const later = { status: 'scheduled', published_at: '2036-01-01T08:00:00.000Z' };
  await write({ title: 'Next decade', slug: 'next-decade', ...later, lexical: plain('Later.') });
  await write({ title: 'Soon', slug: 'soon', status: 'scheduled', published_at: SOON, lexical: plain('Later.') });
  await write({ title: 'For members', slug: 'for-members', visibility: 'members', lexical: plain('Ours.') });
  await write({ title: 'For payers', slug: 'for-payers', visibility: 'paid', lexical: plain('Yours.') });
  await write({ title: '🍜 味噌汁', slug: 'miso', lexical: plain('だし。') });
  await write({ title: 'Old words', slug: 'old-words', mobiledoc: MOBILEDOC });
  await write({ title: 'About', slug: 'about', lexical: plain('Us.') }, 'pages');
  await write({ title: 'Bread, the page', slug: 'bread', lexical: plain('Ours.') }, 'pages');

  const published = { state: 'published', publishedAt: PUBLISHED_AT } as const;
  const draft = { state: 'draft', publishedAt: null } as const;
  const posts: readonly ExpectedPost[] = [
    {
      ...{ title: 'Pea soup & <ham>', slug: 'pea-soup', ...published, tags: ['Dinner', 'R&D'], heroAlt: 'A bowl' },
      ...{ excerpt: 'Split & green.', metaTitle: 'Best pea soup', metaDescription: 'An hour.', images: 4 },
      sharing: SHARING,
      has: [
        '<a href="[INTERNAL:bread]#crust">bread</a>',
        '<a href="[INTERNAL:for-payers]">More</a>',
        '<figcaption><span style="white-space: pre-wrap">A pot</span></figcaption>',
        '<pre><code class="language-js">const soup = "[gallery]" &amp;&amp; 1;</code></pre>',
        '<div class="own">HTML of one’s own</div>',
        'https://www.youtube.com/embed/aqz-KE-bpKQ',
        'A bookmark',
        'Mind the pot.',
        'Unfold',
        'Fold out.',
      ],
      hasNot: ['kg-card-begin', '__GHOST_URL__', 'members-only', 'Only for members.', 'Only in mail.'],
    },
    { title: 'Bread', slug: 'bread', ...published, tags: ['Baking'], has: ['<p>Flour.</p>'] },
    { title: 'Half a stew', slug: 'half-a-stew', ...draft },
    { title: 'Next decade', slug: 'next-decade', state: 'draft', publishedAt: '2036-01-01T08:00:00.000Z' },
    { title: 'Soon', slug: 'soon', state: 'draft', publishedAt: SOON, isScheduled: true },
    { title: 'For members', slug: 'for-members', state: 'draft', publishedAt: PUBLISHED_AT },
    { title: 'For payers', slug: 'for-payers', state: 'draft', publishedAt: PUBLISHED_AT },
    { title: '🍜 味噌汁', slug: 'miso', ...published },
    { title: 'Old words', slug: 'old-words', ...published, has: ['<p>From before.</p>'] },
  ];
  const redirects = ['pea-soup', 'bread', 'miso', 'old-words', 'for-members', 'for-payers'].map(
    (slug) => `/${slug}/ /blog/${slug}/ 301`,
  );
  const said = [
    '2 pages not imported (posts only): About; Bread, the page',
    '2 members-only posts, imported as drafts: For members; For payers',
    `2 scheduled posts (pass --publish to schedule them here): Next decade (2036-01-01T08:00:00.000Z); Soon (${SOON})`,
    '1 post has code injection, not imported: Pea soup & <ham>',
    '1 post has members-only sections, not imported: Pea soup & <ham>',
    'posts/half-a-stew.html: Kept as a draft: it is a draft in Ghost',
    'posts/for-members.html: Kept as a draft: it is for members only in Ghost',
  ];
  return { posts, authors: [{ name: 'Owner', email: 'owner@example.com' }], redirects, said };
}

/** Settings → Import/Export → Export, without the browser. */
export async function exportGhost(ghost: StartedGhost, file: string): Promise<void> {
  await writeFile(file, JSON.stringify(await caller(ghost)('GET', 'db/')));
}

/** Calls the Admin API as the owner's browser does: an integration's key may not export. */
function caller({ url, admin, cookie }: StartedGhost) {
  return async <T>(method: string, path: string, body?: object): Promise<T> => {
    const isForm = body instanceof FormData;
    const answer = await fetch(`${admin}/${path}`, {
      method,
      headers: {
        origin: url,
        cookie,
        'accept-version': 'v6.0',
        ...(!isForm && { 'content-type': 'application/json' }),
      },
      ...(body && { body: isForm ? body : JSON.stringify(body) }),
    });
    const answered = await answer.text();
    if (!answer.ok) throw new Error(`Ghost answered ${answer.status} to ${path}: ${answered.slice(0, 400)}`);
    return (answered === '' ? null : JSON.parse(answered)) as T;
  };
}

const lexical = (children: readonly object[]) =>
  JSON.stringify({ root: { type: 'root', version: 1, format: '', indent: 0, direction: 'ltr', children } });
const block = { version: 1, format: '', indent: 0, direction: 'ltr' };
const paragraph = (children: readonly object[]) => ({ ...block, type: 'paragraph', children });
const text = (words: string) => ({
  ...{ type: 'extended-text', version: 1, text: words, format: 0, style: '', mode: 'normal', detail: 0 },
});
const link = (url: string, words: string) => ({
  ...{ ...block, type: 'link', url, children: [text(words)], rel: null, target: null, title: null },
});
const membersOnly = {
  web: { nonMember: false, memberSegment: 'status:free,status:-free' },
  email: { memberSegment: 'status:free,status:-free' },
};

/** One card of each kind whose HTML is of a shape of its own. */
function cards(given: { readonly url: string; readonly pot: string; readonly loaf: string; readonly crumb: string }) {
  const { url, pot, loaf, crumb } = given;
  const picture = (src: string, row: number) => ({ src, fileName: 'x.png', row, width: 700, height: 300 });
  const youtube = 'https://www.youtube.com/embed/aqz-KE-bpKQ';
  return [
    paragraph([text('Green. With '), link(`${url}/bread/#crust`, 'bread'), text('.')]),
    paragraph([link(`${url}/for-payers/`, 'More'), text(' for payers.')]),
    {
      ...{
        type: 'image',
        version: 1,
        src: pot,
        width: 700,
        height: 300,
        title: '',
        alt: 'A pot',
        cardWidth: 'regular',
      },
      ...{ caption: '<span style="white-space: pre-wrap;">A pot</span>', href: '' },
    },
    { type: 'codeblock', version: 1, code: 'const soup = "[gallery]" && 1;', language: 'js', caption: '' },
    { type: 'html', version: 1, html: '<div class="own">HTML of one’s own</div>' },
    { type: 'html', version: 1, html: '<p>Only for members.</p>', visibility: membersOnly },
    { type: 'gallery', version: 1, images: [picture(loaf, 0), picture(crumb, 0)], caption: '' },
    {
      ...{ type: 'bookmark', version: 1, url: 'https://example.com/', caption: '' },
      metadata: {
        ...{ title: 'A bookmark', description: 'Somewhere', author: 'Them', publisher: 'There' },
        ...{ icon: '', thumbnail: pot },
      },
    },
    {
      ...{ type: 'embed', version: 1, url: 'https://www.youtube.com/watch?v=aqz-KE-bpKQ', embedType: 'video' },
      html: `<iframe width="200" height="113" src="${youtube}" frameborder="0" allowfullscreen></iframe>`,
      ...{ metadata: { title: 'A film' }, caption: '' },
    },
    {
      ...{ type: 'callout', version: 1, calloutText: '<p dir="ltr"><span>Mind the pot.</span></p>' },
      ...{ calloutEmoji: '🔥', backgroundColor: 'blue' },
    },
    { type: 'toggle', version: 1, heading: '<span>Unfold</span>', content: '<p>Fold out.</p>' },
    { type: 'email', version: 1, html: '<p>Only in mail.</p>' },
    { type: 'paywall', version: 1 },
    paragraph([text('The end.')]),
  ];
}

/** What Ghost kept posts in before 2023. */
const MOBILEDOC = JSON.stringify({
  ...{ version: '0.3.1', atoms: [], cards: [], markups: [] },
  sections: [[1, 'p', [[0, [], 0, 'From before.']]]],
});
