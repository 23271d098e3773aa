import { categorySlug, type PostPage } from './blog';

export function PostList({ page }: { page: PostPage }) {
  return (
    <>
      <h1>{page.title}</h1>
      {page.posts.map((post) => (
        <article key={post.id}>
          <h2>
            <a href={`/blog/${post.slug}/`}>{post.title}</a>
          </h2>
          <p>{post.excerpt}</p>
          <p>
            {post.categories.map((name) => (
              <a key={name} href={`/categories/${categorySlug(name)}/`}>
                {name}
              </a>
            ))}
          </p>
        </article>
      ))}
      <nav>
        {page.newer && (
          <a rel="prev" href={page.newer}>
            Newer
          </a>
        )}
        {page.older && (
          <a rel="next" href={page.older}>
            Older
          </a>
        )}
      </nav>
    </>
  );
}
