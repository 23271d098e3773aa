import { Extension, type Editor } from '@tiptap/core';
import type { ResolvedPos } from '@tiptap/pm/model';
import { NodeSelection, TextSelection, type Selection } from '@tiptap/pm/state';

/** Blocks that a caret cannot leave by itself where nothing is beside them. */
const ENCLOSING = new Set(['table', 'codeBlock', 'box', 'rawBlock']);

/** Enter on the second empty line at the end of a code block. */
function leaveCode(editor: Editor): boolean {
  const { selection, schema, tr } = editor.state;
  const { $from } = selection;
  const isAtEnd = selection.empty && $from.parentOffset === $from.parent.content.size;
  if ($from.parent.type.name !== 'codeBlock' || !isAtEnd || !$from.parent.textContent.endsWith('\n\n')) return false;
  const paragraph = schema.nodes['paragraph']?.create();
  if (!paragraph) return false;
  tr.delete($from.pos - 2, $from.pos);
  const after = tr.mapping.map($from.after());
  tr.insert(after, paragraph);
  tr.setSelection(TextSelection.near(tr.doc.resolve(after + 1)));
  editor.view.dispatch(tr.scrollIntoView());
  return true;
}

/**
 * At the beginning and the end of a post an arrow key leads out of a table, a code block and the like, into a new
 * paragraph: without it there would be no place to write. Enter on two empty lines leads out of code, as in other
 * editors.
 */
export const LeaveBlocks = Extension.create({
  name: 'leaveBlocks',
  // Before the keys of tables, which stay inside.
  priority: 1000,
  addKeyboardShortcuts: () => ({
    ArrowDown: ({ editor }) => leave(editor, 'down'),
    ArrowRight: ({ editor }) => leave(editor, 'right'),
    ArrowUp: ({ editor }) => leave(editor, 'up'),
    ArrowLeft: ({ editor }) => leave(editor, 'left'),
    Enter: ({ editor }) => leaveCode(editor),
  }),
});

type Direction = 'up' | 'down' | 'left' | 'right';

function leave(editor: Editor, direction: Direction): boolean {
  const { selection, doc, schema, tr } = editor.state;
  const isAhead = direction === 'down' || direction === 'right';
  const outermost = isAhead ? doc.lastChild : doc.firstChild;
  if (outermost === null || !ENCLOSING.has(outermost.type.name) || !isAtEdge(editor, selection, direction))
    return false;
  const at = isAhead ? doc.content.size : 0;
  const paragraph = schema.nodes['paragraph']?.create();
  if (!paragraph) return false;
  tr.insert(at, paragraph);
  tr.setSelection(TextSelection.near(tr.doc.resolve(at + 1)));
  editor.view.dispatch(tr.scrollIntoView());
  return true;
}

function isAtEdge({ view }: Editor, selection: Selection, direction: Direction): boolean {
  const isAhead = direction === 'down' || direction === 'right';
  const isVertical = direction === 'down' || direction === 'up';
  if (selection instanceof NodeSelection) {
    return selection.node.isBlock && isOutermost(isAhead ? selection.$to : selection.$from, isAhead, isVertical);
  }
  if (!selection.empty || !view.endOfTextblock(direction)) return false;
  const { $head } = selection;
  return isOutermost($head, isAhead, isVertical, $head.depth - 1);
}

/** Whether nothing follows the place in the document, or comes before it. In a row the cells beside it do not count. */
function isOutermost($at: ResolvedPos, isAhead: boolean, isVertical: boolean, from = $at.depth): boolean {
  for (let depth = from; depth >= 0; depth -= 1) {
    const parent = $at.node(depth);
    if (isVertical && parent.type.name === 'tableRow') continue;
    const index = $at.index(depth);
    if (index !== (isAhead ? parent.childCount - 1 : 0)) return false;
  }
  return true;
}
