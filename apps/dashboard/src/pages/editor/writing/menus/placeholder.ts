import { Extension } from '@tiptap/core';
import { Plugin } from '@tiptap/pm/state';
import { Decoration, DecorationSet } from '@tiptap/pm/view';
import { editor as text } from '../../../../strings/editor.ts';

/** Says in an empty post, and on the empty line that the caret is on, what can be done there. */
export const Placeholder = Extension.create({
  name: 'placeholder',
  addProseMirrorPlugins: () => [
    new Plugin({
      props: {
        decorations({ doc, selection }) {
          const { $from, empty } = selection;
          const isEmptyPost = doc.childCount === 1 && doc.firstChild?.content.size === 0;
          const line = isEmptyPost ? doc.firstChild : $from.depth === 1 && empty ? $from.parent : null;
          if (line?.type.name !== 'paragraph' || line.content.size > 0) return null;
          const at = isEmptyPost ? 0 : $from.before();
          const words = isEmptyPost ? text.bodyHint : text.lineHint;
          return DecorationSet.create(doc, [Decoration.node(at, at + line.nodeSize, { 'data-hint': words })]);
        },
      },
    }),
  ],
});
