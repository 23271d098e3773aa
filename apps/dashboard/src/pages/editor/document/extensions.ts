import { ListItem } from '@tiptap/extension-list';
import StarterKit from '@tiptap/starter-kit';
import { blocks } from './blocks.ts';
import { LeaveBlocks } from './leave-blocks.ts';
import { marks } from './marks.ts';
import { tables } from './tables.ts';

/** All that a document of the editor is made of. */
export const documentExtensions = [
  StarterKit.configure({
    heading: { levels: [2, 3, 4] },
    // Ours keep which element they were, and its attributes.
    bold: false,
    italic: false,
    strike: false,
    underline: false,
    code: false,
    link: false,
    codeBlock: false,
    listItem: false,
    // It would add a paragraph to every post.
    trailingNode: false,
  }),
  // List items of posts may begin with any block.
  ListItem.extend({ content: 'block+' }),
  ...marks,
  ...blocks,
  ...tables,
  LeaveBlocks,
];
