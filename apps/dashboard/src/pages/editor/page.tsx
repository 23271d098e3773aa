import { useQuery } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import { getBlogOptions } from '../../generated/@tanstack/react-query.gen.ts';
import { EmptyState } from '../../parts/empty-state.tsx';
import { PageFrame, PageToCome } from '../../parts/page-frame.tsx';
import { PageLink } from '../../parts/page-link.tsx';
import { editor as text } from '../../strings/editor.ts';
import { PostEditor } from './post-editor.tsx';

export function Page() {
  const path = useParams({ from: '/projects/$projectId/posts/$blogId' });
  // An answer of an earlier visit may be old, and what is written would begin from it.
  const blog = useQuery({ ...getBlogOptions({ path }), staleTime: 0, gcTime: 0 });
  if (blog.data?.state === 'deleted') {
    return (
      <PageFrame title={text.heading}>
        <EmptyState
          title={text.deletedTitle}
          action={
            <PageLink to="/projects/$projectId/posts" params={path}>
              {text.backToPosts}
            </PageLink>
          }
        >
          {text.deletedText}
        </EmptyState>
      </PageFrame>
    );
  }
  if (blog.data) return <PostEditor key={path.blogId} blog={blog.data} />;
  return <PageToCome title={text.heading} query={blog} />;
}
