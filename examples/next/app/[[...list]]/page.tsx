import type { Metadata } from 'next';
import { notFound } from 'next/navigation';
import { allPosts, categorySlug, paginate, type PostPage } from '../blog';
import { PostList } from '../post-list';

interface Props {
  readonly params: Promise<{ list?: string[] }>;
}

/** All pages of all lists: `/`, `/2/`, `/categories/soups-stews/`, … */
async function lists(): Promise<PostPage[]> {
  const posts = await allPosts();
  const names = new Map(posts.flatMap(({ categories }) => categories).map((name) => [categorySlug(name), name]));
  const ofCategories = [...names].flatMap(([slug, name]) =>
    paginate(
      name,
      `/categories/${slug}/`,
      posts.filter(({ categories }) => categories.some((other) => categorySlug(other) === slug)),
    ),
  );
  return [...paginate('Blog', '/', posts), ...ofCategories];
}

async function pageOf({ params }: Props): Promise<PostPage> {
  const { list = [] } = await params;
  const path = `/${list.map((part) => `${decodeURIComponent(part)}/`).join('')}`;
  return (await lists()).find((page) => page.path === path) ?? notFound();
}

export async function generateStaticParams() {
  return (await lists()).map(({ path }) => ({ list: path.split('/').filter(Boolean) }));
}

export async function generateMetadata(props: Props): Promise<Metadata> {
  const { title, path } = await pageOf(props);
  return { title, alternates: { canonical: path } };
}

export default async function List(props: Props) {
  return <PostList page={await pageOf(props)} />;
}
