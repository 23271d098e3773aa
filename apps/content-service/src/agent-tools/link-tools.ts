import { backlinks, renamePreview, renameQuery } from '@blog-content/payload-schemas';
import { readPage } from '@blog-content/service-runtime';
import { z } from 'zod';
import { createLinkActions, type LinkRoutesDependencies } from '../blogs/backlinks/link-routes.ts';
import { blogId, defineTool, paging, reading, type Tool } from './tool.ts';

/** The tools for what leads to a post. */
export function createLinkTools(dependencies: LinkRoutesDependencies): Tool[] {
  const actions = createLinkActions(dependencies);
  return [
    defineTool({
      name: 'list_backlinks',
      title: 'List the posts that link to a post',
      description: 'Lists the posts that link to a post, newest first, and says how many there are.',
      input: z.object({ blog_id: blogId, ...paging }),
      output: backlinks,
      ...reading,
      run: ({ projectId }, input, given) => actions.list(projectId, input.blog_id, readPage(given)),
    }),
    defineTool({
      name: 'preview_rename',
      title: 'Preview a rename',
      description:
        'Says whether a post can have a slug, which post has it otherwise, how many posts link here, and whether the old URL redirects. Changes nothing.',
      input: renameQuery.extend({ blog_id: blogId }),
      output: renamePreview,
      ...reading,
      run: ({ projectId }, input) => actions.previewRename(projectId, input.blog_id, input.slug ?? null),
    }),
  ];
}
