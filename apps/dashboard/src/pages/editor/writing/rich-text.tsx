import { Alert } from '@mantine/core';
import { EditorContent, type Editor } from '@tiptap/react';
import { useCallback, useEffect, useRef, useState } from 'react';
import { editor as text } from '../../../strings/editor.ts';
import type { DialogKind } from './commands.ts';
import styles from './content.module.css';
import { ImagePicker } from '../../../parts/images/image-picker.tsx';
import { LinkDialog } from './dialogs/link-dialog.tsx';
import { AltDialog, HtmlDialog } from './dialogs/small-dialogs.tsx';
import { AddButton } from './menus/add-button.tsx';
import { BlockBar } from './menus/block-bar.tsx';
import { Bubble } from './menus/bubble.tsx';
import { SlashMenu, type TakeKey } from './menus/slash-menu.tsx';
import { useRichText } from './use-rich-text.ts';

/** The content as text that is written in: bars over it, slash menu, Markdown, images by paste and drop. */
export function RichText(props: {
  blogId: string;
  html: string;
  onChange: (content: () => string) => void;
  onWouldLose: (place: string) => void;
  /** Hears of the editor, and when there is none any more. */
  onEditor: (editor: Editor | null) => void;
}) {
  const { onWouldLose, onEditor } = props;
  const [dialog, setDialog] = useState<DialogKind | null>(null);
  const [files, setFiles] = useState<readonly File[]>([]);
  const [rawBlocks, setRawBlocks] = useState(0);
  const [hasFocus, setFocus] = useState(false);
  const [isDragging, setDragging] = useState(false);
  const frame = useRef<HTMLDivElement>(null);
  const takeKey = useRef<TakeKey | null>(null);
  const setTakeKey = useCallback((take: TakeKey | null) => {
    takeKey.current = take;
  }, []);
  const editor = useRichText({
    html: props.html,
    onChange: props.onChange,
    onOpened: (opened) => ('wouldLose' in opened ? onWouldLose(opened.wouldLose) : setRawBlocks(opened.rawBlocks)),
    onImages: (dropped) => {
      setFiles(dropped);
      setDialog('image');
    },
    onKey: (event) => {
      if (takeKey.current?.(event)) return true;
      if (event.key === 'F10' && event.altKey) {
        frame.current?.querySelector<HTMLElement>('[role=toolbar] button')?.focus();
        return true;
      }
      if (event.key !== 'k' || !(event.ctrlKey || event.metaKey)) return false;
      event.preventDefault();
      setDialog('link');
      return true;
    },
  });
  useEffect(() => {
    onEditor(editor);
    return () => onEditor(null);
  }, [editor, onEditor]);
  useEffect(() => {
    if (!isDragging) return;
    const end = () => setDragging(false);
    window.addEventListener('pointerup', end);
    window.addEventListener('pointercancel', end);
    return () => {
      window.removeEventListener('pointerup', end);
      window.removeEventListener('pointercancel', end);
    };
  }, [isDragging]);
  const hadDialog = useRef(false);
  useEffect(() => {
    // A dialog that unmounts drops the focus, and without focus the bars are gone.
    if (hadDialog.current && dialog === null) editor?.commands.focus();
    hadDialog.current = dialog !== null;
  }, [dialog, editor]);
  if (editor === null) return null;
  const close = () => {
    setDialog(null);
    setFiles([]);
  };
  const addImage = ({ url, alt }: { url: string; alt: string }) => {
    editor
      .chain()
      .focus()
      .insertContent({ type: 'image', attrs: { html: { src: url, alt } } })
      .run();
    setFiles(files.slice(1));
    if (files.length <= 1) setDialog(null);
  };
  return (
    <div className={styles['content']}>
      {rawBlocks > 0 && (
        <Alert mb="md" p="xs">
          {text.rawBlocks(rawBlocks)}
        </Alert>
      )}
      <div
        ref={frame}
        className={styles['frame']}
        onFocus={() => setFocus(true)}
        onBlur={({ currentTarget, relatedTarget }) => !currentTarget.contains(relatedTarget) && setFocus(false)}
        onPointerDown={({ target }) => editor.view.dom.contains(target as Node) && setDragging(true)}
      >
        <EditorContent editor={editor} />
        {hasFocus && (
          <>
            {!isDragging && <Bubble editor={editor} onDialog={setDialog} />}
            <BlockBar editor={editor} onDialog={setDialog} />
            <AddButton editor={editor} />
            <SlashMenu editor={editor} onDialog={setDialog} setTakeKey={setTakeKey} />
          </>
        )}
      </div>
      {(dialog === 'link' || dialog === 'post-link') && (
        <LinkDialog editor={editor} blogId={props.blogId} toPost={dialog === 'post-link'} onClose={close} />
      )}
      {dialog === 'image' && (
        <ImagePicker
          key={`${files.length} ${files[0]?.name}`}
          file={files[0] ?? null}
          more={Math.max(0, files.length - 1)}
          onClose={close}
          onPicked={addImage}
        />
      )}
      {dialog === 'alt' && <AltDialog editor={editor} onClose={close} />}
      {(dialog === 'html' || dialog === 'new-html') && (
        <HtmlDialog editor={editor} isNew={dialog === 'new-html'} onClose={close} />
      )}
    </div>
  );
}
