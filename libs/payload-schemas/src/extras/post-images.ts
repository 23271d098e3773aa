import { z } from 'zod';
import { doc } from '../fields.ts';
import { httpUrl } from '../primitives.ts';
import { extras } from './extra-fields.ts';

export const imageType = z.enum(['image/jpeg', 'image/png', 'image/webp', 'image/avif', 'image/gif']);

/** What a project's library knows of an image that a post is shown with. */
const libraryImage = z.object({
  url: httpUrl,
  type: imageType,
  width: z.int(),
  height: z.int(),
  alt: z.string(),
});
export type LibraryImage = z.infer<typeof libraryImage>;
export const libraryImages = z.array(libraryImage);

const postImage = z
  .object({
    url: z.string().meta(doc('URL of the image.', 'https://cdn.example.com/share.jpg')),
    width: z.int().nullable().meta(doc('Width in pixels.', 1200)),
    height: z.int().nullable().meta(doc('Height in pixels.', 630)),
    type: imageType.nullable().meta(doc('Media type.', 'image/jpeg')),
    alt: z.string().nullable().meta(doc('Alternative text.', 'A cup of tea')),
  })
  .nullable();
export type PostImage = z.infer<typeof postImage>;

const known = 'Only images of the project’s library have a size, type and alternative text; otherwise these are null.';
const onRequest = 'Only if `fields` names it.';

/** The images of a post with their sizes, for those who ask. */
export const postImages = {
  featured_image: postImage.optional().describe(`The hero image. ${known} ${onRequest}`),
  og_image: postImage.optional().describe(`The image when shared: \`og_image_url\` or the hero image. ${onRequest}`),
  x_image: postImage.optional().describe(`The image on X: \`x_image_url\` or \`og_image\`. ${onRequest}`),
};

/** Which of a library's images a post is shown with. */
export function libraryImagesOf<Image extends { readonly url: string }>(
  post: { readonly featured_image_url: string | null },
  library: readonly Image[],
): Image[] {
  const shown = [post.featured_image_url, ...extras.imagesOf(post)];
  return library.filter(({ url }) => shown.includes(url));
}

/** The values of {@link postImages}. @param extra the extra fields as they are stored, with `library_images` */
export function postImagesOf(hero: string | null, extra: object): Record<keyof typeof postImages, PostImage> {
  const { library_images: library = [] } = extra as { readonly library_images?: readonly LibraryImage[] };
  const { og_image_url: og, x_image_url: x } = extras.of(extra);
  const of = (url: string | null): PostImage => {
    if (url === null) return null;
    const { width = null, height = null, type = null, alt = null } = library.find((one) => one.url === url) ?? {};
    return { url, width, height, type, alt };
  };
  return { featured_image: of(hero), og_image: of(og ?? hero), x_image: of(x ?? og ?? hero) };
}
