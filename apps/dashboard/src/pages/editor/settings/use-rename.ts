import { useDebouncedValue } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { previewRenameOptions } from '../../../generated/@tanstack/react-query.gen.ts';
import type { Blog, RenamePreview } from '../../../generated/types.gen.ts';
import { isSlug } from './post-address.ts';

const REST_MS = 300;

/** What a slug would do to the post; undefined until the service has said so. */
export function useRename(blog: Pick<Blog, 'id' | 'project_id'>, slug: string): RenamePreview | undefined {
  const [asked] = useDebouncedValue(slug, REST_MS);
  const path = { projectId: blog.project_id, blogId: blog.id };
  const { data } = useQuery({
    ...previewRenameOptions({ path, query: { slug: asked } }),
    enabled: isSlug(asked),
    // Other posts can be renamed, and link here.
    staleTime: 0,
  });
  return data?.slug === slug ? data : undefined;
}
