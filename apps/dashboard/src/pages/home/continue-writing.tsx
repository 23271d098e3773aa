import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { listBlogsOptions } from '../../generated/@tanstack/react-query.gen.ts';
import type { BlogItem } from '../../generated/types.gen.ts';
import { Thumbnail } from '../../parts/images/thumbnail.tsx';
import { LanguageBadge } from '../../parts/languages/language-badge.tsx';
import { PageLink } from '../../parts/page-link.tsx';
import { PostState } from '../../parts/posts/post-state.tsx';
import { useProject } from '../../parts/project.tsx';
import { When } from '../../parts/when.tsx';
import { home } from '../../strings/home.ts';
import { HomeList } from './home-list.tsx';
import styles from './home.module.css';

const text = home.drafts;
const SHOWN = 5;

/** The last edited drafts, and posts with unpublished changes. */
export function ContinueWriting() {
  const path = { projectId: useProject().id };
  const newest = { sort: 'updated_at', limit: SHOWN } as const;
  const drafts = useQuery(listBlogsOptions({ path, query: { ...newest, state: 'draft', scheduled: 'false' } }));
  const changed = useQuery(listBlogsOptions({ path, query: { ...newest, changed: 'true' } }));
  const posts = [...(drafts.data?.items ?? []), ...(changed.data?.items ?? [])]
    .sort((one, other) => other.updated_at.localeCompare(one.updated_at))
    .slice(0, SHOWN);
  const isKnown = drafts.data !== undefined && changed.data !== undefined;
  return (
    <HomeList
      title={text.title}
      all={
        <PageLink size="sm" to="/projects/$projectId/posts" params={path}>
          {text.all}
        </PageLink>
      }
      query={{ ...(drafts.error === null ? changed : drafts), isPending: drafts.isPending }}
      rows={isKnown || posts.length > 0 ? posts.map((post) => <Row key={post.id} post={post} />) : null}
      none={text.none}
    />
  );
}

function Row({ post }: { post: BlogItem }) {
  const params = { projectId: post.project_id, blogId: post.id };
  return (
    <li>
      <Link className={styles['row']} to="/projects/$projectId/posts/$blogId" params={params}>
        <Thumbnail url={post.hero_image_url} />
        <span className={styles['said']}>
          <span className={styles['title']}>{post.title}</span>
          <span className={styles['reason']}>
            {text.edited} <When iso={post.updated_at} />
          </span>
        </span>
        <LanguageBadge language={post.language} />
        <PostState post={post} />
      </Link>
    </li>
  );
}
