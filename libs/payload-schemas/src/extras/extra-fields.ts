import { z } from 'zod';
import { doc } from '../fields.ts';
import { givenHttpUrl, MAX_LONG_TEXT, MAX_SHORT_TEXT, slug } from '../primitives.ts';
import { declareExtras } from './declare-extras.ts';
import { languageTag } from './language-tag.ts';

/** Most authors of one post. */
export const MAX_POST_AUTHORS = 20;

const short = z.string().trim().max(MAX_SHORT_TEXT).nullable();
const long = z.string().trim().max(MAX_LONG_TEXT).nullable();
const url = z.union([z.literal(''), givenHttpUrl]).nullable();
const onRequest = { to: ['public', 'webhooks'], onRequest: true } as const;

/** The fields of posts beyond those of the contract, each declared once (docs/recipes/add-a-blog-field.md). */
export const extras = declareExtras({
  data: {
    schema: z
      .record(z.string(), z.json())
      .meta(
        doc(
          'Values of the project’s data fields, by name. A reference to a post is `{ id, slug }`, or null while that post is not published.',
          {},
        ),
      ),
    default: {},
    ...onRequest,
  },
  authors: {
    schema: z
      .array(slug.min(1))
      .max(MAX_POST_AUTHORS)
      .meta(doc('Slugs of the authors, in order. Earlier slugs of an author work too.', ['ada-lovelace'])),
    default: [],
    ...onRequest,
  },
  canonical_url: {
    schema: url.meta(
      doc(
        'Where the post appeared first. Search engines show that page instead of this one. Null: this page.',
        'https://tea.example.com/original',
      ),
    ),
    default: null,
    frontMatter: ['canonical', 'canonicalurl', 'canonicallink', 'seo.canonical', 'seo.canonicalurl'],
    ...onRequest,
  },
  noindex: {
    schema: z
      .boolean()
      .meta(doc('Whether search engines should leave the post out. `sitemap.xml` and `llms.txt` do.', true)),
    default: false,
    frontMatter: ['seo.noindex', 'meta.noindex'],
    ...onRequest,
  },
  og_title: {
    schema: short.meta(doc('Title when the post is shared. Null: `meta_title`.', 'How hot is too hot?')),
    default: null,
    frontMatter: ['seo.ogtitle', 'og.title', 'opengraph.title'],
    ...onRequest,
  },
  og_description: {
    schema: long.meta(doc('Description when the post is shared. Null: `meta_description`.', 'What water does to tea.')),
    default: null,
    frontMatter: ['seo.ogdescription', 'og.description', 'opengraph.description'],
    ...onRequest,
  },
  og_image_url: {
    schema: url.meta(
      doc('Image when the post is shared. Null: `featured_image_url`.', 'https://cdn.example.com/share.jpg'),
    ),
    default: null,
    isImage: true,
    frontMatter: ['ogimage', 'seo.ogimage', 'og.image', 'opengraph.image'],
    ...onRequest,
  },
  x_title: {
    schema: short.meta(doc('Title on X. Null: `og_title`.', 'Too hot for tea')),
    default: null,
    frontMatter: ['twittertitle', 'seo.twittertitle', 'twitter.title'],
    ...onRequest,
  },
  x_description: {
    schema: long.meta(doc('Description on X. Null: `og_description`.', 'Seventy degrees, not a hundred.')),
    default: null,
    frontMatter: ['twitterdescription', 'seo.twitterdescription', 'twitter.description'],
    ...onRequest,
  },
  x_image_url: {
    schema: url.meta(doc('Image on X. Null: `og_image_url`.', 'https://cdn.example.com/x.jpg')),
    default: null,
    isImage: true,
    frontMatter: ['twitterimage', 'seo.twitterimage', 'twitter.image'],
    ...onRequest,
  },
  language: {
    schema: z
      .union([z.literal(''), languageTag])
      .nullable()
      .meta(doc('Language of the post, as a BCP 47 tag. Null: not known.', 'de-AT')),
    default: null,
    frontMatter: ['lang', 'locale'],
    ...onRequest,
  },
  translation_key: {
    schema: short.meta(
      doc(
        'Any text that a post shares with its translations. At most one post per language can have it. Null: none.',
        'green-tea',
      ),
    ),
    default: null,
    ...onRequest,
  },
});

/** Their values. */
export type Extras = ReturnType<typeof extras.of>;
