import { useMutation } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { createBlogMutation } from '../../generated/@tanstack/react-query.gen.ts';
import { deleteBlog, getBlog } from '../../generated/sdk.gen.ts';
import { posts as text } from '../../strings/posts.ts';
import { notify } from '../notify.ts';
import { useProject } from '../project.tsx';

/** The version of an untouched post. */
const FIRST_VERSION = 1;

/** Posts that this tab made by “New post”, and that may still be untouched. */
const newPosts = new Set<string>();

/**
 * Deletes a post that “New post” has made, unless it was edited, scheduled or published: nobody wants an empty
 * “Untitled” in the list. What cannot be deleted stays.
 */
export async function discardNewPost(path: { readonly projectId: string; readonly blogId: string }): Promise<void> {
  if (!newPosts.delete(path.blogId)) return;
  try {
    const { data } = await getBlog({ path, throwOnError: true });
    if (data.version !== FIRST_VERSION || data.state !== 'draft' || data.publish_at !== null) return;
    await deleteBlog({ path, headers: { 'If-Match': `"${FIRST_VERSION}"` }, throwOnError: true });
  } catch {
    // It is an empty draft, which the list of posts shows.
  }
}

/** Makes a draft and opens it, unless another page is open by the time of the answer. */
export function useNewPost(): { readonly write: () => void; readonly isPending: boolean } {
  const { id: projectId } = useProject();
  const navigate = useNavigate();
  const { mutate, isPending } = useMutation({
    ...createBlogMutation(),
    onMutate: () => ({ at: window.location.pathname }),
    onSuccess: (blog, _asked, { at }) => {
      newPosts.add(blog.id);
      if (window.location.pathname !== at) return void discardNewPost({ projectId, blogId: blog.id });
      void navigate({ to: '/projects/$projectId/posts/$blogId', params: { projectId, blogId: blog.id } });
    },
    onError: (error) => notify.failed(error),
  });
  return { write: () => mutate({ path: { projectId }, body: { title: text.newPostTitle } }), isPending };
}
