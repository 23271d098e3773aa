import { z } from 'zod';
import { doc, fields } from '../fields.ts';
import { imageType } from '../extras/post-images.ts';
import { ownerBlog } from './blogs.ts';
import { givenHttpUrl, httpUrl, MAX_LONG_TEXT, MAX_SHORT_TEXT, timestamp } from '../primitives.ts';

/** Longest search text of a list, in characters. */
const MAX_IMAGE_SEARCH = 200;

const written = {
  alt: z
    .string()
    .max(MAX_LONG_TEXT)
    .meta(
      doc(
        'What the image shows, for people who cannot see it. Used by posts that set no alt text of their own.',
        'A cup of tea',
      ),
    ),
  name: z.string().max(MAX_SHORT_TEXT).meta(doc('Display name. Searchable in lists.', 'Tea')),
};

/** What comes with the bytes of an image. */
export const imageUploadQuery = z.object(written).partial();
/** An image in a form, as browsers send files. */
export const imageForm = z.object({
  file: z.string().meta(doc('The image file.', 'The image file.')).meta({ format: 'binary' }),
  ...imageUploadQuery.shape,
});
/** An image to be fetched from where it is. */
export const imageFetchRequest = z.object({
  url: givenHttpUrl.meta(doc('URL of the image.', 'https://cdn.example.com/green-tea.jpg')),
  ...imageUploadQuery.shape,
});
export const imageUpdateRequest = z.object(written).partial();

/** What narrows a list of images. */
export const imageListQuery = z.object({
  q: z.string().max(MAX_IMAGE_SEARCH).optional().describe('Search name and alt text.'),
  unused: z.enum(['true', 'false']).optional().describe('Filter by whether the image is unused.'),
});

export const imageDeleteQuery = z.object({
  force: z.enum(['true', 'false']).default('false').describe('Delete it even if a published post uses it.'),
});

export const imageSource = z.enum(['upload', 'url', 'generated', 'imported']);

/** An image of a project's library: the original as it was re-encoded, and smaller variants of it. */
export const image = z.object({
  id: fields.id,
  url: httpUrl.meta(
    doc(
      'URL to use as `<img src>` or as hero image.',
      'https://blog.example.com/images/2f2b7f0e-9f5c-4d2b-8a37-9d8d5f3f6a11/9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08.jpg',
    ),
  ),
  type: imageType.describe('Stored format.'),
  width: z.int().meta(doc('Width in pixels.', 1600)),
  height: z.int().meta(doc('Height in pixels (of one frame).', 1200)),
  bytes: z.int().meta(doc('Size of the stored original in bytes.', 284100)),
  animated: z.boolean().meta(doc('Whether it is animated. Animated images have no variants.', false)),
  alt: z.string().meta(doc('Alternative text.', 'A cup of tea')),
  name: z.string().meta(doc('Display name.', 'green-tea.jpg')),
  source: imageSource.meta(doc('Where it was uploaded from.', 'upload')),
  created_at: fields.createdAt,
  unused_since: timestamp.nullable().meta(doc('When it was last found unused; null while in use.', null)),
  variants: z
    .object({
      wanted: z.int().meta(doc('Number of variants in total.', 8)),
      made: z.int().meta(doc('Number of variants ready.', 8)),
      failed: z.int().meta(doc('Number of files that failed.', 0)),
    })
    .describe('Progress of the smaller variants. Posts can use them before they are ready.'),
});

const used = z.object({
  used: z.int().meta(doc('Current usage.', 120)),
  allowed: z.int().meta(doc('The limits.', 20000)),
});

/** How much of its quota the library of a project takes. */
export const imageUsage = z.object({
  images: used.describe('Number of images.'),
  bytes: used.describe('Total size of the originals in bytes.'),
});

/** A post that has an image. */
export const imageUse = z.object({
  blog_id: fields.blogId,
  title: z.string().meta(doc('Title of the working copy.', 'Green tea')),
  slug: fields.slug,
  working_copy: z.boolean().describe('Whether the working copy uses the image.'),
  published: z.boolean().describe('Whether the published post uses the image.'),
  revisions: z.int().meta(doc('Number of revisions that use the image.', 2)),
});

/** The result for an image of another host. */
export const hostedImage = z.object({
  url: z.string().meta(doc('Previous URL.', 'https://cdn.example.com/green-tea.jpg')),
  hosted_url: httpUrl
    .nullable()
    .meta(
      doc(
        'New URL; null if unchanged.',
        'https://blog.example.com/images/2f2b7f0e-9f5c-4d2b-8a37-9d8d5f3f6a11/9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08.jpg',
      ),
    ),
  reason: z.string().nullable().meta(doc('Why it was not changed.', null)),
});

export const hostedImages = z.object({
  blog: ownerBlog.describe('The updated post.'),
  images: z.array(hostedImage).describe('Each external image, in post order.'),
});
