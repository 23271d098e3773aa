import type { Node as DocumentNode } from '@tiptap/pm/model';
import { Selection } from '@tiptap/pm/state';
import { useEditor, type Editor } from '@tiptap/react';
import { useLayoutEffect, useRef } from 'react';
import { notify } from '../../../parts/notify.ts';
import { editor as text } from '../../../strings/editor.ts';
import { documentExtensions } from '../document/extensions.ts';
import { readDocument } from '../document/read-document.ts';
import { writeDocument } from '../document/write-document.ts';
import { Placeholder } from './menus/placeholder.ts';
import { cleanPasted } from './paste/clean-pasted.ts';
import { pasteText } from './paste/paste-text.ts';

interface Options {
  /** The content to begin with; another component instance is needed for another one. */
  readonly html: string;
  /** The content was changed. It is written when it is asked for, not at every key. */
  readonly onChange: (content: () => string) => void;
  readonly onOpened: (opened: { rawBlocks: number } | { wouldLose: string }) => void;
  readonly onImages: (files: readonly File[]) => void;
  /** Keys that a menu over the text takes first. */
  readonly onKey: (event: KeyboardEvent) => boolean;
}

/** An editor that shows the HTML, and writes it back without loss. */
export function useRichText(options: Options): Editor | null {
  const latest = useRef(options);
  useLayoutEffect(() => {
    latest.current = options;
  });
  /** Whose changes are the person's: not what opening does. */
  const shown = useRef<{ document: DocumentNode; sources: WeakMap<DocumentNode, string> } | null>(null);

  const editor: Editor = useEditor({
    extensions: EXTENSIONS,
    shouldRerenderOnTransaction: false,
    editorProps: {
      attributes: { role: 'textbox', 'aria-multiline': 'true', 'aria-label': text.content, id: 'post-content' },
      transformPastedHTML: (pasted) => {
        const { html, lostImages } = cleanPasted(pasted);
        if (lostImages > 0) notify.refused(text.lostImages(lostImages));
        return html;
      },
      handleKeyDown: (_view, event) => latest.current.onKey(event),
      handlePaste: (_view, { clipboardData }) =>
        takeImages(clipboardData, latest.current.onImages) || pasteText(editor, clipboardData),
      handleDrop: (view, event, _slice, moved) => {
        if (moved || !takesImages(event.dataTransfer)) return false;
        const at = view.posAtCoords({ left: event.clientX, top: event.clientY });
        if (at) editor.commands.setTextSelection(at.pos);
        return takeImages(event.dataTransfer, latest.current.onImages);
      },
    },
    onUpdate: ({ editor: updated, transaction }) => {
      const current = shown.current;
      if (current === null || transaction.getMeta(OPENING)) return;
      current.document = updated.state.doc;
      latest.current.onChange(() => writeDocument(current.document, current.sources));
    },
  });

  useLayoutEffect(() => {
    const read = readDocument(latest.current.html, editor.schema);
    if (read.kind === 'would-lose') {
      latest.current.onOpened({ wouldLose: read.place });
      return;
    }
    const { tr } = editor.state;
    tr.replaceWith(0, tr.doc.content.size, read.document.content);
    tr.setSelection(Selection.atStart(tr.doc));
    editor.view.dispatch(tr.setMeta('addToHistory', false).setMeta(OPENING, true));
    shown.current = { document: editor.state.doc, sources: read.sources };
    latest.current.onOpened({ rawBlocks: read.rawBlocks });
  }, [editor]);

  return editor;
}

const EXTENSIONS = [...documentExtensions, Placeholder];
const OPENING = 'opening';

const takesImages = (data: DataTransfer | null) =>
  [...(data?.files ?? [])].some(({ type }) => type.startsWith('image/'));

/** Whether there were images. Text that is pasted from a program comes with a picture of itself, and is text. */
function takeImages(data: DataTransfer | null, onImages: Options['onImages']): boolean {
  if (!takesImages(data) || data?.types.includes('text/html')) return false;
  onImages([...(data?.files ?? [])].filter(({ type }) => type.startsWith('image/')));
  return true;
}
