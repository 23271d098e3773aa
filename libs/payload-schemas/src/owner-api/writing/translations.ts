import { z } from 'zod';
import { languageTag } from '../../extras/language-tag.ts';
import { doc, fields } from '../../fields.ts';
import { MAX_TRANSLATIONS } from '../../public-api.ts';
import { blogState } from '../blogs.ts';

const language = languageTag.meta(doc('Language of the translation, as a BCP 47 tag.', 'de-AT'));

export const translationCreateRequest = z.object({ language });

export const translationSourceRequest = z.object({
  blog_id: z.uuid().meta(doc('ID of the translation’s source.', '0b9f6a8e-93f5-4f5e-9d0c-0d3b7c1f2a10')),
});

/** One of the posts with a translation key in common, and what it was made from. */
export const blogTranslation = z.object({
  blog_id: fields.blogId,
  language: z.string().nullable().meta(doc('Language of the post, as a BCP 47 tag.', 'de-AT')),
  title: fields.title,
  slug: fields.slug,
  state: blogState.describe('State of the post. Only published posts are public.'),
  revision: z.int().meta(doc('Number of its latest revision; 0 before the first publish.', 4)),
  is_linked: z
    .boolean()
    .describe(
      'Whether its published revision has this language and translation key, so that readers find it among the translations.',
    ),
  translated_from: z
    .object({
      blog_id: fields.blogId,
      revision: z.int().meta(doc('Latest revision of the source when the translation was made or confirmed.', 2)),
      revisions_behind: z.int().meta(doc('Revisions that the source has had since.', 2)),
    })
    .nullable()
    .describe('The source of the translation. Null if it isn’t known, or no longer among the translations.'),
});
export type BlogTranslation = z.infer<typeof blogTranslation>;

/** A post and its translations. */
export const blogTranslations = z.object({
  items: z
    .array(blogTranslation)
    .max(MAX_TRANSLATIONS)
    .describe('The posts with the same `translation_key`, this one included, sorted by language.'),
});
export type BlogTranslations = z.infer<typeof blogTranslations>;
