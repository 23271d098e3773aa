import { extras, lifecycleEvent } from '@blog-content/payload-schemas';
import type { BlogFields } from '../writing/draft.ts';
import { buildLifecycleEvent, type Publication } from './lifecycle.ts';

const now = new Date('2026-11-21T09:00:00.000Z');
const change = {
  blogId: '0b6f3b6e-6f4e-4f0e-9b1a-0d6f3c1c2a10',
  projectId: '1c6f3b6e-6f4e-4f0e-9b1a-0d6f3c1c2a11',
  eventNumber: 4,
  trigger: 'autopilot',
} as const;
const about = { blog_id: change.blogId, project_id: change.projectId, blog_event_number: 4, trigger: 'autopilot' };

const written: BlogFields = {
  title: 'A title',
  slug: 'a-title',
  content: '<p>With the hero.</p>',
  contentMarkdown: 'With the hero.',
  excerpt: 'An excerpt',
  metaTitle: 'A meta title',
  metaDescription: 'A meta description',
  featuredImageUrl: 'https://img.example/hero.png',
  generatedImages: ['https://img.example/generated.png'],
  categories: ['Category'],
  tags: ['tag'],
  keyword: 'keyword',
  extra: {},
};
const publication: Publication = {
  publishId: '2d6f3b6e-6f4e-4f0e-9b1a-0d6f3c1c2a12',
  revision: 3,
  publicDate: new Date('2026-11-01T08:00:00.000Z'),
  siteUrl: 'https://site.example',
  written,
  links: {
    content: '<p>The published form. <a href="[INTERNAL:other]">Other</a></p>',
    targets: [{ slug: 'other', title: 'Other' }],
    bindings: [{ slug: 'other', blog_id: '3e6f3b6e-6f4e-4f0e-9b1a-0d6f3c1c2a13' }],
  },
  images: [],
  aliases: ['an-old-title'],
};
const published = (changes: Partial<BlogFields> = {}) => {
  const details = { kind: 'published', publication: { ...publication, written: { ...written, ...changes } } } as const;
  const event = buildLifecycleEvent(change, details, now);
  if (event.event !== 'blog.published') throw new Error(`Built ${event.event}.`);
  return event;
};

const image = (url: string) => ({
  url,
  ext: 'jpg' as const,
  width: 1200,
  height: 630,
  isAnimated: false,
  alt: 'A cup',
});

describe('the event of a change that readers see', () => {
  it('knows the hero and the sharing images that the library has, and no others', () => {
    const images = ['hero.png', 'og.jpg', 'inline.jpg'].map((name) => image(`https://img.example/${name}`));
    const extra = { og_image_url: 'https://img.example/og.jpg', x_image_url: 'https://elsewhere.example/x.jpg' };
    const details = {
      kind: 'published',
      publication: { ...publication, written: { ...written, extra }, images },
    } as const;
    const event = buildLifecycleEvent(change, details, now);
    const known = { type: 'image/jpeg', width: 1200, height: 630, alt: 'A cup' };
    expect(event).toMatchObject({
      revision: {
        library_images: [
          { url: 'https://img.example/hero.png', ...known },
          { url: 'https://img.example/og.jpg', ...known },
        ],
      },
    });
  });

  it('carries the whole revision of a publish', () => {
    expect(published()).toEqual({
      event: 'blog.published',
      ...about,
      publish_id: publication.publishId,
      published_at: '2026-11-21T09:00:00.000Z',
      publication_began_at: '2026-11-01T08:00:00.000Z',
      site_url: 'https://site.example',
      revision: {
        number: 3,
        title: 'A title',
        slug: 'a-title',
        content: publication.links.content,
        excerpt: 'An excerpt',
        meta_title: 'A meta title',
        meta_description: 'A meta description',
        featured_image_url: 'https://img.example/hero.png',
        categories: ['Category'],
        tags: ['tag'],
        keyword: 'keyword',
        ...extras.of(null),
      },
      published_link_targets: [{ slug: 'other', title: 'Other' }],
      link_bindings: [{ slug: 'other', blog_id: '3e6f3b6e-6f4e-4f0e-9b1a-0d6f3c1c2a13' }],
      aliases: ['an-old-title'],
    });
  });

  it('fits the schema of the topic, whatever the change', () => {
    const events = [
      published(),
      buildLifecycleEvent(change, { kind: 'unpublished', title: 'T' }, now),
      buildLifecycleEvent(change, { kind: 'deleted', title: 'T' }, now),
    ];
    for (const event of events) expect(lifecycleEvent.parse(event)).toEqual(event);
  });

  it('makes the excerpt from the published form when the author gave none', () => {
    expect(published({ excerpt: null }).revision.excerpt).toBe('The published form. Other');
  });

  it('makes the excerpt from the published form when nothing but a placeholder stands in the author’s', () => {
    expect(published({ excerpt: ' [INTERNAL:other] ' }).revision.excerpt).toBe('The published form. Other');
  });

  it('takes the first generated image for the hero when none is dedicated', () => {
    expect(published({ featuredImageUrl: null }).revision.featured_image_url).toBe('https://img.example/generated.png');
  });

  it('leaves no link placeholder in plain text, and says null where nothing else was said', () => {
    const marked = 'Read [INTERNAL:other]';
    const { revision } = published({ title: marked, excerpt: marked, metaTitle: '[INTERNAL:other]', tags: [marked] });
    const { content: _, ...texts } = revision;
    expect(JSON.stringify(texts)).not.toContain('INTERNAL');
    expect(revision.meta_title).toBeNull();
  });

  it('says null for what is empty or blank, so that readers get the title and the excerpt', () => {
    for (const text of ['', ' \n ']) {
      const { revision } = published({ metaTitle: text, metaDescription: text, keyword: text });
      expect(revision).toMatchObject({ meta_title: null, meta_description: null, keyword: null });
    }
  });

  it('tells of an unpublish and of a delete by the title that readers saw, without placeholders', () => {
    const title = 'Read on [INTERNAL:other]';
    expect(buildLifecycleEvent(change, { kind: 'unpublished', title }, now)).toEqual({
      event: 'blog.unpublished',
      ...about,
      title: 'Read on',
      unpublished_at: '2026-11-21T09:00:00.000Z',
    });
    expect(buildLifecycleEvent(change, { kind: 'deleted', title }, now)).toEqual({
      event: 'blog.deleted',
      ...about,
      title: 'Read on',
      deleted_at: '2026-11-21T09:00:00.000Z',
    });
  });
});
