import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { listTranslationsOptions } from '../../../generated/@tanstack/react-query.gen.ts';
import type { Blog, BlogTranslations } from '../../../generated/types.gen.ts';

export type Translation = BlogTranslations['items'][number];

/** The post and its translations, and how they stand to each other. */
export function useTranslations(blog: Blog) {
  const options = listTranslationsOptions({ path: { projectId: blog.project_id, blogId: blog.id } });
  return useQuery({
    ...options,
    // A save may change the language, or leave the others.
    queryKey: [{ ...options.queryKey[0], tags: [String(blog.version)] }],
    placeholderData: keepPreviousData,
    staleTime: 0,
  });
}
