import { Alert, Text } from '@mantine/core';
import { EditorContent } from '@tiptap/react';
import { useCallback, useRef, useState } from 'react';
import { editor as text } from '../../../strings/editor.ts';
import type { DialogKind } from './commands.ts';
import { ImageDialog } from './dialogs/image-dialog.tsx';
import { LinkDialog } from './dialogs/link-dialog.tsx';
import { AltDialog, HtmlDialog } from './dialogs/small-dialogs.tsx';
import styles from './rich-text.module.css';
import { SlashMenu, type TakeKey } from './menus/slash-menu.tsx';
import { Toolbar } from './toolbar.tsx';
import { useRichText } from './use-rich-text.ts';

/** The content as text that is written in: toolbar, slash menu, Markdown, images by paste and drop. */
export function RichText(props: {
  blogId: string;
  html: string;
  onChange: (content: () => string) => void;
  onWouldLose: (place: string) => void;
}) {
  const { onWouldLose } = props;
  const [dialog, setDialog] = useState<DialogKind | null>(null);
  const [files, setFiles] = useState<readonly File[]>([]);
  const [rawBlocks, setRawBlocks] = useState(0);
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
      if (event.key !== 'k' || !(event.ctrlKey || event.metaKey)) return false;
      event.preventDefault();
      setDialog('link');
      return true;
    },
  });
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
        <Alert mb="xs" p="xs">
          {text.rawBlocks(rawBlocks)}
        </Alert>
      )}
      <Toolbar editor={editor} onDialog={setDialog} />
      <div className={styles['frame']}>
        <EditorContent editor={editor} />
        <SlashMenu editor={editor} onDialog={setDialog} setTakeKey={setTakeKey} />
      </div>
      <Text size="xs" c="dimmed">
        {text.toolbar.hint}
      </Text>
      {(dialog === 'link' || dialog === 'post-link') && (
        <LinkDialog editor={editor} blogId={props.blogId} toPost={dialog === 'post-link'} onClose={close} />
      )}
      {dialog === 'image' && (
        <ImageDialog
          key={`${files.length} ${files[0]?.name}`}
          file={files[0] ?? null}
          more={Math.max(0, files.length - 1)}
          onClose={close}
          onUploaded={addImage}
        />
      )}
      {dialog === 'alt' && <AltDialog editor={editor} onClose={close} />}
      {(dialog === 'html' || dialog === 'new-html') && (
        <HtmlDialog editor={editor} isNew={dialog === 'new-html'} onClose={close} />
      )}
    </div>
  );
}
