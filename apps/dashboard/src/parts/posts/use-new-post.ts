import { useMutation } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { createBlogMutation } from '../../generated/@tanstack/react-query.gen.ts';
import { posts as text } from '../../strings/posts.ts';
import { notify } from '../notify.ts';
import { useProject } from '../project.tsx';

/** Makes a draft and opens it, unless somebody has gone to another page before the answer. */
export function useNewPost(): { readonly write: () => void; readonly isPending: boolean } {
  const { id: projectId } = useProject();
  const navigate = useNavigate();
  const { mutate, isPending } = useMutation({
    ...createBlogMutation(),
    onMutate: () => ({ at: window.location.pathname }),
    onSuccess: (blog, _asked, { at }) => {
      if (window.location.pathname !== at) return;
      void navigate({ to: '/projects/$projectId/posts/$blogId', params: { projectId, blogId: blog.id } });
    },
    onError: (error) => notify.failed(error),
  });
  return { write: () => mutate({ path: { projectId }, body: { title: text.newPostTitle } }), isPending };
}
