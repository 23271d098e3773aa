import { backlinks, renamePreview, renameQuery } from '@blog-content/payload-schemas';
import { readPage } from '@blog-content/service-runtime';
import { z } from 'zod';
import { createLinkActions, type LinkActionsDependencies } from '../blogs/backlinks/link-routes.ts';
import { blogId, defineTool, paging, reading, type Tool } from './tool.ts';

/** The tools for what leads to a post. */
export function createLinkTools(dependencies: LinkActionsDependencies): Tool[] {
  const actions = createLinkActions(dependencies);
  return [
    defineTool({
      name: 'list_backlinks',
      title: 'List backlinks',
      description: 'Lists the posts that link to a post, newest first, with their number.',
      input: z.object({ blog_id: blogId, ...paging }),
      output: backlinks,
      ...reading,
      run: ({ projectId }, input, given) => actions.list(projectId, input.blog_id, readPage(given)),
    }),
    defineTool({
      name: 'preview_rename',
      title: 'Preview a rename',
      description:
        'Checks whether a slug is available, which post has it, how many posts link here, and whether the old URL redirects. Makes no changes.',
      input: renameQuery.extend({ blog_id: blogId }),
      output: renamePreview,
      ...reading,
      run: ({ projectId }, input) => actions.previewRename(projectId, input.blog_id, input.slug ?? null),
    }),
  ];
}
