import type { Editor } from '@tiptap/core';
import { NodeSelection } from '@tiptap/pm/state';
import {
  Code,
  Heading2,
  Heading3,
  Heading4,
  List,
  ListCollapse,
  ListOrdered,
  Minus,
  Table,
  TextQuote,
  type LucideIcon,
} from 'lucide-react';
import { editor as text } from '../../../strings/editor.ts';

/** What opens a dialog of the text. */
export type DialogKind = 'link' | 'post-link' | 'image' | 'alt' | 'html' | 'new-html';

export interface Block {
  readonly name: string;
  readonly icon: LucideIcon;
  /** What it is good for, or how it is typed. */
  readonly hint: string;
  /** Other words that find it. */
  readonly words: string;
  readonly run: (editor: Editor) => void;
}

const { toolbar, hints } = text;
const heading = (level: 2 | 3 | 4, icon: LucideIcon): Block => ({
  name: toolbar.heading(level),
  icon,
  hint: '#'.repeat(level),
  words: `h${level} title`,
  run: (editor) => editor.chain().focus().setNode('heading', { level }).run(),
});

/** Blocks that need no dialog. */
export const BLOCKS: readonly Block[] = [
  heading(2, Heading2),
  heading(3, Heading3),
  heading(4, Heading4),
  {
    name: toolbar.bullets,
    icon: List,
    hint: '-',
    words: 'ul bullets',
    run: (editor) => editor.chain().focus().toggleBulletList().run(),
  },
  {
    name: toolbar.numbers,
    icon: ListOrdered,
    hint: '1.',
    words: 'ol ordered',
    run: (editor) => editor.chain().focus().toggleOrderedList().run(),
  },
  {
    name: toolbar.quote,
    icon: TextQuote,
    hint: '>',
    words: 'blockquote',
    run: (editor) => editor.chain().focus().toggleBlockquote().run(),
  },
  {
    name: toolbar.codeBlock,
    icon: Code,
    hint: '```',
    words: 'pre',
    run: (editor) => editor.chain().focus().setNode('codeBlock').run(),
  },
  {
    name: toolbar.table,
    icon: Table,
    hint: hints.table,
    words: 'rows columns',
    run: (editor) => editor.chain().focus().insertTable({ rows: 3, cols: 3, withHeaderRow: true }).run(),
  },
  {
    name: toolbar.rule,
    icon: Minus,
    hint: '---',
    words: 'hr separator line',
    run: (editor) => editor.chain().focus().setHorizontalRule().run(),
  },
  {
    name: toolbar.details,
    icon: ListCollapse,
    hint: hints.details,
    words: 'details accordion fold',
    run: insertDetails,
  },
];

function insertDetails(editor: Editor): void {
  const paragraph = (words: string) => ({ type: 'paragraph', content: [{ type: 'text', text: words }] });
  editor
    .chain()
    .focus()
    .insertContent({
      type: 'box',
      attrs: { element: 'details', html: { open: '' } },
      content: [
        { type: 'box', attrs: { element: 'summary' }, content: [paragraph(text.fold.summary)] },
        paragraph(text.fold.text),
      ],
    })
    .run();
}

/** Puts an inline element that has no mark of its own around the selection, or takes it off. */
export function toggleInline(editor: Editor, element: string): void {
  const { state } = editor;
  const type = state.schema.marks['inlineElement'];
  const { from, to, empty } = state.selection;
  if (!type || empty) return;
  const mark = type.create({ element, html: {} });
  let found: typeof mark | undefined;
  state.doc.nodesBetween(from, to, ({ marks }) => {
    found ??= marks.find((each) => each.type === type && each.attrs['element'] === element);
  });
  editor.view.dispatch(found ? state.tr.removeMark(from, to, found) : state.tr.addMark(from, to, mark));
  editor.commands.focus();
}

/** The attributes of the selected image, if one is. */
export function selectedImage(editor: Editor): Readonly<Record<string, string>> | null {
  const { selection } = editor.state;
  if (!(selection instanceof NodeSelection) || selection.node.type.name !== 'image') return null;
  return selection.node.attrs['html'] as Record<string, string>;
}

/** The HTML of the selected raw node, if one is. */
export function selectedRaw(editor: Editor): string | null {
  const { selection } = editor.state;
  if (!(selection instanceof NodeSelection) || !selection.node.type.name.startsWith('raw')) return null;
  return selection.node.attrs['source'] as string;
}

/** The depth of the figure around the selection; null where it is in none. */
function figureDepth({ state: { selection } }: Editor): number | null {
  for (let { depth } = selection.$from; depth > 0; depth -= 1) {
    if (selection.$from.node(depth).attrs['element'] === 'figure') return depth;
  }
  return null;
}

/**
 * Moves to the caption of the selected image or player, and makes one if there is none. Around an image that is in a
 * line with nothing else a figure is made first.
 */
export function goToCaption(editor: Editor): void {
  const { state } = editor;
  const { $from, from } = state.selection;
  const words = { type: 'paragraph' };
  const caption = { type: 'box', attrs: { element: 'figcaption' }, content: [words] };
  const depth = figureDepth(editor);
  if (depth !== null) {
    const figure = $from.node(depth);
    const isCaptioned = figure.lastChild?.attrs['element'] === 'figcaption';
    const end = $from.end(depth);
    if (isCaptioned)
      editor
        .chain()
        .focus(end - 2)
        .run();
    else
      editor
        .chain()
        .insertContentAt(end, caption, { updateSelection: false })
        .focus(end + 2)
        .run();
    return;
  }
  const node = state.doc.nodeAt(from);
  if (node === null || $from.parent.childCount > 1 || $from.depth !== 1) return;
  const line = { type: 'paragraph', attrs: { loose: 'yes' }, content: [node.toJSON()] };
  const figure = { type: 'box', attrs: { element: 'figure' }, content: [line, caption] };
  const at = $from.before();
  editor.chain().insertContentAt({ from: at, to: $from.after() }, figure).run();
  // Within the figure, behind its line, in the caption's paragraph.
  editor.commands.focus(at + node.nodeSize + 5);
}

/** Whether the selected image or player can have a caption. */
export const takesCaption = (editor: Editor): boolean => {
  const { $from } = editor.state.selection;
  return figureDepth(editor) !== null || ($from.depth === 1 && $from.parent.childCount === 1);
};

/** The `href` of the link at the selection. */
export function linkAt(editor: Editor): string | null {
  for (const name of ['internalLink', 'link']) {
    const html = editor.getAttributes(name)['html'] as { href?: string } | undefined;
    if (html?.href !== undefined && editor.isActive(name)) return html.href;
  }
  return null;
}

/** Links the selection, or the link that the cursor is in, or words that are added. */
export function setLink(editor: Editor, href: string, words: string): void {
  const name = /^\[INTERNAL:/i.test(href) ? 'internalLink' : 'link';
  const mark = { type: name, attrs: { html: { href } } };
  if (linkAt(editor) !== null) removeLink(editor, false);
  if (editor.state.selection.empty) {
    editor
      .chain()
      .focus()
      .insertContent({ type: 'text', text: words, marks: [mark] })
      .run();
  } else {
    editor.chain().focus().setMark(name, mark.attrs).run();
  }
}

/** Takes the link at the selection off; its words stay selected. */
export function removeLink(editor: Editor, unselect = true): void {
  for (const name of ['internalLink', 'link']) {
    if (editor.isActive(name)) editor.chain().focus().extendMarkRange(name).unsetMark(name).run();
  }
  if (unselect) editor.commands.setTextSelection(editor.state.selection.to);
}
