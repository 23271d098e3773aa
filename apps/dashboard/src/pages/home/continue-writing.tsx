import { Paper, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { listBlogsOptions } from '../../generated/@tanstack/react-query.gen.ts';
import { Thumbnail } from '../../parts/images/thumbnail.tsx';
import { Loading } from '../../parts/loading.tsx';
import { PageLink } from '../../parts/page-link.tsx';
import { PostState } from '../../parts/posts/post-state.tsx';
import { QueryProblem } from '../../parts/problem.tsx';
import { useProject } from '../../parts/project.tsx';
import { When } from '../../parts/when.tsx';
import { home } from '../../strings/home.ts';
import styles from './home.module.css';

const text = home.drafts;
const SHOWN = 5;

/** What was written last and is not published as it is: drafts, and posts with changes. */
export function ContinueWriting() {
  const path = { projectId: useProject().id };
  const newest = { sort: 'updated_at', limit: SHOWN } as const;
  const drafts = useQuery(listBlogsOptions({ path, query: { ...newest, state: 'draft', scheduled: 'false' } }));
  const changed = useQuery(listBlogsOptions({ path, query: { ...newest, changed: 'true' } }));
  const posts = [...(drafts.data?.items ?? []), ...(changed.data?.items ?? [])]
    .sort((one, other) => other.updated_at.localeCompare(one.updated_at))
    .slice(0, SHOWN);
  return (
    <section aria-label={text.title} className={styles['section']}>
      <div className={styles['sectionHead']}>
        <Title order={2} size="h4">
          {text.title}
        </Title>
        <PageLink size="sm" to="/projects/$projectId/posts" params={path} search={{ show: 'draft' }}>
          {text.all}
        </PageLink>
      </div>
      <QueryProblem query={drafts.error === null ? changed : drafts} />
      {drafts.isPending && <Loading rows={3} />}
      {drafts.data && changed.data && posts.length === 0 && (
        <Paper withBorder className={styles['calm']}>
          <Text size="sm" c="dimmed">
            {text.none}
          </Text>
        </Paper>
      )}
      {posts.length > 0 && (
        <Paper withBorder component="ul" className={styles['rows']}>
          {posts.map((post) => (
            <li key={post.id}>
              <Link
                className={styles['row']}
                to="/projects/$projectId/posts/$blogId"
                params={{ ...path, blogId: post.id }}
              >
                <Thumbnail url={post.hero_image_url} />
                <span className={styles['said']}>
                  <span className={styles['title']}>{post.title}</span>
                  <span className={styles['reason']}>
                    {text.edited} <When iso={post.updated_at} />
                  </span>
                </span>
                <PostState post={post} />
              </Link>
            </li>
          ))}
        </Paper>
      )}
    </section>
  );
}
