import { z } from 'zod';
import { ownerBlog } from './blogs.ts';
import { givenHttpUrl, httpUrl, MAX_LONG_TEXT, MAX_SHORT_TEXT, timestamp } from '../primitives.ts';

/** Longest search text of a list, in characters. */
const MAX_IMAGE_SEARCH = 200;

const written = {
  alt: z
    .string()
    .max(MAX_LONG_TEXT)
    .describe('What the image shows, for people who cannot see it. Used by posts that set no alt text of their own.'),
  name: z.string().max(MAX_SHORT_TEXT).describe('Display name. Searchable in lists.'),
};

/** What comes with the bytes of an image. */
export const imageUploadQuery = z.object(written).partial();
/** An image in a form, as browsers send files. */
export const imageForm = z.object({
  file: z.string().describe('The image file.').meta({ format: 'binary' }),
  ...imageUploadQuery.shape,
});
/** An image to be fetched from where it is. */
export const imageFetchRequest = z.object({ url: givenHttpUrl, ...imageUploadQuery.shape });
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

/** An image of a project's library: the original as it was made anew, and smaller variants of it. */
export const image = z.object({
  id: z.uuid(),
  url: httpUrl.describe('URL to use as `<img src>` or as hero image.'),
  type: z.enum(['image/jpeg', 'image/png', 'image/webp', 'image/avif', 'image/gif']),
  width: z.int(),
  height: z.int(),
  bytes: z.int(),
  animated: z.boolean(),
  alt: z.string(),
  name: z.string(),
  source: imageSource,
  created_at: timestamp,
  unused_since: timestamp.nullable(),
  variants: z.object({ wanted: z.int(), made: z.int(), failed: z.int() }),
});

const used = z.object({ used: z.int(), allowed: z.int() });

/** How much of its quota the library of a project takes. */
export const imageUsage = z.object({ images: used, bytes: used });

/** A post that has an image. */
export const imageUse = z.object({
  blog_id: z.uuid(),
  title: z.string(),
  slug: z.string(),
  working_copy: z.boolean().describe('Whether the working copy uses the image.'),
  published: z.boolean().describe('Whether the published post uses the image.'),
  revisions: z.int().describe('Number of revisions that use the image.'),
});

/** What became of an image of another host. */
export const hostedImage = z.object({
  url: z.string().describe('Previous URL.'),
  hosted_url: httpUrl.nullable().describe('New URL; null if unchanged.'),
  reason: z.string().nullable().describe('Why it was not changed.'),
});

export const hostedImages = z.object({ blog: ownerBlog, images: z.array(hostedImage) });
