import type { webflowFields } from '@blog-content/payload-schemas';
import { z } from 'zod';
import type { DestinationPost } from '../destination.ts';

/** Which field of a collection gets what. */
export type FieldMapping = z.infer<typeof webflowFields>;

/** A collection as its provider describes it. */
export const collectionSchema = z.object({
  slug: z.string(),
  fields: z.array(z.object({ slug: z.string(), type: z.string(), isRequired: z.boolean() })),
});
export type Collection = z.infer<typeof collectionSchema>;

type Part = keyof FieldMapping;

const TEXT = ['PlainText'] as const;
/** What types of fields each part of a post may go into. */
const TYPES: Readonly<Record<Part, readonly string[]>> = {
  content: ['RichText', 'PlainText'],
  excerpt: TEXT,
  meta_title: TEXT,
  meta_description: TEXT,
  keyword: TEXT,
  featured_image: ['Image', 'Link', 'PlainText'],
  categories: TEXT,
  tags: TEXT,
  published_at: ['DateTime'],
  authors: TEXT,
  language: TEXT,
  canonical_url: ['Link', 'PlainText'],
};

/** Every item has these two: they get title and slug. */
const ALWAYS_WRITTEN = ['name', 'slug'];

/** What is wrong with a mapping, in a sentence for people; null when nothing is. */
export function checkMapping(mapping: FieldMapping, { fields }: Collection): string | null {
  const bySlug = new Map(fields.map((field) => [field.slug, field]));
  const problems = partsOf(mapping).flatMap(([part, slug]) => {
    const type = bySlug.get(slug)?.type;
    if (type === undefined) return [`no field ${slug} for ${part}`];
    return TYPES[part].includes(type) ? [] : [`field ${slug} for ${part} is ${type}, not ${TYPES[part].join(' or ')}`];
  });
  const written = new Set([...ALWAYS_WRITTEN, ...partsOf(mapping).map(([, slug]) => slug)]);
  const missing = fields.filter(({ slug, isRequired }) => isRequired && !written.has(slug));
  problems.push(...missing.map(({ slug }) => `field ${slug} is required but has no value`));
  return problems.length === 0 ? null : `The collection does not match: ${problems.join('; ')}.`;
}

/** The fields of an item, but for its slug. @throws when the mapping does not fit the collection. */
export function fieldDataOf(post: DestinationPost, mapping: FieldMapping, { fields }: Collection) {
  const types = new Map(fields.map(({ slug, type }) => [slug, type]));
  const hero = post.featuredImageUrl;
  const values: Readonly<Record<Part, unknown>> = {
    content: post.content,
    excerpt: post.excerpt,
    meta_title: post.metaTitle ?? '',
    meta_description: post.metaDescription ?? '',
    keyword: post.keyword ?? '',
    featured_image: hero,
    categories: post.categories.join(', '),
    tags: post.tags.join(', '),
    published_at: post.publishedAt,
    authors: post.authors.map(({ name }) => name).join(', '),
    language: post.extras.language ?? '',
    canonical_url: post.canonicalUrl,
  };
  const mapped: Record<string, unknown> = {};
  for (const [part, slug] of partsOf(mapping)) {
    const isImage = types.get(slug) === 'Image' && hero !== null;
    mapped[slug] = isImage ? { url: hero, alt: post.title } : values[part];
  }
  // Last, so that no choice of the owner overrides the title.
  return { ...dataOf(post, types), ...mapped, name: post.title };
}

/** What of a post's data the collection has fields for, of the same types. What the post lacks is left alone there. */
function dataOf({ extras: { data } }: DestinationPost, types: ReadonlyMap<string, string>): Record<string, unknown> {
  const named = Object.entries(data).map(([name, value]) => [name.replaceAll('_', '-'), value] as const);
  return Object.fromEntries(
    named.filter(([slug, value]) => !ALWAYS_WRITTEN.includes(slug) && FITS[types.get(slug) ?? '']?.(value)),
  );
}

const isUrl = (value: unknown) => typeof value === 'string' && /^https?:\/\//.test(value) && URL.canParse(value);
/** The types of fields that data may go into. A value of another type fails the whole item there. */
const FITS: Readonly<Record<string, (value: unknown) => boolean>> = {
  PlainText: (value) => typeof value === 'string',
  Number: (value) => typeof value === 'number',
  Switch: (value) => typeof value === 'boolean',
  Link: isUrl,
  DateTime: (value) => typeof value === 'string' && /^\d{4}-\d{2}-\d{2}$/.test(value),
};

const partsOf = (mapping: FieldMapping) =>
  Object.entries(mapping).filter((entry): entry is [Part, string] => entry[1] !== undefined);
