import type { Metadata } from 'next';
import { notFound, permanentRedirect } from 'next/navigation';
import { allPosts, blog, movedTo, SITE_URL } from '../../blog';

interface Props {
  readonly params: Promise<{ slug: string }>;
}

async function postOf({ params }: Props) {
  const { slug } = await params;
  const post = await blog.get(slug);
  if (post !== null) return post;
  const present = await movedTo(slug);
  return present === undefined ? notFound() : permanentRedirect(`/blog/${present}/`);
}

export async function generateStaticParams() {
  const posts = await allPosts();
  const redirects = await blog.redirects();
  return [...posts.map(({ slug }) => ({ slug })), ...redirects.map(({ from }) => ({ slug: from }))];
}

export async function generateMetadata(props: Props): Promise<Metadata> {
  const { slug, meta_title, meta_description } = await postOf(props);
  return { title: meta_title, description: meta_description, alternates: { canonical: `/blog/${slug}/` } };
}

export default async function PostPage(props: Props) {
  const post = await postOf(props);
  const jsonLd = {
    '@context': 'https://schema.org',
    '@type': 'BlogPosting',
    headline: post.title,
    description: post.meta_description,
    datePublished: post.published_at,
    dateModified: post.updated_at,
    mainEntityOfPage: `${SITE_URL}/blog/${post.slug}/`,
    ...(post.featured_image_url && { image: post.featured_image_url }),
  };
  // Keeps text of a post from closing the script element.
  const script = JSON.stringify(jsonLd).replaceAll('<', '\\u003c');
  return (
    <article>
      <script type="application/ld+json" dangerouslySetInnerHTML={{ __html: script }} />
      <h1>{post.title}</h1>
      <time dateTime={post.published_at}>{post.published_at.slice(0, 10)}</time>
      {post.featured_image_url && <img src={post.featured_image_url} alt="" />}
      {/* The service has cleaned it. */}
      <div dangerouslySetInnerHTML={{ __html: post.content }} />
    </article>
  );
}
