import type { BlogUpdateRequest } from '../../generated/types.gen.ts';

/** Labels of the fields that posts have beyond those of the contract (docs/recipes/add-a-blog-field.md). */
export const extraFields = {
  data: 'Data',
  authors: 'Authors',
  canonical_url: 'Canonical URL',
  noindex: 'Hide from search engines',
  og_title: 'Title when shared',
  og_description: 'Description when shared',
  og_image_url: 'Image when shared',
  x_title: 'Title on X',
  x_description: 'Description on X',
  x_image_url: 'Image on X',
  language: 'Language',
  translation_key: 'Translation key',
} as const satisfies { readonly [Name in keyof BlogUpdateRequest]?: string };

export type ExtraField = keyof typeof extraFields;
export const extraNames = Object.keys(extraFields) as ExtraField[];

/** What is said below a field. */
export const extraHints: { readonly [Name in ExtraField]?: string } = {
  canonical_url: 'Where this post appeared first, if not here. Search engines show that page instead.',
  noindex: 'Leaves the post out of sitemap.xml and llms.txt. Your site must also send “noindex” for it.',
};

export const sharing = {
  title: 'Sharing and indexing',
  preview: 'Preview when shared',
  addImage: { og_image_url: 'Add image for sharing', x_image_url: 'Add image for X' },
  checks: {
    none: 'Ready for search results and shared links.',
    hidden: 'Hidden: search engines are asked not to show this post.',
    elsewhere: (host: string) => `The canonical URL asks search engines to show a page on ${host} instead.`,
    longTitle: (length: number) => `Search results cut off the title: ${length} of 70 characters.`,
    noDescription: 'No description: search engines pick text from the page.',
    longDescription: (length: number) => `Search results cut off the description: ${length} of 160 characters.`,
    smallImage: (width: number, height: number) =>
      `The image is ${width} × ${height} pixels. Large previews need 1200 × 630.`,
    noImage: 'No image: shared links show text only.',
    insecureImage: 'The image’s URL starts with http://, so some chats won’t show it.',
  },
} as const;
