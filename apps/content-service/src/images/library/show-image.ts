import { IMAGE_TYPES } from '@blog-content/image-storage';
import type { image as imageSchema, imageUse } from '@blog-content/payload-schemas';
import type { z } from 'zod';
import { imageUrl } from '../image-urls.ts';
import type { Image, ImageUse } from './image-store.ts';

/** An image as its owner sees it. @param baseUrl what precedes `/` and its key. */
export function showImage(image: Image, baseUrl: string): z.infer<typeof imageSchema> {
  const { id, ext, width, height, bytes, alt, name, source, variantsMissing, variantsFailed, variantsWanted } = image;
  return {
    id,
    url: imageUrl(baseUrl, image),
    type: IMAGE_TYPES[ext],
    width,
    height,
    bytes,
    animated: image.isAnimated,
    alt,
    name,
    source: source as z.infer<typeof imageSchema>['source'],
    created_at: image.createdAt.toISOString(),
    unused_since: image.unusedSince?.toISOString() ?? null,
    variants: {
      wanted: variantsWanted,
      made: variantsWanted - variantsMissing.length - variantsFailed.length,
      failed: variantsFailed.length,
    },
  };
}

export function showImageUse(use: ImageUse): z.infer<typeof imageUse> {
  const { blogId, title, slug, workingCopy, published, revisions } = use;
  return { blog_id: blogId, title, slug, working_copy: workingCopy, published, revisions };
}
