import { error } from '@sveltejs/kit';
import { blog, siteUrl } from '#lib/server/blog.js';

export async function load({ params }) {
  const post = (await blog.get(params.slug)) ?? error(404, 'There is no such post.');
  const jsonLd = {
    '@context': 'https://schema.org',
    '@type': 'BlogPosting',
    headline: post.title,
    description: post.meta_description,
    datePublished: post.published_at,
    dateModified: post.updated_at,
    mainEntityOfPage: `${siteUrl}/blog/${post.slug}/`,
    ...(post.featured_image_url && { image: post.featured_image_url }),
  };
  // Keeps text of a post from closing the script element.
  return { post, jsonLd: JSON.stringify(jsonLd).replaceAll('<', '\\u003c') };
}
